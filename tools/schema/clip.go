package schema

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
)

// Bounds, in characters, of texts in replies. No database that limits its
// names has a limit beyond maxName.
const (
	maxClip    = 64  // the caller's words in a message
	maxName    = 128 // names of objects
	maxTarget  = 200 // server and database: a path, for SQLite
	maxText    = 500 // expressions
	maxMessage = 500
)

// clip shortens what a caller wrote for a message.
func clip(s string) string { return clipTo(s, maxClip) }

// clipTo shortens s to n characters and makes it printable.
func clipTo(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:n-1]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, s)
}

func quote(s string) string { return "'" + clip(s) + "'" }

func shownTarget(t designer.Target) designer.Target {
	return designer.Target{Server: clipTo(t.Server, maxTarget), Database: clipTo(t.Database, maxTarget)}
}

// targetHint is the caller's notion of the database; nil fields are not
// compared.
type targetHint struct {
	Server   *string `json:"server,omitempty"`
	Database *string `json:"database,omitempty"`
}

// fits compares trimmed and without regard to case.
func (h targetHint) fits(t designer.Target) bool {
	same := func(hint *string, is string) bool {
		return hint == nil || strings.EqualFold(strings.TrimSpace(*hint), strings.TrimSpace(is))
	}
	return same(h.Server, t.Server) && same(h.Database, t.Database)
}

// shown is the hint as it is echoed.
func (h targetHint) shown() targetHint {
	short := func(s *string) *string {
		if s == nil {
			return nil
		}
		return new(clipTo(*s, maxTarget))
	}
	return targetHint{Server: short(h.Server), Database: short(h.Database)}
}
