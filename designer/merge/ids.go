package merge

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// shareIDs returns database with the design's ids on what both have added
// under one name since base: it is one object from now on.
func shareIDs(base, design, database *designer.Schema) (*designer.Schema, error) {
	same := map[designer.ID]designer.ID{}
	for _, t := range database.Tables() {
		o := design.ByID(t.ID)
		if base.ByID(t.ID) == nil {
			if all := design.Named(t.TableName()); len(all) == 1 && base.ByID(all[0].ID) == nil {
				o = all[0]
				same[t.ID] = o.ID
			}
		}
		if o != nil {
			shareParts(same, base.ByID(o.ID), o, t)
		}
	}
	types, changed := shareTypes(base, design, database)
	return renumber(database, same, types, changed)
}

// renumber returns s with ids replaced as the map says, and with these types
// where they are others; s itself where nothing is.
func renumber(s *designer.Schema, same map[designer.ID]designer.ID, types []*designer.NamedType, changed bool) (*designer.Schema, error) {
	if len(same) == 0 && !changed {
		return s, nil
	}
	opts := s.Options()
	opts.Catalog.Types = types
	tables := s.Tables()
	for i, t := range tables {
		tables[i] = withIDs(t, same)
	}
	out, err := designer.Restore(s.Dialect(), tables, opts)
	if err != nil {
		return nil, fmt.Errorf("join ids of design and database: %w", err)
	}
	return out, nil
}

// shareParts enters the parts of one table that both sides added.
func shareParts(same map[designer.ID]designer.ID, base, design, database *designer.Table) {
	known := map[designer.ID]bool{}
	if base != nil {
		for id := range partNames(base) {
			known[id] = true
		}
	}
	ours := map[string]designer.ID{}
	for id, name := range partNames(design) {
		if !known[id] {
			ours[name] = id
		}
	}
	for id, name := range partNames(database) {
		if mine, ok := ours[name]; ok && !known[id] && mine != id {
			same[id] = mine
		}
	}
}

// partNames returns the parts' names by id, each with its kind; unnamed parts
// are left out.
func partNames(t *designer.Table) map[designer.ID]string {
	out := map[designer.ID]string{}
	enter := func(kind string, id designer.ID, name string) {
		if name != "" {
			out[id] = kind + designer.Fold(name)
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
func withIDs(t *designer.Table, m map[designer.ID]designer.ID) *designer.Table {
	id := func(i *designer.ID) {
		if to, ok := m[*i]; ok {
			*i = to
		}
	}
	c := t.Clone()
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
