package designer

import (
	"strconv"
	"strings"
)

// TypeText writes a column's type with its attributes, as [Dialect.ReadType]
// and edits read it: varchar(20), decimal(10,2), datetime2(3),
// decimal(9,2) unsigned, varchar(20)[].
// A scale that is the type's default is left out where the type takes no
// precision. The database's own spelling goes first. "" where the column has
// no type.
func (d *Dialect) TypeText(c Column) string {
	if c.TypeText != "" {
		return c.TypeText
	}
	args := d.typeArguments(c)
	if args == "" {
		return c.DataType
	}
	name, after := c.DataType, ""
	if open := strings.IndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		name, after = name[:open], name[open:]
	} else if word, ok := strings.CutSuffix(name, " unsigned"); ok {
		name, after = word, " unsigned"
	}
	return name + "(" + args + ")" + after
}

func (d *Dialect) typeArguments(c Column) string {
	info, known := d.Type(c.DataType)
	switch {
	case len(c.Values) > 0:
		literals := mapEach(c.Values, func(v string) string { return d.StringLiteral(v) })
		return strings.Join(literals, ",")
	case c.MaxLength != "":
		return c.MaxLength
	case c.Precision > 0 && (c.Scale > 0 || known && info.Scale.Default > 0):
		return strconv.Itoa(c.Precision) + "," + strconv.Itoa(c.Scale)
	case c.Precision > 0:
		return strconv.Itoa(c.Precision)
	case known && info.Precision == Range{} && info.Scale != Range{} && c.Scale != info.Scale.Default,
		!known && c.Scale > 0:
		return strconv.Itoa(c.Scale)
	}
	return ""
}

// ReadType reads a type as an edit that adds a column does, into a column
// that has nothing but a type. A length that the type requires and the text
// does not give is the type's default. The reason is validation_error.
func (d *Dialect) ReadType(text string) (Column, *Error) {
	var c Column
	spec := ColumnSpec{DataType: &text}
	parsed := d.splitType(text)
	if info, known := d.Type(parsed.name); known && info.Length == Required && len(parsed.args) == 0 {
		length, _, _ := info.defaults(true)
		spec.MaxLength = &length
	}
	r := d.resolveType(nil, spec)
	d.writeType(&c, nil, r)
	return c, d.checkType(c, r)
}

// TypeOfKind returns the type that stands for a kind: of several the one listed
// first, but for legacy ones.
func (d *Dialect) TypeOfKind(k TypeKind) (*TypeInfo, bool) {
	for i := range d.Types {
		if d.Types[i].Kind == k && k != "" && !d.Types[i].Legacy {
			return &d.Types[i], true
		}
	}
	return nil, false
}

// typeText is a data type as callers write it, taken apart.
type typeText struct {
	name   string
	args   []string // as written, trimmed
	values []string // of an enumerated type
}

// splitType takes a data type apart as the dialect does, else as any.
func (d *Dialect) splitType(text string) typeText {
	if d.TypeNames.Split != nil {
		if name, args, values, ok := d.TypeNames.Split(text); ok {
			return typeText{name: name, args: args, values: values}
		}
	}
	return parseType(text)
}

// parseType splits "decimal(18, 2)" and "timestamp(3) with time zone" into
// name and arguments. Text that is not of this form is all name.
func parseType(text string) typeText {
	text = strings.Join(strings.Fields(text), " ")
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return typeText{name: text}
	}
	end := strings.IndexByte(text, ')')
	if end < open || strings.ContainsAny(text[end+1:], "()") {
		return typeText{name: text}
	}
	name := strings.TrimSpace(text[:open])
	switch rest := strings.TrimSpace(text[end+1:]); {
	case strings.HasPrefix(rest, "["): // varchar(20)[]
		name += rest
	case rest != "":
		name += " " + rest
	}
	args := mapEach(strings.Split(text[open+1:end], ","), strings.TrimSpace)
	return typeText{name: name, args: args}
}
