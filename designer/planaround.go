package designer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer/clip"
)

// BlockedPart is a part of a [Diff] that cannot be published: a table with all
// that differs in it.
type BlockedPart struct {
	Table   TableName  `json:"table"`   // before the change; of a new table, after it
	Message string     `json:"message"` // why, what depends on it, and what could be done
	Draft   bool       `json:"draft,omitempty"`
	Items   []DiffItem `json:"-"` // what differs
	// With is the blocked table that this one needs, or that needs it; the
	// zero value: it is blocked by itself.
	With TableName `json:"with,omitzero"`

	id ID
}

// ID returns the id of the table.
func (b BlockedPart) ID() ID { return b.id }

// maxAlone bounds how many tables are planned one by one to find the one that
// a refusal is about.
const maxAlone = 200

// PlanAround plans d without what cannot be planned. It returns the plan, what
// that plan does (d itself where nothing is blocked), and what is left out,
// each with its reason. plan is a dialect's; the error is plan's where no part
// of d is to blame for it.
//
// What is left out stays as the database has it, and so does what cannot be
// made without it: a foreign key's other table, or a table that takes its name.
// A table without columns is left out as a draft.
func PlanAround(d *Diff, plan func(*Diff) (Plan, error)) (Plan, *Diff, []BlockedPart, error) {
	a := &partialPlanner{d: d, held: map[ID]*BlockedPart{}}
	a.holdDrafts()
	for {
		rest := a.rest()
		if rest.Empty() {
			return Plan{}, rest, a.list(), nil
		}
		p, err := plan(rest)
		var refused *PlanError
		switch {
		case err == nil:
			return p, rest, a.list(), nil
		case !errors.As(err, &refused):
			return Plan{}, d, nil, err
		case a.holdNamed(refused), a.holdAlone(rest, plan):
		default:
			return Plan{}, d, nil, err
		}
	}
}

// partialPlanner plans around tables of d.
type partialPlanner struct {
	d     *Diff
	held  map[ID]*BlockedPart
	order []ID // of held, as it was found
}

// differing calls f for each table that differs, until it returns false. from
// or to is nil for a table that comes or goes.
func (a *partialPlanner) differing(f func(id ID, from, to *Table) bool) {
	for _, t := range a.d.Dropped {
		if !f(t.ID, t, nil) {
			return
		}
	}
	for _, t := range a.d.Added {
		if !f(t.ID, nil, t) {
			return
		}
	}
	for _, td := range a.d.Changed {
		if !f(td.From.ID, td.From, td.To) {
			return
		}
	}
}

func (a *partialPlanner) hold(id ID, message string) *BlockedPart {
	t := a.d.From.ByID(id)
	if t == nil {
		t = a.d.To.ByID(id)
	}
	b := &BlockedPart{Table: t.TableName(), Message: message, id: id}
	a.held[id] = b
	a.order = append(a.order, id)
	return b
}

func (a *partialPlanner) holdDrafts() {
	a.differing(func(id ID, _, to *Table) bool {
		if to != nil && len(to.Columns) == 0 {
			a.hold(id, "it has no columns: add one, or drop the table").Draft = true
		}
		return true
	})
}

// holdNamed holds the table that a refusal names, by its name before or after.
func (a *partialPlanner) holdNamed(refused *PlanError) bool {
	var before, after ID
	a.differing(func(id ID, from, to *Table) bool {
		switch {
		case a.held[id] != nil:
		case from != nil && from.TableName() == refused.Table:
			before = id
		case to != nil && to.TableName() == refused.Table:
			after = id
		}
		return true
	})
	id := cmp.Or(before, after)
	if id != "" {
		a.hold(id, refused.Message)
	}
	return id != ""
}

// holdAlone holds the tables of rest that cannot be planned by themselves.
func (a *partialPlanner) holdAlone(rest *Diff, plan func(*Diff) (Plan, error)) bool {
	var ids []ID
	(&partialPlanner{d: rest}).differing(func(id ID, _, _ *Table) bool {
		ids = append(ids, id)
		return len(ids) < maxAlone
	})
	found := false
	for _, id := range ids {
		one := &partialPlanner{d: a.d, held: map[ID]*BlockedPart{}}
		a.differing(func(other ID, _, _ *Table) bool {
			if other != id {
				one.hold(other, "")
			}
			return true
		})
		alone := one.rest()
		if alone.Empty() {
			continue // it cannot be made without another one
		}
		var refused *PlanError
		if _, err := plan(alone); errors.As(err, &refused) {
			a.hold(id, refused.Message)
			found = true
		}
	}
	return found
}

// rest is d without what is held, and without what needs that.
func (a *partialPlanner) rest() *Diff {
	if len(a.held) == 0 {
		return a.d
	}
	for {
		to := a.schema()
		if !a.spread(to) {
			return DiffOf(a.d.From, to)
		}
	}
}

