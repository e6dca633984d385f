package designer

import "strings"

func (t *tx) addTable(e Edit) *Error {
	s := t.s
	schema, err := s.checkSchemaName(e.Table.Schema)
	if err != nil {
		return err.at("schema").at("table")
	}
	if err := s.checkNewTableName(e.Table.Name); err != nil {
		return err.at("name").at("table")
	}
	if err := s.checkTableName(schema, e.Table.Name, nil); err != nil {
		return err.at("name").at("table")
	}
	table := &Table{ID: s.newID(), Schema: schema, Name: e.Table.Name, Columns: []Column{}}
	t.list = append(t.list, TableChange{After: table})
	for i, spec := range e.InitialColumns {
		if err := t.appendColumn(table, spec); err != nil {
			return err.at(item("initialColumns", i))
		}
	}
	return t.keepIdentityKey(nil, table).blame("initialColumns")
}

// dropTable drops the table and the foreign keys of others that point at it.
func (t *tx) dropTable(table *Table) *Error {
	t.list = append(t.list, TableChange{Before: table})
	for _, from := range t.s.Incoming(table.ID) {
		if from.ID == table.ID {
			continue
		}
		draft := t.draft(from)
		draft.ForeignKeys = keep(draft.ForeignKeys, func(k ForeignKey) bool { return k.RefTable != table.ID })
	}
	return nil
}

func (t *tx) setTable(table *Table, set TableSet) *Error {
	s := t.s
	draft := t.draft(table)
	if set.Schema != nil {
		schema, err := s.checkSchemaName(*set.Schema)
		if err != nil {
			return err.at("schema")
		}
		draft.Schema = schema
	}
	if set.Name != nil && *set.Name != table.Name {
		if err := s.checkNewTableName(*set.Name); err != nil {
			return err.at("name")
		}
		draft.Name = *set.Name
		s.dialect.renameIn(draft, tableRename(table.Name, draft.Name))
	}
	if draft.Schema != table.Schema || draft.Name != table.Name {
		if err := s.checkTableName(draft.Schema, draft.Name, table); err != nil {
			if set.Name == nil {
				return err.at("schema")
			}
			return err.at("name")
		}
	}
	if Fold(draft.Schema) == Fold(table.Schema) {
		return nil
	}
	return s.checkMovedNames(draft).at("schema")
}

// checkMovedNames verifies that the names t brings into its new schema are
// free there.
func (s *Schema) checkMovedNames(t *Table) *Error {
	for _, k := range t.ForeignKeys {
		if k.Name != "" && s.taken(foreignKeyName, t, nil, k.Name) {
			return invalid("Foreign key %s already exists in schema %s: rename it first", quote(k.Name), quote(t.Schema))
		}
	}
	for _, x := range t.Indexes {
		if s.dialect.SchemaWideIndexNames && strings.EqualFold(x.Name, t.Name) {
			return invalid("Index %s has the table's new name: rename it first", quote(x.Name))
		}
		if x.Name != "" && s.taken(indexName, t, nil, x.Name) {
			return invalid("Index %s already exists in schema %s: rename it first", quote(x.Name), quote(t.Schema))
		}
	}
	for _, k := range t.Checks {
		if k.Name != "" && s.taken(checkName, t, nil, k.Name) {
			return invalid("Check %s already exists in schema %s: drop it first", quote(k.Name), quote(t.Schema))
		}
	}
	return nil
}

// keep returns the elements that pass, nil where none does.
func keep[T any](list []T, pass func(T) bool) []T {
	var out []T
	for _, v := range list {
		if pass(v) {
			out = append(out, v)
		}
	}
	return out
}
