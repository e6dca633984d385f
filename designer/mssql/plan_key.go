package mssql

import (
	"reflect"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func (tp *tablePlan) decideKey() {
	from, to := tp.from.table.PrimaryKey, tp.to.table.PrimaryKey
	onlyName := false
	if tp.diff.PrimaryKey && from != nil && to != nil {
		next := *from
		next.Name = to.Name
		onlyName = from.Name != "" && to.Name != "" && reflect.DeepEqual(&next, to)
	}
	reached := false
	if from != nil {
		for _, id := range from.Columns {
			reached = reached || tp.reached(id) || tp.columns[id] == widenColumn
		}
	}
	changes := tp.diff.PrimaryKey && !onlyName || reached
	tp.dropKey = from != nil && changes
	tp.addKey = to != nil && changes
	tp.renameKey = onlyName && !changes
}

// partChanges is what happens to the parts of a table that are of one kind.
type partChanges struct{ drop, add, rename map[designer.ID]bool }

func newPartChanges() partChanges {
	return partChanges{map[designer.ID]bool{}, map[designer.ID]bool{}, map[designer.ID]bool{}}
}

// renew drops a part that is there and makes it again where it must be there
// afterwards.
func (c partChanges) renew(id designer.ID) {
	if !c.drop[id] {
		delete(c.rename, id)
		c.drop[id], c.add[id] = true, true
	}
}

// decideParts renames the parts that differ in their names alone, and drops and
// adds the others that differ. of returns a part's id and its name.
func decideParts[T any](c partChanges, diffs []designer.PartDiff[T], of func(*T) (designer.ID, *string)) {
	for _, d := range diffs {
		if d.Changed() && sameButName(*d.From, *d.To, of) {
			id, _ := of(d.From)
			c.rename[id] = true
			continue
		}
		if d.From != nil {
			id, _ := of(d.From)
			c.drop[id] = true
		}
		if d.To != nil {
			id, _ := of(d.To)
			c.add[id] = true
		}
	}
}

// sameButName reports whether two parts have names and differ in nothing else.
func sameButName[T any](a, b T, of func(*T) (designer.ID, *string)) bool {
	_, was := of(&a)
	_, is := of(&b)
	if *was == "" || *is == "" {
		return false
	}
	*was = *is
	return reflect.DeepEqual(a, b)
}

func (tp *tablePlan) decideIndexes() {
	decideParts(tp.indexes, tp.diff.Indexes, func(x *designer.Index) (designer.ID, *string) { return x.ID, &x.Name })
	for i := range tp.from.table.Indexes {
		if x := &tp.from.table.Indexes[i]; tp.indexReached(x) {
			tp.indexes.renew(x.ID)
		}
	}
	tp.decideSecondaryXML()
}

// decideSecondaryXML drops and re-makes the XML indexes that use another one
// that is dropped.
func (tp *tablePlan) decideSecondaryXML() {
	for i := range tp.from.table.Indexes {
		x := &tp.from.table.Indexes[i]
		for j := range tp.from.table.Indexes {
			y := &tp.from.table.Indexes[j]
			needs := strings.EqualFold(x.Options[OptionPrimaryXML], y.Name) || tp.dropKey && x.Method == MethodXML
			if x.ID != y.ID && needs && (tp.indexes.drop[y.ID] || tp.dropKey) {
				tp.indexes.renew(x.ID)
			}
		}
	}
}

func (tp *tablePlan) indexReached(x *designer.Index) bool {
	if tp.reachedText(x.Where, true) {
		return true
	}
	for _, p := range x.Parts {
		if tp.reached(p.Column) {
			return true
		}
	}
	for _, id := range x.Include {
		if tp.reached(id) {
			return true
		}
	}
	return x.Method != "" && tp.dropKey && x.Method != MethodColumnstore
}

func (tp *tablePlan) decideChecks() {
	decideParts(tp.checks, tp.diff.Checks, func(k *designer.Check) (designer.ID, *string) { return k.ID, &k.Name })
	for i := range tp.from.table.Checks {
		if k := &tp.from.table.Checks[i]; tp.reachedText(k.Expression, false) {
			tp.checks.renew(k.ID)
		}
	}
}

func (tp *tablePlan) decideForeignKeys() {
	decideParts(tp.foreignKeys, tp.diff.ForeignKeys, func(k *designer.ForeignKey) (designer.ID, *string) { return k.ID, &k.Name })
	for i := range tp.from.table.ForeignKeys {
		k := &tp.from.table.ForeignKeys[i]
		for _, m := range k.Mappings {
			if tp.reached(m.Column) || tp.columns[m.Column] == widenColumn || tp.rebuild != "" {
				tp.foreignKeys.renew(k.ID)
			}
		}
	}
}

// losesKey reports whether the columns that a foreign key of another table
// refers to change, or the key or index that it relies on goes for a while.
func (tp *tablePlan) losesKey(k *designer.ForeignKey) bool {
	refs := make([]designer.ID, len(k.Mappings))
	for i, m := range k.Mappings {
		refs[i] = m.RefColumn
		if tp.reached(m.RefColumn) || tp.columns[m.RefColumn] == widenColumn {
			return true
		}
	}
	if tp.rebuild != "" || tp.dropKey && sameSet(refs, tp.from.table.PrimaryKey.Columns) {
		return true
	}
	for i := range tp.from.table.Indexes {
		x := &tp.from.table.Indexes[i]
		if x.Unique && tp.indexes.drop[x.ID] && sameSet(refs, keyColumns(x)) {
			return true
		}
	}
	return false
}

func keyColumns(x *designer.Index) []designer.ID {
	out := make([]designer.ID, len(x.Parts))
	for i, p := range x.Parts {
		out[i] = p.Column
	}
	return out
}

func sameSet(a, b []designer.ID) bool {
	if len(a) != len(b) {
		return false
	}
	has := map[designer.ID]bool{}
	for _, id := range a {
		has[id] = true
	}
	for _, id := range b {
		if !has[id] {
			return false
		}
	}
	return true
}

// takeAway drops the parts of a table that change or stand in the way.
func (p *planner) takeAway(tp *tablePlan) {
	t := tp.from.table
	for i := range t.Checks {
		if k := &t.Checks[i]; tp.checks.drop[k.ID] {
			r := constraintRef{kind: "check", name: k.Name, find: findCheck(k.Expression)}
			p.dropConstraint(tp.from, r, checkText(tp.from.check(k)), k.Options)
		}
	}
	indexes := indexOrder(t.Indexes)
	slices.Reverse(indexes) // the clustered one last: without it the others would be made again
	for _, x := range indexes {
		if tp.indexes.drop[x.ID] {
			p.dropIndex(tp.from, x)
		}
	}
	if tp.dropKey {
		r := constraintRef{kind: "primary key", name: t.PrimaryKey.Name, find: findPrimaryKey}
		p.dropConstraint(tp.from, r, primaryKeyText(tp.from.primaryKey()), nil)
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; tp.dropDefaults[c.ID] {
			p.dropDefault(tp.from, c)
		}
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.IsComputed && (tp.columns[c.ID] == renewColumn || tp.columns[c.ID] == dropColumn) {
			if tp.columns[c.ID] == renewColumn {
				p.keepRights(tp.from.on(), tp.from.label(), c.Name, tp.from.table)
			}
			p.dropColumn(tp.from, c)
		}
	}
}

// putBack makes what was taken away and what is new: computed columns,
// defaults, keys, indexes, checks, and the triggers of a table re-created.
func (p *planner) putBack(tp *tablePlan) {
	whole := tp.rebuild != ""
	t := tp.to.table
	for i := range t.Columns {
		c := &t.Columns[i]
		added := tp.from.column(c.ID) == nil || tp.columns[c.ID] == renewColumn
		if c.IsComputed && added && !whole {
			p.addColumn(tp, c)
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.DefaultValue != "" && (tp.addDefaults[c.ID] || whole) {
			p.addDefault(tp.to, c)
		}
	}
	p.addIndexes(tp, func(x *designer.Index) bool { return x.Options[OptionClustered] == "true" })
	if t.PrimaryKey != nil && (tp.addKey || whole) {
		p.addPrimaryKey(tp.to)
	}
	p.addIndexes(tp, func(x *designer.Index) bool { return x.Options[OptionClustered] != "true" })
	for i := range t.Checks {
		if k := &t.Checks[i]; tp.checks.add[k.ID] || whole {
			addCheck(&p.steps, tp.to, k)
		}
	}
	if whole {
		p.addTriggers(tp)
	}
}

func (p *planner) dropIndex(v *tableState, x *designer.Index) {
	d := v.index(x)
	if x.Constraint {
		r := constraintRef{kind: "unique constraint", name: x.Name, find: findUnique(d)}
		p.dropConstraint(v, r, uniqueText(d), nil)
		return
	}
	p.add(designer.Step{Statement: dropIndex(v.on(), x.Name), Comment: "Drop index " + x.Name + " of " + v.label(),
		Reverse: createIndex(v.on(), d)}, v.table)
}

// addIndexes makes those of a table's indexes and unique constraints that are
// to be made and pass. The clustered one comes before the primary key, which
// would take its place.
func (p *planner) addIndexes(tp *tablePlan, pass func(*designer.Index) bool) {
	for _, x := range indexOrder(tp.to.table.Indexes) {
		switch {
		case !pass(x) || !tp.indexes.add[x.ID] && tp.rebuild == "":
		case x.Constraint:
			p.addUnique(tp.to, x)
		default:
			addIndex(&p.steps, tp.to, x)
		}
	}
}

func (p *planner) addPrimaryKey(v *tableState) {
	k := v.primaryKey()
	r := constraintRef{kind: "primary key", name: k.Name, find: findPrimaryKey}
	risks := []designer.Risk{designer.RiskBlocksWrites, designer.RiskMayFail}
	if k.Options[OptionClustered] != "false" {
		risks = append(risks, designer.RiskRewritesTable)
	}
	p.add(designer.Step{Statement: "ALTER TABLE " + v.on() + " ADD " + primaryKeyText(k), Comment: "Add the primary key of " + v.label(),
		Reverse: r.drop(v.on()), Risks: risks}, v.table)
}

func (p *planner) addUnique(v *tableState, x *designer.Index) {
	d := v.index(x)
	r := constraintRef{kind: "unique constraint", name: x.Name, find: findUnique(d)}
	p.add(designer.Step{Statement: "ALTER TABLE " + v.on() + " ADD " + uniqueText(d), Comment: "Add " + r.label() + " to " + v.label(),
		Reverse: r.drop(v.on()), Risks: indexRisks(x)}, v.table)
}

// dropConstraint drops what text would add.
func (p *planner) dropConstraint(v *tableState, r constraintRef, text string, o map[string]string) {
	p.add(designer.Step{Statement: r.drop(v.on()), Comment: "Drop " + r.label() + " of " + v.label(),
		Reverse: addConstraint(v.on(), text, o)}, v.table)
}
