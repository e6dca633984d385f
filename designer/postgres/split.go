package postgres

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// statement is one of a script.
type statement struct {
	text  string // without its semicolon
	line  int    // from 1
	pos   int    // of text in the script
	words []string
}

// maxWords bounds the words of a statement that say what it is.
const maxWords = 8

// split takes a script apart into statements. Rows of COPY FROM stdin are left
// out. Of psql's own commands those that do nothing to a schema are left out
// too, others are an error.
func split(script string) ([]statement, error) {
	s := &splitter{script: script, rest: script, line: 1, tokens: sqltext.PostgreSQL().Scanner(script)}
	for s.rest != "" {
		t := s.tokens.At(len(script) - len(s.rest))
		switch {
		case t.Text == `\` && t.Kind == sqltext.Illegal:
			if err := s.command(); err != nil {
				return nil, err
			}
			continue
		case t.Text == ";" && s.depth == 0 && s.bodies == 0:
			s.take(len(t.Text))
			s.end(len(t.Text))
			continue
		}
		s.note(t)
		s.take(len(t.Text))
	}
	s.end(0)
	return s.list, nil
}

// splitter is a script on its way.
type splitter struct {
	tokens *sqltext.Scanner
	script string
	rest   string
	line   int // of rest
	list   []statement
	text   strings.Builder // of the statement so far
	first  int             // its line
	pos    int             // where it begins
	words  []string        // its first words, in lower case
	depth  int             // of parentheses
	// bodies counts BEGIN and CASE in a routine whose body is statements: no
	// semicolon before their END ends the statement.
	bodies int
}

// take moves n bytes from the rest to the statement.
func (s *splitter) take(n int) {
	s.text.WriteString(s.rest[:n])
	s.skip(n)
}

func (s *splitter) skip(n int) {
	s.line += strings.Count(s.rest[:n], "\n")
	s.rest = s.rest[n:]
}

// note looks at a token of the statement.
func (s *splitter) note(t sqltext.Token) {
	if t.Kind == sqltext.Space || t.Kind == sqltext.Comment {
		if s.first == 0 { // what stands before a statement is not part of it
			return
		}
	} else if s.first == 0 {
		s.first, s.pos = s.line, len(s.script)-len(s.rest)
		s.text.Reset()
	}
	switch {
	case t.Kind == sqltext.Word && len(s.words) < maxWords:
		s.words = append(s.words, lower(t.Text))
	case t.Text == "(":
		s.depth++
	case t.Text == ")" && s.depth > 0:
		s.depth--
	}
	if t.Kind == sqltext.Word && isRoutine(s.words) {
		switch word := lower(t.Text); {
		case word == "begin", word == "case" && s.bodies > 0:
			s.bodies++
		case word == "end" && s.bodies > 0:
			s.bodies--
		}
	}
}

// isRoutine reports whether words begin CREATE FUNCTION or PROCEDURE.
func isRoutine(words []string) bool {
	kind := ""
	switch {
	case len(words) > 1 && words[0] == "create" && words[1] != "or":
		kind = words[1]
	case len(words) > 3 && words[0] == "create" && words[2] == "replace":
		kind = words[3]
	}
	return kind == "function" || kind == "procedure"
}

// end completes a statement, whose last bytes, semicolon, are not part of it.
func (s *splitter) end(semicolon int) {
	text := strings.TrimSpace(s.text.String()[:s.text.Len()-semicolon])
	if s.first > 0 && text != "" {
		s.list = append(s.list, statement{text: text, line: s.first, pos: s.pos, words: s.words})
	}
	copies := len(s.words) > 0 && s.words[0] == "copy" && strings.Contains(lower(text), "stdin")
	s.text.Reset()
	s.first, s.words, s.depth, s.bodies = 0, nil, 0, 0
	if copies {
		s.skipRows()
	}
}

// skipRows leaves out the rows after COPY FROM stdin, up to the line \. .
func (s *splitter) skipRows() {
	for s.rest != "" {
		line := upTo(s.rest, "\n")
		s.skip(len(line))
		if strings.TrimSpace(line) == `\.` {
			return
		}
	}
}

// harmless are the commands of psql that a script can do without: those that
// choose the database are for the database that the script is meant for.
const harmless = " c connect encoding echo qecho warn set unset pset timing restrict unrestrict x a t . "

// command leaves out one of psql's own commands.
func (s *splitter) command() error {
	line := strings.TrimSpace(upTo(s.rest, "\n"))
	name, _, _ := strings.Cut(strings.TrimPrefix(line, `\`), " ")
	name = strings.TrimSuffix(name, ";")
	if s.first > 0 || name == "" || !strings.Contains(harmless, " "+name+" ") {
		return designer.ErrorAt(s.script, len(s.script)-len(s.rest), fmt.Errorf("\\%s is a command of psql and no SQL: leave it out", clipBytes(name, 20)))
	}
	s.skip(len(upTo(s.rest, "\n")))
	return nil
}

// upTo returns text up to the end mark and with it, or all of it.
func upTo(text, mark string) string {
	if i := strings.Index(text, mark); i >= 0 {
		return text[:i+len(mark)]
	}
	return text
}
