package prisma

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// Provider returns the name of the dialect that a schema is for, "" if it does
// not say, or if it is of a database that is none here.
func Provider(src string) string {
	f, err := parse(src)
	if err != nil {
		return ""
	}
	for _, b := range f.blocks {
		for _, s := range b.fields {
			if b.kind != "datasource" || s.name != "provider" || s.value == nil {
				continue
			}
			for name, d := range databases {
				if slices.Contains(d.providers, s.value.text) {
					return name
				}
			}
		}
	}
	return ""
}

// Parse reads a schema as the one of a database of the dialect. Errors are of
// type [*designer.ScriptError], but for a text that is too large or no text.
func Parse(src string, d *designer.Dialect) (designer.LoadResult, error) {
	f, err := parse(src)
	if err != nil {
		return designer.LoadResult{}, fmt.Errorf("read Prisma: %w", err)
	}
	r := &resolver{src: src, d: d, db: databases[d.Name], models: map[string]*model{}, enums: map[string]*block{}}
	r.loaded.Tables = []designer.TableDefinition{}
	r.declare(f)
	for _, m := range r.order {
		r.columns(m)
	}
	for _, m := range r.order {
		r.relations(m)
		r.blockAttributes(m)
	}
	for _, m := range r.order {
		r.loaded.Tables = append(r.loaded.Tables, m.table)
	}
	r.manyToMany()
	return r.loaded, nil
}

// model is a model on its way to a table.
type model struct {
	block   *block
	table   designer.TableDefinition
	columns map[string]string // names in the database by those of fields
}

// resolver makes a definition of a file.
type resolver struct {
	src    string
	d      *designer.Dialect
	db     database
	models map[string]*model
	order  []*model
	enums  map[string]*block
	loaded designer.LoadResult
	lists  []listField
}

// listField is a side of a relation that has no columns of its own.
type listField struct {
	of, to   *model
	relation string
	field    *field
}

