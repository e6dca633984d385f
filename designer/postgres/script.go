package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// script makes a whole schema in an empty database.
type script struct {
	steps
	w     *writer
	early []dependent // what tables may need
	late  []dependent // what needs tables
	after []dependent // what belongs to tables and views
	last  []dependent // what comments on others or acts by itself
	parts []dependent // partitions

	without map[place]string // what is left out, and why
}

// Script implements [engine.Engine]. It makes a plan that makes all of s in an
// empty database. What s knows by name only is left out, with a note.
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	b := &script{w: newWriter(s)}
	b.sortObjects()
	b.schemas()
	for _, m := range b.early {
		b.make(m)
	}
	b.tables()
	for _, m := range b.late {
		b.make(m)
	}
	for _, m := range b.after {
		b.make(m)
	}
	for _, m := range b.last {
		b.make(m)
	}
	if len(b.list) > 0 && b.list[0].Statement == bodiesUnchecked {
		b.add(nil, "check the bodies of routines again", "RESET check_function_bodies", bodiesUnchecked)
	}
	return b.plan(), nil
}

// bodiesUnchecked lets routines be made before the tables that their bodies,
// which are text, name.
const bodiesUnchecked = "SET check_function_bodies = off"

// sortObjects decides when each object and view is made: as early as it can,
// since a table may need it.
func (b *script) sortObjects() {
	var list []dependent
	for _, o := range b.w.s.Objects() {
		m := dependentObject(o)
		switch o.Kind {
		case designer.ObjectRights: // which are this server's
		case designer.ObjectTrigger, designer.ObjectRule, designer.ObjectPolicy, designer.ObjectStatistics:
			b.after = append(b.after, m)
		case designer.ObjectComment, designer.ObjectPublication, designer.ObjectSubscription, designer.ObjectUserMapping,
			designer.ObjectOption, designer.ObjectEventTrigger:
			b.last = append(b.last, m)
		case designer.ObjectPartition:
			b.parts = append(b.parts, m)
		case designer.ObjectSequence:
			if !b.broughtByColumn(o) {
				list = append(list, m)
			}
		default:
			list = append(list, m)
		}
	}
	for _, v := range b.w.s.Views() {
		list = append(list, dependentView(v))
	}
	b.leaveOut(slices.Concat(list, b.after, b.last))
	tables := tablesByName(b.w.s)
	late := dependents(list, func(u designer.Dependency) bool { return tables[usedPlace(u)] != nil })
	slices.SortStableFunc(list, func(x, y dependent) int { return rank(x.kind) - rank(y.kind) })
	for _, m := range ordered(list) {
		if late[m.place()] || m.kind == kindView {
			b.late = append(b.late, m)
		} else {
			b.early = append(b.early, m)
		}
	}
	b.parts = ordered(b.parts)
	slices.SortStableFunc(b.last, func(x, y dependent) int { return rank(x.kind) - rank(y.kind) })
}

// ranks is the order of kinds that do not depend on each other. What runs by
// itself when something is made comes last.
var ranks = []designer.ObjectKind{designer.ObjectExtension, designer.ObjectLanguage, designer.ObjectCollation,
	designer.ObjectSearchParser, designer.ObjectSearchTemplate, designer.ObjectSearchDictionary, designer.ObjectSearchConfiguration,
	designer.ObjectWrapper, designer.ObjectServer, designer.ObjectAccessMethod, designer.ObjectType, designer.ObjectSequence,
	designer.ObjectRoutine, designer.ObjectConversion, designer.ObjectCast, designer.ObjectOperator, designer.ObjectOperatorFamily,
	designer.ObjectOperatorClass, designer.ObjectTransform, kindView, designer.ObjectComment, designer.ObjectPublication,
	designer.ObjectSubscription, designer.ObjectUserMapping, designer.ObjectOption, designer.ObjectEventTrigger}

func rank(k designer.ObjectKind) int { return slices.Index(ranks, k) }

// leaveOut finds what cannot be made: what is known by its name alone, and all
// that uses such a thing.
func (b *script) leaveOut(list []dependent) {
	b.without = map[place]string{}
	for _, m := range list {
		if m.definition == "" {
			b.without[m.place()] = whyLeftOut(m.kind)
		}
	}
	for grew := true; grew; {
		grew = false
		for _, m := range list {
			if b.without[m.place()] != "" {
				continue
			}
			for _, u := range m.needs() {
				if b.without[usedPlace(u)] != "" {
					b.without[m.place()], grew = "it needs "+qualifiedPlain(u.Schema, u.Name)+", which is left out", true
				}
			}
		}
	}
}

