package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// MySQLQuery is a query that [ParseMySQL] admitted.
type MySQLQuery struct {
	Text     string          // without what follows the statement
	Metadata bool            // SHOW, DESCRIBE or EXPLAIN: nothing is selected
	tokens   []sqltext.Token // of what the server reads to answer it
}

// beginsMySQL are what a query may begin with, for people.
const beginsMySQL = "SELECT, WITH, VALUES, TABLE, SHOW, DESCRIBE or EXPLAIN"

var selectsMySQL = []string{"SELECT", "VALUES", "TABLE"}

// ParseMySQL admits exactly one statement that reads: SELECT, VALUES, TABLE,
// WITH … SELECT, the kinds of SHOW that describe databases, DESCRIBE, and
// EXPLAIN of the first four without ANALYZE. A read-only transaction of MySQL
// and MariaDB lets more through than it stops, so here stands the main guard:
// a statement that begins with one of these can do no more than read, but for
// the functions it calls and the few clauses that are refused below. What the
// functions are is asked of the server: see [MySQLReach].
func ParseMySQL(query string, designerOpen bool) (*MySQLQuery, *Refusal) {
	return parseMySQL(query, designerOpen, nil)
}

// parseMySQL is ParseMySQL of a query with these placeholders.
func parseMySQL(query string, designerOpen bool, holes []string) (*MySQLQuery, *Refusal) {
	s, r := oneStatement(query, MySQLTokens, holes...)
	if r != nil {
		return nil, r
	}
	m := &MySQLQuery{Text: s.rest(), tokens: s.tokens}
	other := func(t sqltext.Token) *Refusal { return otherStatement(t, beginsMySQL, designerOpen) }
	switch {
	case s.accept("SHOW"):
		m.Metadata = true
		r = s.showMySQL()
		m.tokens = s.condition()
	case s.accept("EXPLAIN", "DESCRIBE", "DESC"):
		m.Metadata = true
		described := false
		if described, r = s.explainMySQL(other); described {
			m.tokens = nil
		}
	default:
		r = s.selects(selectsMySQL, other)
	}
	if r == nil {
		r = s.clausesMySQL()
	}
	if r != nil {
		return nil, r
	}
	return m, nil
}

// shownByMySQL are the kinds of SHOW that list what there is. Those of
// replication and of other sessions' statements are not among them; of GRANTS,
// passwords are left out.
var shownByMySQL = strings.Fields(`CHARACTER CHARSET COLLATION COLUMNS CREATE DATABASES ENGINES ERRORS EVENTS FIELDS FUNCTION GRANTS
INDEX INDEXES INDEX_STATISTICS KEYS OPEN PACKAGE PLUGINS PRIVILEGES PROCEDURE SCHEMAS STATUS STORAGE TABLE TABLES TRIGGERS
VARIABLES WARNINGS`)

// createdByMySQL is what SHOW CREATE may be of. Users have secrets.
var createdByMySQL = strings.Fields(`DATABASE EVENT FUNCTION PACKAGE PROCEDURE SCHEMA SEQUENCE TABLE TRIGGER VIEW`)

func (s *statement) showMySQL() *Refusal {
	s.accept("FULL", "EXTENDED", "GLOBAL", "SESSION", "LOCAL")
	s.accept("FULL")
	what := strings.ToUpper(s.at(0).Text)
	next := strings.ToUpper(s.at(1).Text)
	switch {
	case s.at(0).Kind != sqltext.Word || !slices.Contains(shownByMySQL, what),
		what == "CREATE" && !slices.Contains(createdByMySQL, next),
		(what == "PROCEDURE" || what == "FUNCTION" || what == "PACKAGE") && next != "STATUS" && next != "BODY":
		return Refuse("statement kind", "SHOW %s is not one of those that are known to tell only", replytext.Quote(strings.TrimSpace(what+" "+next)))
	}
	return nil
}

// condition returns what SHOW evaluates: what it names before WHERE it only
// describes.
func (s *statement) condition() []sqltext.Token {
	if i := slices.IndexFunc(s.tokens, func(t sqltext.Token) bool { return t.Is("WHERE") }); i >= 0 {
		return s.tokens[i:]
	}
	return nil
}

// explainMySQL admits a table, which is described, or a statement that
// selects.
func (s *statement) explainMySQL(other func(sqltext.Token) *Refusal) (described bool, r *Refusal) {
	if s.isAny("ANALYZE") {
		return false, Refuse("explain", "EXPLAIN ANALYZE runs the statement; leave ANALYZE out")
	}
	s.accept("EXTENDED", "PARTITIONS")
	if s.at(0).Is("FORMAT") && s.at(1).Is("=") {
		s.pos += 3
	}
	if s.isAny("ANALYZE") {
		return false, Refuse("explain", "EXPLAIN ANALYZE runs the statement; leave ANALYZE out")
	}
	if s.ended() {
		return false, Refuse("statement kind", "nothing follows EXPLAIN")
	}
	if t := s.at(0); t.IsName() && !t.Is("WITH") && !s.isAny(selectsMySQL...) && s.isTable() {
		return true, nil
	}
	return false, s.selects(selectsMySQL, other)
}

// isTable reports whether no more follows than a table's name and perhaps a
// column's. Words that begin statements name no table unless quoted.
func (s *statement) isTable() bool {
	if s.isAny("INSERT", "UPDATE", "DELETE", "REPLACE", "FOR") {
		return false
	}
	rest := s.tokens[s.pos+1:]
	if len(rest) >= 2 && rest[0].Is(".") && rest[1].IsName() {
		rest = rest[2:]
	}
	return len(rest) == 0 || len(rest) == 1 && (rest[0].IsName() || rest[0].Kind == sqltext.String)
}

// beforeTable are the words behind which a table is named.
var beforeTable = []string{"FROM", "JOIN", "STRAIGHT_JOIN", "TABLE", ",", "(", "OJ", "EXPLAIN", "DESCRIBE", "DESC"}

// clausesMySQL refuses the clauses with which a SELECT does more than read,
// wherever they stand. Behind a point any word is a name.
func (s *statement) clausesMySQL() *Refusal {
	for i, t := range s.tokens {
		if i > 0 && s.tokens[i-1].Is(".") {
			continue
		}
		var next, second sqltext.Token
		if i+1 < len(s.tokens) {
			next = s.tokens[i+1]
		}
		if i+2 < len(s.tokens) {
			second = s.tokens[i+2]
		}
		switch {
		case t.Is(".") && (i == 0 || !s.tokens[i-1].IsName() || slices.ContainsFunc(beforeTable, s.tokens[i-1].Is)):
			return Refuse("legal text", "the point at byte %d has no name before it", t.Pos)
		case t.Is("INTO"):
			return Refuse("reads only", "run-query reads only, and INTO writes a file or a variable")
		case t.Is(":="):
			return Refuse("reads only", "run-query reads only, and := sets a variable")
		case t.Is("FOR") && (next.Is("UPDATE") || next.Is("SHARE")):
			return Refuse("locks", "FOR %s locks rows, and run-query leaves no locks", strings.ToUpper(next.Text))
		case t.Is("LOCK") && next.Is("IN"):
			return Refuse("locks", "LOCK IN SHARE MODE locks rows, and run-query leaves no locks")
		case t.Is("NEXT") && next.Is("VALUE") && second.Is("FOR"):
			return Refuse("function", "NEXT VALUE FOR moves a sequence on")
		case t.Is("PROCEDURE") && !s.tokens[0].Is("SHOW"):
			return Refuse("reads only", "PROCEDURE runs a procedure, and run-query reads only")
		}
	}
	return nil
}
