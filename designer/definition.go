package designer

import (
	"cmp"
	"slices"
)

// Definition is the plain form of a whole schema: names instead of ids, so
// that it can be read from a database, kept in a file and compared by eye.
// [Build] makes a [Schema] of it and [Schema.Definition] leads back.
type Definition struct {
	Schemas []string          `json:"schemas,omitempty"` // that the database has, empty ones included
	Tables  []TableDefinition `json:"tables"`
	Views   []View            `json:"views,omitempty"`
	Objects []Object          `json:"objects,omitempty"`
	// DefaultSchema is what names without a schema mean to the session that
	// read this; "": the server was not asked.
	DefaultSchema string `json:"-"`
	// Numbers are the server's own of tables and columns, nil where it keeps
	// none. They mean nothing in another database: no export has them.
	Numbers []CatalogIDs `json:"-"`
}

// TableDefinition is a [Table] by names.
type TableDefinition struct {
	Schema      string                 `json:"schema,omitempty"` // "": the default schema
	Name        string                 `json:"name"`
	Columns     []Column               `json:"columns"` // without ids
	PrimaryKey  *KeyDefinition         `json:"primaryKey,omitempty"`
	ForeignKeys []ForeignKeyDefinition `json:"foreignKeys,omitempty"`
	Indexes     []IndexDefinition      `json:"indexes,omitempty"`
	Checks      []CheckDefinition      `json:"checks,omitempty"`
	Triggers    []string               `json:"triggers,omitempty"`
	Comment     string                 `json:"comment,omitempty"`
	Options     map[string]string      `json:"options,omitempty"`
}

// KeyDefinition is a [PrimaryKey] by names.
type KeyDefinition struct {
	Name    string            `json:"name,omitempty"`
	Columns []string          `json:"columns"` // in key order
	Options map[string]string `json:"options,omitempty"`
}

// ForeignKeyDefinition is a [ForeignKey] by names. The referenced table or
// its columns need not exist.
type ForeignKeyDefinition struct {
	Name            string        `json:"name,omitempty"`
	ReferencedTable TableRef      `json:"referencedTable"` // Schema "": the default schema
	Mappings        []NameMapping `json:"mappings"`
	OnDelete        Action        `json:"onDelete,omitempty"` // "": no action
	OnUpdate        Action        `json:"onUpdate,omitempty"` // "": no action
	Deferrable      Deferral      `json:"deferrable,omitempty"`

	Options map[string]string `json:"options,omitempty"`
}

// IndexDefinition is an [Index] by names.
type IndexDefinition struct {
	Name       string               `json:"name,omitempty"`
	Unique     bool                 `json:"unique,omitempty"`
	Constraint bool                 `json:"constraint,omitempty"`
	Parts      []IndexKeyDefinition `json:"parts"`
	Where      string               `json:"where,omitempty"`
	Include    []string             `json:"include,omitempty"`
	Method     string               `json:"method,omitempty"`
	Options    map[string]string    `json:"options,omitempty"`
}

// IndexKeyDefinition is an [IndexKey] by names: a column, or an expression.
type IndexKeyDefinition struct {
	Column     string `json:"column,omitempty"`
	Expression string `json:"expression,omitempty"`
	Descending bool   `json:"descending,omitempty"`
	Collation  string `json:"collation,omitempty"`
	Nulls      string `json:"nulls,omitempty"`
	OpClass    string `json:"opClass,omitempty"`
	Length     int    `json:"length,omitempty"`
}

// CheckDefinition is a [Check] without its id.
type CheckDefinition struct {
	Name       string            `json:"name,omitempty"`
	Expression string            `json:"expression"`
	Options    map[string]string `json:"options,omitempty"`
}

// Definition returns the schema by names, sorted: tables by schema and name,
// keys, indexes and checks by name. Columns keep their order. The result
// shares nothing with s that a caller could modify.
func (s *Schema) Definition() Definition {
	d := Definition{
		Schemas: s.Schemas(),
		Tables:  make([]TableDefinition, 0, len(s.entries)),
		Views:   slices.Clone(s.views),
		Objects: s.Objects(),
	}
	for _, t := range s.Tables() {
		d.Tables = append(d.Tables, s.define(t))
	}
	return d
}

// DefineTable returns t by names; t is a table of s.
func (s *Schema) DefineTable(t *Table) TableDefinition { return s.define(t) }

