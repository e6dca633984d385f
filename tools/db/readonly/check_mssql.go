package readonly

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// MSSQLQuery is a query that [ParseMSSQL] admitted.
type MSSQLQuery struct {
	Text   string // without what follows the statement
	tokens []sqltext.Token
	// Value is the query with its rows made one value, as FOR XML and FOR JSON
	// do, as a column of another query: no cursor takes them, but one takes
	// that. "" without them.
	Value string
}

// beginsMSSQL are what a query may begin with, for people.
const beginsMSSQL = "SELECT or WITH"

var selectsMSSQL = []string{"SELECT"}

// ParseMSSQL admits exactly one SELECT, with or without common tables. T-SQL
// has no read-only transaction and needs nothing between two statements, so
// every reserved word must be one that a SELECT is made of, and stand where a
// SELECT has it. What the names mean is asked of the server (see [MSSQLReach]);
// the engine itself has the query as a cursor, which takes nothing but one
// SELECT, in a transaction that is rolled back.
func ParseMSSQL(query string, words MSSQLWords, designerOpen bool) (*MSSQLQuery, *Refusal) {
	return parseMSSQL(query, words, designerOpen, nil)
}

// parseMSSQL is ParseMSSQL of a query with these placeholders, whose order
// oneStatement has seen to.
func parseMSSQL(query string, words MSSQLWords, designerOpen bool, holes []string) (*MSSQLQuery, *Refusal) {
	s, r := oneStatement(query, TSQLTokens, holes...)
	if r != nil {
		return nil, r
	}
	m := &MSSQLQuery{Text: s.rest(), tokens: s.tokens}
	r = s.selects(selectsMSSQL, func(t sqltext.Token) *Refusal { return otherStatement(t, beginsMSSQL, designerOpen) })
	if r != nil {
		return nil, r
	}
	g := &guardMSSQL{tokens: s.tokens, words: words, main: s.pos, holes: holes}
	for i := range s.tokens {
		if r := g.token(i); r != nil {
			return nil, r
		}
	}
	if g.rows {
		main := s.tokens[s.pos].Pos - s.tokens[0].Pos
		m.Value = m.Text[:main] + "SELECT (\n" + m.Text[main:] + "\n) AS [result]"
	}
	return m, nil
}

// guardMSSQL looks at the tokens of one query in turn.
type guardMSSQL struct {
	tokens []sqltext.Token
	words  MSSQLWords
	main   int // the SELECT that common tables are for
	depth  int // of parentheses
	cases  int // CASE without their END
	rows   bool
	holes  []string // placeholders

	columns []bool // nil: not asked yet
	lists   []int  // likewise, see inList
}

// isColumn reports whether a name at i is a column's.
func (g *guardMSSQL) isColumn(i int) bool {
	if g.columns == nil {
		g.columns = g.words.columns(g.tokens)
	}
	return g.columns[i]
}

// near returns the token i; a zero one where there is none.
func (g *guardMSSQL) near(i int) sqltext.Token {
	if i >= 0 && i < len(g.tokens) {
		return g.tokens[i]
	}
	return sqltext.Token{}
}

func (g *guardMSSQL) token(i int) *Refusal {
	t, before, next := g.tokens[i], g.near(i-1), g.near(i+1)
	switch {
	case t.Is("("):
		g.depth++
		if next.Is("SELECT") && i > 0 && !g.opensQuery(before) {
			return Refuse("one statement", "the SELECT in parentheses at byte %d does not stand where a SELECT has one; it may be another statement", t.Pos)
		}
	case t.Is(")"):
		g.depth--
	case t.Kind == sqltext.Parameter && !strings.HasPrefix(t.Text, "@@") && !slices.Contains(g.holes, t.Text):
		return Refuse("no placeholders", "%s has no value here; write the value itself", replytext.Quote(t.Text))
	case t.Is(":") && g.depth == 0, t.Is("::") && !slices.ContainsFunc([]string{"geometry", "geography", "hierarchyid"}, before.Is):
		return Refuse("legal text", "the colon at byte %d means nothing in a SELECT", t.Pos)
	case t.Kind == sqltext.Operator && len(t.Text) == 2 && t.Text[1] == '=' && strings.IndexByte("+-*/%&|^", t.Text[0]) >= 0:
		return Refuse("reads only", "run-query reads only, and %s sets a variable", t.Text)
	case t.Kind == sqltext.Quoted && g.words.locks[strings.ToUpper(t.Name)] && g.quotedHint(i):
		return Refuse("locks", "the hint %s locks more than reading does, and run-query leaves no locks", t.Text)
	case t.Kind == sqltext.Word && !before.Is("."):
		return g.word(i, strings.ToUpper(t.Text), before, next)
	case t.Kind == sqltext.Word && g.words.other[strings.ToUpper(t.Text)]:
		return g.misplaced(t) // behind a point it would have to be quoted
	}
	return nil
}

