package readonly

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// PostgresQuery is a query that [ParsePostgres] admitted.
type PostgresQuery struct {
	Kind   PostgresKind
	Text   string // without what follows the statement
	Inner  string // what is explained; else Text
	tokens []sqltext.Token
}

// PostgresKind is how a query is run.
type PostgresKind int

// The kinds of queries.
const (
	PostgresSelect  PostgresKind = iota // read through a cursor
	PostgresExplain                     // planned, not run
	PostgresShow                        // a setting
)

// beginsPostgres are what a query may begin with, for people.
const beginsPostgres = "SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW"

var selectsPostgres = []string{"SELECT", "VALUES", "TABLE"}

// ParsePostgres admits exactly one statement that reads: SELECT, VALUES,
// TABLE, WITH … SELECT, EXPLAIN of those without ANALYZE, and SHOW. It is the
// first of several guards and the one that can explain itself: what the names
// in the query stand for is asked of the server (see [PostgresReach]), and the
// engine itself has it as a cursor in a transaction that reads only.
func ParsePostgres(query string, designerOpen bool) (*PostgresQuery, *Refusal) {
	return parsePostgres(query, designerOpen, nil)
}

// parsePostgres is ParsePostgres of a query with these placeholders.
func parsePostgres(query string, designerOpen bool, holes []string) (*PostgresQuery, *Refusal) {
	s, r := oneStatement(query, PostgresTokens, holes...)
	if r != nil {
		return nil, r
	}
	other := func(t sqltext.Token) *Refusal { return otherStatement(t, beginsPostgres, designerOpen) }
	p := &PostgresQuery{Text: s.rest(), tokens: s.tokens}
	p.Inner = p.Text
	switch {
	case s.accept("SHOW"):
		p.Kind = PostgresShow
		return p, s.show()
	case s.accept("EXPLAIN"):
		p.Kind = PostgresExplain
		if r := s.explainOptions(); r != nil {
			return nil, r
		}
		p.Inner = s.rest()
	}
	if r := s.selects(selectsPostgres, other); r != nil {
		return nil, r
	}
	return p, s.intoAndLocks()
}

// show admits SHOW and a name, or the words it has for some.
func (s *statement) show() *Refusal {
	if s.ended() {
		return Refuse("statement kind", "SHOW must be followed by a name")
	}
	for ; !s.ended(); s.pos++ {
		if t := s.at(0); !t.IsName() && !t.Is(".") {
			return Refuse("statement kind", "SHOW takes a name only, not %s", replytext.Quote(t.Text))
		}
	}
	return nil
}

// explainOptions steps over the options of EXPLAIN. ANALYZE runs the
// statement, so it is refused in every form, OFF included.
func (s *statement) explainOptions() *Refusal {
	analyze := Refuse("explain", "EXPLAIN ANALYZE runs the statement; leave ANALYZE out")
	if s.isAny("ANALYZE", "ANALYSE") {
		return analyze
	}
	if s.accept("VERBOSE") || !s.at(0).Is("(") || !s.at(1).IsName() || s.opensQuery(1) {
		return s.explained()
	}
	for first := true; !s.ended() && !s.at(0).Is(")"); s.pos++ {
		name := s.at(0).Is("(") || s.at(0).Is(",")
		option := strings.ToUpper(s.at(1).Text)
		if name && (option == "ANALYZE" || option == "ANALYSE" || s.at(1).Kind == sqltext.Quoted) {
			return analyze
		}
		if name && !strings.Contains(" VERBOSE COSTS SETTINGS GENERIC_PLAN BUFFERS SUMMARY MEMORY FORMAT ", " "+option+" ") {
			return Refuse("explain", "EXPLAIN knows no option %s here", replytext.Quote(option))
		}
		if !first && s.at(0).Is("(") {
			return Refuse("explain", "the options of EXPLAIN cannot be read")
		}
		first = false
	}
	s.pos++
	return s.explained()
}

// opensQuery reports whether the token i behind begins a query rather than the
// options of EXPLAIN.
func (s *statement) opensQuery(i int) bool {
	for _, word := range append([]string{"WITH"}, selectsPostgres...) {
		if s.at(i).Is(word) {
			return true
		}
	}
	return false
}

func (s *statement) explained() *Refusal {
	if s.ended() {
		return Refuse("statement kind", "nothing follows EXPLAIN")
	}
	return nil
}

// intoAndLocks refuses SELECT … INTO and locking clauses, wherever they
// stand. As a label (behind AS or a point) any word is a name.
func (s *statement) intoAndLocks() *Refusal {
	for i, t := range s.tokens {
		if i > 0 && (s.tokens[i-1].Is("AS") || s.tokens[i-1].Is(".")) {
			continue
		}
		switch {
		case t.Is("INTO"):
			return Refuse("reads only", "run-query reads only, and SELECT … INTO makes a table")
		case t.Is("FOR") && i+1 < len(s.tokens) && isLockWord(s.tokens[i+1]):
			return Refuse("locks", "FOR %s locks rows, and run-query leaves no locks", strings.ToUpper(s.tokens[i+1].Text))
		}
	}
	return nil
}

func isLockWord(t sqltext.Token) bool {
	return t.Is("UPDATE") || t.Is("SHARE") || t.Is("NO") || t.Is("KEY")
}
