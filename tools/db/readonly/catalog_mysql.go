package readonly

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/berth-dev/berth/designer/sqltext"
)

// The questions to MySQL and MariaDB are fixed texts with placeholders.

// Inline returns the question with its arguments in it, for sessions that are
// asked once, where preparing a statement is a round trip more: as
// hexadecimal literals, so that nothing in one can end it.
func (q CatalogQuery) Inline() string {
	var b strings.Builder
	rest := q.SQL
	for _, arg := range q.Args {
		before, after, _ := strings.Cut(rest, "?")
		fmt.Fprintf(&b, "%s_utf8mb4 x'%x'", before, arg)
		rest = after
	}
	return b.String() + rest
}

const (
	namedMySQL = "(ROUTINE_SCHEMA = ? AND ROUTINE_NAME = ?)"
	// routineNamesMySQL and routinesMySQL find stored functions, with one
	// condition for each.
	routineNamesMySQL = `SELECT 'F' AS kind, ROUTINE_SCHEMA AS a, ROUTINE_NAME AS b, '' AS c, '' AS d, '' AS e, '' AS f, '' AS g` + fromRoutinesMySQL
	routinesMySQL     = `SELECT 'f' AS kind, ROUTINE_SCHEMA AS a, ROUTINE_NAME AS b, ROUTINE_TYPE AS c, SQL_DATA_ACCESS AS d, COALESCE(ROUTINE_DEFINITION, '') AS e, SQL_MODE AS f, DEFINER AS g` + fromRoutinesMySQL
	fromRoutinesMySQL = `
FROM information_schema.ROUTINES WHERE ROUTINE_TYPE <> 'PROCEDURE' AND (`
	// tableMySQLText finds a table or view, and viewMySQLText what it selects where
	// it is a view. It is one lookup a table: with more than one name in it,
	// some servers open every table there is.
	tableMySQLText = `SELECT 't' AS kind, TABLE_SCHEMA AS a, TABLE_NAME AS b, TABLE_TYPE AS c, COALESCE(ENGINE, '') AS d, '' AS e, '' AS f, '' AS g FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`
	viewMySQLText  = `SELECT 'v' AS kind, TABLE_SCHEMA AS a, TABLE_NAME AS b, '' AS c, '' AS d, COALESCE(VIEW_DEFINITION, '') AS e, '' AS f, DEFINER AS g FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`
	columnsMySQL   = 8
)

// lookupMySQL is what is asked of the catalogue. Texts of views and functions
// cost the server many times what names do, and most names are those of plain
// tables and of no stored function: those are asked for names alone.
type lookupMySQL struct {
	functionNames, functions []mysqlName // without, and with what they run
	tables, views            []mysqlName // what each name is; what it selects if it is a view
}

// questions are as many questions as the names need.
func (l lookupMySQL) questions() (all []CatalogQuery) {
	for {
		f, names := cut(&l.functions, maxSlots), cut(&l.functionNames, maxSlots)
		t, v := cut(&l.tables, maxSlots/8), cut(&l.views, maxSlots/8)
		if len(f)+len(names)+len(t)+len(v) == 0 {
			return all
		}
		all = append(all, questionMySQL(lookupMySQL{names, f, t, v}))
	}
}

// cut takes the first names away, at most n.
func cut(names *[]mysqlName, n int) []mysqlName {
	n = min(n, len(*names))
	first := (*names)[:n:n]
	*names = (*names)[n:]
	return first
}

// questionMySQL asks for all of l at once.
func questionMySQL(l lookupMySQL) CatalogQuery {
	q := CatalogQuery{Columns: columnsMySQL}
	var each []string
	ask := func(names []mysqlName, text func(n int) string) {
		if names = filled(names); len(names) == 0 {
			return
		}
		each = append(each, text(len(names)))
		for _, n := range names {
			q.Args = append(q.Args, n.database, n.name)
		}
	}
	named := func(n int) string { return repeated(namedMySQL, " OR ", n) + ")" }
	ask(l.functionNames, func(n int) string { return routineNamesMySQL + named(n) })
	ask(l.functions, func(n int) string { return routinesMySQL + named(n) })
	ask(l.tables, func(n int) string { return repeated(tableMySQLText, " UNION ALL ", n) })
	ask(l.views, func(n int) string { return repeated(viewMySQLText, " UNION ALL ", n) })
	q.SQL = strings.Join(each, " UNION ALL ")
	return q
}

// routineMySQL is what the server says of a stored function.
type routineMySQL struct{ kind, access, body, mode, definer string }

// viewMySQL is what the server says of a view.
type viewMySQL struct{ text, definer string } // text "": the login may not read it

// answerMySQL is what the server says of names.
type answerMySQL struct {
	routines map[string]routineMySQL // by their keys
	tables   [][]string // schema, name, type, engine
	views    map[mysqlName]viewMySQL // by their very names: two may differ in case alone
}

