package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// viewText is the statement of a view, as the server writes it: every table
// stands behind FROM or JOIN, with its alias behind it where it has one, and
// every column behind the alias of its table and a point.
type viewText struct {
	tokens  []sqltext.Token
	tables  []viewTable
	columns []viewColumn
	aliases map[string][]string // tables by folded alias; several where the text has several scopes
}

type viewTable struct {
	at      int // of the table's name among the tokens
	name    string
	aliased bool
}

type viewColumn struct {
	at              int // of the column's name
	qualifier, name string
}

// readView finds the tables and columns in the statement of a view; known
// reports whether a table or view of the name is there.
func readView(text string, known func(name string) bool) viewText {
	v := viewText{tokens: scan(text), aliases: map[string][]string{}}
	var words []int // the tokens that are code
	for i, t := range v.tokens {
		if !isBlank(t) {
			words = append(words, i)
		}
	}
	at := func(i int) sqltext.Token {
		if i < 0 || i >= len(words) {
			return sqltext.Token{}
		}
		return v.tokens[words[i]]
	}
	for i := range words {
		t := at(i)
		switch {
		case t.Kind != sqltext.Quoted:
		case at(i + 1).Is("."):
		case at(i - 1).Is("."):
			v.columns = append(v.columns, viewColumn{at: words[i], qualifier: at(i - 2).Name, name: t.Name})
		case begins([]sqltext.Token{at(i - 1)}, "FROM|JOIN|STRAIGHT_JOIN|(|,") && known(t.Name):
			table := viewTable{at: words[i], name: t.Name, aliased: at(i+1).Kind == sqltext.Quoted}
			alias := table.name
			if table.aliased {
				alias = at(i + 1).Name
			}
			v.tables = append(v.tables, table)
			v.aliases[designer.Fold(alias)] = append(v.aliases[designer.Fold(alias)], table.name)
		}
	}
	return v
}

// tablesOf are the tables that a column may be of.
func (v viewText) tablesOf(c viewColumn) []string { return v.aliases[designer.Fold(c.qualifier)] }

// renamed writes the statement with other names for tables and columns. A
// table that had no alias keeps its old name for one.
func (v viewText) renamed(table func(name string) string, column func(table, name string) string) string {
	tokens := append([]sqltext.Token(nil), v.tokens...)
	for _, t := range v.tables {
		if to := table(t.name); to != t.name {
			tokens[t.at].Text = quoteName(to)
			if !t.aliased {
				tokens[t.at].Text += " " + quoteName(t.name)
			}
		}
	}
	for _, c := range v.columns {
		for _, t := range v.tablesOf(c) {
			if to := column(t, c.name); to != c.name {
				tokens[c.at].Text = quoteName(to)
			}
		}
	}
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}
