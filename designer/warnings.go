package designer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// MaxWarnings bounds the warnings of one batch; a last one counts the rest.
const MaxWarnings = 20

// maxCycleSearch bounds, in tables, the search for a cycle of references.
const maxCycleSearch = 1_000

// Warnings says what deserves a second look in the tables that the changes
// touched, as they are now. Warnings never block. The cost follows from the
// tables touched, not from the schema.
func (s *Schema) Warnings(changes []Change) []string {
	w := &warningList{s: s, seen: map[string]bool{}}
	first := map[ID]*Table{}
	var order []ID
	for _, c := range changes {
		for _, tc := range c.Tables {
			if _, known := first[tc.ID()]; !known {
				first[tc.ID()] = tc.Before
				order = append(order, tc.ID())
			}
		}
	}
	for _, c := range changes {
		for _, tc := range c.Types {
			w.namedType(tc)
		}
	}
	for _, id := range order {
		if t := s.ByID(id); t != nil {
			w.table(first[id], t)
		}
	}
	if w.more > 0 {
		w.list = append(w.list, fmt.Sprintf("and %d more warnings", w.more))
	}
	return w.list
}

// warningList collects warnings, each once, up to the bound.
type warningList struct {
	s    *Schema
	list []string
	seen map[string]bool
	more int
}

func (w *warningList) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case w.seen[text]:
	case len(w.list) == MaxWarnings:
		w.more++
	default:
		w.seen[text] = true
		w.list = append(w.list, text)
	}
}

// table looks at t; before is what it was, nil for a new table.
func (w *warningList) table(before, t *Table) {
	switch {
	case len(t.Columns) == 0:
		w.say("Table %s has no columns yet", t.quoted())
	case t.PrimaryKey == nil:
		w.say("Table %s has no primary key", t.quoted())
	}
	if before == nil || before.Name != t.Name {
		w.reserved("Table", t.Name)
	}
	old := partsOf(before, t).byID
	for _, c := range t.Columns {
		was, _ := old[c.ID].value.(columnPart)
		if was.Name != c.Name {
			w.reserved("Column", c.Name)
		}
		if was.Name != c.Name || was.DataType != c.DataType {
			w.typeElsewhere(t, c)
		}
	}
	for _, k := range t.ForeignKeys {
		was, there := old[k.ID].value.(ForeignKey)
		switch {
		case !there || !sameKey(was, k):
			w.foreignKey(t, k)
		case before.indexed(was):
			w.unindexed(t, k) // should the edit have dropped its index
		}
	}
}

func sameKey(a, b ForeignKey) bool {
	return a.RefTable == b.RefTable && a.OnDelete == b.OnDelete && a.OnUpdate == b.OnUpdate && slices.Equal(a.Mappings, b.Mappings)
}

// namedType warns of what the server cannot do to a type by itself.
func (w *warningList) namedType(tc TypeChange) {
	if tc.Before != nil && tc.After != nil && !tc.Before.GrowsTo(tc.After) {
		what := "loses values or changes their order"
		if tc.After.Domain != nil {
			what = "gets another type to restrict"
		}
		w.say("Type %s %s: publishing makes another type and rewrites the tables that have it, "+
			"and fails while rows have a value that is none of it", tc.After.quoted(), what)
	}
}

func (w *warningList) reserved(kind, name string) {
	if w.s.dialect.reserved(name) {
		w.say("%s name %s is a reserved word: it must be quoted in SQL", kind, clip.Quote(name))
	}
}

// typeElsewhere warns of a column whose name has another type in another
// table.
func (w *warningList) typeElsewhere(t *Table, c Column) {
	use := w.s.types[Fold(c.Name)]
	if len(use) < 2 || c.DataType == "" {
		return
	}
	var others []string
	for typ := range use {
		if typ != "" && !w.s.dialect.sameType(typ, c.DataType) {
			others = append(others, typ)
		}
	}
	if len(others) == 0 {
		return
	}
	slices.Sort(others)
	w.say("Column %s of %s is %s; columns of that name elsewhere are %s",
		clip.Quote(c.Name), clip.Name(t.fullName()), clip.Name(c.DataType), clip.Name(strings.Join(others, ", ")))
}

func (w *warningList) unindexed(t *Table, k ForeignKey) {
	if !w.s.dialect.ForeignKeys.Indexed && !t.indexed(k) {
		w.say("Foreign key %s has no index on its columns", clip.Quote(k.label()))
	}
}

func (w *warningList) foreignKey(t *Table, k ForeignKey) {
	if k.Name == "" {
		w.say("A foreign key of table %s has no name: it can be addressed by id only", t.quoted())
	}
	if k.RefTable == "" {
		w.say("Foreign key %s refers to a table or column that does not exist", clip.Quote(k.label()))
		return
	}
	w.unindexed(t, k)
	if k.RefTable != t.ID && w.s.reaches(k.RefTable, t.ID) {
		w.say("Foreign key %s closes a cycle of references", clip.Quote(k.label()))
	}
	if !w.s.dialect.ForeignKeys.RefuseCascades && k.RefTable != t.ID {
		if err := (rules{state{s: w.s}}).checkCascades(t, k); err != nil {
			w.say("%s", strings.Replace(err.Message, "Foreign key would make", "Foreign key "+clip.Quote(k.label())+" makes", 1))
		}
	}
}

// reaches reports whether foreign keys lead from one table to another. It gives
// up after maxCycleSearch tables.
func (s *Schema) reaches(from, to ID) bool {
	seen := map[ID]bool{from: true}
	for queue := []ID{from}; len(queue) > 0 && len(seen) < maxCycleSearch; queue = queue[1:] {
		t := s.ByID(queue[0])
		if t == nil {
			continue
		}
		for _, k := range t.ForeignKeys {
			if k.RefTable == to {
				return true
			}
			if k.RefTable != "" && !seen[k.RefTable] {
				seen[k.RefTable] = true
				queue = append(queue, k.RefTable)
			}
		}
	}
	return false
}
