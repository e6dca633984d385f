package readonly

import (
	"slices"
	"strings"
	"unicode"

	"github.com/berth-dev/berth/designer/sqltext"
)

// PostgresCertainty is what makes certain that a query reaches nothing that
// must be judged, so that neither its names nor its plan have to be asked for.
type PostgresCertainty struct {
	// Condition fails on the server where that is not certain, and with it all
	// that was sent behind it. Its one row begins with 1.
	Condition CatalogQuery
	// Doubts asks for the names in the query that make it fail, which
	// [PostgresCache.Doubt] takes.
	Doubts CatalogQuery
}

// Certain returns the condition under which q is admitted as it stands: what no
// query names was judged in this state of the database, every name that may be
// a relation's is that of plain tables only, in whatever schema, and every name
// that may be a function's belongs to functions of the server that only
// compute. What the plan of such a query names besides comes from the former,
// or is the server's own. It remembers names that were in doubt, and no query.
// ok is false if it is not worth asking. Then r has seen texts: Query needs
// another one.
func (r *PostgresReach) Certain(q *PostgresQuery) (c PostgresCertainty, ok bool) {
	m := r.memory
	if q.Kind != PostgresSelect || !m.steady || m.state == "" || slices.ContainsFunc(q.tokens, isUnusual) {
		return c, false
	}
	text := sourcePostgres{tokens: q.tokens}
	functions, relations := &nameList{}, &nameList{}
	r.look(&m.known)
	if r.unseen(0, text, functions, relations) != nil || r.operatorsIn([]sourcePostgres{text}) != nil || len(r.pending) > 0 {
		return c, false
	}
	called := calledPostgres(q.tokens)
	doubtful := func(name string) bool { return m.doubtful[name] }
	if slices.ContainsFunc(functions.names, doubtful) || slices.ContainsFunc(relations.names, doubtful) ||
		slices.ContainsFunc(called, func(name string) bool { return m.doubtful["("+name] }) {
		return c, false
	}
	names := []string{TextArray(functions.names), TextArray(called), TextArray(relations.names)}
	return PostgresCertainty{CatalogQuery{certainPostgres, 2, append(names, m.state)}, CatalogQuery{doubtsPostgres, 1, names}}, true
}

// isUnusual reports whether a token is written in a way that leaves open what it
// means: a name with escapes, or with letters that the server may fold or cut
// otherwise, a string with a prefix or between dollars. Only the plan has such
// names as the server reads them.
func isUnusual(t sqltext.Token) bool {
	foreign := func(r rune) bool { return r > unicode.MaxASCII }
	switch t.Kind {
	case sqltext.Word:
		return t.Is("UESCAPE") || strings.ContainsFunc(t.Text, foreign)
	case sqltext.Quoted:
		return t.Text[0] != '"' || strings.ContainsFunc(t.Text, foreign)
	case sqltext.String:
		return t.Text[0] != '\''
	case sqltext.Number, sqltext.Operator:
		return false
	}
	return true
}

// calledPostgres returns the names that are followed by a parenthesis, but for
// words that are no function there. TREAT, for one, is a word of the grammar
// that calls what function a type's name is, and no function is called so: the
// server must have one of each name.
func calledPostgres(tokens []sqltext.Token) (names []string) {
	for i, t := range tokens {
		if !t.IsName() || i+1 == len(tokens) || !tokens[i+1].Is("(") {
			continue
		}
		dotted := i > 0 && tokens[i-1].Is(".")
		if t.Kind == sqltext.Word && !dotted && (reservedPostgres(t.Name) || slices.Contains(opensParenthesis, t.Name)) {
			continue
		}
		names = append(names, t.Name)
	}
	return names
}

// opensParenthesis are further words that stand before a parenthesis and call
// nothing but the operators and classes that are judged with the state.
var opensParenthesis = []string{"between", "by", "coalesce", "exists", "filter", "greatest", "join", "least", "nullif", "over", "row", "values"}

// maxDoubtful bounds the names that a session notes.
const maxDoubtful = 1000

// Doubt takes the answer to Doubts, after a condition failed. It decides what
// is asked first, never what is admitted.
func (m *PostgresCache) Doubt(rows [][]string) {
	m.steady = false // it may have been the state
	if m.doubtful == nil || len(m.doubtful)+len(rows) > maxDoubtful {
		m.doubtful = map[string]bool{}
	}
	for _, row := range rows {
		m.doubtful[row[0]] = true
	}
}
