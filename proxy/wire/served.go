package wire

// Served is where a project is served: the line that berth serve --json
// prints once an instance answers.
type Served struct {
	ProjectRoot string `json:"projectRoot"`
	Port        int    `json:"port"`
	URL         string `json:"url"`
	PID         int    `json:"pid"`
}

// NotServed is why a project is not served: the line that berth serve
// --json-errors prints in its place.
type NotServed struct {
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}