func (s *Schema) define(t *Table) TableDefinition {
	c := t.Clone()
	d := TableDefinition{
		Schema: c.Schema, Name: c.Name, Columns: c.Columns,
		Triggers: c.Triggers, Comment: c.Comment, Options: c.Options,
	}
	slices.Sort(d.Triggers)
	names := t.ColumnNames()
	for i := range d.Columns {
		d.Columns[i].ID = ""
	}
	if c.PrimaryKey != nil {
		d.PrimaryKey = &KeyDefinition{Name: c.PrimaryKey.Name,
			Columns: namesOf(names, c.PrimaryKey.Columns), Options: c.PrimaryKey.Options}
	}
	for _, k := range c.ForeignKeys {
		d.ForeignKeys = append(d.ForeignKeys, s.defineForeignKey(names, k))
	}
	slices.SortStableFunc(d.ForeignKeys, compareForeignKeys)
	for _, x := range c.Indexes {
		d.Indexes = append(d.Indexes, defineIndex(names, x))
	}
	slices.SortStableFunc(d.Indexes, compareIndexes)
	for _, k := range c.Checks {
		d.Checks = append(d.Checks, CheckDefinition{Name: k.Name, Expression: k.Expression, Options: k.Options})
	}
	slices.SortStableFunc(d.Checks, func(a, b CheckDefinition) int {
		return cmp.Or(compareNames(a.Name, b.Name), cmp.Compare(a.Expression, b.Expression))
	})
	return d
}

func (s *Schema) defineForeignKey(names map[ID]string, k ForeignKey) ForeignKeyDefinition {
	target := s.reference(k)
	d := ForeignKeyDefinition{
		Name:            k.Name,
		ReferencedTable: TableRef{Schema: target.Schema, Name: target.Table},
		OnDelete:        k.OnDelete, OnUpdate: k.OnUpdate, Deferrable: k.Deferrable, Options: k.Options,
		Mappings: make([]NameMapping, len(k.Mappings)),
	}
	for i, m := range k.Mappings {
		d.Mappings[i] = NameMapping{Column: names[m.Column], ReferencedColumn: target.Columns[i]}
	}
	return d
}

// reference returns the names of what k points at.
func (s *Schema) reference(k ForeignKey) Reference {
	if d := k.Dangling; d != nil {
		r := Reference{Schema: d.Schema, Table: d.Table, Columns: make([]string, len(k.Mappings))}
		copy(r.Columns, d.Columns) // fewer in a damaged store, which Check refuses
		return r
	}
	e := s.entries[k.RefTable]
	if e == nil {
		return Reference{Columns: make([]string, len(k.Mappings))}
	}
	r := Reference{Schema: e.table.Schema, Table: e.table.Name, Columns: make([]string, len(k.Mappings))}
	for i, m := range k.Mappings {
		if c := e.table.ColumnByID(m.RefColumn); c != nil {
			r.Columns[i] = c.Name
		}
	}
	return r
}

func defineIndex(names map[ID]string, x Index) IndexDefinition {
	d := IndexDefinition{
		Name: x.Name, Unique: x.Unique, Constraint: x.Constraint, Where: x.Where,
		Parts: make([]IndexKeyDefinition, len(x.Parts)), Method: x.Method, Options: x.Options,
	}
	if len(x.Include) > 0 {
		d.Include = namesOf(names, x.Include)
	}
	for i, p := range x.Parts {
		d.Parts[i] = IndexKeyDefinition{
			Column: names[p.Column], Expression: p.Expression,
			Descending: p.Descending, Collation: p.Collation,
			Nulls: p.Nulls, OpClass: p.OpClass, Length: p.Length,
		}
	}
	return d
}

// compareNames orders by folded form, then exactly, so that the order does
// not depend on where a name came from.
func compareNames(a, b string) int {
	return cmp.Or(cmp.Compare(Fold(a), Fold(b)), cmp.Compare(a, b))
}

// compareForeignKeys orders unnamed keys by what they say.
func compareForeignKeys(a, b ForeignKeyDefinition) int {
	return cmp.Or(
		compareNames(a.Name, b.Name),
		compareNames(a.ReferencedTable.Schema, b.ReferencedTable.Schema),
		compareNames(a.ReferencedTable.Name, b.ReferencedTable.Name),
		slices.CompareFunc(a.Mappings, b.Mappings, func(m, n NameMapping) int {
			return cmp.Or(compareNames(m.Column, n.Column), compareNames(m.ReferencedColumn, n.ReferencedColumn))
		}),
	)
}

func compareIndexes(a, b IndexDefinition) int {
	return cmp.Or(
		compareNames(a.Name, b.Name),
		slices.CompareFunc(a.Parts, b.Parts, func(p, q IndexKeyDefinition) int {
			return cmp.Or(compareNames(p.Column, q.Column), cmp.Compare(p.Expression, q.Expression))
		}),
	)
}
