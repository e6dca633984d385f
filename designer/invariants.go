package designer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
)

// Check verifies the invariants of the model: ids are unique, every id that
// is referred to exists, and names, references, counts and digests kept up to
// date by edits are what they are when computed again. It walks the whole
// schema: for tests and for state read back from disk. What validation
// forbids but a database may hold is no violation.
func (s *Schema) Check() error {
	fresh := New(s.dialect, &Options{DefaultSchema: s.defaultSchema})
	var changes []TableChange
	for id, e := range s.entries {
		if e.table.ID != id {
			return fmt.Errorf("table %q has id %q but is kept as %q", e.table.Name, e.table.ID, id)
		}
		if err := s.checkTable(e.table); err != nil {
			return fmt.Errorf("table %q: %w", e.table.Name, err)
		}
		changes = append(changes, TableChange{After: e.table})
	}
	fresh.put(changes)
	for id, e := range s.named {
		if e.t.ID != id {
			return fmt.Errorf("type %q has id %q but is kept as %q", e.t.Name, e.t.ID, id)
		}
		fresh.putTypes([]TypeChange{{After: e.t}})
	}
	return s.checkDerived(fresh)
}

// CheckTables verifies the references within tables and of those that refer to
// them: for changes that come from outside. A table that is gone is no error.
func (s *Schema) CheckTables(ids []ID) error {
	for _, id := range ids {
		if t := s.ByID(id); t != nil {
			if err := s.checkTable(t); err != nil {
				return fmt.Errorf("table %q: %w", t.Name, err)
			}
		}
		for from := range s.incoming[id] {
			if t := s.ByID(from); t != nil {
				if err := s.checkTable(t); err != nil {
					return fmt.Errorf("table %q: %w", t.Name, err)
				}
			}
		}
	}
	return nil
}

// checkDerived compares what s keeps up to date with what fresh computed.
func (s *Schema) checkDerived(fresh *Schema) error {
	for id, e := range s.entries {
		if e.digest != fresh.entries[id].digest {
			return fmt.Errorf("table %q: the digest is out of date", e.table.Name)
		}
	}
	for key, ids := range s.names {
		if !sameIDs(ids, fresh.names[key]) {
			return fmt.Errorf("the name index is out of date for %v", key)
		}
	}
	switch {
	case s.sum != fresh.sum:
		return errors.New("the combined digest is out of date")
	case s.columns != fresh.columns:
		return fmt.Errorf("%d columns counted, %d there", s.columns, fresh.columns)
	case len(s.names) != len(fresh.names):
		return errors.New("the name index has names of no table")
	case !maps.Equal(s.objects, fresh.objects):
		return errors.New("the index of constraint names is out of date")
	case !reflect.DeepEqual(s.incoming, fresh.incoming):
		return errors.New("the index of incoming references is out of date")
	case !reflect.DeepEqual(s.types, fresh.types):
		return errors.New("the index of column types is out of date")
	case !maps.EqualFunc(s.inUse, fresh.inUse, func(a, b schemaUsage) bool { return a.tables == b.tables }):
		return errors.New("the list of schemas in use is out of date")
	}
	return nil
}

func sameIDs(a, b []ID) bool {
	count := map[ID]int{}
	for _, id := range a {
		count[id]++
	}
	for _, id := range b {
		count[id]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// checkTable verifies the references within t and to other tables.
func (s *Schema) checkTable(t *Table) error {
	ids := map[ID]bool{}
	add := func(kind string, id ID) error {
		if id == "" || ids[id] {
			return fmt.Errorf("%s id %q is empty or taken", kind, id)
		}
		ids[id] = true
		return nil
	}
	columns := map[ID]bool{}
	for _, c := range t.Columns {
		if err := add("column", c.ID); err != nil {
			return err
		}
		columns[c.ID] = true
	}
	if err := checkKey(t, columns); err != nil {
		return err
	}
	for _, x := range t.Indexes {
		if err := errors.Join(add("index", x.ID), checkIndex(x, columns)); err != nil {
			return err
		}
	}
	for _, k := range t.Checks {
		if err := add("check", k.ID); err != nil {
			return err
		}
	}
	for _, k := range t.ForeignKeys {
		if err := errors.Join(add("foreign key", k.ID), s.checkForeignKey(k, columns)); err != nil {
			return err
		}
	}
	return nil
}

func checkKey(t *Table, columns map[ID]bool) error {
	if t.PrimaryKey == nil {
		return nil
	}
	if len(t.PrimaryKey.Columns) == 0 {
		return errors.New("the primary key is empty")
	}
	seen := map[ID]bool{}
	for _, id := range t.PrimaryKey.Columns {
		if !columns[id] || seen[id] {
			return fmt.Errorf("primary key column %q does not exist or comes twice", id)
		}
		seen[id] = true
	}
	return nil
}

func checkIndex(x Index, columns map[ID]bool) error {
	for _, id := range x.Include {
		if !columns[id] {
			return fmt.Errorf("index %q: included column %q does not exist", x.Name, id)
		}
	}
	for _, p := range x.Parts {
		if p.Column != "" && !columns[p.Column] {
			return fmt.Errorf("index %q: column %q does not exist", x.Name, p.Column)
		}
		if (p.Column == "") == (p.Expression == "") {
			return fmt.Errorf("index %q: a part needs a column or an expression", x.Name)
		}
	}
	return nil
}

func (s *Schema) checkForeignKey(k ForeignKey, columns map[ID]bool) error {
	var target *Table
	if k.Dangling == nil {
		if target = s.ByID(k.RefTable); target == nil {
			return fmt.Errorf("foreign key %q: table %q does not exist", k.Name, k.RefTable)
		}
	} else if k.RefTable != "" || len(k.Dangling.Columns) != len(k.Mappings) {
		return fmt.Errorf("foreign key %q: the missing target is not told", k.Name)
	}
	for _, m := range k.Mappings {
		if !columns[m.Column] {
			return fmt.Errorf("foreign key %q: column %q does not exist", k.Name, m.Column)
		}
		if target != nil && target.ColumnByID(m.RefColumn) == nil {
			return fmt.Errorf("foreign key %q: referenced column %q does not exist", k.Name, m.RefColumn)
		}
	}
	if k.OnDelete == "" || k.OnUpdate == "" {
		return fmt.Errorf("foreign key %q: an action is missing", k.Name)
	}
	return nil
}