// opensQuery reports whether a query in parentheses may stand behind t: behind
// an operator or a clause, but not behind a value or an alias.
func (g *guardMSSQL) opensQuery(t sqltext.Token) bool {
	switch t.Kind {
	case sqltext.Operator:
		return !t.Is(")") && !t.Is(".")
	case sqltext.Word:
		return g.words.reserved[strings.ToUpper(t.Text)] && !t.Is("END") && !t.Is("NULL") || t.Is("APPLY")
	}
	return false
}

func (g *guardMSSQL) word(i int, word string, before, next sqltext.Token) *Refusal {
	t := g.tokens[i]
	switch {
	case word == "INTO":
		return Refuse("reads only", "run-query reads only, and SELECT … INTO makes a table")
	case g.words.locks[word] && !before.Is("AS"):
		return Refuse("locks", "the hint %s locks more than reading does, and run-query leaves no locks", word)
	case g.words.other[word] && !g.isHint(word, before, next):
		return Refuse("one statement", "%s at byte %d does not belong in a SELECT; it may begin another statement", replytext.Quote(t.Text), t.Pos)
	case slices.Contains([]string{"THROW", "RECEIVE", "CONVERSATION", "REVERT"}, word) && !before.Is("AS"):
		return g.misplaced(t)
	case word == "NEXT" && next.Is("VALUE"):
		return Refuse("function", "NEXT VALUE FOR moves a sequence on")
	}
	fits := true
	switch word {
	case "SELECT":
		fits = i == g.main || before.Is("(") || before.Is("UNION") || before.Is("ALL") && g.near(i-2).Is("UNION") ||
			before.Is("EXCEPT") || before.Is("INTERSECT")
	case "WITH":
		fits = i == 0 || next.Is("(") || next.Is("ROLLUP") || next.Is("CUBE") || next.Is("TIES")
	case "FETCH":
		fits = (before.Is("ROW") || before.Is("ROWS")) && (next.Is("NEXT") || next.Is("FIRST"))
	case "VALUES":
		fits = before.Is("(")
	case "CASE":
		g.cases++
	case "END":
		g.cases--
		fits = g.cases >= 0
	case "FOR":
		fits = g.forClause(i, next)
	}
	if !fits {
		return g.misplaced(t)
	}
	return nil
}

// isHint reports whether a word that can begin a statement is part of a hint:
// MERGE JOIN, and in the parentheses of OPTION, where no statement begins,
// MERGE UNION, USE HINT ('…') and TABLE HINT (t, …).
func (g *guardMSSQL) isHint(word string, before, next sqltext.Token) bool {
	inside := g.depth > 0 && (before.Is("(") || before.Is(","))
	switch word {
	case "MERGE":
		return next.Is("JOIN") || inside && next.Is("UNION")
	case "USE", "TABLE":
		return inside && next.Is("HINT")
	}
	return false
}

func (g *guardMSSQL) misplaced(t sqltext.Token) *Refusal {
	return Refuse("one statement", "%s at byte %d does not stand where a SELECT has it; it may begin another statement", replytext.Quote(t.Text), t.Pos)
}

// forClause admits FOR XML, FOR JSON, FOR SYSTEM_TIME and the FOR of PIVOT.
func (g *guardMSSQL) forClause(i int, next sqltext.Token) bool {
	switch {
	case next.Is("XML"), next.Is("JSON"):
		g.rows = g.rows || g.depth == 0
		return true
	case next.Is("SYSTEM_TIME"), g.depth > 0 && g.near(i-1).Is("OPTIMIZE") && next.Is("UNKNOWN"):
		return true
	}
	in := i + 2
	for g.near(in).Is(".") {
		in += 2
	}
	return next.IsName() && g.near(in).Is("IN") && g.near(in+1).Is("(")
}

// linked reports whether the name at i is one on another server: any of four
// parts but a column's with its database, schema and table, or the method of
// a column with its schema and table. A function on another server is called
// like the latter: it is one only of a table that the text itself reads.
func (w MSSQLWords) linked(s sourceMSSQL, i int) bool {
	dots, end := 0, nameEnd(s.tokens, i)
	for _, t := range s.tokens[i:end] {
		if t.Is(".") {
			dots++
		}
	}
	named := end-i == 2*dots+1 // no part is left out
	if dots < 3 || dots == 3 && named && s.columns[i] && !callsMSSQL(s.tokens, end) {
		return false
	}
	method := dots == 3 && named && s.columns[i] && w.method(s.tokens[end-1].Name)
	return !method || !s.tables[tableName(s.tokens[i], s.tokens[i+2])]
}

