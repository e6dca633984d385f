package readonly

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	// tableMySQLText finds a table, and what it selects where it is a view. It
	// is one lookup a table: with more than one name in it, some servers open
	// every table there is.
	tableMySQLText = `SELECT 't' AS kind, TABLE_SCHEMA AS a, TABLE_NAME AS b, TABLE_TYPE AS c, COALESCE(ENGINE, '') AS d, '' AS e, '' AS f, '' AS g FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? UNION ALL ` +
		`SELECT 'v', TABLE_SCHEMA, TABLE_NAME, '', '', COALESCE(VIEW_DEFINITION, ''), '', DEFINER FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`
	columnsMySQL = 8
)

// questionMySQL asks for stored functions and tables.
func questionMySQL(functions, tables []mysqlName) CatalogQuery {
	q := CatalogQuery{Columns: columnsMySQL}
	functions, tables = filled(functions), filled(tables)
	var each []string
	if len(functions) > 0 {
		each = append(each, routinesMySQL+repeated(namedMySQL, " OR ", len(functions))+")")
	}
	if len(tables) > 0 {
		each = append(each, repeated(tableMySQLText, " UNION ALL ", len(tables)))
	}
	q.SQL = strings.Join(each, " UNION ALL ")
	for _, f := range functions {
		q.Args = append(q.Args, f.database, f.name)
	}
	for _, t := range tables {
		q.Args = append(q.Args, t.database, t.name, t.database, t.name)
	}
	return q
}

// routineMySQL is what the server says of a stored function.
type routineMySQL struct{ kind, access, body, mode, definer string }

// viewMySQL is what the server says of a view.
type viewMySQL struct{ text, definer string } // text "": the login may not read it

// answerMySQL is what the server says of names, by their keys.
type answerMySQL struct {
	routines map[string]routineMySQL
	tables   [][]string // schema, name, type, engine
	views    map[string]viewMySQL
}

// look looks functions and tables up, as a rule in one question.
func (r *MySQLReach) look(ctx context.Context, called []callMySQL, tables []tableMySQL) (*answerMySQL, error) {
	answer := &answerMySQL{map[string]routineMySQL{}, nil, map[string]viewMySQL{}}
	var functionNames, tableNames []mysqlName
	for _, c := range called {
		functionNames = append(functionNames, c.mysqlName)
	}
	for _, t := range tables {
		tableNames = append(tableNames, t.mysqlName)
	}
	var questions []CatalogQuery
	for len(functionNames)+len(tableNames) > 0 {
		f, t := min(len(functionNames), maxSlots), min(len(tableNames), maxSlots/8)
		questions = append(questions, questionMySQL(functionNames[:f], tableNames[:t]))
		functionNames, tableNames = functionNames[f:], tableNames[t:]
	}
	if len(questions) == 0 {
		return answer, nil
	}
	answers, err := r.server.Ask(ctx, questions...)
	if err != nil {
		return nil, err
	}
	for _, row := range slices.Concat(answers...) {
		key := mysqlName{row[1], row[2]}.key()
		switch row[0] {
		case "f":
			answer.routines[key] = routineMySQL{row[3], row[4], row[5], row[6], row[7]}
		case "t":
			answer.tables = append(answer.tables, row[1:5])
		case "v":
			answer.views[key] = viewMySQL{row[5], row[7]}
		}
	}
	return answer, r.texts(ctx, called, answer)
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
