package readonly

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/sqltext"
)

// showsMySQL are names that the server is asked to show: most are those of
// plain tables, of columns and of the server's own functions, and then that is
// all. SHOW CREATE is what an agent may ask, too: it runs nothing.
type showsMySQL struct{ functions, tables []mysqlName }

func (s showsMySQL) any() bool { return len(s.functions)+len(s.tables) > 0 }

func (s showsMySQL) questions() (all []CatalogQuery) {
	for _, f := range s.functions {
		all = append(all, CatalogQuery{"SHOW CREATE FUNCTION " + f.quoted(), AnyColumns, nil})
	}
	for _, t := range s.tables {
		all = append(all, CatalogQuery{"SHOW CREATE TABLE " + t.quoted(), AnyColumns, nil})
	}
	return all
}

// The servers' numbers for a name that nothing has, or nothing that this login
// may see, in which case it may not use it either.
const (
	noTableMySQL    = "1146"
	noFunctionMySQL = "1305"
)

// read puts what is shown into answer, and returns what that does not settle.
func (s showsMySQL) read(answers [][][]string, answer *answerMySQL) (left lookupMySQL) {
	isError := func(rows [][]string, number string) bool {
		return len(rows) == 1 && len(rows[0]) == 1 && rows[0][0] == number
	}
	for i, f := range s.functions {
		if !isError(answers[i], noFunctionMySQL) {
			left.functions = append(left.functions, f)
		}
	}
	for i, t := range s.tables {
		rows := answers[len(s.functions)+i]
		if isError(rows, noTableMySQL) || len(rows) == 1 && isPlainTable(rows[0]) {
			continue
		}
		body := ""
		if len(rows) == 1 {
			body = shownView(rows[0])
		}
		if body == "" {
			left.tables = append(left.tables, t)
			continue
		}
		answer.tables = append(answer.tables, []string{t.database, t.name, "VIEW", ""})
		answer.views[t] = viewMySQL{text: body}
	}
	return left
}

// isPlainTable reports whether a row of SHOW CREATE TABLE is that of a table
// none of whose engines runs something elsewhere. The session's sql_mode has
// nothing that leaves the engine out.
func isPlainTable(row []string) bool {
	if len(row) != 2 || !strings.HasPrefix(row[1], "CREATE TABLE ") || !strings.Contains(row[1], "ENGINE=") {
		return false
	}
	for _, rest := range strings.Split(strings.ToUpper(row[1]), "ENGINE")[1:] { // a comment may have the word too
		engine := strings.TrimLeft(rest, " =")
		if slices.ContainsFunc(elsewhere, func(e string) bool { return strings.HasPrefix(engine, e) }) {
			return false
		}
	}
	return true
}

// shownView is what a view selects, by a row of SHOW CREATE TABLE; "": it
// cannot be told. In other character sets than those of Unicode a byte can be a
// part of a character or end a string, so those are left to the catalogue,
// which has translated them. So is everything with a backslash.
func shownView(row []string) string {
	if len(row) != 4 || !strings.HasPrefix(row[2], "utf8") || !strings.HasPrefix(row[3], "utf8") || !utf8.ValidString(row[1]) || strings.Contains(row[1], `\`) {
		return ""
	}
	tokens := sqltext.Significant(MySQLTokens(row[1]))
	for i, t := range tokens {
		introduced := t.Kind == sqltext.Word && strings.HasPrefix(t.Text, "_") && i+1 < len(tokens) && tokens[i+1].Kind == sqltext.String
		if introduced || t.Kind == sqltext.String && !strings.HasPrefix(t.Text, "'") { // _sjis'…'
			return ""
		}
	}
	if i := viewBody(tokens); i > 0 {
		return row[1][tokens[i].Pos:]
	}
	return ""
}

// viewBody returns where in the statement that makes a view its SELECT begins;
// 0: it is not written as the servers write it.
func viewBody(tokens []sqltext.Token) int {
	at := func(i int) sqltext.Token {
		if i < len(tokens) {
			return tokens[i]
		}
		return sqltext.Token{}
	}
	const definer = 4 // CREATE ALGORITHM = name DEFINER = …
	for i, word := range []string{"CREATE", "ALGORITHM", "=", "", "DEFINER", "="} {
		if word != "" && !at(i).Is(word) {
			return 0
		}
	}
	i := definer + 2
	for at(i).Kind == sqltext.Quoted || at(i).Kind == sqltext.Parameter || at(i).Is("@") {
		i++
	}
	if !at(i).Is("SQL") || !at(i+1).Is("SECURITY") || !at(i+2).Is("DEFINER") && !at(i+2).Is("INVOKER") || !at(i+3).Is("VIEW") || at(i+4).Kind != sqltext.Quoted {
		return 0
	}
	i += 5
	if at(i).Is(".") && at(i+1).Kind == sqltext.Quoted {
		i += 2
	}
	if at(i).Is("(") { // names of the columns
		for i++; at(i).Kind == sqltext.Quoted && at(i+1).Is(","); i += 2 {
		}
		if at(i).Kind != sqltext.Quoted || !at(i+1).Is(")") {
			return 0
		}
		i += 2
	}
	if !at(i).Is("AS") || i+1 >= len(tokens) {
		return 0
	}
	return i + 1
}
