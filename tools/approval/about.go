package approval

import "slices"

// About is what a plan is about, for a program that shows it in its own way:
// an editor beside its diff view, a page that has the database's name typed.
// What does not apply is left out.
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
	// Text is the file whole, as it is and not made visible. nil: it is in
	// [Ledger.Find] only, or longer than [MaxText].
	Text *string `json:"text,omitempty"`
}

// MaxText bounds the text of one side of a file, in bytes. Of what is longer
// the plan's Detail has the changes.
const MaxText = 1 << 20

// short is a without what makes lists long.
func (a About) short() About {
	return a.files(func(c *Content) *Content { return &Content{Version: c.Version} })
}

// bounded is a without texts that are too long to be kept.
func (a About) bounded() About {
	return a.files(func(c *Content) *Content {
		if c.Text != nil && len(*c.Text) > MaxText {
			return &Content{Version: c.Version}
		}
		return c
	})
}

// files is a with another content on each side of its files.
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
