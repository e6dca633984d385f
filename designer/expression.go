package designer

import (
	"strings"
	"unicode/utf8"
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
		escapes = escapes || t.kind == tokenString && strings.HasPrefix(Fold(t.text), "e'")
		if t.kind == tokenString && escapes && strings.Contains(t.text, `\`) {
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
		switch {
		case t.kind == tokenBroken:
			return "has a string, name or comment that does not end: close it"
		case t.kind == tokenOther && d.isComment(t.text):
			return "holds a comment: leave it out"
		case t.kind == tokenOther && opensDollars(t.text, text):
			return "holds a string in dollars: put it in single quotes"
		case t.kind == tokenOther && t.text == ";":
			return "holds a semicolon: give one expression"
		case t.kind == tokenOther && t.text == "(":
			depth++
		case t.kind == tokenOther && t.text == ")":
			depth--
		}
		if depth < 0 {
			break
		}
		text = text[len(t.text):]
	}
	if depth != 0 {
		return "has unbalanced parentheses"
	}
	return ""
}

// isComment tells whether a token that is neither name nor string is one.
func (d *Dialect) isComment(token string) bool {
	return strings.HasPrefix(token, "--") || strings.HasPrefix(token, "/*") ||
		d.HashComments && strings.HasPrefix(token, "#")
}

// opensDollars tells whether a string in dollars ($$ or $tag$) may begin at a
// token; rest is the text from the token on. A number swallows dollars that
// stand close to it.
func opensDollars(token, rest string) bool {
	if token != "$" {
		return strings.Contains(token, "$")
	}
	tag, _, closed := strings.Cut(rest[1:], "$")
	if !closed {
		return false
	}
	first, _ := utf8.DecodeRuneInString(tag)
	return tag == "" || isIdentifierStart(first) && !strings.ContainsFunc(tag, func(r rune) bool { return !isIdentifierPart(r) })
}