// needs lists what m uses, and the table or view that it is part of.
func (m dependent) needs() []designer.Dependency {
	if !m.isPart() {
		return m.uses
	}
	return append(slices.Clone(m.uses), designer.Dependency{Schema: m.schema, Name: m.table})
}

func whyLeftOut(k designer.ObjectKind) string {
	switch k {
	case designer.ObjectSubscription, designer.ObjectUserMapping, designer.ObjectOption:
		return "it may hold a secret"
	}
	return "the database gives only its name"
}

// broughtByColumn reports whether a sequence is made with the table that it
// numbers a column of.
func (b *script) broughtByColumn(o designer.Object) bool {
	t, err := b.w.s.Table(designer.TableRef{Schema: o.Schema, Name: o.Table})
	if o.Table == "" || err != nil || t.Name != o.Table || len(o.Values) != 1 {
		return false
	}
	return slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Name == o.Values[0] && c.IsIdentity })
}

func (b *script) schemas() {
	if slices.ContainsFunc(b.early, func(m dependent) bool { return m.kind == designer.ObjectRoutine && m.definition != "" }) {
		b.add(nil, "let routines speak of tables that come later", bodiesUnchecked, "RESET check_function_bodies")
	}
	for _, name := range b.w.s.Schemas() {
		if name != DefaultSchema {
			b.add(nil, "create schema "+name, "CREATE SCHEMA "+ident(name), "DROP SCHEMA "+ident(name))
		}
	}
}

// make makes an object or a view with what belongs to it.
func (b *script) make(m dependent) {
	if why := b.without[m.place()]; why != "" {
		b.note("The %s is left out: %s.", m.label(), why)
		return
	}
	if m.definition == "" { // of a partition
		b.note("The %s is left out: %s.", m.label(), whyLeftOut(m.kind))
		return
	}
	b.add(nil, "create "+m.label(), m.definition, m.drop())
	b.run(nil, "part of "+m.label(), m.extras...)
}

func (b *script) tables() {
	tables := b.inheritOrder()
	for _, t := range tables {
		b.createTable(b.w, t)
	}
	for _, m := range b.parts {
		m.extras, m.uses = nil, nil // which may need the other tables
		b.make(m)
		if len(m.values) > 0 {
			b.note("The %s is made of its table: the server chooses %s.", m.label(), strings.Join(m.values, ", "))
		}
	}
	for _, t := range tables {
		b.finishTable(b.w, t)
	}
	for _, t := range tables {
		for _, k := range t.ForeignKeys {
			b.addForeignKey(b.w, t, k)
		}
	}
	for _, m := range b.parts {
		if m.definition != "" {
			b.run(nil, "part of "+m.label(), m.extras...)
		}
	}
	for _, o := range b.w.s.Objects() {
		if o.Kind == designer.ObjectSequence && o.Table != "" && len(o.Values) == 1 && !b.broughtByColumn(o) {
			b.add(nil, "let sequence "+qualifiedPlain(o.Schema, o.Name)+" go with its column",
				"ALTER SEQUENCE "+qualified(o.Schema, o.Name)+" OWNED BY "+qualified(o.Schema, o.Table)+"."+ident(o.Values[0]),
				"ALTER SEQUENCE "+qualified(o.Schema, o.Name)+" OWNED BY NONE")
		}
	}
}

// inheritOrder lists the tables, parents before those that inherit.
func (b *script) inheritOrder() []*designer.Table {
	tables := b.w.s.Tables()
	byName := map[string]*designer.Table{}
	for _, t := range tables {
		byName[b.w.table(t)] = t
	}
	var out []*designer.Table
	seen := map[designer.ID]bool{}
	var visit func(t *designer.Table)
	visit = func(t *designer.Table) {
		if t == nil || seen[t.ID] {
			return
		}
		seen[t.ID] = true
		if parents := t.Options[OptionInherits]; parents != "" {
			for _, p := range strings.Split(parents, ", ") {
				visit(byName[p])
			}
		}
		out = append(out, t)
	}
	for _, t := range tables {
		visit(t)
	}
	return out
}
