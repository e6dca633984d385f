package approval

import "slices"

// About describes a plan for programs that show it in their own way: an editor
// with a diff view, or a page that makes the person type the database's name.
// Fields that do not apply are left out.
type About struct {
	Connection string   `json:"connection,omitempty"`
	Server     string   `json:"server,omitempty"`
	Database   string   `json:"database,omitempty"`
	Statements []string `json:"statements,omitempty"` // in their order, as they would run
	Files      []File   `json:"files,omitempty"`
}

// File is one file that a plan changes.
type File struct {
	Path   string   `json:"path"`   // below the project, forward slashes
	Before *Content `json:"before"` // null: the file is created
	After  *Content `json:"after"`
}

// Content is a file at one moment.
type Content struct {
	Version string `json:"version"`
	// Text is the file's whole content, unescaped. It is nil if it is longer
	// than [MaxText], and except in the result of [Ledger.Find].
	Text *string `json:"text,omitempty"`
}

// MaxText bounds the text of one side of a file, in bytes. For a longer text,
// the plan's Detail has the changes.
const MaxText = 1 << 20

// short returns a without the parts that make lists long.
func (a About) short() About {
	return a.files(func(c *Content) *Content { return &Content{Version: c.Version} })
}

// Bounded returns a without the texts that are longer than [MaxText].
func (a About) Bounded() About {
	return a.files(func(c *Content) *Content {
		if c.Text != nil && len(*c.Text) > MaxText {
			return &Content{Version: c.Version}
		}
		return c
	})
}

// files returns a with change applied to both sides of its files.
func (a About) files(change func(c *Content) *Content) About {
	a.Files = slices.Clone(a.Files)
	for i := range a.Files {
		for _, side := range []**Content{&a.Files[i].Before, &a.Files[i].After} {
			if *side != nil {
				*side = change(*side)
			}
		}
	}
	return a
}
