package wire

import "time"

// StatusPath is the route that says how an instance is.
const StatusPath = "/status"

// Status is the body of GET /status: how the project is, beyond what the port
// map and the instance file say.
type Status struct {
	ActiveDesigner string `json:"activeDesigner,omitempty"` // the connection's name; empty: none was shown
	SyncState      string `json:"syncState,omitempty"`      // synced, proposed or drifted

	Approvals int `json:"approvals,omitempty"` // plans that wait for a person

	DesignFiles []DesignFile `json:"designFiles,omitempty"` // those that differ from their designs

	Leases  []Lease `json:"leases,omitempty"`  // who holds the instance: it does not end by itself before they do
	Pages   int     `json:"pages,omitempty"`   // open pages, which hold it too
	IdleEnd string  `json:"idleEnd,omitempty"` // how long after its last use it ends, as "5m0s"; empty: when it is stopped

	Databases     []Database `json:"databases,omitzero"`      // at most MaxDatabases; nil: the instance is of an earlier version
	MoreDatabases int        `json:"moreDatabases,omitempty"` // those left out
}

// A Lease is a program's hold on an instance: an event stream with a name. An
// instance that ends when it is not used does not end while it is held.
type Lease struct {
	Name  string    `json:"name"` // what the program calls itself
	Since time.Time `json:"since"`
}

// EventsPath is the route of the event stream.
const EventsPath = "/events"

// LeaseParam is the parameter of GET /events that makes the stream a lease and
// names it, in at most MaxLeaseName bytes. Such a stream ends with an [Ended] if
// the instance ends by itself.
const (
	LeaseParam   = "lease"
	MaxLeaseName = 200
)

// Ended is the last notice on a lease: how the instance ended.
type Ended struct {
	Type    string `json:"type"` // EndedType
	Outcome string `json:"outcome"`
}

// EndedType is the type of an [Ended].
const EndedType = "ended"

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
