package designer

import (
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

func (o addTable) check(r rules) *Error {
	if err := r.checkSchema(o.schema); err != nil {
		return err.At("schema").At("table")
	}
	if err := r.s.checkNewTableName(o.name); err != nil {
		return err.At("name").At("table")
	}
	if err := r.s.CheckTableName(o.schema.name, o.name, nil); err != nil {
		return err.At("name").At("table")
	}
	if err := r.s.dialect.checkComment("The comment of table "+clip.Quote(o.name), o.comment, r.s.dialect.Comments.Table); err != nil {
		return err.At("comment")
	}
	t := r.table(o.id)
	for i, c := range o.columns {
		if err := r.checkNewColumn(t.withFirst(i+1), c); err != nil {
			return err.At(item("initialColumns", i))
		}
	}
	return r.checkIdentityPlace(nil, t).blame("initialColumns")
}

// withFirst returns t as it is with its first n columns only.
func (t *Table) withFirst(n int) *Table {
	return &Table{ID: t.ID, Schema: t.Schema, Name: t.Name, Columns: t.Columns[:n], PrimaryKey: t.PrimaryKey}
}

func (o dropTable) check(rules) *Error { return nil }

func (o setTable) check(r rules) *Error { return r.checkSetTable(o, r.table(o.table.ID)).within("set") }

func (r rules) checkSetTable(o setTable, draft *Table) *Error {
	if o.schema != nil {
		if err := r.checkSchema(*o.schema); err != nil {
			return err.At("schema")
		}
	}
	if draft.Name != o.table.Name {
		if err := r.s.checkNewTableName(draft.Name); err != nil {
			return err.At("name")
		}
	}
	if draft.Schema != o.table.Schema || draft.Name != o.table.Name {
		if err := r.s.CheckTableName(draft.Schema, draft.Name, o.table); err != nil {
			if o.name == nil {
				return err.At("schema")
			}
			return err.At("name")
		}
	}
	if err := r.s.dialect.checkComment("The comment of table "+draft.quoted(), o.comment, r.s.dialect.Comments.Table); err != nil {
		return err.At("comment")
	}
	if Fold(draft.Schema) == Fold(o.table.Schema) {
		return nil
	}
	return r.s.checkMovedNames(draft).At("schema")
}

// checkMovedNames verifies that the names t brings into its new schema are
// free there.
func (s *Schema) checkMovedNames(t *Table) *Error {
	for _, k := range t.ForeignKeys {
		if k.Name != "" && s.taken(foreignKeyName, t, nil, k.Name) {
			return invalid("Foreign key %s already exists in schema %s: rename it first", clip.Quote(k.Name), clip.Quote(t.Schema))
		}
	}
	for _, x := range t.Indexes {
		if s.dialect.Names.SchemaWideIndexes && strings.EqualFold(x.Name, t.Name) {
			return invalid("Index %s has the table's new name: rename it first", clip.Quote(x.Name))
		}
		if x.Name != "" && s.taken(indexName, t, nil, x.Name) {
			return invalid("Index %s already exists in schema %s: rename it first", clip.Quote(x.Name), clip.Quote(t.Schema))
		}
	}
	for _, k := range t.Checks {
		if k.Name != "" && s.taken(checkName, t, nil, k.Name) {
			return invalid("Check %s already exists in schema %s: drop it first", clip.Quote(k.Name), clip.Quote(t.Schema))
		}
	}
	return nil
}
