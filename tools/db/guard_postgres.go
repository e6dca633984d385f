package db

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// postgresStatement is a query that checkPostgres admitted.
type postgresStatement struct {
	kind   postgresKind
	text   string // without what follows the statement
	inner  string // what is explained; else text
	tokens []sqltext.Token
}

type postgresKind int

const (
	postgresSelect  postgresKind = iota // read through a cursor
	postgresExplain                     // planned, not run
	postgresShow
)

// beginsPostgres are what a query may begin with, for people.
const beginsPostgres = "SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW"

var selectsPostgres = []string{"SELECT", "VALUES", "TABLE"}

// parsePostgres admits exactly one statement that reads: SELECT, VALUES,
// TABLE, WITH … SELECT, EXPLAIN of those without ANALYZE, and SHOW. It is the
// first of several guards and the one that can explain itself: what the names
// in the query stand for is asked of the server (see reachPostgres), and the
// engine itself has it as a cursor in a transaction that reads only.
func parsePostgres(query string, designerOpen bool) (*postgresStatement, *Refusal) {
	s, r := oneStatement(query, splitPostgres)
	if r != nil {
		return nil, r
	}
	other := func(t sqltext.Token) *Refusal { return otherStatement(t, beginsPostgres, designerOpen) }
	p := &postgresStatement{text: s.rest(), tokens: s.tokens}
	p.inner = p.text
	switch {
	case s.accept("SHOW"):
		p.kind = postgresShow
		return p, s.show()
	case s.accept("EXPLAIN"):
		p.kind = postgresExplain
		if r := s.explainOptions(); r != nil {
			return nil, r
		}
		p.inner = s.rest()
	}
	if r := s.selects(selectsPostgres, other); r != nil {
		return nil, r
	}
	return p, s.intoAndLocks()
}

func checkPostgres(query string, designerOpen bool) *Refusal {
	_, r := parsePostgres(query, designerOpen)
	return r
}

// show admits SHOW and a name, or the words it has for some.
func (s *statement) show() *Refusal {
	if s.ended() {
		return refuse("statement kind", "SHOW must go on with a name")
	}
	for ; !s.ended(); s.pos++ {
		if t := s.at(0); !t.IsName() && !t.Is(".") {
			return refuse("statement kind", "SHOW takes a name only, not %s", quote(t.Text))
		}
	}
	return nil
}

// explainOptions steps over the options of EXPLAIN. ANALYZE runs the
// statement, so it is refused in every form, OFF included.
func (s *statement) explainOptions() *Refusal {
	analyze := refuse("explain", "EXPLAIN ANALYZE runs the statement; leave ANALYZE out")
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
			return refuse("explain", "EXPLAIN knows no option %s here", quote(option))
		}
		if !first && s.at(0).Is("(") {
			return refuse("explain", "the options of EXPLAIN cannot be read")
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
		return refuse("statement kind", "nothing follows EXPLAIN")
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
			return refuse("reads only", "run-query reads only, and SELECT … INTO makes a table")
		case t.Is("FOR") && i+1 < len(s.tokens) && isLockWord(s.tokens[i+1]):
			return refuse("locks", "FOR %s locks rows, and run-query leaves no locks", strings.ToUpper(s.tokens[i+1].Text))
		}
	}
	return nil
}

func isLockWord(t sqltext.Token) bool {
	return t.Is("UPDATE") || t.Is("SHARE") || t.Is("NO") || t.Is("KEY")
}
