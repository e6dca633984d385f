package presence

import (
	"strings"
	"time"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/visible"
)

// Self says whose instance it is.
type Self struct {
	Person  string `json:"person"`
	Machine string `json:"machine"`
	Project string `json:"project"` // the folder's name
}

// Kind says what an entry is.
type Kind string

// The kinds.
const (
	KindPage    Kind = "page"    // a designer page that a person has open
	KindAgent   Kind = "agent"   // a program that calls tools
	KindProgram Kind = "program" // a program that holds the instance, as an editor does
)

// Entry is one that is here.
type Entry struct {
	Kind    Kind   `json:"kind"`
	ID      string `json:"id"`
	Person  string `json:"person"`
	Machine string `json:"machine"`
	Project string `json:"project"`
	Team    string `json:"team,omitempty"`    // the team's design by which it is known; "": it is at this instance
	Program string `json:"program,omitempty"` // as it calls itself; of a page the browser
	Version string `json:"version,omitempty"`
	From    string `json:"from,omitempty"` // project that an agent was started in, if another

	Connection string `json:"connection,omitempty"` // of the design it looks at
	Table      *Table `json:"table,omitempty"`      // that it looks at, or edits
	Editing    bool   `json:"editing,omitempty"`
	View       string `json:"view,omitempty"`    // of a page: its open panel
	Away       bool   `json:"away,omitempty"`    // a page that nobody sees just now
	Tool       string `json:"tool,omitempty"`    // of an agent: what it called last
	Running    bool   `json:"running,omitempty"` // that call runs
	// How long ago, in milliseconds, it came and was last heard of. Ages and not
	// times: the clocks of a team's machines differ.
	SinceMs int64 `json:"sinceMs"`
	HeardMs int64 `json:"heardMs"`

	since, heard time.Time
}

// Table is a table of a design.
type Table struct {
	ID   string `json:"id"`
	Name string `json:"name"` // with its schema
}

// List is the body of GET /presence.
type List struct {
	Self Self    `json:"self"`
	Here []Entry `json:"here"` // pages, agents, programs, each kind oldest first; then those of the team
}

// aged returns e with its ages at a moment.
func (e Entry) aged(now time.Time) Entry {
	e.SinceMs, e.HeardMs = now.Sub(e.since).Milliseconds(), now.Sub(e.heard).Milliseconds()
	return e
}

// Limits on texts from outside, in bytes.
const (
	maxName    = 80 // of a program, person, project or machine
	maxVersion = 40
	maxID      = 64
)

// Clean returns a text from outside as one line of at most limit bytes without
// hidden characters.
func Clean(text string, limit int) string {
	return strings.TrimSpace(clip.Prefix(visible.Line(clip.Prefix(text, 4*limit)), limit))
}

// cleaned returns s with its texts bounded.
func (s Self) cleaned() Self {
	return Self{Person: Clean(s.Person, maxName), Machine: Clean(s.Machine, maxName), Project: Clean(s.Project, maxName)}
}
