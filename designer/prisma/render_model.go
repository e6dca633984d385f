package prisma

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// model writes a table.
func (w *writer) model(m *written) {
	b := &m.text
	writeNote(b, "", m.table.Comment)
	b.WriteString("model " + m.name + " {\n")
	rows := make([][]string, 0, len(m.table.Columns))
	for _, c := range m.table.Columns {
		rows = append(rows, w.field(m, c))
	}
	align(b, rows)
	for _, line := range m.lines {
		b.WriteString("  " + line + "\n")
	}
	w.keys(m)
	w.unsaid(m)
	b.WriteString("}\n")
}

// align writes the fields of a model in columns: comment, name, type,
// attributes.
func align(b *strings.Builder, rows [][]string) {
	name, typ := 0, 0
	for _, r := range rows {
		name, typ = max(name, len(r[1])), max(typ, len(r[2]))
	}
	for _, r := range rows {
		writeNote(b, "  ", r[0])
		line := "  " + r[1] + strings.Repeat(" ", name-len(r[1])+1) + r[2] + strings.Repeat(" ", typ-len(r[2])+1) + r[3]
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// field returns a column as comment, name, type and attributes.
func (w *writer) field(m *written, c designer.Column) []string {
	typ, native := w.typeOf(m, c)
	if stands, is := w.db.scalars[typ]; is && native == "" && !strings.EqualFold(stands, w.d.TypeText(c)) && len(w.db.natives) == 0 {
		w.note("%s.%s: the type %s becomes %s", m.table.Name, c.Name, w.d.TypeText(c), stands)
	}
	list := strings.HasSuffix(c.DataType, "[]") && !strings.HasPrefix(typ, "Unsupported")
	if list {
		typ += "[]"
	} else if k := m.table.PrimaryKey; c.IsNullable && (k == nil || !slices.Contains(k.Columns, c.Name)) {
		typ += "?"
	}
	var attributes []string
	add := func(text string) {
		if text != "" {
			attributes = append(attributes, text)
		}
	}
	if k := m.table.PrimaryKey; k != nil && len(k.Columns) == 1 && k.Columns[0] == c.Name {
		add("@id" + w.primaryName(m))
	}
	add(w.uniqueOf(m, c))
	add(w.defaultText(m, c))
	if m.fields[c.Name] != c.Name {
		add("@map(" + quote(c.Name) + ")")
	}
	add(native)
	return []string{c.Comment, m.fields[c.Name], typ, strings.Join(attributes, " ")}
}

// typeOf returns the type of a column, and what names the database's.
func (w *writer) typeOf(m *written, c designer.Column) (typ, native string) {
	if e := w.enumOf(m, c); e != nil {
		return e.name, ""
	}
	bare := c
	bare.DataType, bare.TypeText = strings.TrimSuffix(c.DataType, "[]"), ""
	if scalar, native, ok := w.db.scalarOf(w.d, bare); ok {
		return scalar, native
	}
	return "Unsupported(" + quote(w.d.TypeText(c)) + ")", ""
}

// enumOf returns the enum that is a column's type, nil if it is none.
func (w *writer) enumOf(m *written, c designer.Column) *writtenEnum {
	name := strings.TrimSuffix(c.DataType, "[]")
	for i, at := 0, 0; i < len(w.def.Objects); i++ {
		o := w.def.Objects[i]
		if o.Kind != designer.ObjectType || len(o.Values) == 0 {
			continue
		}
		if strings.EqualFold(name, o.Name) || strings.EqualFold(name, o.Schema+"."+o.Name) {
			return w.enums[at]
		}
		at++
	}
	if len(c.Values) == 0 || !w.isEnum(c) {
		return nil
	}
	for _, e := range w.enums {
		if strings.EqualFold(e.name, identifier(m.table.Name+"_"+c.Name)) {
			return e
		}
	}
	return nil
}

// defaultText returns @default of a column, "" if it has none.
func (w *writer) defaultText(m *written, c designer.Column) string {
	switch {
	case c.IsIdentity:
		return "@default(autoincrement())"
	case c.IsComputed:
		return "@default(dbgenerated())"
	case c.DefaultValue == "":
		return ""
	}
	text := trimParentheses(c.DefaultValue)
	tokens, ok := w.d.Tokens(text)
	typ, _ := w.typeOf(m, c)
	switch {
	case isNow(text) && typ == "DateTime":
		return "@default(now())"
	case !ok || len(tokens) != 1:
	case tokens[0].Kind == designer.TokenString:
		if e := w.enumOf(m, c); e != nil {
			if id, known := e.values[tokens[0].Name]; known {
				return "@default(" + id + ")"
			}
		} else if typ == "String" {
			return "@default(" + quote(tokens[0].Name) + ")"
		}
	case typ == "Boolean":
		if word := map[string]string{"1": "true", "0": "false", "true": "true", "false": "false"}[strings.ToLower(text)]; word != "" {
			return "@default(" + word + ")"
		}
	case isNumber(text) && (typ == "Int" || typ == "BigInt" || typ == "Float" || typ == "Decimal"):
		return "@default(" + text + ")"
	}
	return "@default(dbgenerated(" + quote(c.DefaultValue) + "))"
}

// trimParentheses takes the parentheses off that SQL Server puts around a
// default.
func trimParentheses(s string) string {
	for strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[1:len(s)-1], "()") {
		s = s[1 : len(s)-1]
	}
	if inner := strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"); len(inner) == len(s)-2 && (isNow(inner) || strings.HasPrefix(inner, "(") && strings.HasSuffix(inner, ")")) {
		return trimParentheses(inner)
	}
	return s
}

// isNow reports whether a default is the time of the moment.
func isNow(text string) bool {
	word, _, _ := strings.Cut(strings.ToLower(text), "(")
	return word == "current_timestamp" || word == "now" || word == "getdate"
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") < 2 && s[0] != '.'
}
