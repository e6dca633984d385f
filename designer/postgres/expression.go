package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// scan takes SQL text apart.
func scan(text string) []sqltext.Token { return sqltext.PostgreSQL().Tokens(text) }

// significant returns the tokens of text that are neither space nor comment.
func significant(text string) []sqltext.Token { return sqltext.PostgreSQL().Significant(text) }

// lower folds a bare identifier as the server does: ASCII letters only.
func lower(word string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, word)
}

// renames are the new names of a table and its columns, which the server writes
// into expressions by itself.
type renames struct {
	table, newTable string
	columns         map[string]string // new name by old, of those that differ
}

func renamesOf(from, to *designer.Table) renames {
	r := renames{table: from.Name, newTable: to.Name, columns: map[string]string{}}
	for _, c := range from.Columns {
		if n := columnByID(to, c.ID).Name; n != "" && n != c.Name {
			r.columns[c.Name] = n
		}
	}
	return r
}

// same reports whether b, in the names of afterwards, says what a says in those
// of before, spelled in whatever way.
func (r renames) same(a, b string) bool {
	return sqltext.PostgreSQL().SameRenamed(a, b, isReserved, r.after)
}

func isReserved(name string) bool { return reserved[name] }

// after returns the new name of what token i names, "" where it keeps its own.
func (r renames) after(tokens []sqltext.Token, i int) string {
	switch {
	case isQualifier(tokens, i, r.table) && r.table != r.newTable:
		return r.newTable
	case isColumn(tokens, i, r.table):
		return r.columns[tokens[i].Name]
	}
	return ""
}

func textAt(tokens []sqltext.Token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return lower(tokens[i].Text)
}

// isQualifier reports whether token i is the table's name before a column's.
func isQualifier(tokens []sqltext.Token, i int, table string) bool {
	return textAt(tokens, i+1) == "." && tokens[i].Name == table
}

// isColumn reports whether token i can name a column: it is no function, no
// type, no collation and no key word.
func isColumn(tokens []sqltext.Token, i int, table string) bool {
	t := tokens[i]
	if t.Kind != sqltext.Quoted && (t.Kind != sqltext.Word || reserved[lower(t.Text)]) {
		return false
	}
	if next := textAt(tokens, i+1); next == "." || next == "(" && t.Kind == sqltext.Word {
		return false
	}
	switch textAt(tokens, i-1) {
	case "::", "as", "collate":
		return false
	case ".":
		return i >= 2 && tokens[i-2].Name == table
	}
	return true
}

// mentions reports whether an expression of a table uses a column.
func mentions(expression, table, column string) bool {
	tokens := significant(expression)
	for i, t := range tokens {
		if t.Name == column && isColumn(tokens, i, table) {
			return true
		}
	}
	return false
}

// withoutOuter takes off the parentheses around a whole expression.
func withoutOuter(text string) string {
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "(") || !closesAtEnd(text) {
			return text
		}
		text = text[1 : len(text)-1]
	}
}

// closesAtEnd reports whether the parenthesis that text begins with closes at
// its very end.
func closesAtEnd(text string) bool {
	depth := 0
	for _, t := range scan(text) {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth == 0 {
			return t.End() == len(text)
		}
	}
	return false
}

// rowColumns writes the new names of columns behind NEW and OLD in the body of
// a trigger function.
func (r renames) rowColumns(body string) string {
	var b strings.Builder
	var before [2]sqltext.Token // that say something, the nearest last
	for _, t := range scan(body) {
		row := before[1].Is(".") && (before[0].Name == "new" || before[0].Name == "old")
		if name := r.columns[t.Name]; row && t.Name != "" && name != "" {
			b.WriteString(ident(name))
		} else {
			b.WriteString(t.Text)
		}
		if t.Kind != sqltext.Space && t.Kind != sqltext.Comment {
			before = [2]sqltext.Token{before[1], t}
		}
	}
	return b.String()
}

// gathered writes an array of strings, each cast twice, as one array that is
// cast. IN makes (ARRAY['a'::character varying])::text[] of a varchar, which
// the server writes as ARRAY[('a'::character varying)::text] once it has read
// it back: the same check must not look like another one then.
func gathered(text string) string {
	if !strings.Contains(text, "ARRAY[(") {
		return text
	}
	tokens := significant(text)
	for i := len(tokens) - 3; i >= 0; i-- {
		if !tokens[i].Is("array") || tokens[i+1].Text != "[" {
			continue
		}
		if list, outer, end := castTwice(text, tokens[i+2:]); end > 0 {
			text = text[:tokens[i].Pos] + "(ARRAY[" + strings.Join(list, ", ") + "])::" + outer + "[]" + text[end:]
		}
	}
	return text
}

// castTwice reads the elements of an array up to its bracket: with their inner
// cast, the outer one, which they have in common, and where the array ends. end
// is 0 where they are something else.
func castTwice(text string, tokens []sqltext.Token) (list []string, outer string, end int) {
	for i := 0; ; {
		inner, next := span(text, tokens, i+1, ")")
		if textAt(tokens, i) != "(" || inner == "" || tokens[i+1].Kind != sqltext.String || textAt(tokens, i+2) != "::" || textAt(tokens, next+1) != "::" {
			return nil, "", 0
		}
		cast, last := span(text, tokens, next+2, ",", "]")
		if cast == "" || !isTypeText(cast) || outer != "" && cast != outer {
			return nil, "", 0
		}
		list, outer, i = append(list, inner), cast, last+1
		if tokens[last].Text == "]" {
			return list, outer, tokens[last].End()
		}
	}
}

// span returns the text from token i up to one of the marks outside of
// parentheses, and which token that is; "" where there is none.
func span(text string, tokens []sqltext.Token, i int, marks ...string) (string, int) {
	depth := 0
	for n := i; n < len(tokens); n++ {
		switch {
		case depth == 0 && slices.Contains(marks, tokens[n].Text):
			if n == i {
				return "", n
			}
			return text[tokens[i].Pos:tokens[n-1].End()], n
		case tokens[n].Text == "(":
			depth++
		case tokens[n].Text == ")":
			depth--
		}
	}
	return "", len(tokens)
}
