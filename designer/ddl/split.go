package ddl

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// statement is one of a script. Of one that only concerns rows, no more is
// kept than says what it is.
type statement struct {
	tokens []sqltext.Token // neither spaces nor comments; at least one
	begins bool            // it stands where a statement has to: not only at the start of a line
}

// maxKept bounds the tokens that are kept of a statement about rows.
const maxKept = 8

// target returns the table that a statement about rows names.
func (s statement) target() string {
	for i, t := range s.tokens[1:] {
		if t.Is("INTO") || t.Is("FROM") || t.Is("ON") || t.Is("TABLE") || i == 0 && t.Is("IGNORE") || !t.IsName() {
			continue
		}
		if rest := s.tokens[i+1:]; len(rest) > 2 && rest[1].Is(".") {
			continue
		}
		return t.Name
	}
	return ""
}

// splitter splits a script into statements.
type splitter struct {
	script    string
	mssql     bool
	scanner   *sqltext.Scanner
	pos       int
	delimiter string // of MySQL's client; "": the semicolon
	each      func(statement) error

	now     statement
	depth   int  // of parentheses
	fresh   bool // nothing but spaces since the line began
	module  bool // a routine or trigger, which has statements of its own
	begun   bool // its body
	cases   int  // CASE without its END, within it
	nesting int  // BEGIN without its END
	last    sqltext.Token
	stdin   bool // FROM STDIN stood in it
}

// split calls each for every statement of a script, until one fails.
func split(script string, d *designer.Dialect, each func(statement) error) error {
	rules := d.SQL
	if d.Name == isSQLite {
		rules = sqltext.SQLite() // which the zero rules mean
	}
	rules.ReadPrograms = rules.Programs
	s := &splitter{script: script, mssql: d.Name == isMSSQL, scanner: rules.Scanner(script), each: each, fresh: true}
	s.now.begins = true
	for s.pos < len(script) {
		if err := s.step(); err != nil {
			return err
		}
	}
	return s.end(true)
}

// step reads one token, or one of the lines that are no SQL.
func (s *splitter) step() error {
	if s.fresh {
		if ends, is := s.clientLine(); ends {
			return s.end(true)
		} else if is {
			return nil
		}
	}
	if s.delimiter != "" && strings.HasPrefix(s.script[s.pos:], s.delimiter) {
		s.pos += len(s.delimiter)
		return s.end(true)
	}
	t := s.scanner.At(s.pos)
	s.pos = t.End()
	switch t.Kind {
	case sqltext.Space:
		s.fresh = s.fresh || strings.Contains(t.Text, "\n")
		return nil
	case sqltext.Comment, sqltext.Program:
		return nil
	}
	return s.token(t)
}

