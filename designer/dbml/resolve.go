package dbml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
)

// resolver makes a definition of a file.
type resolver struct {
	d       *designer.Dialect
	file    *file
	enums   map[string]*enum // by key
	def     designer.Definition
	exact   map[[2]string]int // places in def.Tables, by schema and name
	folded  map[[2]string][]int
	aliases map[string]int
	columns []map[string][]string // of each table, by folded name
	spent   int                   // bytes of enums written out
}

// resolve looks up what the names in f mean.
func resolve(f *file, d *designer.Dialect) (designer.Definition, error) {
	r := &resolver{d: d, file: f, enums: map[string]*enum{}, def: designer.Definition{Tables: []designer.TableDefinition{}},
		exact: map[[2]string]int{}, folded: map[[2]string][]int{}, aliases: map[string]int{}}
	for _, e := range f.enums {
		if err := r.enum(e); err != nil {
			return r.def, err
		}
	}
	for _, t := range f.tables {
		if err := r.table(t); err != nil {
			return r.def, err
		}
	}
	for i, t := range f.tables {
		for _, it := range t.items {
			for _, ref := range it.column.refs {
				if err := r.inline(i, it.column.name, ref); err != nil {
					return r.def, err
				}
			}
		}
	}
	for _, ref := range f.refs {
		if err := r.ref(ref); err != nil {
			return r.def, err
		}
	}
	return r.def, nil
}

func failAt(line int, format string, args ...any) error {
	return &Error{Line: line, Message: fmt.Sprintf(format, args...)}
}

// schema returns the schema that a name is in, "" for the default one, which
// DBML calls public.
func (r *resolver) schema(n name) (string, error) {
	known := func(s string) bool { return strings.EqualFold(s, n.schema) }
	switch {
	case n.schema == "", slices.ContainsFunc(r.d.Schemas.Common, known):
		return n.schema, nil
	case known("public"):
		return "", nil
	case r.d.Schemas.Fixed && len(r.d.Schemas.Common) > 0:
		return "", failAt(n.line, "%s has no schema %q: write %s", r.d.Title, excerpt(n.schema), excerpt(n.name))
	}
	return n.schema, nil
}

// place is the key under which a table is found: the default schema's name
// and "" are one.
func (r *resolver) place(schema, name string) [2]string {
	if len(r.d.Schemas.Common) > 0 && strings.EqualFold(schema, r.d.Schemas.Common[0]) {
		schema = ""
	}
	return [2]string{schema, name}
}

func foldPlace(p [2]string) [2]string { return [2]string{designer.Fold(p[0]), designer.Fold(p[1])} }

func (r *resolver) table(t *table) error {
	schema, err := r.schema(t.name)
	if err != nil {
		return err
	}
	td := designer.TableDefinition{Schema: schema, Name: t.name.name, Comment: t.note, Columns: []designer.Column{}}
	columns := map[string][]string{}
	r.columns = append(r.columns, columns)
	for _, i := range t.items {
		key := designer.Fold(i.column.name)
		if slices.Contains(columns[key], i.column.name) {
			return failAt(i.line, "column %q is declared twice", excerpt(i.column.name))
		}
		columns[key] = append(columns[key], i.column.name)
		if err := r.column(&td, i.column); err != nil {
			return err
		}
	}
	for _, x := range t.indexes {
		if err := r.index(&td, x); err != nil {
			return err
		}
	}
	for _, k := range t.checks {
		td.Checks = append(td.Checks, designer.CheckDefinition{Name: k.name, Expression: k.expression})
	}
	r.dropRedundantUnique(&td)
	return r.put(t, td)
}

// put adds a table under its name and alias.
func (r *resolver) put(t *table, td designer.TableDefinition) error {
	at := r.place(td.Schema, td.Name)
	if _, twice := r.exact[at]; twice {
		return failAt(t.line, "table %q is declared twice", excerpt(t.name.String()))
	}
	n := len(r.def.Tables)
	r.exact[at] = n
	r.folded[foldPlace(at)] = append(r.folded[foldPlace(at)], n)
	if t.alias != "" {
		if _, twice := r.aliases[t.alias]; twice {
			return failAt(t.line, "alias %q is declared twice", excerpt(t.alias))
		}
		r.aliases[t.alias] = n
	}
	r.def.Tables = append(r.def.Tables, td)
	return nil
}

