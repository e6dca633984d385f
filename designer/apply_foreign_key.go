package designer

import "slices"

func (t *tx) addForeignKey(table *Table, spec ForeignKeySpec) *Error {
	switch {
	case spec.ReferencedTable == nil:
		return badRequest(nil, "foreignKey needs referencedTable").at("referencedTable")
	case len(spec.Mappings) == 0:
		return invalid("Foreign key needs at least one mapping: give mappings").at("mappings")
	}
	k := ForeignKey{ID: t.s.newID(), OnDelete: NoAction, OnUpdate: NoAction}
	draft := t.draft(table)
	if err := t.fillForeignKey(draft, &k, spec); err != nil {
		return err
	}
	if k.Name == "" {
		target := t.table(k.RefTable)
		k.Name = t.s.dialect.freeName("FK_"+draft.Name+"_"+target.Name, func(name string) bool {
			return t.s.taken(foreignKeyName, draft, foreignKeyNames(draft, ""), name)
		})
	}
	draft.ForeignKeys = append(draft.ForeignKeys, k)
	if err := t.checkForeignKey(draft, k, ForeignKey{}); err != nil {
		return err
	}
	t.indexForeignKey(draft, &draft.ForeignKeys[len(draft.ForeignKeys)-1])
	return nil
}

func (t *tx) dropForeignKey(table *Table, ref ObjectRef) *Error {
	i, err := table.foreignKeyAt(ref)
	if err != nil {
		return err.at("foreignKey")
	}
	id := table.ForeignKeys[i].ID
	draft := t.draft(table)
	draft.ForeignKeys = keep(draft.ForeignKeys, func(k ForeignKey) bool { return k.ID != id })
	t.forgetForeignKeyIndex(table, draft, table.ForeignKeys[i])
	return nil
}

func (t *tx) setForeignKey(table *Table, ref ObjectRef, spec ForeignKeySpec) *Error {
	i, err := table.foreignKeyAt(ref)
	if err != nil {
		return err.at("foreignKey")
	}
	return t.changeForeignKey(table, i, spec).within("set")
}

func (t *tx) changeForeignKey(table *Table, i int, spec ForeignKeySpec) *Error {
	draft := t.draft(table)
	k := &draft.ForeignKeys[i]
	if spec.Mappings != nil && len(spec.Mappings) == 0 {
		return invalid("Foreign key %s needs at least one mapping: give mappings", quote(k.label())).at("mappings")
	}
	if spec.ReferencedTable != nil && spec.Mappings == nil {
		spec.Mappings = t.mappingsByName(draft, *k)
	}
	if err := t.fillForeignKey(draft, k, spec); err != nil {
		return err
	}
	if err := t.checkForeignKey(draft, *k, table.ForeignKeys[i]); err != nil {
		return err
	}
	if !slices.Equal(k.Mappings, table.ForeignKeys[i].Mappings) || k.RefTable != table.ForeignKeys[i].RefTable {
		t.indexForeignKey(draft, k)
	}
	return nil
}

// mappingsByName names the columns of k's mappings, so that they can be
// looked up in another referenced table.
func (t *tx) mappingsByName(draft *Table, k ForeignKey) []NameMapping {
	names, target := columnNames(draft), t.s.reference(k)
	return mapEachIndex(k.Mappings, func(i int, m Mapping) NameMapping {
		return NameMapping{Column: names[m.Column], ReferencedColumn: target.Columns[i]}
	})
}

func mapEachIndex[T, U any](list []T, f func(int, T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(i, v)
	}
	return out
}

// fillForeignKey applies spec to k, resolving its names.
func (t *tx) fillForeignKey(draft *Table, k *ForeignKey, spec ForeignKeySpec) *Error {
	if spec.Name != nil && *spec.Name != "" && *spec.Name != k.Name {
		if err := t.s.dialect.checkName("Foreign key", *spec.Name); err != nil {
			return err.at("name")
		}
		if t.s.taken(foreignKeyName, draft, foreignKeyNames(draft, k.ID), *spec.Name) {
			return invalid("Foreign key %s already exists in schema %s", quote(*spec.Name), quote(draft.Schema)).at("name")
		}
		k.Name = *spec.Name
	}
	set(&k.OnDelete, spec.OnDelete)
	set(&k.OnUpdate, spec.OnUpdate)
	if spec.ReferencedTable != nil {
		target, err := t.s.Table(*spec.ReferencedTable)
		if err != nil {
			return err.at("referencedTable")
		}
		k.RefTable, k.Dangling = target.ID, nil
	}
	if spec.Mappings == nil {
		return nil
	}
	target := t.table(k.RefTable)
	if target == nil {
		return invalid("Foreign key %s refers to a table that does not exist: give referencedTable", quote(k.label())).at("referencedTable")
	}
	k.Mappings = make([]Mapping, len(spec.Mappings))
	for i, m := range spec.Mappings {
		from, err := draft.Column(ObjectRef{Name: m.Column})
		if err != nil {
			return err.at("column").at(item("mappings", i))
		}
		to, err := target.Column(ObjectRef{Name: m.ReferencedColumn})
		if err != nil {
			return err.at("referencedColumn").at(item("mappings", i))
		}
		k.Mappings[i] = Mapping{Column: from.ID, RefColumn: to.ID}
	}
	return nil
}

// foreignKeyNames lists the names of the table's keys but the one given.
func foreignKeyNames(t *Table, but ID) []string {
	var names []string
	for _, k := range t.ForeignKeys {
		if k.ID != but && k.Name != "" {
			names = append(names, k.Name)
		}
	}
	return names
}
