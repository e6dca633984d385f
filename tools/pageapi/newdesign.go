package pageapi

import "github.com/berth-dev/berth/tools/schema"

// NewDesign begins a design without a database.
type NewDesign struct {
	Name    string `json:"name"`    // "": after the project's folder
	Dialect string `json:"dialect"` // "": as Text says, else SQLite
	Text    string `json:"text"`    // what will be imported: it is looked at, and not read
	DryRun  bool   `json:"dryRun"`  // says what would be begun
}

// NewDesignReply is what was begun.
type NewDesignReply struct {
	Connection string           `json:"connection,omitempty"` // its id; "" of a dry run
	Name       string           `json:"name"`
	Dialect    string           `json:"dialect"`
	File       string           `json:"file"`              // of the settings, below the project
	Written    []string         `json:"written,omitempty"` // its lines
	Guess      schema.TextGuess `json:"guess"`
}

// NewFile names a SQLite file to be made, for a design without a database.
type NewFile struct {
	Path string `json:"path"` // below the project, with forward slashes
}

// NewFileReply is what was made.
type NewFileReply struct {
	Connection string   `json:"connection"` // the id of the connection to the file
	Name       string   `json:"name"`
	Path       string   `json:"path"`
	File       string   `json:"file"`              // of the settings, below the project
	Written    []string `json:"written,omitempty"` // its lines; none: it was named there already
}
