// Package settings reads what a person set for a project: whether berth
// serves it, its connections, limits and how the designer asks. It decides
// which file wins and says where each value came from. It is not a place for
// state: nothing here is ever written. A change of connections, of their
// default, of files or of lint takes effect while berth serves, any other at the next
// start.
//
// Start with [Load]. The most specific file wins, key by key; connections
// win name by name, each taken whole from one file:
//
//	project    <root>/.berth/config.yaml
//	           <root>/.vscode/settings.json          Devdb.enableMcpServer alone
//	workspace  the nearest of .berth/workspace.yaml in a parent, and
//	           *.code-workspace at or above the root  Devdb.enableMcpServer alone
//	global     config.yaml in the per-user directory
//	           VS Code's user settings                Devdb.enableMcpServer alone
//
// Within a level berth's own file wins over the editor's, except that of two
// workspace files the nearer one wins.
//
// The user's own files (global) say what they like. Those of the project and
// of the folders above it may be a stranger's: what takes something of the
// user's, reaches beyond the project and this machine or raises a right is an
// [Ask], and left out until the user trusts it.
//
// Invariants: a file of berth's own that holds an unknown key, a wrong type or
// a key twice is an error that names file, line and key, never a guess; an
// editor's file is read for our key alone; no secret that a ${VAR} expands to
// appears in a [Value] or in an error.
package settings

import (
	"strings"
	"time"
)

// Settings are the values in force for one project. [Load] is the only way to
// get one; every field holds a valid value then.
type Settings struct {
	EnableMCPServer bool // may berth serve offer this project's tools; default true
	Designer        Designer
	Query           Query
	Files           Files
	Publish         Publish
	Page            Page
	Lint            Lint
	// TrustedPeers are users of this machine, by name or uid, whose
	// connections an instance accepts beside its own user's: what relays run
	// as. Default none.
	TrustedPeers []string
	// IdleTimeout ends an instance that nobody called for so long. 0, the
	// default: never.
	IdleTimeout time.Duration
	// Default names the connection that a call without one means. Empty: not
	// set; see [Settings.Connection].
	Default string
	// Connections are in the order of their files, the most specific file's
	// first.
	Connections []Connection
	// Notes say what was left out and why, a sentence each, for people.
	Notes []string

	// Hosts are the other machines that the user named. From the user's own file
	// alone.
	Hosts []Host

	// Team is the broker of designs that the user shares with others; nil: none.
	// From the user's own file alone.
	Team *Team

	// Trust lists folders whose projects the user trusts with all that their
	// own files ask, or is "all". From the user's own file alone.
	Trust []string

	root      string
	origins   map[string]origin
	users     *Settings // what the user's own files set, before any other was read
	rights    map[string]Ask
	trusted   func(digest string) bool
	trustsAll bool
}

// Designer says how the schema designer behaves.
type Designer struct {
	Confirm     string // ConfirmNever (default), ConfirmDestructive or ConfirmAlways
	OpenBrowser bool   // show opens the page on this machine's desktop; default true
}

// When the designer asks a person before it applies an agent's edits.
const (
	ConfirmNever       = "never"
	ConfirmDestructive = "destructive"
	ConfirmAlways      = "always"
)

// Query limits what one query may return to an agent.
type Query struct {
	MaxRows  int           // rows; default 200
	MaxBytes int           // bytes of a reply; default 24576
	Timeout  time.Duration // of a statement; default 30 s
}

// Files says what the file tools read and how they write.
type Files struct {
	Mode    string // FilesSafe (default): a person approves; FilesFast: at once
	Secrets bool   // files that hold secrets may be read and edited; default false
	Store   *Store // the files are rows of a table; nil, the default: they are the project's folder
}

// The modes of the file tools.
const (
	FilesSafe = "safe"
	FilesFast = "fast"
)

// Publish says how a design reaches a database.
type Publish struct {
	Unattended bool // berth publish --yes may run without a person; default false
}

// Lint says which rules of designer/lint are checked, by name, beside and
// instead of those that are on by default.
type Lint struct {
	Off, On []string
	// Ignore are tables of which nothing is said: names with or without their
	// schema, in which * and ? stand for other characters.
	Ignore []string
}

// Page says who may show the designer page.
type Page struct {
	// FrameAncestors are origins that may frame the page beside the editors
	// that it knows; default none.
	FrameAncestors []string
	// Hosts are those under which a browser may have the page beside 127.0.0.1, as
	// that of a forwarded port; default none.
	Hosts []string
}

// defaults are the values no file set.
func defaults() *Settings {
	return &Settings{
		EnableMCPServer: true,
		Designer:        Designer{Confirm: ConfirmNever, OpenBrowser: true},
		Query:           Query{MaxRows: 200, MaxBytes: 24 << 10, Timeout: 30 * time.Second},
		Files:           Files{Mode: FilesSafe},
		origins:         map[string]origin{},
		rights:          map[string]Ask{},
	}
}

// Connection finds a connection by name, ignoring case. An empty name means
// the default: the one that `default` names, else the only one there is.
func (s *Settings) Connection(name string) (Connection, bool) {
	if name == "" {
		name = s.Default
	}
	if name == "" && len(s.Connections) == 1 {
		return s.Connections[0], true
	}
	for _, c := range s.Connections {
		if name != "" && strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Connection{}, false
}
