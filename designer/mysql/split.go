package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// SplitScript splits a script into its statements, as the mysql client does:
// at semicolons, or at what a DELIMITER line sets. Statements come without
// their delimiter; those without code are left out.
func SplitScript(script string) []string {
	var out []string
	for _, p := range splitScript(script) {
		out = append(out, p.text)
	}
	return out
}

// piece is a statement of a script.
type piece struct {
	text string
	pos  int // of text in the script
}

func splitScript(script string) []piece {
	var out []piece
	s := splitter{text: script, tokens: sqltext.MySQL().Scanner(script), delimiter: ";"}
	for s.pos < len(script) {
		text, pos := s.statement()
		if len(code(scan(text))) > 0 {
			start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
			out = append(out, piece{strings.TrimSpace(text), pos + start})
		}
	}
	return out
}

// splitter reads a script up to pos. A comment that the server runs is one
// token to it: no delimiter counts within.
type splitter struct {
	text      string
	tokens    *sqltext.Scanner
	pos       int
	delimiter string
}

// statement reads up to the next delimiter, or to a line that changes it, and
// returns what stands before, and where it begins.
func (s *splitter) statement() (text string, start int) {
	start = s.pos
	blank := true // nothing but white space so far
	for s.pos < len(s.text) {
		end := s.pos
		if strings.HasPrefix(s.text[end:], s.delimiter) {
			s.pos += len(s.delimiter)
			return s.text[start:end], start
		}
		t := s.tokens.At(s.pos)
		if blank && t.Is("DELIMITER") {
			s.setDelimiter()
			return s.text[start:end], start
		}
		if blank && isSandboxMark(t) {
			s.pos = t.End()
			start = s.pos
			continue
		}
		blank = blank && isBlank(t)
		s.pos = s.within(t)
	}
	return s.text[start:], start
}

// isSandboxMark reports whether a token is the line with which a dump of
// MariaDB begins, "/*M!999999\- enable the sandbox mode */": a command of the
// client, which the server takes for a comment.
func isSandboxMark(t sqltext.Token) bool {
	return t.Kind == sqltext.Program && strings.HasPrefix(t.Text, `/*M!999999\-`)
}

// within returns where a token ends: before a delimiter that is part of it, as
// in END$$. There is none in quotes.
func (s *splitter) within(t sqltext.Token) int {
	switch t.Kind {
	case sqltext.Word, sqltext.Number, sqltext.Operator, sqltext.Parameter:
		if i := strings.Index(t.Text, s.delimiter); i > 0 && !strings.ContainsAny(t.Text, "'\"`") {
			return t.Pos + i
		}
	}
	return t.End()
}

// setDelimiter reads the rest of a DELIMITER line.
func (s *splitter) setDelimiter() {
	line, _, more := strings.Cut(s.text[s.pos:], "\n")
	s.pos += len(line)
	if more {
		s.pos++
	}
	if fields := strings.Fields(line); len(fields) > 1 {
		s.delimiter = fields[1]
	}
}
