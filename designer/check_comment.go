package designer

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// checkComment verifies that the database can keep a comment, which is at
// most limit long, 0 for any.
func (d *Dialect) checkComment(what string, text *string, limit int) *Error {
	if text == nil || *text == "" {
		return nil
	}
	if d.Comments.None {
		return invalid("%s cannot be kept: %s stores no comments; leave comment out", what, d.Title)
	}
	if !utf8.ValidString(*text) || strings.ContainsRune(*text, 0) {
		return invalid("%s holds bytes that are no text: leave them out", what)
	}
	if limit == 0 {
		limit = maxExpression
	}
	if n := len(utf16.Encode([]rune(*text))); n > limit {
		return invalid("%s has %d characters: %s keeps at most %d; shorten it", what, n, d.Title, limit)
	}
	return d.checkPlane(what, *text)
}
