package wire

// StatusPath is the route that says how an instance is.
const StatusPath = "/status"

// Status is the body of GET /status: how the project is, beyond what the port
// map and the instance file say.
type Status struct {
	ActiveDesigner string `json:"activeDesigner,omitempty"` // the connection's name; empty: none was shown
	SyncState      string `json:"syncState,omitempty"`      // synced, proposed or drifted

	Approvals int `json:"approvals,omitempty"` // plans that wait for a person

	DesignFiles []DesignFile `json:"designFiles,omitempty"` // those that differ from their designs

	Databases     []Database `json:"databases,omitzero"`      // at most MaxDatabases; nil: the instance is of an earlier version
	MoreDatabases int        `json:"moreDatabases,omitempty"` // those left out
}

// DesignFile is a design's file that could not be read into the design or
// written.
type DesignFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// MaxDatabases bounds the databases of a [Status].
const MaxDatabases = 10

// Database is a connection of a project as it is known without asking the
// server. Nothing of it is secret.
type Database struct {
	Name     string `json:"name"`
	Dialect  string `json:"dialect"`
	Database string `json:"database,omitempty"`
	Default  bool   `json:"default,omitempty"` // what a call without a connection means
}
