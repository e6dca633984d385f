package wire

// CallsPath is the route by which a front-end has a proven connection carry
// calls without HTTP: one after another, a line with a [Call] from it, and the
// lines of the reply. An instance that knows the route says so in [Health]; to
// any other, a call is a POST of its own.
const CallsPath = "/calls"

// CallsProtocol is the value of the Upgrade header in that request.
const CallsProtocol = "berth-calls"

// MaxCallBytes is the limit on a [Call]: on its [Request], with some room for
// what is beside it.
const MaxCallBytes = MaxRequestBytes + 4<<10

// Call is a call as one line: JSON, then a newline.
type Call struct {
	Tool   string `json:"tool"`
	Person string `json:"person,omitempty"` // the value of [PersonHeader], a secret; "": none
	Request
}
