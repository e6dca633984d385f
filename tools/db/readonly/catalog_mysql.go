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
	// routinesMySQL finds stored functions, with one condition for each.
	routinesMySQL = `SELECT 'f' AS kind, ROUTINE_SCHEMA AS a, ROUTINE_NAME AS b, ROUTINE_TYPE AS c, SQL_DATA_ACCESS AS d, COALESCE(ROUTINE_DEFINITION, '') AS e, SQL_MODE AS f, DEFINER AS g
FROM information_schema.ROUTINES WHERE ROUTINE_TYPE <> 'PROCEDURE' AND (`
	// tableMySQLText finds a table or view, and viewMySQLText what it selects where
	// it is a view. It is one lookup a table: with more than one name in it,
	// some servers open every table there is.
	tableMySQLText = `SELECT 't' AS kind, TABLE_SCHEMA AS a, TABLE_NAME AS b, TABLE_TYPE AS c, COALESCE(ENGINE, '') AS d, '' AS e, '' AS f, '' AS g FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`
	viewMySQLText  = `SELECT 'v' AS kind, TABLE_SCHEMA AS a, TABLE_NAME AS b, '' AS c, '' AS d, COALESCE(VIEW_DEFINITION, '') AS e, '' AS f, DEFINER AS g FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`
	columnsMySQL   = 8
)

// lookupMySQL is what is asked of the catalogue.
type lookupMySQL struct {
	functions     []mysqlName // what each is and runs
	tables, views []mysqlName // what each name is; what it selects if it is a view
}

// questions are as many questions as the names need.
func (l lookupMySQL) questions() (all []CatalogQuery) {
	for {
		f, t, v := cut(&l.functions, maxSlots), cut(&l.tables, maxSlots/8), cut(&l.views, maxSlots/8)
		if len(f)+len(t)+len(v) == 0 {
			return all
		}
		all = append(all, questionMySQL(lookupMySQL{f, t, v}))
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
	ask(l.functions, func(n int) string { return routinesMySQL + repeated(namedMySQL, " OR ", n) + ")" })
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
	tables   [][]string              // schema, name, type, engine
	views    map[mysqlName]viewMySQL // by their very names: two may differ in case alone
}

// look looks functions and tables up, as a rule in one round trip: each name
// is shown, which costs the server a fraction of what its catalogue does. The
// catalogue is asked for what showing does not settle.
func (r *MySQLReach) look(ctx context.Context, called []callMySQL, tables []tableMySQL) (*answerMySQL, error) {
	answer := &answerMySQL{map[string]routineMySQL{}, nil, map[mysqlName]viewMySQL{}}
	var shows showsMySQL
	var l lookupMySQL
	for _, c := range called {
		switch {
		case c.database == "": // a name without a database is of no stored function
		case r.memory.has("f" + c.key()):
			l.functions = append(l.functions, c.mysqlName)
		default:
			shows.functions = append(shows.functions, c.mysqlName)
		}
	}
	for _, t := range tables {
		switch {
		case t.database == "": // as above
		case r.memory.has("t"+t.exact()) || strings.EqualFold(t.database, "sys"): // see ownMySQL
			l.tables = append(l.tables, t.mysqlName)
			if r.memory.has("v" + t.exact()) {
				l.views = append(l.views, t.mysqlName)
			}
		default:
			shows.tables = append(shows.tables, t.mysqlName)
		}
	}
	asked := map[mysqlName]bool{}
	for shows.any() || l.any() {
		more, err := r.ask(ctx, shows, l, answer)
		if err != nil {
			return nil, err
		}
		for _, v := range l.views {
			asked[v] = true
		}
		more.views = slices.DeleteFunc(more.views, func(v mysqlName) bool { return asked[v] })
		shows, l = showsMySQL{}, more
	}
	return answer, r.texts(ctx, called, answer)
}

func (l lookupMySQL) any() bool { return len(l.functions)+len(l.tables)+len(l.views) > 0 }

// ask asks for names in both ways, puts what is said into answer, and returns
// what is left to ask the catalogue for.
func (r *MySQLReach) ask(ctx context.Context, shows showsMySQL, l lookupMySQL, answer *answerMySQL) (more lookupMySQL, err error) {
	questions := shows.questions()
	shown := len(questions)
	answers, err := r.server.Ask(ctx, append(questions, l.questions()...)...)
	if err != nil {
		return more, err
	}
	more = shows.read(answers[:shown], answer)
	var found lookupMySQL
	add := func(to *[]mysqlName, name mysqlName) {
		if !slices.Contains(*to, name) { // slots that are left over repeat a name
			*to = append(*to, name)
		}
	}
	for _, row := range slices.Concat(answers[shown:]...) {
		name := mysqlName{row[1], row[2]}
		switch row[0] {
		case "f":
			add(&found.functions, name)
			answer.routines[name.key()] = routineMySQL{row[3], row[4], row[5], row[6], row[7]}
		case "t":
			add(&found.tables, name)
			answer.tables = append(answer.tables, row[1:5])
			if row[3] == "VIEW" {
				add(&found.views, name)
			}
		case "v":
			answer.views[name] = viewMySQL{row[5], row[7]}
		}
	}
	r.memory.note(l, found)
	more.views = found.views
	return more, nil
}

// MySQLMemory notes which names showing did not settle when they were looked up
// last: that decides what is asked first, and never what is admitted. Its zero
// value is ready.
type MySQLMemory struct {
	mu    sync.RWMutex
	known map[string]bool
}

// maxKnownMySQL bounds the names that are noted.
const maxKnownMySQL = 1000

func (m *MySQLMemory) has(key string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.known[key]
}

// note takes what the catalogue was asked for, and what it has.
func (m *MySQLMemory) note(asked, found lookupMySQL) {
	if !asked.any() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range asked.functions {
		delete(m.known, "f"+f.key())
	}
	for _, t := range asked.tables {
		delete(m.known, "t"+t.exact())
		delete(m.known, "v"+t.exact())
	}
	if m.known == nil || len(m.known)+len(found.functions)+2*len(found.tables) > maxKnownMySQL {
		m.known = map[string]bool{}
	}
	for _, f := range found.functions {
		m.known["f"+f.key()] = true
	}
	for _, t := range found.tables {
		m.known["t"+t.exact()] = true
	}
	for _, v := range found.views {
		m.known["v"+v.exact()] = true
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
			questions = append(questions, CatalogQuery{"SHOW CREATE FUNCTION " + c.quoted(), 6, nil})
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

func (n mysqlName) quoted() string { return quotedMySQL(n.database) + "." + quotedMySQL(n.name) }

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
