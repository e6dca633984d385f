package approval

import (
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/visible"
)

// Limits on what a person is shown, in bytes.
const (
	MaxDetail = 256 << 10 // of a filed plan; a longer one is cut and cannot be approved
	maxTitle  = 300
	maxClient = 80
)

// presentation is a plan as shown to a person.
type presentation struct {
	title, detail string
	cut           bool   // detail is not all of it
	question      string // for a client's form: the project, the title and the essential part
	whole         bool   // question leaves nothing out
}

// present returns the presentation of a plan.
func present(p Plan, project string) presentation {
	title := visible.Line(p.Title)
	s := presentation{title: clip.Prefix(title, maxTitle), detail: visible.Text(p.Detail)}
	lines := visible.Text(p.Question)
	if lines == "" {
		lines = s.detail
	}
	if project != "" {
		title = visible.Line(project) + ": " + title
	}
	s.question = strings.TrimRight(title+"\n"+strings.TrimLeft(lines, "\n"), "\n ")
	s.whole = !p.Partial
	if len(s.detail) > MaxDetail {
		s.detail, s.cut = clip.Prefix(s.detail, MaxDetail), true
	}
	return s
}