// column adds a column and what its settings make beside it.
func (r *resolver) column(td *designer.TableDefinition, c *column) error {
	col, err := r.columnType(td, c)
	if err != nil {
		return err
	}
	col.Name, col.Comment = c.name, c.note
	col.IsNullable = !c.notNull && !c.pk
	if col.IsIdentity = c.increment; c.increment {
		r.numbersItself(&col)
	}
	col.DefaultValue = r.defaultValue(c.def, col)
	if c.pk {
		if td.PrimaryKey == nil {
			td.PrimaryKey = &designer.KeyDefinition{}
		}
		td.PrimaryKey.Columns = append(td.PrimaryKey.Columns, c.name)
	}
	if c.unique {
		td.Indexes = append(td.Indexes, designer.IndexDefinition{Unique: true, Constraint: true,
			Parts: []designer.IndexKeyDefinition{{Column: c.name}}})
	}
	for _, k := range c.checks {
		td.Checks = append(td.Checks, designer.CheckDefinition{Expression: k})
	}
	td.Columns = append(td.Columns, col)
	return nil
}

// dropRedundantUnique takes unnamed unique constraints out that say what the
// primary key says.
func (r *resolver) dropRedundantUnique(td *designer.TableDefinition) {
	if td.PrimaryKey == nil || len(td.PrimaryKey.Columns) != 1 {
		return
	}
	td.Indexes = slices.DeleteFunc(td.Indexes, func(x designer.IndexDefinition) bool {
		return x.Constraint && x.Name == "" && len(x.Parts) == 1 && x.Parts[0].Column == td.PrimaryKey.Columns[0]
	})
}

// defaultValue is a default as SQL of the dialect; "" for none.
func (r *resolver) defaultValue(v *value, c designer.Column) string {
	switch {
	case v == nil:
		return ""
	case v.kind == number:
		return v.text
	case v.kind == formula:
		if sql, ok := convert.GeneratedDefault(v.text, r.d, c); ok && !r.sameProduct() {
			return sql
		}
		return v.text
	case v.kind != word || v.parts > 1:
		if v.parts > 1 {
			return r.d.StringLiteral(v.last) // of an enum
		}
		return r.d.StringLiteral(v.text)
	}
	switch text := strings.ToLower(v.text); text {
	case "null":
		return ""
	case "true", "false":
		if info, known := r.d.Type(c.DataType); known && info.Kind == designer.KindBool && info.Name == "bit" {
			return map[string]string{"true": "1", "false": "0"}[text]
		}
		return text
	}
	return v.text // a word such as CURRENT_TIMESTAMP
}

// index adds an index, or makes it the primary key.
func (r *resolver) index(td *designer.TableDefinition, x index) error {
	out := designer.IndexDefinition{Name: x.name, Unique: x.unique, Constraint: x.unique && x.name == ""}
	var columns []string
	for _, p := range x.parts {
		part := designer.IndexKeyDefinition{Expression: p.formula}
		if p.formula == "" {
			name, err := r.columnOf(len(r.columns)-1, td.Name, p.column, x.line)
			if err != nil {
				return err
			}
			part.Column = name
			columns = append(columns, name)
		} else {
			out.Constraint = false
		}
		out.Parts = append(out.Parts, part)
	}
	if x.pk {
		return primaryKey(td, x, columns)
	}
	if !strings.EqualFold(x.typ, "btree") {
		out.Method = x.typ
	}
	td.Indexes = append(td.Indexes, out)
	return nil
}

func primaryKey(td *designer.TableDefinition, x index, columns []string) error {
	if k := td.PrimaryKey; k != nil && !slices.Equal(k.Columns, columns) {
		return failAt(x.line, "table %q has another primary key already", excerpt(td.Name))
	}
	if len(columns) != len(x.parts) {
		return failAt(x.line, "a primary key has columns only, no expressions")
	}
	in := map[string]bool{}
	for _, name := range columns {
		if in[name] {
			return failAt(x.line, "column %q is in the primary key twice", excerpt(name))
		}
		in[name] = true
	}
	for i := range td.Columns {
		td.Columns[i].IsNullable = td.Columns[i].IsNullable && !in[td.Columns[i].Name]
	}
	td.PrimaryKey = &designer.KeyDefinition{Name: x.name, Columns: columns}
	return nil
}

// columnOf finds a column of a table by its exact name, else the only one that
// has it but for case.
func (r *resolver) columnOf(table int, tableName, name string, line int) (string, error) {
	matches := r.columns[table][designer.Fold(name)]
	switch {
	case slices.Contains(matches, name):
		return name, nil
	case len(matches) == 1:
		return matches[0], nil
	case len(matches) == 0:
		return "", failAt(line, "table %q has no column %q", excerpt(tableName), excerpt(name))
	}
	return "", failAt(line, "table %q has several columns %q that differ in case: write it exactly", excerpt(tableName), excerpt(name))
}
