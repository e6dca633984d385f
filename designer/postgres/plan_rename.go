package postgres

import (
	"strconv"

	"github.com/berth-dev/berth/designer"
)

// thing is something that has a name where names have to differ.
type thing struct {
	table      *thing // of a constraint, index or sequence: what it belongs to; nil: itself a table
	at         *designer.Table
	kind       thingKind
	schema     string // of a table: where it is now
	name       string // now
	want       string // in the end
	wantSchema string // of a table
	gaveWay    bool   // it has had a temporary name
}

type thingKind int

const (
	tableThing thingKind = iota
	indexThing           // an index or the constraint on one
	constraintThing
	sequenceThing
)

// taken is a name where it is taken: among the relations of a schema or the
// constraints of a table.
type taken struct{ scope, name string }

func (t *thing) root() *thing {
	if t.table != nil {
		return t.table
	}
	return t
}

// takes lists what the thing takes with a name, were it in a schema.
func (t *thing) takes(schema, name string, constraint bool) []taken {
	relation, own := taken{"schema " + schema, name}, taken{"table " + string(t.at.ID), name}
	switch {
	case t.kind == constraintThing:
		return []taken{own}
	case t.kind == indexThing && constraint:
		return []taken{relation, own}
	}
	return []taken{relation}
}

// mover gives things their names and schemas one by one. Where names go round
// in a circle, one of them takes a temporary name.
type mover struct {
	*planner
	things      []*thing
	constraints map[*thing]bool // indexes that are there for a constraint
	used        map[taken]*thing
	temporary   int
}

// rename gives columns, then everything else its name and schema of
// afterwards.
func (p *planner) rename() error {
	for _, tp := range p.order {
		p.renameColumns(tp)
	}
	m := &mover{planner: p, constraints: map[*thing]bool{}, used: map[taken]*thing{}}
	if !m.needed() {
		return nil
	}
	m.collect()
	for {
		moved, waiting := m.round()
		switch {
		case waiting == nil:
			return nil
		case moved:
		case !m.makeWay(waiting):
			return errTable(waiting.at, "the name %s is taken by something that the design does not change", waiting.want)
		}
	}
}

// needed reports whether anything has to be renamed.
func (m *mover) needed() bool {
	for _, tp := range m.order {
		if tp.Renamed || tp.Moved {
			return true
		}
		for _, t := range m.partsOf(tp, nil) {
			if t.name != t.want {
				return true
			}
		}
	}
	return false
}