// look looks functions and tables up, as a rule in one question. What is run
// or selected by names that nobody knew not to be plain is another one.
func (r *MySQLReach) look(ctx context.Context, called []callMySQL, tables []tableMySQL) (*answerMySQL, error) {
	answer := &answerMySQL{map[string]routineMySQL{}, nil, map[mysqlName]viewMySQL{}}
	var first lookupMySQL
	whole := map[string]bool{} // asked for with what they run or select
	for _, c := range called {
		if r.memory.whole("f"+c.key(), r.rounds > 1) {
			whole["f"+c.key()] = true
			first.functions = append(first.functions, c.mysqlName)
		} else {
			first.functionNames = append(first.functionNames, c.mysqlName)
		}
	}
	for _, t := range tables {
		first.tables = append(first.tables, t.mysqlName)
		if r.memory.whole("t"+t.exact(), r.rounds > 1) {
			whole["t"+t.exact()] = true
			first.views = append(first.views, t.mysqlName)
		}
	}
	found, err := r.ask(ctx, first, answer)
	if err != nil {
		return nil, err
	}
	second := lookupMySQL{}
	for _, f := range found.functions {
		if !whole["f"+f.key()] {
			second.functions = append(second.functions, f)
		}
	}
	for _, v := range found.views {
		if !whole["t"+v.exact()] {
			second.views = append(second.views, v)
		}
	}
	if _, err := r.ask(ctx, second, answer); err != nil {
		return nil, err
	}
	r.memory.note(called, tables, found)
	return answer, r.texts(ctx, called, answer)
}

// ask asks for l, puts what is said into answer, and returns which functions
// and views there are.
func (r *MySQLReach) ask(ctx context.Context, l lookupMySQL, answer *answerMySQL) (found lookupMySQL, err error) {
	questions := l.questions()
	if len(questions) == 0 {
		return found, nil
	}
	answers, err := r.server.Ask(ctx, questions...)
	if err != nil {
		return found, err
	}
	add := func(to *[]mysqlName, name mysqlName) {
		if !slices.Contains(*to, name) { // slots that are left over repeat a name
			*to = append(*to, name)
		}
	}
	for _, row := range slices.Concat(answers...) {
		name := mysqlName{row[1], row[2]}
		switch row[0] {
		case "F":
			add(&found.functions, name)
		case "f":
			add(&found.functions, name)
			answer.routines[name.key()] = routineMySQL{row[3], row[4], row[5], row[6], row[7]}
		case "t":
			answer.tables = append(answer.tables, row[1:5])
			if row[3] == "VIEW" {
				add(&found.views, name)
			}
		case "v":
			answer.views[name] = viewMySQL{row[5], row[7]}
		}
	}
	return found, nil
}

// MySQLMemory notes which names were stored functions or views when they were
// looked up last: that decides what is asked first, and never what is
// admitted. Its zero value is ready.
type MySQLMemory struct {
	mu    sync.Mutex
	known map[string]bool // and whether it was one
}

// maxKnownMySQL bounds the names that are noted.
const maxKnownMySQL = 1000

// whole reports whether a name is asked for with what it runs; unknown is for
// names that were not looked up yet.
func (m *MySQLMemory) whole(key string, unknown bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was, known := m.known[key]
	return known && was || !known && unknown
}

// note takes what was found.
func (m *MySQLMemory) note(called []callMySQL, tables []tableMySQL, found lookupMySQL) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known)+len(called)+len(tables) > maxKnownMySQL {
		m.known = map[string]bool{}
	}
	for _, c := range called {
		m.known["f"+c.key()] = false
	}
	for _, t := range tables {
		m.known["t"+t.exact()] = false
	}
	for _, f := range found.functions {
		m.known["f"+f.key()] = true
	}
	for _, v := range found.views {
		m.known["t"+v.exact()] = true
	}
}

// texts has the server show the functions among called whose bodies have quotes
// or backslashes in them, and puts those texts for what the catalogue says: in
// that, escapes in strings are lost, so that it cannot be told where they end.
// Names of objects have no placeholders.
func (r *MySQLReach) texts(ctx context.Context, called []callMySQL, answer *answerMySQL) error {
	var questions []CatalogQuery
	var keys []string
	for _, c := range called {
		f, ok := answer.routines[c.key()]
		if ok && f.kind == "FUNCTION" && strings.ContainsAny(f.body, "'\"\\") {
			questions = append(questions, CatalogQuery{"SHOW CREATE FUNCTION " + quotedMySQL(c.database) + "." + quotedMySQL(c.name), 6, nil})
			keys = append(keys, c.key())
		}
	}
	if len(questions) == 0 {
		return nil
	}
	answers, err := r.server.Ask(ctx, questions...)
	if err != nil {
		return err
	}
	for i, rows := range answers {
		f := answer.routines[keys[i]]
		if f.body = ""; len(rows) == 1 {
			f.mode, f.body = rows[0][1], bodyMySQL(rows[0][2], rows[0][1])
		}
		answer.routines[keys[i]] = f
	}
	return nil
}

// bodyMySQL cuts off what stands before the body of a function in the text
// that makes it: the body is a block, or one of the statements that a function
// can be. "": there is none, or it cannot be told.
func bodyMySQL(text, mode string) string {
	returns := false
	for _, t := range sqltext.Significant(MySQLModeTokens(text, mode)) {
		returns = returns || t.Is("RETURNS")
		if returns && slices.ContainsFunc([]string{"BEGIN", "RETURN", "IF", "CASE", "LOOP", "REPEAT", "WHILE", "FOR", "SIGNAL"}, t.Is) {
			return text[t.Pos:]
		}
	}
	return ""
}

func quotedMySQL(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// variable returns the first of names that is a variable of the server.
func (r *MySQLReach) variable(ctx context.Context, names []string) (string, error) {
	for len(names) > 0 {
		some := filled(names[:min(len(names), maxSlots)])
		names = names[min(len(names), maxSlots):]
		rows, err := ask(ctx, r.server, CatalogQuery{"SHOW VARIABLES WHERE Variable_name IN (" + repeated("?", ", ", len(some)) + ")", 2, some})
		if err != nil {
			return "", err
		}
		if len(rows) > 0 {
			return rows[0][0], nil
		}
	}
	return "", nil
}
