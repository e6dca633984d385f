package designer

import (
	"slices"
	"strings"
)

// idSource hands out the ids of a schema being built: those of the objects of
// the same name in an older one, or else of the same number of the server's,
// else fresh ones. An id is used once.
type idSource struct {
	s, old      *Schema
	now, before map[[2]string]*CatalogIDs // by schema and name
}

func newIDSource(s, old *Schema, numbers []CatalogIDs) *idSource {
	ids := &idSource{s: s, old: old}
	if old != nil {
		ids.now, ids.before = numbersOf(numbers, s.defaultSchema), numbersOf(old.numbers, old.defaultSchema)
	}
	return ids
}

// sameNumber reports whether the server knows two tables as one.
func (s *idSource) sameNumber(schema, name string, old *Table) bool {
	now, before := s.now[[2]string{schema, name}], s.before[[2]string{old.Schema, old.Name}]
	return now != nil && before != nil && now.Number == before.Number
}

// tables returns for each definition the old table it continues, or nil. An
// exact match of the name goes before one that differs in case, and that
// before the server's number.
func (s *idSource) tables(defs []TableDefinition) []*Table {
	out := make([]*Table, len(defs))
	if s.old == nil {
		return out
	}
	used := map[ID]bool{}
	match := func(same func(t *Table, td TableDefinition) bool) {
		for i, td := range defs {
			for _, id := range s.old.names[s.old.keyOf(td.Schema, td.Name)] {
				t := s.old.entries[id].table
				if out[i] == nil && !used[id] && same(t, td) {
					out[i] = t
					used[id] = true
				}
			}
		}
	}
	match(func(t *Table, td TableDefinition) bool { return t.Name == td.Name })
	match(func(*Table, TableDefinition) bool { return true })
	s.renamed(defs, out, used)
	return out
}

// renamed finds the tables that no name is known of by their numbers.
func (s *idSource) renamed(defs []TableDefinition, out []*Table, used map[ID]bool) {
	byNumber := map[int64]*Table{}
	for _, t := range s.old.Tables() {
		if n := s.before[[2]string{t.Schema, t.Name}]; n != nil && !used[t.ID] {
			byNumber[n.Number] = t
		}
	}
	for i, td := range defs {
		schema := td.Schema
		if schema == "" {
			schema = s.s.defaultSchema
		}
		if n := s.now[[2]string{schema, td.Name}]; n != nil && out[i] == nil {
			out[i] = byNumber[n.Number]
			delete(byNumber, n.Number)
		}
	}
}

func (s *idSource) table(old *Table) ID {
	if old != nil {
		return old.ID
	}
	return s.s.newID()
}

// candidate is an object that may continue an old one of the same key.
type candidate struct {
	id         ID
	name, text string // text tells unnamed objects apart
	number     int    // the server's own; 0: it keeps none
}

// pick fills in the ids of list from old: by exact name, then by folded name,
// then, for unnamed objects, by text, then by number; the rest gets fresh ids.
func (s *idSource) pick(list, old []candidate) []ID {
	used := make([]bool, len(old))
	ids := make([]ID, len(list))
	match := func(same func(a, b candidate) bool) {
		for i, c := range list {
			for j, o := range old {
				if ids[i] == "" && !used[j] && same(c, o) {
					ids[i], used[j] = o.id, true
				}
			}
		}
	}
	if len(old) > 0 {
		match(func(a, b candidate) bool { return a.name == b.name && a.text == b.text })
		match(func(a, b candidate) bool { return a.name != "" && a.name == b.name })
		match(func(a, b candidate) bool { return a.name != "" && strings.EqualFold(a.name, b.name) })
		match(func(a, b candidate) bool { return a.number != 0 && a.number == b.number })
	}
	for i := range ids {
		if ids[i] == "" {
			ids[i] = s.s.newID()
		}
	}
	return ids
}

func (s *idSource) columns(t, old *Table) []ID {
	var numbers map[string]int
	toCandidate := func(c Column) candidate { return candidate{id: c.ID, name: c.Name, number: numbers[c.Name]} }
	var before []candidate
	if old != nil {
		same := !sameNames(t.Columns, old.Columns) && s.sameNumber(t.Schema, t.Name, old)
		if same {
			numbers = s.before[[2]string{old.Schema, old.Name}].columnNumbers()
		}
		before = mapEach(old.Columns, toCandidate)
		if same {
			numbers = s.now[[2]string{t.Schema, t.Name}].columnNumbers()
		}
	}
	return s.pick(mapEach(t.Columns, toCandidate), before)
}

// sameNames reports whether two lists of columns have the same names in the
// same order, as they mostly have.
func sameNames(a, b []Column) bool {
	return slices.EqualFunc(a, b, func(x, y Column) bool { return x.Name == y.Name })
}

func (s *idSource) indexes(list []Index, old *Table) {
	toCandidate := func(x Index) candidate {
		var text strings.Builder
		for _, p := range x.Parts {
			text.WriteString(string(p.Column) + "\x00" + p.Expression + "\x00")
		}
		return candidate{id: x.ID, name: x.Name, text: text.String()}
	}
	var before []candidate
	if old != nil {
		before = mapEach(old.Indexes, toCandidate)
	}
	for i, id := range s.pick(mapEach(list, toCandidate), before) {
		list[i].ID = id
	}
}

func (s *idSource) checks(list []Check, old *Table) {
	toCandidate := func(k Check) candidate { return candidate{id: k.ID, name: k.Name, text: k.Expression} }
	var before []candidate
	if old != nil {
		before = mapEach(old.Checks, toCandidate)
	}
	for i, id := range s.pick(mapEach(list, toCandidate), before) {
		list[i].ID = id
	}
}

// foreignKeys gives t's keys their ids. Columns and tables have theirs
// already, so keys compare by ids.
func (s *idSource) foreignKeys(t *Table) {
	toCandidate := func(k ForeignKey) candidate {
		return candidate{id: k.ID, name: k.Name, text: k.identity()}
	}
	var before []candidate
	if s.old != nil {
		if old := s.old.ByID(t.ID); old != nil {
			before = mapEach(old.ForeignKeys, toCandidate)
		}
	}
	for i, id := range s.pick(mapEach(t.ForeignKeys, toCandidate), before) {
		t.ForeignKeys[i].ID = id
	}
}

// identity tells unnamed keys of one table apart by what they pair, in
// whatever order and case it is written.
func (k ForeignKey) identity() string {
	target := string(k.RefTable)
	pairs := mapEach(k.Mappings, func(m Mapping) string { return string(m.Column) + "\x00" + string(m.RefColumn) })
	if d := k.Dangling; d != nil {
		target = Fold(d.Schema) + "\x00" + Fold(d.Table)
		for i := range pairs {
			pairs[i] += "\x00" + Fold(d.Columns[i])
		}
	}
	slices.Sort(pairs)
	return target + "\x00" + strings.Join(pairs, "\x00")
}

func mapEach[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
