package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// rename is a table, or an index, constraint or sequence of one, on its way
// to its name: a [designer.NamedObject].
type rename struct {
	*renamer
	table      *rename // of a part: what it belongs to; nil: itself a table
	at         *designer.Table
	kind       nameKind
	constraint bool   // of an index: it is there for a constraint
	schema     string // of a table: where it is now
	name       string // now
	want       string // in the end
	wantSchema string // of a table
	aside      bool   // it has had a temporary name
}

type nameKind int

const (
	tableName nameKind = iota
	indexName
	constraintName
	sequenceName
)

func (r *rename) root() *rename {
	if r.table != nil {
		return r.table
	}
	return r
}

// takes lists what the relation takes with a name, were it in a schema.
func (r *rename) takes(schema, name string) []designer.Slot {
	relation, own := designer.Slot{Scope: "schema " + schema, Name: name}, designer.Slot{Scope: "table " + string(r.at.ID), Name: name}
	switch {
	case r.kind == constraintName:
		return []designer.Slot{own}
	case r.constraint:
		return []designer.Slot{relation, own}
	}
	return []designer.Slot{relation}
}

// Slots implements [designer.NamedObject].
func (r *rename) Slots() []designer.Slot { return r.takes(r.root().schema, r.name) }

// Next implements [designer.NamedObject]. A new name has to be free in the
// schema to which the relation will move as well.
func (r *rename) Next() []designer.Slot {
	if r.name == r.want {
		return nil
	}
	return r.takesOnTheWay(r.want)
}

func (r *rename) takesOnTheWay(name string) []designer.Slot {
	root := r.root()
	slots := r.takes(root.schema, name)
	if root.moves() {
		slots = append(slots, r.takes(root.wantSchema, name)...)
	}
	return slots
}

func (r *rename) moves() bool { return r.schema != r.wantSchema }

// Move implements [designer.NamedObject].
func (r *rename) Move() []designer.NamedObject { return r.give(r.want) }

// StepAside implements [designer.NamedObject]. What keeps its place keeps its
// name.
func (r *rename) StepAside(free func([]designer.Slot) bool) []designer.NamedObject {
	if r.aside || r.name == r.want && !r.root().moves() {
		return nil
	}
	r.aside = true
	return r.give(r.names.next(func(name string) bool { return free(r.takesOnTheWay(name)) }))
}

// schemaMove takes a table with its parts to another schema.
type schemaMove struct {
	table *rename
	parts []*rename // the table among them
}

// Slots implements [designer.NamedObject]: the parts have their own.
func (m *schemaMove) Slots() []designer.Slot { return nil }

// Next implements [designer.NamedObject].
func (m *schemaMove) Next() []designer.Slot {
	if !m.table.moves() {
		return nil
	}
	var slots []designer.Slot
	for _, part := range m.parts {
		if part.kind != constraintName { // its scope is the table
			slots = append(slots, part.takes(m.table.wantSchema, part.name)[0])
		}
	}
	return slots
}

// Move implements [designer.NamedObject].
func (m *schemaMove) Move() []designer.NamedObject {
	t, old := m.table, m.table.schema
	t.schema = t.wantSchema
	t.add(t.at, "move table "+qualifiedPlain(old, t.name)+" to schema "+t.schema,
		"ALTER TABLE "+qualified(old, t.name)+" SET SCHEMA "+ident(t.schema), "ALTER TABLE "+qualified(t.schema, t.name)+" SET SCHEMA "+ident(old), t.withBreaks(t.at, "")...)
	var moved []designer.NamedObject
	for _, part := range m.parts {
		moved = append(moved, part)
	}
	return moved
}

// StepAside implements [designer.NamedObject]: a part does whose name is taken
// where the table goes.
func (m *schemaMove) StepAside(free func([]designer.Slot) bool) []designer.NamedObject {
	for _, part := range m.parts {
		if part.kind != constraintName && !free(part.takes(m.table.wantSchema, part.name)[:1]) {
			if renamed := part.StepAside(free); renamed != nil {
				return renamed
			}
		}
	}
	return nil
}

