package designer

import "strings"

func (t *tx) addIndex(table *Table, spec IndexSpec) *Error {
	if len(spec.Columns) == 0 {
		return invalid("Index needs at least one column: give columns").at("columns")
	}
	draft := t.draft(table)
	x := Index{ID: t.s.newID()}
	if err := t.fillIndex(draft, &x, spec); err != nil {
		return err
	}
	if x.Name == "" {
		parts := mapEach(spec.Columns, func(p IndexPart) string { return p.Name })
		x.Name = t.s.dialect.freeName("IX_"+draft.Name+"_"+strings.Join(parts, "_"), func(name string) bool {
			return t.s.taken(indexName, draft, indexNames(draft, ""), name)
		})
	}
	draft.Indexes = append(draft.Indexes, x)
	return nil
}

func (t *tx) setIndex(table *Table, ref ObjectRef, spec IndexSpec) *Error {
	i, err := table.indexAt(ref)
	if err != nil {
		return err.at("index")
	}
	return t.changeIndex(table, i, spec).within("set")
}

func (t *tx) changeIndex(table *Table, i int, spec IndexSpec) *Error {
	draft := t.draft(table)
	x := &draft.Indexes[i]
	const fixed = "%s is a unique constraint: it stays unique and takes no where; drop it and add an index"
	switch {
	case x.Constraint && spec.Unique != nil && !*spec.Unique:
		return invalid(fixed, quote(label(x.Name, x.ID))).at("unique")
	case x.Constraint && spec.Where != nil && *spec.Where != "":
		return invalid(fixed, quote(label(x.Name, x.ID))).at("where")
	case spec.Columns != nil && len(spec.Columns) == 0:
		return invalid("Index %s needs at least one column: give columns", quote(label(x.Name, x.ID))).at("columns")
	}
	if err := t.fillIndex(draft, x, spec); err != nil {
		return err
	}
	return t.keepIndexUsers(table, draft)
}

func (t *tx) dropIndex(table *Table, ref ObjectRef) *Error {
	i, err := table.indexAt(ref)
	if err != nil {
		return err.at("index")
	}
	id := table.Indexes[i].ID
	draft := t.draft(table)
	draft.Indexes = keep(draft.Indexes, func(x Index) bool { return x.ID != id })
	return t.keepIndexUsers(table, draft).blame("index")
}

// keepIndexUsers refuses a change of an index that leaves something without
// it: a foreign key, here or elsewhere, or an identity column.
func (t *tx) keepIndexUsers(before, draft *Table) *Error {
	if err := t.keepForeignKeyIndexes(before, draft); err != nil {
		return err.at("columns")
	}
	return t.keepKeyUsers(before, draft).blame("columns")
}

// fillIndex applies spec to x.
func (t *tx) fillIndex(draft *Table, x *Index, spec IndexSpec) *Error {
	if spec.Name != nil && *spec.Name != "" && *spec.Name != x.Name {
		if err := t.s.dialect.checkName("Index", *spec.Name); err != nil {
			return err.at("name")
		}
		if err := t.s.dialect.checkPrefix("Index", *spec.Name); err != nil {
			return err.at("name")
		}
		if t.s.taken(indexName, draft, indexNames(draft, x.ID), *spec.Name) {
			return invalid("Index %s already exists", quote(*spec.Name)).at("name")
		}
		x.Name = *spec.Name
	}
	set(&x.Unique, spec.Unique)
	if spec.Where != nil {
		if *spec.Where != "" && t.s.dialect.NoPartialIndexes {
			return invalid("An index takes no where on %s: leave it out", t.s.dialect.Title).at("where")
		}
		if *spec.Where != "" {
			if err := t.s.dialect.checkExpression("where of the index", *spec.Where); err != nil {
				return err.at("where")
			}
		}
		x.Where = *spec.Where
	}
	if spec.Columns == nil {
		return nil
	}
	parts := make([]IndexKey, len(spec.Columns))
	seen := map[ID]bool{}
	for i, p := range spec.Columns {
		c, err := draft.Column(ObjectRef{Name: p.Name})
		if err != nil {
			return err.at(item("columns", i))
		}
		if seen[c.ID] {
			return invalid("Index names column %s twice", quote(c.Name)).at(item("columns", i))
		}
		seen[c.ID] = true
		parts[i] = IndexKey{Column: c.ID, Descending: p.Descending}
		if was := partOf(x.Parts, c.ID); was != nil {
			parts[i].Collation, parts[i].Length = was.Collation, was.Length
		}
	}
	x.Parts = parts
	return nil
}

// partOf returns the part of an index that a column is, nil if it is none.
func partOf(parts []IndexKey, column ID) *IndexKey {
	for i := range parts {
		if parts[i].Column == column {
			return &parts[i]
		}
	}
	return nil
}

// indexNames lists the names of the table's indexes but the one given.
func indexNames(t *Table, but ID) []string {
	var names []string
	for _, x := range t.Indexes {
		if x.ID != but && x.Name != "" {
			names = append(names, x.Name)
		}
	}
	return names
}