// schema is the state after d with the tables that are held as they were.
func (a *partialPlanner) schema() *Schema {
	s := New(a.d.To.dialect, &Options{NewID: a.d.To.newID, DefaultSchema: a.d.To.defaultSchema, Catalog: a.d.To.Catalog()})
	s.putTypes(a.keptTypes())
	names := a.d.From.following(a.d.From.typeChangesTo(a.d.To))
	var changes []TableChange
	for _, t := range a.d.To.Tables() {
		if a.held[t.ID] != nil {
			if t = a.d.From.ByID(t.ID); t != nil {
				t = names.Table(t)
			}
		}
		if t != nil {
			changes = append(changes, TableChange{After: t})
		}
	}
	for _, t := range a.d.Dropped {
		if a.held[t.ID] != nil {
			changes = append(changes, TableChange{After: names.Table(t)})
		}
	}
	s.put(changes)
	return s
}

// keptTypes are the types that go and that columns of tables which are held
// have.
func (a *partialPlanner) keptTypes() (kept []TypeChange) {
	for _, td := range a.d.Types {
		if td.To == nil && slices.ContainsFunc(a.d.From.UsesOf(td.From), func(u TypeUse) bool { return a.held[u.Table.ID] != nil }) {
			kept = append(kept, TypeChange{After: td.From})
		}
	}
	return kept
}

// spread holds what cannot be so while to has the tables that are held as they
// were. It reports whether there was any.
func (a *partialPlanner) spread(to *Schema) bool {
	found := false
	a.differing(func(id ID, was, is *Table) bool {
		if a.held[id] != nil {
			return true
		}
		if other := a.bound(to, was, is); other != nil {
			b := a.hold(id, fmt.Sprintf("it goes together with table %s, which cannot be published", clip.Quote(other.fullName())))
			b.With = other.TableName()
			found = true
		}
		return true
	})
	return found
}

// bound returns a table that is held and without whose change that of was to
// is cannot be; nil: there is none.
func (a *partialPlanner) bound(to *Schema, was, is *Table) *Table {
	for _, id := range a.order {
		h := a.d.From.ByID(id)
		if h != nil && a.needs(h, was, is) {
			return h
		}
		if is != nil && a.refers(is, was, id) {
			if h == nil {
				h = a.d.To.ByID(id)
			}
			return h
		}
	}
	if is == nil {
		return nil
	}
	for _, id := range to.names[to.keyOf(is.Schema, is.Name)] {
		if a.held[id] != nil {
			return to.ByID(id)
		}
	}
	for _, name := range objectNames(is) {
		if to.objects[name] <= max(1, a.d.To.objects[name], a.d.From.objects[name]) {
			continue
		}
		for _, id := range a.order {
			if h := to.ByID(id); h != nil && slices.Contains(objectNames(h), name) {
				return h
			}
		}
	}
	return nil
}

// needs reports whether a foreign key of h, as the database has it, does not
// allow that the table it refers to changes from was to is.
func (a *partialPlanner) needs(h, was, is *Table) bool {
	if was == nil {
		return false
	}
	return slices.ContainsFunc(h.ForeignKeys, func(k ForeignKey) bool {
		return k.RefTable == was.ID && (is == nil || losesReference(was, is, k))
	})
}

// refers reports whether is, which was so before, has a foreign key that needs
// the change of a table that is held, or lost one because that table goes.
func (a *partialPlanner) refers(is, was *Table, held ID) bool {
	h := a.d.From.ByID(held)
	if was != nil && a.d.To.ByID(held) == nil {
		return slices.ContainsFunc(was.ForeignKeys, func(k ForeignKey) bool { return k.RefTable == held })
	}
	next := a.d.To.ByID(held)
	return slices.ContainsFunc(is.ForeignKeys, func(k ForeignKey) bool {
		return k.RefTable == held && (h == nil || losesReference(next, h, k))
	})
}

// losesReference reports whether what k refers to in a is not in b, or is of
// another type or key there.
func losesReference(a, b *Table, k ForeignKey) bool {
	td := DiffTables(a, b)
	if td.PrimaryKey || slices.ContainsFunc(td.Indexes, func(x PartDiff[Index]) bool { return x.From != nil && x.From.Unique }) {
		return true
	}
	return slices.ContainsFunc(td.Columns, func(c ColumnDiff) bool {
		return c.From != nil && k.refersTo(c.From.ID) && (c.Dropped() || c.Type)
	})
}

// list returns what is held, in the order of the differences.
func (a *partialPlanner) list() []BlockedPart {
	var out []BlockedPart
	items := map[ID][]DiffItem{}
	for _, td := range a.d.Changed {
		items[td.From.ID] = td.items()
	}
	a.differing(func(id ID, from, to *Table) bool {
		b := a.held[id]
		if b == nil {
			return true
		}
		b.Items = items[id]
		switch {
		case to == nil:
			b.Items = []DiffItem{{Kind: DiffDropTable, Table: b.Table}}
		case from == nil:
			b.Items = []DiffItem{{Kind: DiffAddTable, Table: b.Table}}
		}
		out = append(out, *b)
		return true
	})
	return out
}