// fixedName is a name that the plan does not change.
type fixedName struct{ slot designer.Slot }

// Slots implements [designer.NamedObject].
func (f *fixedName) Slots() []designer.Slot { return []designer.Slot{f.slot} }

// Next implements [designer.NamedObject].
func (f *fixedName) Next() []designer.Slot { return nil }

// Move implements [designer.NamedObject].
func (f *fixedName) Move() []designer.NamedObject { return nil }

// StepAside implements [designer.NamedObject].
func (f *fixedName) StepAside(func([]designer.Slot) bool) []designer.NamedObject { return nil }

// renamer makes the steps that rename and move relations.
type renamer struct {
	*planner
	names temporaryNames
}

// rename gives columns, then everything else its name and schema of
// afterwards.
func (p *planner) rename() error {
	for _, tp := range p.order {
		p.renameColumns(tp)
	}
	m := &renamer{planner: p}
	if !m.needed() {
		return nil
	}
	switch stuck := designer.Sequence(m.collect()).(type) {
	case *rename:
		return taken(stuck)
	case *schemaMove:
		return taken(stuck.table)
	}
	return nil
}

func taken(r *rename) error {
	return errTable(r.at, "the name %s is taken by something that the design does not change", r.want)
}

// needed reports whether anything is to get another name: only what belongs to
// a table that changes may, and all the other names need not be collected then.
func (m *renamer) needed() bool {
	for _, tp := range m.order {
		if after := m.d.To.ByID(tp.From.ID); after != nil && slices.ContainsFunc(m.ofTable(tp, after), func(o designer.NamedObject) bool { return o.Next() != nil }) {
			return true
		}
	}
	return false
}

// collect lists everything that has a name, and what moves tables.
func (m *renamer) collect() []designer.NamedObject {
	var objects []designer.NamedObject
	fixed := func(schema, name string) {
		objects = append(objects, &fixedName{designer.Slot{Scope: "schema " + schema, Name: name}})
	}
	for _, v := range m.d.From.Views() {
		fixed(v.Schema, v.Name)
	}
	for _, o := range m.d.From.Objects() {
		switch o.Kind {
		case designer.ObjectType, designer.ObjectPartition, designer.ObjectSequence:
			fixed(o.Schema, o.Name)
		}
	}
	for _, t := range m.d.From.Tables() {
		after := m.d.To.ByID(t.ID)
		if after == nil {
			continue
		}
		tp := m.tables[t.ID]
		if tp == nil {
			tp = &tablePlan{TableDiff: designer.TableDiff{From: t, To: after}}
		}
		objects = append(objects, m.ofTable(tp, after)...)
	}
	return objects
}

// ofTable lists a table that stays with what has a name in it.
func (m *renamer) ofTable(tp *tablePlan, after *designer.Table) []designer.NamedObject {
	t := tp.From
	own := &rename{renamer: m, at: t, kind: tableName, schema: t.Schema, name: t.Name, want: after.Name, wantSchema: after.Schema}
	parts := append([]*rename{own}, m.partsOf(tp, own)...)
	var objects []designer.NamedObject
	if own.moves() {
		objects = append(objects, &schemaMove{own, parts})
	}
	for _, part := range parts {
		objects = append(objects, part)
	}
	return objects
}

