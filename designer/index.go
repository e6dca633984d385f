package designer

import (
	"reflect"
	"slices"
)

// nameKey is a table's place by folded names.
type nameKey struct{ schema, name string }

// objectKind tells apart the names that have to be unique beside tables.
type objectKind byte

const (
	foreignKeyName objectKind = 'f'
	indexName      objectKind = 'i'
	checkName      objectKind = 'c'
)

// objectKey is a folded name of one kind within a folded schema.
type objectKey struct {
	kind         objectKind
	schema, name string
}

// typeUse counts, for one column name, the columns of each folded type.
type typeUse map[string]int

// schemaUsage counts the tables of one schema.
type schemaUsage struct {
	folded, name string
	tables       int
}

func (s *Schema) keyOf(schema, name string) nameKey {
	if schema == "" {
		schema = s.defaultSchema
	}
	return nameKey{Fold(schema), Fold(name)}
}

func (s *Schema) resetIndexes() {
	s.names = map[nameKey][]ID{}
	s.objects = map[objectKey]int{}
	s.incoming = map[ID]map[ID]bool{}
	s.types = map[string]typeUse{}
	s.inUse = map[string]schemaUsage{}
}

// put makes every table of changes its After and brings the indexes and
// digests up to date. It validates nothing.
func (s *Schema) put(changes []TableChange) {
	dirty := map[ID]bool{}
	for _, c := range changes {
		id := c.ID()
		if e := s.entries[id]; e != nil {
			if c.After != nil {
				s.markReferring(dirty, e.table, c.After)
			}
			s.remove(e)
		}
	}
	for _, c := range changes {
		if c.After != nil {
			s.insert(c.After)
			dirty[c.After.ID] = true
		}
	}
	for id := range dirty {
		if e := s.entries[id]; e != nil {
			s.sum.subtract(e.digest)
			e.digest = s.tableDigest(e.table)
			s.sum.add(e.digest)
		}
	}
}

// remove takes an entry and everything derived from it out.
func (s *Schema) remove(e *entry) {
	t := e.table
	delete(s.entries, t.ID)
	s.reorder(e, false)
	s.sum.subtract(e.digest)
	s.columns -= len(t.Columns)
	s.names[e.key] = slices.DeleteFunc(s.names[e.key], func(id ID) bool { return id == t.ID })
	if len(s.names[e.key]) == 0 {
		delete(s.names, e.key)
	}
	for _, k := range objectNames(t) {
		if s.objects[k]--; s.objects[k] == 0 {
			delete(s.objects, k)
		}
	}
	for _, k := range t.ForeignKeys {
		delete(s.incoming[k.RefTable], t.ID)
		if len(s.incoming[k.RefTable]) == 0 {
			delete(s.incoming, k.RefTable)
		}
	}
	s.countTypes(t, -1)
	s.countSchema(t, -1)
}

// insert puts a table in, its digest still to be computed.
func (s *Schema) insert(t *Table) {
	e := &entry{table: t, key: s.keyOf(t.Schema, t.Name)}
	s.entries[t.ID] = e
	s.reorder(e, true)
	s.columns += len(t.Columns)
	s.names[e.key] = append(s.names[e.key], t.ID)
	for _, k := range objectNames(t) {
		s.objects[k]++
	}
	for _, k := range t.ForeignKeys {
		if k.RefTable == "" {
			continue
		}
		if s.incoming[k.RefTable] == nil {
			s.incoming[k.RefTable] = map[ID]bool{}
		}
		s.incoming[k.RefTable][t.ID] = true
	}
	s.countTypes(t, 1)
	s.countSchema(t, 1)
}

func (s *Schema) countTypes(t *Table, by int) {
	for _, c := range t.Columns {
		name, typ := Fold(c.Name), Fold(c.DataType)
		use := s.types[name]
		if use == nil {
			use = typeUse{}
			s.types[name] = use
		}
		if use[typ] += by; use[typ] == 0 {
			delete(use, typ)
			if len(use) == 0 {
				delete(s.types, name)
			}
		}
	}
}

func (s *Schema) countSchema(t *Table, by int) {
	folded := Fold(t.Schema)
	u := s.inUse[folded]
	if u.tables == 0 {
		u.folded, u.name = folded, t.Schema
	}
	if u.tables += by; u.tables == 0 {
		delete(s.inUse, folded)
		return
	}
	s.inUse[folded] = u
}

// objectNames lists the names of t's keys, indexes and checks.
func objectNames(t *Table) []objectKey {
	schema := Fold(t.Schema)
	keys := make([]objectKey, 0, len(t.ForeignKeys)+len(t.Indexes)+len(t.Checks))
	add := func(kind objectKind, name string) {
		if name != "" {
			keys = append(keys, objectKey{kind, schema, Fold(name)})
		}
	}
	for _, k := range t.ForeignKeys {
		add(foreignKeyName, k.Name)
	}
	for _, x := range t.Indexes {
		add(indexName, x.Name)
	}
	for _, k := range t.Checks {
		add(checkName, k.Name)
	}
	return keys
}

// Contested returns the names of t's indexes and checks, folded, of which the
// dialect allows one in a schema and s has several, where before had one at
// most.
func (s *Schema) Contested(before *Schema, t *Table) (names []string) {
	n := s.dialect.Names
	for _, key := range objectNames(t) {
		unique := key.kind == indexName && n.SchemaWideIndexes || key.kind == checkName && n.SchemaWideChecks
		if unique && s.objects[key] > 1 && before.objects[key] < 2 {
			names = append(names, key.name)
		}
	}
	return names
}

// markReferring marks the tables with foreign keys that hash differently when
// a, which they point at, is replaced by b.
func (s *Schema) markReferring(dirty map[ID]bool, a, b *Table) {
	incoming := s.incoming[a.ID]
	if len(incoming) == 0 {
		return
	}
	renamed := renamedColumns(a, b)
	moved := Fold(a.Schema) != Fold(b.Schema) || Fold(a.Name) != Fold(b.Name)
	if !moved && len(renamed) == 0 {
		return
	}
	for from := range incoming {
		if moved || slices.ContainsFunc(s.entries[from].table.ForeignKeys, func(k ForeignKey) bool {
			return k.RefTable == a.ID && slices.ContainsFunc(renamed, k.refersTo)
		}) {
			dirty[from] = true
		}
	}
}

// renamedColumns lists the columns of a that have another name in b, ignoring
// case.
func renamedColumns(a, b *Table) []ID {
	var renamed []ID
	names := b.ColumnNames()
	for _, c := range a.Columns {
		if n, ok := names[c.ID]; ok && n != c.Name && Fold(n) != Fold(c.Name) {
			renamed = append(renamed, c.ID)
		}
	}
	return renamed
}

// Equal reports whether two tables have the same parts under the same ids.
func (t *Table) Equal(o *Table) bool { return t == o || reflect.DeepEqual(t, o) }
