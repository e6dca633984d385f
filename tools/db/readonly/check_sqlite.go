package readonly

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// MaxQuery bounds a query's text in bytes.
const MaxQuery = 256 << 10

// CheckSQLite admits exactly one statement that reads: SELECT, VALUES, WITH …
// SELECT, EXPLAIN of those, and pragmas that only tell. It knows what it
// admits and refuses the rest. It is the first of several guards and the one
// that can explain itself; see rosqlite for the others.
func CheckSQLite(query string, designerOpen bool) *Refusal {
	return checkSQLite(query, designerOpen, nil)
}

// checkSQLite is CheckSQLite of a query with these placeholders.
func checkSQLite(query string, designerOpen bool, holes []string) *Refusal {
	if len(query) > MaxQuery {
		return Refuse("length", "the query has %d bytes; the limit is %d", len(query), MaxQuery)
	}
	all := sqltext.SQLite().Tokens(query)
	for _, t := range all {
		if len(holes) > 0 && isHole(t, holes[0]) {
			holes = holes[1:]
		} else if r := checkToken(t); r != nil {
			return r
		}
	}
	if len(holes) > 0 {
		return lacks(holes[0])
	}
	g := &guard{tokens: sqltext.Significant(all), designerOpen: designerOpen}
	for n := len(g.tokens); n > 0 && g.tokens[n-1].Is(";"); n = len(g.tokens) {
		g.tokens = g.tokens[:n-1]
	}
	if len(g.tokens) == 0 {
		return Refuse("one statement", "there is no statement in the query")
	}
	if r := g.statement(); r != nil {
		return r
	}
	return g.everyToken()
}

// checkToken refuses what only looks like SQL.
func checkToken(t sqltext.Token) *Refusal {
	switch {
	case strings.IndexByte(t.Text, 0) >= 0:
		return Refuse("legal text", "the query has a NUL character at byte %d", t.Pos)
	case t.Kind == sqltext.Illegal:
		return Refuse("legal text", "SQLite cannot read the query from byte %d on: a quote that is not closed, or a character that means nothing", t.Pos)
	case t.Kind == sqltext.Comment && t.Unclosed:
		return Refuse("legal text", "the comment that begins at byte %d is not closed", t.Pos)
	case t.Kind == sqltext.Parameter:
		return Refuse("no placeholders", "%s has no value here; write the value itself", replytext.Quote(t.Text))
	}
	return nil
}

// guard checks the significant tokens of one query.
type guard struct {
	tokens       []sqltext.Token
	pos          int
	designerOpen bool
}

func (g *guard) accept(word string) bool {
	if g.pos < len(g.tokens) && g.tokens[g.pos].Is(word) {
		g.pos++
		return true
	}
	return false
}

// statement checks what kind of statement it is.
func (g *guard) statement() *Refusal {
	if g.accept("EXPLAIN") {
		if g.accept("QUERY") && !g.accept("PLAN") {
			return Refuse("statement kind", "EXPLAIN QUERY must be followed by PLAN")
		}
	}
	if g.pos == len(g.tokens) {
		return Refuse("statement kind", "nothing follows EXPLAIN")
	}
	switch {
	case g.accept("SELECT"), g.accept("VALUES"):
		return g.single()
	case g.accept("WITH"):
		return g.with()
	case g.accept("PRAGMA"):
		return g.pragma()
	}
	return g.otherKind(g.tokens[g.pos])
}

// single refuses a second statement.
func (g *guard) single() *Refusal {
	for _, t := range g.tokens {
		if t.Is(";") {
			return Refuse("one statement", "the query has more than one statement: another begins behind the semicolon at byte %d", t.Pos)
		}
	}
	return nil
}

// with walks over the common tables to the statement they are for.
func (g *guard) with() *Refusal {
	if r := g.single(); r != nil {
		return r
	}
	malformed := Refuse("statement kind", "what WITH begins cannot be read as a SELECT")
	g.accept("RECURSIVE")
	for {
		if g.pos == len(g.tokens) || g.tokens[g.pos].Kind == sqltext.Operator {
			return malformed
		}
		g.pos++ // the common table's name
		if g.pos < len(g.tokens) && g.tokens[g.pos].Is("(") && !g.parens() || !g.accept("AS") {
			return malformed
		}
		if g.accept("NOT") && !g.accept("MATERIALIZED") {
			return malformed
		}
		g.accept("MATERIALIZED")
		if r := g.commonTable(); r != nil {
			return r
		}
		if !g.accept(",") {
			break
		}
	}
	if g.accept("SELECT") || g.accept("VALUES") {
		return nil
	}
	if g.pos == len(g.tokens) {
		return malformed
	}
	return g.otherKind(g.tokens[g.pos])
}