// clientLine passes a line that is for the program that runs a script. ends
// says that it ends a statement.
func (s *splitter) clientLine() (ends, is bool) {
	line := s.lineAt()
	word, rest, _ := strings.Cut(strings.TrimSpace(line[:min(len(line), maxClientLine)]), " ")
	switch {
	case len(s.now.tokens) == 0 && strings.HasPrefix(line, `\`): // psql
	case strings.HasPrefix(line, `/*M!999999\-`): // MariaDB's
	case strings.EqualFold(word, "DELIMITER") && !s.mssql:
		if s.delimiter = strings.TrimSpace(rest); s.delimiter == ";" {
			s.delimiter = ""
		}
		ends = true
	case s.mssql && isGo(line[:min(len(line), maxClientLine)]):
		ends = true
	default:
		return false, false
	}
	s.skip(len(line))
	return ends, true
}

// maxClientLine bounds what is looked at of a line.
const maxClientLine = 200

// lineAt returns what is left of the line, with its end.
func (s *splitter) lineAt() string {
	if i := strings.IndexByte(s.script[s.pos:], '\n'); i >= 0 {
		return s.script[s.pos : s.pos+i+1]
	}
	return s.script[s.pos:]
}

func (s *splitter) skip(n int) { s.pos, s.fresh = s.pos+n, true }

func isGo(line string) bool {
	fields := strings.Fields(strings.TrimRight(line, "; \r\n"))
	return len(fields) > 0 && len(fields) < 3 && strings.EqualFold(fields[0], "GO")
}

// token takes a token into the statement, or ends it.
func (s *splitter) token(t sqltext.Token) error {
	fresh := s.fresh
	s.fresh = false
	if t.Is(";") && s.delimiter == "" && s.depth == 0 && !s.begun && !(s.mssql && s.module) {
		copied := s.isCopy()
		if err := s.end(true); err != nil || !copied {
			return err
		}
		s.skipRows()
		return nil
	}
	if s.mssql && fresh && s.depth == 0 && !s.module && len(s.now.tokens) > 0 && s.starts(t) {
		if err := s.end(false); err != nil {
			return err
		}
	}
	switch {
	case t.Is("("):
		s.depth++
	case t.Is(")"):
		s.depth = max(0, s.depth-1)
	}
	s.body(t)
	s.stdin = s.stdin || s.last.Is("FROM") && t.Is("STDIN")
	s.last = t
	if len(s.now.tokens) < maxKept || !s.aboutRows() {
		s.now.tokens = append(s.now.tokens, t)
	}
	return nil
}

// lineStarts begin statements of T-SQL, which need no semicolon before them.
var lineStarts = strings.Fields("ALTER BEGIN COMMIT CREATE DECLARE DELETE DENY DROP ELSE END EXEC EXECUTE GRANT IF INSERT PRINT RETURN REVOKE SELECT SET TRUNCATE UPDATE USE")

// starts reports whether a token that begins a line begins a statement.
func (s *splitter) starts(t sqltext.Token) bool {
	action := s.last.Is("DELETE") || s.last.Is("UPDATE") || s.last.Is("ON") // of a foreign key
	return !action && slices.ContainsFunc(lineStarts, t.Is)
}

// body follows the statements of a routine or trigger to their end.
func (s *splitter) body(t sqltext.Token) {
	if !s.module {
		s.module = len(s.now.tokens) > 0 && len(s.now.tokens) < maxHeader && (s.now.tokens[0].Is("CREATE") || s.now.tokens[0].Is("ALTER")) && s.depth == 0 &&
			slices.ContainsFunc([]string{"TRIGGER", "FUNCTION", "PROCEDURE", "PROC", "EVENT"}, t.Is)
		if !s.module && s.mssql && len(s.now.tokens) < maxHeader && len(s.now.tokens) > 0 && s.now.tokens[0].Is("CREATE") && t.Is("VIEW") {
			s.module = true
		}
		return
	}
	switch {
	case t.Is("BEGIN"):
		s.begun, s.nesting = true, s.nesting+1
	case t.Is("CASE") && s.begun:
		s.cases++
	case t.Is("END") && s.cases > 0:
		s.cases--
	case t.Is("END") && s.nesting > 0:
		s.nesting--
		s.begun = s.nesting > 0
	}
}

// maxHeader is where the word that says what a CREATE makes stands at the
// latest: behind OR REPLACE, DEFINER = …, SQL SECURITY ….
const maxHeader = 24

var rowVerbs = strings.Fields("INSERT REPLACE UPDATE DELETE MERGE COPY SELECT VALUES")

func (s *splitter) aboutRows() bool { return slices.ContainsFunc(rowVerbs, s.now.tokens[0].Is) }

func (s *splitter) isCopy() bool {
	return len(s.now.tokens) > 0 && s.now.tokens[0].Is("COPY") && s.stdin
}

// skipRows leaves out the rows after COPY … FROM stdin, up to the line \. .
func (s *splitter) skipRows() {
	s.skip(len(s.lineAt()))
	for s.pos < len(s.script) {
		line := s.lineAt()
		s.skip(len(line))
		if strings.TrimSpace(line) == `\.` {
			return
		}
	}
}

// end hands the statement on. begins says that the next one stands where a
// statement has to.
func (s *splitter) end(begins bool) error {
	now := s.now
	s.now, s.depth, s.module, s.begun, s.cases, s.nesting, s.stdin = statement{begins: begins}, 0, false, false, 0, 0, false
	if len(now.tokens) == 0 {
		s.now.begins = begins || now.begins
		return nil
	}
	return s.each(now)
}