// callsMSSQL reports whether a parenthesis follows the name that ends before end.
func callsMSSQL(tokens []sqltext.Token, end int) bool {
	return end < len(tokens) && tokens[end].Is("(")
}

// tableName is a table's schema and name as they are compared.
func tableName(schema, name sqltext.Token) string {
	return strings.ToLower(schema.Name) + "\x00" + strings.ToLower(name.Name)
}

// tablesNamed are the schemas and names of what stands in a text where a table
// does, as far as a schema is written.
func tablesNamed(tokens []sqltext.Token, columns []bool) map[string]bool {
	tables := map[string]bool{}
	for i, t := range tokens {
		if !t.IsName() || columns[i] || i > 0 && tokens[i-1].Is(".") {
			continue
		}
		end := nameEnd(tokens, i)
		if end-i >= 3 && tokens[end-1].IsName() && tokens[end-3].IsName() && !callsMSSQL(tokens, end) {
			tables[tableName(tokens[end-3], tokens[end-1])] = true
		}
	}
	return tables
}

// columns reports of each token whether a name there stands where a query has
// columns: its clause is that of SELECT, WHERE, ON, HAVING or BY, or it is in a
// row of VALUES or an argument of a function that takes no table. When in doubt
// it is a table's.
func (w MSSQLWords) columns(tokens []sqltext.Token) []bool {
	type level struct {
		column    bool
		condition bool // which a comma ends, and begins another table
	}
	all, levels, now := make([]bool, len(tokens)), []level(nil), level{}
	for i, t := range tokens {
		all[i] = now.column
		switch {
		case t.Is("("):
			levels = append(levels, now)
			now = level{column: now.column || i > 0 && w.takesColumns(tokens[i-1])}
		case t.Is(")"):
			if now = (level{}); len(levels) > 0 {
				now, levels = levels[len(levels)-1], levels[:len(levels)-1]
			}
		case t.Is(",") && now.condition:
			now = level{}
		case t.Kind != sqltext.Word:
		case t.Is("SELECT"), t.Is("BY"), t.Is("VALUES"):
			now = level{column: true}
		case t.Is("WHERE"), t.Is("ON"), t.Is("HAVING"):
			now = level{column: true, condition: true}
		case t.Is("FROM"), t.Is("JOIN"), t.Is("APPLY"), t.Is("WITH"), t.Is("FOR"), t.Is("INTO"), t.Is("USING"), t.Is("UPDATE"):
			now = level{}
		}
	}
	return all
}

// takesColumns reports whether t, which a parenthesis follows, is a function
// whose arguments have no tables among them. Of what begins a clause, and of the
// functions that are reserved words, it denies that.
func (w MSSQLWords) takesColumns(t sqltext.Token) bool {
	upper := strings.ToUpper(t.Text)
	clause := w.reserved[upper] || w.other[upper] || t.Is("APPLY") || t.Is("CHANGETABLE") || t.Is("PREDICT")
	return t.Kind == sqltext.Quoted || t.Kind == sqltext.Word && !clause
}

// quotedHint reports whether a quoted name stands alone in a list where a table
// has its hints.
func (g *guardMSSQL) quotedHint(i int) bool {
	alone := (g.near(i-1).Is("(") || g.near(i-1).Is(",")) && (g.near(i+1).Is(")") || g.near(i+1).Is(","))
	if !alone {
		return false
	}
	list := g.inList(i)
	return list >= 0 && (g.near(list-1).Is("WITH") || !g.isColumn(list))
}

// inList is the parenthesis that opens the list in which the token i stands, -1
// where there is none.
func (g *guardMSSQL) inList(i int) int {
	if g.lists == nil {
		g.lists = lists(g.tokens)
	}
	return g.lists[i]
}

// lists returns for each token the innermost parenthesis that was opened before it
// and not closed, -1 for none.
func lists(tokens []sqltext.Token) []int {
	all, open := make([]int, len(tokens)), []int{-1}
	for i, t := range tokens {
		all[i] = open[len(open)-1]
		switch {
		case t.Is("("):
			open = append(open, i)
		case t.Is(")") && len(open) > 1:
			open = open[:len(open)-1]
		}
	}
	return all
}
