package designer

import (
	"iter"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// SQL text in a model (checks, formulas, conditions, index expressions) is
// kept as written. It is read here only as far as needed to find the
// identifiers in it: quoted and bare, outside of strings and comments.

// sql returns the rules by which the dialect's text is read.
func (d *Dialect) sql() sqltext.Rules {
	if d.SQL.NameQuotes == "" {
		return sqltext.SQLite()
	}
	return d.SQL
}

// scan takes SQL text apart.
func (d *Dialect) scan(text string) []sqltext.Token { return d.sql().Tokens(text) }

// rename says which identifiers of SQL text change.
type rename struct {
	from, to string
	table    bool // the table's name where it qualifies a column; else a column's
}

func tableRename(from, to string) rename  { return rename{from: from, to: to, table: true} }
func columnRename(from, to string) rename { return rename{from: from, to: to} }

// renameIn carries a new name into all SQL text of a draft.
func (d *Dialect) renameIn(t *Table, r rename) {
	for i := range t.Columns {
		c := &t.Columns[i]
		c.ComputedFormula = d.renamed(c.ComputedFormula, r)
		if d.Columns.DefaultsUseColumns {
			c.DefaultValue = d.renamed(c.DefaultValue, r)
		}
		for _, key := range d.Columns.Texts {
			if text, has := c.Options[key]; has {
				c.Options[key] = d.renamed(text, r) // a draft's own map
			}
		}
	}
	for i := range t.Checks {
		t.Checks[i].Expression = d.renamed(t.Checks[i].Expression, r)
	}
	for i := range t.Indexes {
		t.Indexes[i].Where = d.renamed(t.Indexes[i].Where, r)
		for j := range t.Indexes[i].Parts {
			t.Indexes[i].Parts[j].Expression = d.renamed(t.Indexes[i].Parts[j].Expression, r)
		}
	}
}

func (d *Dialect) renamed(text string, r rename) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	tokens := d.scan(text)
	for i, t := range tokens {
		switch {
		case !d.means(r, tokens, i):
			out.WriteString(t.Text)
		case t.Quote() != 0 && t.Text[0] != t.Quote():
			out.WriteString(t.Text[:2] + unicodeEscaped(d.spell(r.to, t.Quote()), tokens[i+1:]))
		default:
			out.WriteString(d.spell(r.to, t.Quote()))
		}
	}
	return out.String()
}

// means reports whether token i is the name that changes. A qualifying table is
// followed by a point. A column is not, nor, where it is bare, by a
// parenthesis, which makes it a function; and a bare word is none where it is
// reserved or the name of a type or a collation.
func (d *Dialect) means(r rename, tokens []sqltext.Token, i int) bool {
	t := tokens[i]
	if !t.IsName() || !strings.EqualFold(t.Name, r.from) {
		return false
	}
	after := neighbour(slices.All(tokens[i+1:]))
	if r.table || after == "." {
		return r.table && after == "."
	}
	if t.Kind == sqltext.Quoted {
		return true
	}
	return after != "(" && !d.reserved(t.Name) && !namesType(tokens[:i])
}

// namesType reports whether what follows the tokens is a type, as in CAST(a AS
// date) and a::date, or a collation.
func namesType(tokens []sqltext.Token) bool {
	if at := previous(tokens, len(tokens)); at >= 0 && tokens[at].Text == "." { // of the schema before it
		if schema := previous(tokens, at); schema >= 0 {
			tokens = tokens[:schema]
		}
	}
	switch strings.ToUpper(neighbour(slices.Backward(tokens))) {
	case "AS", "COLLATE", "::":
		return true
	}
	return false
}

// neighbour returns the first token that is neither white space nor a
// comment, "" if there is none.
func neighbour(tokens iter.Seq2[int, sqltext.Token]) string {
	for _, t := range tokens {
		if t.Kind != sqltext.Space && t.Kind != sqltext.Comment {
			return t.Text
		}
	}
	return ""
}

// unicodeEscaped doubles in a name's text what is the escape character of
// U&"…", which the tokens behind it may give.
func unicodeEscaped(text string, after []sqltext.Token) string {
	escape := `\`
	if next := sqltext.Significant(after); len(next) > 1 && next[0].Is("UESCAPE") {
		escape = strings.Trim(next[1].Text, "'")
	}
	return strings.ReplaceAll(text, escape, escape+escape)
}

// spell writes a name as an identifier: quoted as the one it replaces was, or
// where it does not stand bare for itself.
func (d *Dialect) spell(name string, open byte) string {
	if open == 0 && d.sql().IsPlain(name) && !d.reserved(name) {
		return name
	}
	if open == 0 {
		open = d.sql().NameQuotes[0]
	}
	return d.sql().QuoteName(name, open)
}

func (d *Dialect) reserved(name string) bool {
	return d.Reserved[strings.ToUpper(name)] || d.Reserved[strings.ToLower(name)]
}

// mentions reports whether SQL text uses a column of this name.
func (d *Dialect) mentions(text, column string) bool {
	if text == "" {
		return false
	}
	tokens := d.scan(text)
	for i := range tokens {
		if d.means(columnRename(column, column), tokens, i) {
			return true
		}
	}
	return false
}
