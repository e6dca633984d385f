package approval

import (
	"strings"
	"unicode/utf8"

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
	s := presentation{title: clip(title, maxTitle), detail: visible.Text(p.Detail)}
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
		s.detail, s.cut = clip(s.detail, MaxDetail), true
	}
	return s
}

// clip cuts text to at most n bytes, at a character boundary.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
