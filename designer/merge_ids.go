package designer

import "fmt"

// shareIDs returns database with the design's ids on what both have added
// under one name since base: it is one object from now on.
func shareIDs(base, design, database *Schema) (*Schema, error) {
	same := map[ID]ID{}
	for _, t := range database.Tables() {
		o := design.ByID(t.ID)
		if base.ByID(t.ID) == nil {
			if ids := design.names[design.keyOf(t.Schema, t.Name)]; len(ids) == 1 && base.ByID(ids[0]) == nil {
				o = design.ByID(ids[0])
				same[t.ID] = o.ID
			}
		}
		if o != nil {
			shareParts(same, base.ByID(o.ID), o, t)
		}
	}
	return database.renumber(same)
}

// renumber returns s with ids replaced as the map says; s itself where it
// says nothing.
func (s *Schema) renumber(same map[ID]ID) (*Schema, error) {
	if len(same) == 0 {
		return s, nil
	}
	tables := s.Tables()
	for i, t := range tables {
		tables[i] = t.withIDs(same)
	}
	out, err := Restore(s.dialect, tables, &Options{NewID: s.newID,
		DefaultSchema: s.defaultSchema, Catalog: s.Catalog()})
	if err != nil {
		return nil, fmt.Errorf("join ids of design and database: %w", err)
	}
	return out, nil
}

// shareParts enters the parts of one table that both sides added.
func shareParts(same map[ID]ID, base, design, database *Table) {
	known := map[ID]bool{}
	if base != nil {
		for id := range base.partNames() {
			known[id] = true
		}
	}
	ours := map[string]ID{}
	for id, name := range design.partNames() {
		if !known[id] {
			ours[name] = id
		}
	}
	for id, name := range database.partNames() {
		if mine, ok := ours[name]; ok && !known[id] && mine != id {
			same[id] = mine
		}
	}
}

// partNames returns the parts' names by id, each with its kind; unnamed parts
// are left out.
func (t *Table) partNames() map[ID]string {
	out := map[ID]string{}
	enter := func(kind string, id ID, name string) {
		if name != "" {
			out[id] = kind + Fold(name)
		}
	}
	for _, c := range t.Columns {
		enter("column ", c.ID, c.Name)
	}
	for _, k := range t.ForeignKeys {
		enter("key ", k.ID, k.Name)
	}
	for _, x := range t.Indexes {
		enter("index ", x.ID, x.Name)
	}
	for _, k := range t.Checks {
		enter("check ", k.ID, k.Name)
	}
	return out
}

// withIDs returns a copy of t with ids replaced as the map says.
func (t *Table) withIDs(m map[ID]ID) *Table {
	id := func(i *ID) {
		if to, ok := m[*i]; ok {
			*i = to
		}
	}
	c := t.clone()
	id(&c.ID)
	for i := range c.Columns {
		id(&c.Columns[i].ID)
	}
	if c.PrimaryKey != nil {
		for i := range c.PrimaryKey.Columns {
			id(&c.PrimaryKey.Columns[i])
		}
	}
	for i := range c.ForeignKeys {
		k := &c.ForeignKeys[i]
		id(&k.ID)
		id(&k.RefTable)
		for j := range k.Mappings {
			id(&k.Mappings[j].Column)
			id(&k.Mappings[j].RefColumn)
		}
	}
	for i := range c.Indexes {
		x := &c.Indexes[i]
		id(&x.ID)
		for j := range x.Parts {
			id(&x.Parts[j].Column)
		}
		for j := range x.Include {
			id(&x.Include[j])
		}
	}
	for i := range c.Checks {
		id(&c.Checks[i].ID)
	}
	return c
}
