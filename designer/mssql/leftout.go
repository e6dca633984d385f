package mssql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// noteLeftOut notes the statements of a batch that make what no definition
// holds: rows, rights, users. T-SQL has no end of a statement, so they are
// found by their first word where no clause has that word.
func noteLeftOut(loaded *designer.LoadResult, batch string) {
	tokens := significant(scan(batch))
	if isModule(tokens) {
		return // its statements are its own
	}
	for i, t := range tokens {
		if t.Kind != sqltext.Word || i > 0 && insideClause(tokens[i-1]) {
			continue
		}
		verb := strings.ToUpper(t.Text)
		switch {
		case slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "MERGE"}, verb):
			if verb != "UPDATE" || i+1 == len(tokens) || !tokens[i+1].Is("STATISTICS") {
				loaded.Omit(verb+" statement", targetOf(tokens, i+1), 1)
			}
		case slices.Contains([]string{"GRANT", "DENY", "REVOKE"}, verb) && (i == 0 || !tokens[i-1].Is("WITH")):
			loaded.Omit(verb+" statement", "", 1)
		case verb == "CREATE" && i+1 < len(tokens) && slices.ContainsFunc([]string{"USER", "ROLE", "LOGIN"}, tokens[i+1].Is):
			loaded.Omit("CREATE "+strings.ToUpper(tokens[i+1].Text)+" statement", "", 1)
		}
	}
}

// isModule reports whether a batch makes a routine, a view or a trigger, which
// takes the whole of it.
func isModule(tokens []sqltext.Token) bool {
	if len(tokens) == 0 || !tokens[0].Is("CREATE") && !tokens[0].Is("ALTER") {
		return false
	}
	at := 1
	if len(tokens) > 3 && tokens[1].Is("OR") && tokens[2].Is("ALTER") {
		at = 3
	}
	return at < len(tokens) && slices.ContainsFunc([]string{"PROCEDURE", "PROC", "FUNCTION", "VIEW", "TRIGGER"}, tokens[at].Is)
}

// insideClause reports whether a word behind this one is part of a clause: ON
// DELETE CASCADE, GRANT INSERT, DENY SELECT, UPDATE, THEN DELETE of a MERGE.
func insideClause(before sqltext.Token) bool {
	return slices.ContainsFunc([]string{"ON", "GRANT", "DENY", "REVOKE", "FOR", "THEN", ",", ".", "("}, before.Is)
}

// targetOf names the table whose rows a statement is about.
func targetOf(tokens []sqltext.Token, at int) string {
	name := ""
	for ; at < len(tokens); at++ {
		t := tokens[at]
		switch {
		case name == "" && (t.Is("INTO") || t.Is("FROM") || t.Is("TOP")):
		case t.Kind == sqltext.Parameter && name == "": // a variable that is a table
			return t.Text
		case t.IsName() && (name == "" || strings.HasSuffix(name, ".")):
			name += t.Name
		case t.Is(".") && name != "":
			name += "."
		default:
			return name
		}
	}
	return name
}
