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
	// that was sent behind it. Its one row begins with 1, and has whether a
	// relation that a name may mean has bytes; see [PostgresCache.Held].
	Condition CatalogQuery
	// Doubts asks for the names in the query that make it fail, which
	// [PostgresCache.Doubt] takes.
	Doubts CatalogQuery
	// Known says that all names are known to be certain in the State: the query
	// is certain where that is still the database's, which PostgresStateHolds
	// makes sure of.
	Known bool
	State string
	// Bytes says that a relation which a name may mean has bytes, if Known.
	Bytes bool

	known *knownPostgres
	names []string // with their kinds
}

// Kinds of names that are known to be certain.
const (
	functionKind = "f"
	calledKind   = "("
	relationKind = "r"
)

// Certain returns the condition under which q is admitted as it stands: what no
// query names was judged in this state of the database, every name that may be
// a relation's is that of plain tables only, in whatever schema, and every name
// that may be a function's belongs to functions of the server that only
// compute. What the plan of such a query names besides comes from the former,
// or is the server's own. Names are remembered, those in doubt and in a state
// those that are certain, and no query. ok is false if it is not worth asking.
// Then r has seen texts: Query needs another one.
func (r *PostgresReach) Certain(q *PostgresQuery) (c PostgresCertainty, ok bool) {
	if q.Kind != PostgresSelect || !r.steady || r.known == nil || slices.ContainsFunc(q.tokens, isUnusual) {
		return c, false
	}
	text := sourcePostgres{tokens: q.tokens}
	functions, relations := &nameList{}, &nameList{}
	r.look(&r.known.ambientState)
	if r.unseen(0, text, functions, relations) != nil || r.operatorsIn([]sourcePostgres{text}) != nil || len(r.pending) > 0 {
		return c, false
	}
	called := calledPostgres(q.tokens)
	c = PostgresCertainty{State: r.known.state, known: r.known}
	c.names = slices.Concat(ofKind(functionKind, functions.names), ofKind(calledKind, called), ofKind(relationKind, relations.names))
	if c.Known, c.Bytes = r.memory.held(r.known, c.names); c.Known {
		return c, true
	}
	if r.memory.isDoubtful(functions.names...) || r.memory.isDoubtful(relations.names...) || r.memory.isDoubtful(ofKind(calledKind, called)...) {
		return c, false
	}
	names := []string{TextArray(functions.names), TextArray(called), TextArray(relations.names)}
	c.Condition = CatalogQuery{certainPostgres, 3, append(names, c.State)}
	c.Doubts = CatalogQuery{doubtsPostgres, 1, names}
	return c, true
}

func ofKind(kind string, names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = kind + name
	}
	return all
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