func (r *resolver) note(pos int, format string, args ...any) {
	line := 1 + strings.Count(r.src[:min(pos, len(r.src))], "\n")
	if len(r.loaded.Notes) < maxNotes {
		r.loaded.Notes = append(r.loaded.Notes, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
}

// maxNotes bounds the notes on one schema.
const maxNotes = 500

// declare notes which models and enums there are.
func (r *resolver) declare(f file) {
	for i := range f.blocks {
		b := &f.blocks[i]
		switch b.kind {
		case "model":
			if r.models[b.name] != nil {
				r.note(b.pos, "model %s is left out: there is one of the name", clip.Name(b.name))
				continue
			}
			m := &model{block: b, columns: map[string]string{}}
			m.table = designer.TableDefinition{Schema: r.schema(b), Name: mapped(b.attributes, b.name), Comment: b.note, Columns: []designer.Column{}}
			r.models[b.name] = m
			r.order = append(r.order, m)
		case "enum":
			r.enums[b.name] = b
			r.enumType(b)
		case "datasource", "generator":
		default:
			r.loaded.Omit(b.kind, b.name, 1)
		}
	}
}

// schema returns the schema that @@schema names, "" for the default one.
func (r *resolver) schema(b *block) string {
	a := find(b.attributes, "schema")
	if a == nil || len(a.arguments) == 0 {
		return ""
	}
	name := a.arguments[0].value.text
	if len(r.d.Schemas.Common) > 0 && strings.EqualFold(r.d.Schemas.Common[0], name) {
		return ""
	}
	return name
}

// enumType adds an enum where it is a type of the database.
func (r *resolver) enumType(b *block) {
	if !r.d.TypeNames.Enums {
		return
	}
	name, literals := mapped(b.attributes, b.name), []string{}
	values := enumValues(b)
	for _, v := range values {
		literals = append(literals, r.d.StringLiteral(v))
	}
	r.loaded.Objects = append(r.loaded.Objects, designer.Object{Kind: designer.ObjectType, Schema: r.schema(b), Name: name, Values: values, Comment: b.note,
		Definition: "CREATE TYPE " + r.d.QuoteIdentifier(name) + " AS ENUM (" + strings.Join(literals, ", ") + ")"})
}

func enumValues(b *block) (values []string) {
	for _, f := range b.fields {
		values = append(values, mapped(f.attributes, f.name))
	}
	return values
}

// columns reads the fields of a model that are columns.
func (r *resolver) columns(m *model) {
	taken := map[string]bool{}
	for i := range m.block.fields {
		f := &m.block.fields[i]
		if r.models[f.typ] != nil {
			continue
		}
		name := mapped(f.attributes, f.name)
		if taken[name] {
			r.note(f.pos, "field %s.%s is left out: there is one of the name", clip.Name(m.block.name), clip.Name(f.name))
			continue
		}
		col, ok := r.column(m, f, name)
		if !ok {
			r.note(f.pos, "field %s.%s is left out: %s is neither a type of Prisma's nor a model or enum of this schema",
				clip.Name(m.block.name), clip.Name(f.name), clip.Name(f.typ))
			continue
		}
		taken[name] = true
		m.columns[f.name] = name
		m.table.Columns = append(m.table.Columns, col)
		r.fieldKeys(m, f, name)
	}
}

// column returns a field as a column.
func (r *resolver) column(m *model, f *field, name string) (col designer.Column, ok bool) {
	if col, ok = r.typeOf(m, f, name); !ok {
		return col, false
	}
	col.Name, col.Comment, col.IsNullable = name, f.note, f.optional
	r.defaultOf(m, f, &col)
	if find(f.attributes, "updatedAt") != nil {
		r.loaded.Omit("@updatedAt", m.block.name+"."+f.name, 1)
	}
	return col, true
}

// typeOf returns a column that has nothing but the type of a field.
func (r *resolver) typeOf(m *model, f *field, name string) (col designer.Column, ok bool) {
	if e := r.enums[f.typ]; e != nil {
		return r.enumColumn(m, e, name, f.list), true
	}
	written := r.db.scalars[f.typ]
	switch {
	case f.typ == "Unsupported" && f.value != nil:
		written = f.value.text
	case !isScalar(f.typ):
		return col, false
	}
	for _, a := range f.attributes {
		if db, is := strings.CutPrefix(a.name, "db."); is {
			var args []string
			for _, arg := range a.arguments {
				args = append(args, arg.value.text)
			}
			written = r.db.sqlType(db, args)
		}
	}
	if f.list && r.d.TypeNames.Arrays {
		written += "[]"
	}
	return r.read(m, f, written), true
}

// read reads a type. One that is not known stays as it is written.
func (r *resolver) read(m *model, f *field, written string) designer.Column {
	if col, err := r.d.ReadType(written); err == nil {
		return col
	}
	if meant, ok := r.d.Meant(written); ok {
		if col, err := r.d.ReadType(meant.Text); err == nil {
			return col
		}
	}
	for _, kind := range []designer.TypeKind{designer.KindText, designer.KindNVarchar, designer.KindVarchar} {
		if info, ok := r.d.TypeOfKind(kind); ok && r.d.Name != "sqlite" {
			col := designer.Column{DataType: info.Name}
			if info.AllowsMax {
				col.MaxLength = "MAX"
			}
			r.note(f.pos, "field %s.%s: the type %s is not known here: it becomes %s", clip.Name(m.block.name), clip.Name(f.name), clip.Name(written), r.d.TypeText(col))
			return col
		}
	}
	return designer.Column{DataType: written}
}

// enumColumn returns a column of an enum in the dialect's way.
func (r *resolver) enumColumn(m *model, e *block, name string, list bool) designer.Column {
	values := enumValues(e)
	if r.d.TypeNames.Enums {
		full := mapped(e.attributes, e.name)
		if schema := r.schema(e); schema != "" {
			full = schema + "." + full
		}
		if list {
			full += "[]"
		}
		return designer.Column{DataType: full}
	}
	if info, ok := r.d.TypeOfKind(designer.KindEnum); ok {
		return designer.Column{DataType: info.Name, Values: values}
	}
	var literals []string
	for _, v := range values {
		literals = append(literals, r.d.StringLiteral(v))
	}
	if len(literals) > 0 {
		m.table.Checks = append(m.table.Checks, designer.CheckDefinition{Expression: r.d.QuoteIdentifier(name) + " IN (" + strings.Join(literals, ", ") + ")"})
	}
	col, _ := r.d.ReadType(r.db.scalars["String"])
	return col
}
