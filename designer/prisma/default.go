package prisma

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// defaultOf gives a column the default of its field.
func (r *resolver) defaultOf(m *model, f *field, col *designer.Column) {
	a := find(f.attributes, "default")
	if a == nil || len(a.arguments) == 0 {
		return
	}
	v := a.arguments[0].value
	if n := a.argument("value", 0); n != nil {
		v = *n
	}
	switch {
	case v.isCall:
		r.generated(m, f, v, col)
	case v.isList:
		r.note(a.pos, "the default of field %s.%s is left out: it is a list", clip.Name(m.block.name), clip.Name(f.name))
	case v.kind == text:
		col.DefaultValue = r.d.StringLiteral(v.text)
	case v.text == "true" || v.text == "false":
		col.DefaultValue = r.boolean(col, v.text)
	case r.enums[f.typ] != nil:
		col.DefaultValue = r.d.StringLiteral(valueOf(r.enums[f.typ], v.text))
	default:
		col.DefaultValue = v.text
	}
}

// valueOf returns a value of an enum as the database has it.
func valueOf(e *block, name string) string {
	for _, f := range e.fields {
		if f.name == name {
			return mapped(f.attributes, f.name)
		}
	}
	return name
}

// boolean is true or false as the column's type has it.
func (r *resolver) boolean(col *designer.Column, text string) string {
	if info, known := r.d.Type(col.DataType); known && info.Kind == designer.KindBool && info.Name != "bit" && r.d.Name != "sqlite" {
		return text
	}
	if text == "true" && r.d.Name != "sqlite" {
		return "1"
	}
	if r.d.Name != "sqlite" {
		return "0"
	}
	return text
}

// generated reads a default that is a call. Those that Prisma's client makes
// are none of the database.
func (r *resolver) generated(m *model, f *field, v value, col *designer.Column) {
	switch v.text {
	case "autoincrement":
		col.IsIdentity, col.IdentitySeed, col.IdentityIncrement, col.IsNullable = true, 1, 1, false
		if r.d.Name == "postgres" {
			col.Options = map[string]string{"identity": "serial"}
		}
	case "now":
		col.DefaultValue = "CURRENT_TIMESTAMP"
		if _, digits, ok := strings.Cut(r.d.TypeText(*col), "("); ok && r.d.Name == "mysql" {
			col.DefaultValue += "(" + digits
		}
	case "dbgenerated":
		if len(v.arguments) > 0 {
			col.DefaultValue = v.arguments[0].value.text
		}
	default:
		r.loaded.Omit("default that Prisma's client makes", m.block.name+"."+f.name, 1)
	}
}