// collect finds all things there are, and what their names take.
func (m *mover) collect() {
	for _, v := range m.d.From.Views() {
		m.used[taken{"schema " + v.Schema, v.Name}] = &thing{}
	}
	for _, o := range m.d.From.Objects() {
		switch o.Kind {
		case designer.ObjectType, designer.ObjectPartition, designer.ObjectSequence:
			m.used[taken{"schema " + o.Schema, o.Name}] = &thing{}
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
		own := &thing{at: t, kind: tableThing, schema: t.Schema, name: t.Name, want: after.Name, wantSchema: after.Schema}
		m.things = append(m.things, own)
		m.things = append(m.things, m.partsOf(tp, own)...)
	}
	for _, t := range m.things {
		for _, k := range m.takesNow(t) {
			m.used[k] = t
		}
	}
}

func (m *mover) takesNow(t *thing) []taken { return t.takes(t.root().schema, t.name, m.constraints[t]) }

// partsOf lists what belongs to a table and stays, with its names.
func (m *mover) partsOf(tp *tablePlan, own *thing) []*thing {
	var list []*thing
	add := func(kind thingKind, name, want string, constraint bool) {
		if name == "" {
			return
		}
		if want == "" {
			want = name
		}
		t := &thing{table: own, at: tp.From, kind: kind, name: name, want: want}
		m.constraints[t] = constraint
		list = append(list, t)
	}
	if a, b := tp.From.PrimaryKey, tp.To.PrimaryKey; a != nil && b != nil && !tp.dropPrimary {
		add(indexThing, keyName(tp.From), b.Name, true)
	}
	for _, x := range tp.From.Indexes {
		if next := find(tp.To.Indexes, x.ID, indexID); next != nil && find(tp.dropIndexes, x.ID, indexID) == nil {
			add(indexThing, x.Name, next.Name, isConstraint(x))
		}
	}
	for _, k := range tp.From.Checks {
		if next := find(tp.To.Checks, k.ID, checkID); next != nil && find(tp.dropChecks, k.ID, checkID) == nil {
			add(constraintThing, k.Name, next.Name, true)
		}
	}
	for _, k := range tp.From.ForeignKeys {
		if next := find(tp.To.ForeignKeys, k.ID, foreignKeyID); next != nil && find(tp.dropKeys, k.ID, foreignKeyID) == nil {
			add(constraintThing, k.Name, next.Name, true)
		}
	}
	for _, c := range tp.From.Columns {
		if after := columnByID(tp.To, c.ID); c.IsIdentity && after.IsIdentity && !tp.rebuilt[c.ID] {
			_, name := m.from.sequenceOf(tp.From, c)
			add(sequenceThing, name, name, false)
		}
	}
	return list
}

// round does what can be done and returns something that waits, nil if
// nothing does.
func (m *mover) round() (moved bool, waiting *thing) {
	for _, t := range m.things {
		if t.kind == tableThing && t.schema != t.wantSchema {
			if m.movable(t) == nil {
				m.moveTable(t)
				moved = true
			} else if waiting == nil {
				waiting = t
			}
		}
		if t.name != t.want && !m.onItsWay(t) {
			if m.free(t, t.root().schema, t.want) {
				m.renameThing(t, t.want)
				moved = true
			} else if waiting == nil {
				waiting = t
			}
		}
	}
	return moved, waiting
}

// onItsWay reports whether a thing has its temporary name to be able to move.
func (m *mover) onItsWay(t *thing) bool {
	return t.gaveWay && t.root().schema != t.root().wantSchema
}

// free reports whether a thing can be called so.
func (m *mover) free(t *thing, schema, name string) bool {
	for _, k := range t.takes(schema, name, m.constraints[t]) {
		if by := m.used[k]; by != nil && by != t {
			return false
		}
	}
	return true
}

// movable returns what keeps a table from its schema: itself or a part of it
// whose name is taken there; nil if nothing does.
func (m *mover) movable(t *thing) *thing {
	for _, part := range m.things {
		if part.root() == t && part.kind != constraintThing && !m.free(part, t.wantSchema, part.name) {
			return part
		}
	}
	return nil
}

// makeWay gives a temporary name to what stands in the way of itself, and
// reports whether there was anything that had none yet.
func (m *mover) makeWay(waiting *thing) bool {
	candidates := append([]*thing{waiting}, m.things...)
	for _, t := range candidates {
		if t.kind == tableThing && t.schema != t.wantSchema {
			if part := m.movable(t); part != nil {
				t = part
			}
		} else if t.name == t.want {
			continue
		}
		if t.gaveWay {
			continue
		}
		t.gaveWay = true
		for {
			m.temporary++
			name := "berth_" + strconv.Itoa(m.temporary)
			if m.free(t, t.root().schema, name) && m.free(t, t.root().wantSchema, name) {
				m.renameThing(t, name)
				return true
			}
		}
	}
	return false
}

func (m *mover) renameThing(t *thing, name string) {
	schema, old := t.root().schema, t.name
	for _, k := range m.takesNow(t) {
		delete(m.used, k)
	}
	t.name = name
	for _, k := range m.takesNow(t) {
		m.used[k] = t
	}
	var what, start, back string
	switch t.kind {
	case tableThing:
		what, start, back = "table "+qualifiedPlain(schema, old), "ALTER TABLE "+qualified(schema, old), "ALTER TABLE "+qualified(schema, name)
	case indexThing:
		what, start, back = "index "+qualifiedPlain(schema, old), "ALTER INDEX "+qualified(schema, old), "ALTER INDEX "+qualified(schema, name)
	case sequenceThing:
		what, start, back = "sequence "+qualifiedPlain(schema, old), "ALTER SEQUENCE "+qualified(schema, old), "ALTER SEQUENCE "+qualified(schema, name)
	case constraintThing:
		table := "ALTER TABLE " + qualified(schema, t.table.name)
		m.add(t.at, "rename constraint "+old+" of "+qualifiedPlain(schema, t.table.name)+" to "+name,
			table+" RENAME CONSTRAINT "+ident(old)+" TO "+ident(name), table+" RENAME CONSTRAINT "+ident(name)+" TO "+ident(old))
		return
	}
	m.add(t.at, "rename "+what+" to "+name, start+" RENAME TO "+ident(name), back+" RENAME TO "+ident(old))
}

func (m *mover) moveTable(t *thing) {
	old := t.schema
	var parts []*thing
	for _, part := range m.things {
		if part.root() == t {
			parts = append(parts, part)
			for _, k := range m.takesNow(part) {
				delete(m.used, k)
			}
		}
	}
	t.schema = t.wantSchema
	for _, part := range parts {
		for _, k := range m.takesNow(part) {
			m.used[k] = part
		}
	}
	m.add(t.at, "move table "+qualifiedPlain(old, t.name)+" to schema "+t.schema,
		"ALTER TABLE "+qualified(old, t.name)+" SET SCHEMA "+ident(t.schema), "ALTER TABLE "+qualified(t.schema, t.name)+" SET SCHEMA "+ident(old))
}
