package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// statement is one of a script.
type statement struct {
	text string // without its semicolon
	pos  int    // of text in the script
}

// splitScript splits a script at its semicolons. Those of a trigger's body end
// no statement.
func splitScript(script string) []statement {
	var list []statement
	s := splitter{start: -1}
	for _, t := range sqltext.SQLite().Tokens(script) {
		switch {
		case t.Is(";") && !s.begun:
			list = s.end(list, script)
		case t.Kind != sqltext.Space && t.Kind != sqltext.Comment:
			s.read(t)
		}
	}
	return s.end(list, script)
}

// splitter reads a statement.
type splitter struct {
	start, stop int      // of its code; start -1: there is none yet
	words       []string // its first ones, in upper case
	begun       bool     // a trigger's body
	cases       int      // CASE without its END
	last        sqltext.Token
}

func (s *splitter) end(list []statement, script string) []statement {
	if s.start >= 0 {
		list = append(list, statement{script[s.start:s.stop], s.start})
	}
	*s = splitter{start: -1}
	return list
}

// read takes a token into the statement. A trigger's body ends at an END behind
// a semicolon.
func (s *splitter) read(t sqltext.Token) {
	if s.start < 0 {
		s.start = t.Pos
	}
	s.stop = t.End()
	const most = 3 // CREATE TEMP TRIGGER
	switch {
	case len(s.words) < most:
		s.words = append(s.words, strings.ToUpper(t.Text))
	case !s.isTrigger():
	case t.Is("BEGIN"):
		s.begun = true
	case t.Is("CASE"):
		s.cases++
	case t.Is("END") && s.cases > 0:
		s.cases--
	case t.Is("END") && s.last.Is(";"):
		s.begun = false
	}
	s.last = t
}

func (s *splitter) isTrigger() bool {
	return s.words[0] == "CREATE" && (s.words[1] == "TRIGGER" || s.words[2] == "TRIGGER" && strings.HasPrefix(s.words[1], "TEMP"))
}
