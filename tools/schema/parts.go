package schema

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// maxText bounds a formula or default in a reply; an expression longer than
// this is shown by its beginning.
const maxText = 1 << 10

// typedColumn is a column of get_table with its type, as the contract shows
// it; a length, precision or scale comes along where the type has one.
type typedColumn struct {
	Name         string `json:"name"`
	DataType     string `json:"dataType"`
	MaxLength    string `json:"maxLength,omitempty"`
	Precision    int    `json:"precision,omitzero"`
	Scale        int    `json:"scale,omitzero"`
	IsPrimaryKey bool   `json:"isPrimaryKey"`
	IsNullable   bool   `json:"isNullable"`
	IsUnique     bool   `json:"isUnique,omitzero"` // by a key on it alone, beside the primary one
}

// fullColumn is a column with everything an edit can set.
type fullColumn struct {
	typedColumn
	ID                designer.ID `json:"id"`
	TypeText          string      `json:"typeText,omitempty"` // the database's own spelling of the type
	IsIdentity        bool        `json:"isIdentity,omitzero"`
	IdentitySeed      int64       `json:"identitySeed,omitzero"`
	IdentityIncrement int64       `json:"identityIncrement,omitzero"`
	DefaultValue      string      `json:"defaultValue,omitempty"`
	IsComputed        bool        `json:"isComputed,omitzero"`
	ComputedFormula   string      `json:"computedFormula,omitempty"`
	ComputedPersisted bool        `json:"computedPersisted,omitzero"`
	Collation         string      `json:"collation,omitempty"`
	valueList
	Options options `json:"options,omitzero"`
	Comment string  `json:"comment,omitempty"`
}

// columnView returns how columns are shown for options.includeColumns.
func columnView(table *designer.Table, include string) func(designer.Column) any {
	key := keyColumns(table)
	typed := func(c designer.Column) typedColumn {
		return typedColumn{Name: c.Name, DataType: c.DataType, MaxLength: c.MaxLength,
			Precision: c.Precision, Scale: c.Scale, IsPrimaryKey: key[c.ID], IsNullable: c.IsNullable, IsUnique: table.IsUnique(c.ID)}
	}
	switch include {
	case columnsNames:
		return func(c designer.Column) any { return columnEntry{Name: c.Name} }
	case columnsFull:
		return func(c designer.Column) any {
			return fullColumn{typedColumn: typed(c), ID: c.ID, TypeText: clip.Text(c.TypeText, maxText),
				IsIdentity: c.IsIdentity, IdentitySeed: c.IdentitySeed, IdentityIncrement: c.IdentityIncrement,
				DefaultValue: clip.Text(c.DefaultValue, maxText),
				IsComputed:   c.IsComputed, ComputedFormula: clip.Text(c.ComputedFormula, maxText), ComputedPersisted: c.ComputedPersisted,
				Collation: c.Collation, valueList: valuesOf(c.Values), Options: optionsOf(c.Options), Comment: clip.Text(c.Comment, maxText)}
		}
	default:
		return func(c designer.Column) any { return typed(c) }
	}
}

type primaryKey struct {
	Name    string   `json:"name,omitempty"`
	Columns []string `json:"columns"` // in key order
	Options options  `json:"options,omitzero"`
}

// foreignKey is a foreign key in the contract's words. Action codes are left
// out where an action has none.
type foreignKey struct {
	Name               string                 `json:"name,omitempty"`
	ID                 designer.ID            `json:"id,omitempty"` // in full, and where there is no name to address it by
	ReferencedTable    designer.TableName     `json:"referencedTable"`
	Mappings           []designer.NameMapping `json:"mappings"`
	OnDeleteAction     designer.Action        `json:"onDeleteAction"`
	OnDeleteActionCode *int                   `json:"onDeleteActionCode,omitzero"`
	OnUpdateAction     designer.Action        `json:"onUpdateAction"`
	OnUpdateActionCode *int                   `json:"onUpdateActionCode,omitzero"`
	Deferrable         designer.Deferral      `json:"deferrable,omitempty"` // only in full, as are the options
	Options            options                `json:"options,omitzero"`
}

