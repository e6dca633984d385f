package postgres

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// writer says in SQL what a schema has, by the names that it has there.
type writer struct {
	s          *designer.Schema
	types      map[string]string          // the database's own, as SQL has them, by folded name
	collations map[string]string          // likewise
	sequences  map[string]designer.Object // by ownerKey: of columns, where not called as usual
}

func newWriter(s *designer.Schema) *writer {
	w := &writer{s: s, types: map[string]string{}, collations: map[string]string{}, sequences: map[string]designer.Object{}}
	for _, o := range s.Objects() {
		switch o.Kind {
		case designer.ObjectType:
			addName(w.types, o.Schema, o.Name)
		case designer.ObjectExtension:
			for _, name := range o.Values {
				addName(w.types, o.Schema, name)
			}
		case designer.ObjectCollation:
			addName(w.collations, o.Schema, o.Name)
		case designer.ObjectSequence:
			if o.Table != "" && len(o.Values) == 1 {
				w.sequences[ownerKey(o.Schema, o.Table, o.Values[0])] = o
			}
		}
	}
	return w
}

// ownerKey identifies a column by names, none of which can hold a NUL.
func ownerKey(schema, table, column string) string {
	return schema + "\x00" + table + "\x00" + column
}

// addName knows an object by its schema and name and, in the default schema,
// by its name alone.
func addName(names map[string]string, schema, name string) {
	sql := qualified(schema, name)
	names[designer.Fold(schema+"."+name)] = sql
	if schema == DefaultSchema {
		names[designer.Fold(name)] = sql
	}
}

func (w *writer) table(t *designer.Table) string { return qualified(t.Schema, t.Name) }

// dataType writes the type of a column.
func (w *writer) dataType(c designer.Column) string {
	if c.TypeText != "" && isTypeText(c.TypeText) {
		return c.TypeText
	}
	name, array := strings.CutSuffix(c.DataType, "[]")
	sql := name
	info, builtin := known.Type(name)
	switch own, ok := w.types[designer.Fold(name)]; {
	case builtin:
		sql = info.Name
	case ok:
		sql = own
	case !isTypeText(name):
		sql = ident(name)
	}
	sql += typeArguments(c, info)
	if array {
		sql += "[]"
	}
	return sql
}

// typeArguments writes what stands in parentheses after a type's name; info
// is nil for a type that the dialect does not know.
func typeArguments(c designer.Column, info *designer.TypeInfo) string {
	switch {
	case isDigits(c.MaxLength):
		return "(" + c.MaxLength + ")"
	case c.Precision > 0 && c.Scale != 0:
		return "(" + decimal(int64(c.Precision)) + "," + decimal(int64(c.Scale)) + ")"
	case c.Precision > 0:
		return "(" + decimal(int64(c.Precision)) + ")"
	case info != nil && info.Precision == designer.Range{} && info.Scale != designer.Range{} && c.Scale != fractions:
		return "(" + decimal(int64(c.Scale)) + ")"
	}
	return ""
}

// isTypeText reports whether text can be nothing but the name of a type and
// what it takes.
func isTypeText(text string) bool {
	depth := 0
	for _, t := range scan(text) {
		switch {
		case t.Kind == sqltext.Word, t.Kind == sqltext.Quoted, t.Kind == sqltext.Number:
		case t.Kind == sqltext.Space:
		case t.Text == "(":
			depth++
		case t.Text == ")" && depth > 0:
			depth--
		case t.Text == "," && depth > 0, t.Text == ".", t.Text == "[", t.Text == "]":
		default:
			return false
		}
	}
	return depth == 0 && strings.TrimSpace(text) != ""
}

// isDigits reports whether text is a number without sign.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// clause passes the text of an option on where it cannot reach beyond its
// place: it ends no statement and closes no parenthesis but its own. The
// server refuses what comes instead.
func clause(text string) string {
	depth := 0
	for _, t := range scan(text) {
		switch {
		case t.Kind == sqltext.Comment, t.Unclosed, t.Text == ";":
			depth = -1
		case t.Text == "(":
			depth++
		case t.Text == ")":
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

func (w *writer) collation(name string) string {
	if sql, own := w.collations[designer.Fold(name)]; own {
		return sql
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// column writes a column as CREATE TABLE and ADD COLUMN have it.
func (w *writer) column(t *designer.Table, c designer.Column) string {
	var b strings.Builder
	word := func(text string) { b.WriteString(" " + text) }
	b.WriteString(ident(c.Name))
	if short := shortSerial(c); short != "" && !w.hasSequence(t, c) {
		word(short)
		return b.String()
	}
	word(w.dataType(c))
	if c.Collation != "" {
		word("COLLATE " + w.collation(c.Collation))
	}
	if m := c.Options[OptionCompression]; m != "" {
		word("COMPRESSION " + ident(m))
	}
	switch {
	case c.IsComputed:
		word(generated(c))
	case isSerialColumn(c):
		schema, name := w.sequenceOf(t, c)
		word("DEFAULT " + nextval(schema, name))
	case c.IsIdentity:
		word(w.identity(t, c))
	case c.DefaultValue != "":
		word("DEFAULT " + operand(c.DefaultValue))
	}
	if !c.IsNullable {
		word("NOT NULL")
	}
	return b.String()
}

func generated(c designer.Column) string {
	text := "GENERATED ALWAYS AS (" + c.ComputedFormula + ")"
	if c.ComputedPersisted {
		return text + " STORED"
	}
	return text + " VIRTUAL"
}

// operand writes an expression where not every one may stand without
// parentheses.
func operand(expression string) string {
	tokens := significant(expression)
	switch {
	case len(tokens) == 1:
		return expression
	case len(tokens) == 2 && tokens[0].Text == "-" && tokens[1].Kind == sqltext.Number:
		return expression
	case len(tokens) > 2 && tokens[0].Kind == sqltext.Word && tokens[1].Text == "(" &&
		closesAtEnd(strings.TrimSpace(expression)[len(tokens[0].Text):]):
		return expression
	}
	return "(" + expression + ")"
}