// commonTable steps over the parenthesised query of a common table.
func (g *guard) commonTable() *Refusal {
	if g.pos+1 < len(g.tokens) && g.tokens[g.pos].Is("(") {
		first := g.tokens[g.pos+1]
		if !first.Is("SELECT") && !first.Is("VALUES") && !first.Is("WITH") {
			return g.otherKind(first)
		}
		if g.parens() {
			return nil
		}
	}
	return Refuse("statement kind", "what WITH begins cannot be read as a SELECT")
}

// parens steps over a parenthesised text.
func (g *guard) parens() bool {
	for depth := 0; g.pos < len(g.tokens); {
		t := g.tokens[g.pos]
		g.pos++
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth <= 0 {
			return depth == 0
		}
	}
	return false
}

// pragma admits PRAGMA [schema.]name and, for some, PRAGMA name(argument).
func (g *guard) pragma() *Refusal {
	rest := g.tokens[g.pos:]
	if len(rest) >= 2 && rest[1].Is(".") {
		rest = rest[2:]
	}
	if len(rest) == 0 {
		return Refuse("pragma", "PRAGMA must be followed by a name")
	}
	name := rest[0].Name
	for _, t := range rest[1:] {
		if t.Is("=") {
			return Refuse("pragma", "PRAGMA %s with a value sets something, and run-query reads only", replytext.Shown(replytext.Cut(name, 80)))
		}
	}
	if r := g.single(); r != nil {
		return r
	}
	n := len(rest)
	switch {
	case n == 1 && rosqlite.ReadsPragma(name, false):
		return nil
	case n > 1 && n <= 5 && rest[1].Is("(") && rest[n-1].Is(")") && rosqlite.ReadsPragma(name, true):
		return nil
	case n > 1 && rosqlite.ReadsPragma(name, false):
		return Refuse("pragma", "PRAGMA %s takes no argument here: with one it sets something", replytext.Shown(replytext.Cut(name, 80)))
	}
	return Refuse("pragma", "PRAGMA %s is not one of those that are known to read only", replytext.Shown(replytext.Cut(name, 80)))
}

// everyToken refuses functions that reach beyond the database, wherever they
// stand and however they are quoted.
func (g *guard) everyToken() *Refusal {
	for i, t := range g.tokens {
		if t.Kind != sqltext.Word && t.Kind != sqltext.Quoted && t.Kind != sqltext.String {
			continue
		}
		called := i+1 < len(g.tokens) && g.tokens[i+1].Is("(")
		if called && rosqlite.UnsafeFunction(t.Name) {
			return Refuse("function", "%s reaches beyond the database", replytext.Shown(replytext.Cut(t.Name, 80)))
		}
		if pragma, ok := strings.CutPrefix(strings.ToLower(t.Name), "pragma_"); ok && t.Kind != sqltext.String && called && !rosqlite.ReadsPragma(pragma, false) {
			return Refuse("pragma", "%s is not one of those that are known to read only", replytext.Shown(replytext.Cut(t.Name, 80)))
		}
	}
	return nil
}

// otherKind explains why a statement that begins with t is refused.
func (g *guard) otherKind(t sqltext.Token) *Refusal {
	word := strings.ToUpper(t.Text)
	if t.Kind != sqltext.Word {
		return Refuse("statement kind", "a query begins with SELECT, WITH, VALUES, EXPLAIN or PRAGMA, not with %s", replytext.Quote(t.Text))
	}
	switch word {
	case "CREATE", "DROP", "ALTER":
		if g.designerOpen {
			return Refuse("reads only", "run-query reads only, and %s changes the schema; use the apply_edits operation of mssql_schema_designer, which changes the design, or execute-sql", word)
		}
		return Refuse("reads only", "run-query reads only, and %s changes the schema; execute-sql does that", word)
	case "INSERT", "UPDATE", "DELETE", "REPLACE":
		return Refuse("reads only", "run-query reads only, and %s changes data; execute-sql does that", word)
	case "ATTACH", "DETACH", "VACUUM", "REINDEX", "ANALYZE", "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
		return Refuse("reads only", "run-query reads only, and %s does more than read", word)
	}
	return Refuse("statement kind", "a query begins with SELECT, WITH, VALUES, EXPLAIN or PRAGMA, not with %s", replytext.Quote(t.Text))
}