func keyOf(s *designer.Schema, table *designer.Table, k designer.ForeignKey, full bool) foreignKey {
	referenced, mappings := reference(s, table, k)
	out := foreignKey{Name: k.Name, ReferencedTable: referenced, Mappings: mappings,
		OnDeleteAction: k.OnDelete, OnDeleteActionCode: code(k.OnDelete),
		OnUpdateAction: k.OnUpdate, OnUpdateActionCode: code(k.OnUpdate)}
	if full || k.Name == "" {
		out.ID = k.ID
	}
	if full {
		out.Deferrable, out.Options = k.Deferrable, optionsOf(k.Options)
	}
	return out
}

func code(a designer.Action) *int {
	if c := a.Code(); c >= 0 {
		return &c
	}
	return nil
}

// reference names what a foreign key points at, also where that does not
// exist.
func reference(s *designer.Schema, table *designer.Table, k designer.ForeignKey) (designer.TableName, []designer.NameMapping) {
	var name designer.TableName
	mappings := make([]designer.NameMapping, len(k.Mappings))
	target := s.ByID(k.RefTable)
	if target != nil {
		name = designer.TableName{Schema: target.Schema, Name: target.Name}
	} else if k.Dangling != nil {
		name = designer.TableName{Schema: k.Dangling.Schema, Name: k.Dangling.Table}
	}
	for i, m := range k.Mappings {
		mappings[i].Column = columnName(table, m.Column)
		if target != nil {
			mappings[i].ReferencedColumn = columnName(target, m.RefColumn)
		} else if k.Dangling != nil && i < len(k.Dangling.Columns) {
			mappings[i].ReferencedColumn = k.Dangling.Columns[i]
		}
	}
	return name, mappings
}

func columnName(table *designer.Table, id designer.ID) string {
	for i := range table.Columns {
		if table.Columns[i].ID == id {
			return table.Columns[i].Name
		}
	}
	return ""
}

func columnNames(table *designer.Table, ids []designer.ID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = columnName(table, id)
	}
	return names
}

type index struct {
	Name       string      `json:"name,omitempty"`
	ID         designer.ID `json:"id"`
	Unique     bool        `json:"unique"`
	Constraint bool        `json:"constraint,omitzero"` // a unique constraint rather than an index
	Method     string      `json:"method,omitempty"`    // where it is not the dialect's ordinary one: "gin", "fulltext"
	Columns    []indexPart `json:"columns"`
	Include    []string    `json:"include,omitempty"` // columns stored beside the key
	Where      string      `json:"where,omitempty"`
	Options    options     `json:"options,omitzero"`
}

// indexPart is one key of an index, with what differs from the ordinary.
type indexPart struct {
	Name       string `json:"name,omitempty"`
	Expression string `json:"expression,omitempty"`
	Descending bool   `json:"descending,omitzero"`
	Length     int    `json:"length,omitzero"` // characters or bytes of the column that are indexed
	OpClass    string `json:"opClass,omitempty"`
	Collation  string `json:"collation,omitempty"`
	Nulls      string `json:"nulls,omitempty"` // "first" or "last"
}

func indexOf(table *designer.Table, x designer.Index) index {
	out := index{Name: x.Name, ID: x.ID, Unique: x.Unique, Constraint: x.Constraint, Method: x.Method,
		Columns: make([]indexPart, len(x.Parts)), Include: columnNames(table, x.Include),
		Where: clip.Text(x.Where, maxText), Options: optionsOf(x.Options)}
	for i, p := range x.Parts {
		out.Columns[i] = indexPart{Expression: clip.Text(p.Expression, maxText), Descending: p.Descending,
			Length: p.Length, OpClass: p.OpClass, Collation: p.Collation, Nulls: p.Nulls}
		if p.Column != "" {
			out.Columns[i].Name = columnName(table, p.Column)
		}
	}
	return out
}

type check struct {
	Name       string      `json:"name,omitempty"`
	ID         designer.ID `json:"id"`
	Expression string      `json:"expression"`
	Options    options     `json:"options,omitzero"`
}

func checkOf(k designer.Check) check {
	return check{Name: k.Name, ID: k.ID, Expression: clip.Text(k.Expression, maxText), Options: optionsOf(k.Options)}
}
