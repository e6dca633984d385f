package designer

import (
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/sqltext"
)

// maxExpression bounds, in bytes, the SQL text of one expression.
const maxExpression = 64 << 10

// checkExpression verifies that SQL text given by an edit can stand where an
// expression stands and cannot reach beyond it: its strings end, its
// parentheses pair up, and it ends no statement. What the expression means is
// for the database to say.
//
// Servers disagree on where some comments and strings end, and text that is a
// string to one is code to the next: comments, strings in dollars and strings
// with a prefix's backslash escapes are refused on all of them.
func (d *Dialect) checkExpression(what, text string) *Error {
	switch {
	case strings.TrimSpace(text) == "":
		return invalid("%s is empty: give an SQL expression", what)
	case len(text) > maxExpression:
		return invalid("%s is too long: at most %d bytes", what, maxExpression)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return invalid("%s holds bytes that are no text", what)
	}
	if problem := d.expressionProblem(text); problem != "" {
		return invalid("%s %s", what, problem)
	}
	return nil
}

// escapesProblem is what is wrong with a string that not every server reads
// alike.
const escapesProblem = "holds a string with backslash escapes: write it without"

// expressionProblem words what is wrong with an expression, "" if nothing is.
func (d *Dialect) expressionProblem(text string) string {
	escapes := false
	for _, t := range d.scan(text) {
		// a string that follows one with a prefix continues it, escapes and all
		escapes = escapes || (t.Kind == sqltext.String || t.Kind == sqltext.Word || t.Unclosed) && strings.HasPrefix(Fold(text[t.Pos:min(t.Pos+2, len(text))]), "e'")
		if (t.Kind == sqltext.String || t.Unclosed) && escapes && strings.Contains(t.Text, `\`) {
			return escapesProblem
		}
	}
	return d.reachesOut(text)
}

// reachesOut words what lets an expression reach beyond itself, "" for
// nothing.
func (d *Dialect) reachesOut(text string) string {
	depth := 0
	for _, t := range d.scan(text) {
		if problem := tokenReachesOut(t, text[t.Pos:]); problem != "" {
			return problem
		}
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return "has unbalanced parentheses"
	}
	return ""
}

// tokenReachesOut words what is wrong with a token; rest is the text from the
// token on. Neither a comment nor dollars may stand where only another server
// would see them.
func tokenReachesOut(t sqltext.Token, rest string) string {
	switch {
	case t.Kind != sqltext.Quoted && opensDollars(t, rest):
		return "holds a string in dollars: put it in single quotes"
	case t.Unclosed, t.Kind == sqltext.Comment && t.Text == rest && !strings.HasPrefix(rest, "/*"): // it would swallow what follows
		return "has a string, name or comment that does not end: close it"
	case t.Kind == sqltext.Comment, t.Kind == sqltext.Program, strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"):
		return "holds a comment: leave it out"
	case t.Is(";"):
		return "holds a semicolon: give one expression"
	case t.Kind == sqltext.Parameter && strings.ContainsAny(t.Text, "();'\"`"):
		return "holds a variable: leave it out"
	}
	return ""
}

// opensDollars reports whether a string in dollars ($$ or $tag$) may begin at
// or in a token. A word that begins otherwise may hold dollars.
func opensDollars(t sqltext.Token, rest string) bool {
	if t.Kind == sqltext.String || t.Kind == sqltext.Word && t.Text[0] != '$' && !('0' <= t.Text[0] && t.Text[0] <= '9') {
		return strings.HasPrefix(t.Text, "$")
	}
	for i, c := range t.Text {
		if c == '$' && tagged(rest[i+1:]) {
			return true
		}
	}
	return false
}

// tagged reports whether what follows a dollar ends in another, with nothing
// or a name between them.
func tagged(rest string) bool {
	tag, _, closed := strings.Cut(rest, "$")
	return closed && (tag == "" || sqltext.PostgreSQL().IsPlain(strings.ToLower(tag)))
}