// partsOf lists what belongs to a table and stays, with its names.
func (m *renamer) partsOf(tp *tablePlan, own *rename) []*rename {
	var list []*rename
	add := func(kind nameKind, name, want string, constraint bool) {
		if name == "" {
			return
		}
		if want == "" {
			want = name
		}
		list = append(list, &rename{renamer: m, table: own, at: tp.From, kind: kind, constraint: constraint, name: name, want: want})
	}
	if a, b := tp.From.PrimaryKey, tp.To.PrimaryKey; a != nil && b != nil && !tp.dropPrimary {
		add(indexName, keyName(tp.From), b.Name, true)
	}
	for _, x := range tp.From.Indexes {
		if next := find(tp.To.Indexes, x.ID, indexID); next != nil && find(tp.dropIndexes, x.ID, indexID) == nil {
			add(indexName, x.Name, next.Name, isConstraint(x))
		}
	}
	for _, k := range tp.From.Checks {
		if next := find(tp.To.Checks, k.ID, checkID); next != nil && find(tp.dropChecks, k.ID, checkID) == nil {
			add(constraintName, k.Name, next.Name, true)
		}
	}
	for _, k := range tp.From.ForeignKeys {
		if next := find(tp.To.ForeignKeys, k.ID, foreignKeyID); next != nil && find(tp.dropKeys, k.ID, foreignKeyID) == nil {
			add(constraintName, k.Name, next.Name, true)
		}
	}
	for _, c := range tp.From.Columns {
		if after := columnByID(tp.To, c.ID); c.IsIdentity && after.IsIdentity && !tp.rebuilt[c.ID] {
			_, name := m.from.sequenceOf(tp.From, c)
			add(sequenceName, name, name, false)
		}
	}
	return list
}

// give adds the step that gives the object a name.
func (r *rename) give(name string) []designer.NamedObject {
	schema, old := r.root().schema, r.name
	r.name = name
	what := "TABLE"
	switch r.kind {
	case indexName:
		what = "INDEX"
	case sequenceName:
		what = "SEQUENCE"
	case constraintName:
		table := "ALTER TABLE " + qualified(schema, r.table.name)
		r.add(r.at, "rename constraint "+old+" of "+qualifiedPlain(schema, r.table.name)+" to "+name,
			table+" RENAME CONSTRAINT "+ident(old)+" TO "+ident(name), table+" RENAME CONSTRAINT "+ident(name)+" TO "+ident(old))
		return []designer.NamedObject{r}
	}
	r.add(r.at, "rename "+strings.ToLower(what)+" "+qualifiedPlain(schema, old)+" to "+name,
		"ALTER "+what+" "+qualified(schema, old)+" RENAME TO "+ident(name), "ALTER "+what+" "+qualified(schema, name)+" RENAME TO "+ident(old), r.breaks(old)...)
	return []designer.NamedObject{r}
}

// breaks returns the risk of a table's rename, of its first one if there are
// two.
func (r *rename) breaks(old string) []designer.Risk {
	if r.kind != tableName || old != r.at.Name {
		return nil
	}
	return r.withBreaks(r.at, "")
}

// renameColumns gives the columns of a table their new names.
func (p *planner) renameColumns(tp *tablePlan) {
	var renames []designer.Rename
	var taken []string
	for _, c := range tp.From.Columns {
		after := columnByID(tp.To, c.ID)
		if after.Name == "" || tp.rebuilt[c.ID] {
			continue // which is dropped by now
		}
		taken = append(taken, c.Name)
		if after.Name != c.Name {
			renames = append(renames, designer.Rename{From: c.Name, To: after.Name})
		}
	}
	var names temporaryNames
	space := designer.Namespace{Taken: taken, Temporary: func(string) string {
		return names.next(func(name string) bool { return !hasColumn(tp.From, name) && !hasColumn(tp.To, name) })
	}}
	table := "ALTER TABLE " + p.from.table(tp.From) + " RENAME COLUMN "
	for _, r := range space.Sequence(renames) {
		p.add(tp.From, "rename column "+qualifiedPlain(tp.From.Schema, tp.From.Name)+"."+r.From+" to "+r.To,
			table+ident(r.From)+" TO "+ident(r.To), table+ident(r.To)+" TO "+ident(r.From), p.withBreaks(tp.From, r.From)...)
	}
}

func hasColumn(t *designer.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Name == name })
}

// temporaryNames counts the temporary names given.
type temporaryNames int

// next returns a name that is free.
func (n *temporaryNames) next(free func(name string) bool) string {
	for {
		*n++
		if name := "berth_" + strconv.Itoa(int(*n)); free(name) {
			return name
		}
	}
}
