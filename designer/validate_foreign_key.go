package designer

import (
	"slices"
	"strings"
)

// checkForeignKey verifies k, a key of draft, whole.
func (t *tx) checkForeignKey(draft *Table, k ForeignKey) *Error {
	target := t.table(k.RefTable)
	if target == nil {
		return nil // dangling, as the database has it
	}
	if err := checkMappingsOnce(draft, k); err != nil {
		return err
	}
	refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
	if !target.hasKey(refs) {
		return invalid("Referenced columns %s are not, as a whole, a primary or unique key of table %s",
			listNames(namesOf(columnNames(target), refs)), target.quoted())
	}
	for _, m := range k.Mappings {
		a, b := draft.column(m.Column), target.column(m.RefColumn)
		if !t.s.dialect.pairable(*a, *b) {
			return invalid("Column %s (%s) cannot refer to %s (%s): the types do not match",
				quote(a.Name), clip(a.DataType), quote(target.Name+"."+b.Name), clip(b.DataType))
		}
	}
	if err := t.s.dialect.checkActions(draft, k); err != nil {
		return err
	}
	if t.s.dialect.RefuseCascades {
		return t.checkCascades(draft, k)
	}
	return nil
}

func checkMappingsOnce(draft *Table, k ForeignKey) *Error {
	names := columnNames(draft)
	from, to := map[ID]bool{}, map[ID]bool{}
	for _, m := range k.Mappings {
		if from[m.Column] || to[m.RefColumn] {
			return invalid("Foreign key maps column %s twice: each column goes into one mapping", quote(names[m.Column]))
		}
		from[m.Column], to[m.RefColumn] = true, true
	}
	return nil
}

// hasKey tells whether the columns, in any order, are the primary key or a
// whole unique key of t.
func (t *Table) hasKey(columns []ID) bool {
	same := func(key []ID) bool {
		return len(key) == len(columns) && !slices.ContainsFunc(key, func(id ID) bool { return !slices.Contains(columns, id) })
	}
	if t.PrimaryKey != nil && same(t.PrimaryKey.Columns) {
		return true
	}
	for _, x := range t.Indexes {
		if x.Unique && x.Where == "" && same(mapEach(x.Parts, func(p IndexKey) ID { return p.Column })) {
			return true
		}
	}
	return false
}

// pairable tells whether a foreign key may pair columns of these types. What
// the dialect does not know is left to the database.
func (d *Dialect) pairable(a, b Column) bool {
	if d.SameFamily != nil {
		return d.SameFamily(a, b)
	}
	x, known := d.Type(a.DataType)
	y, both := d.Type(b.DataType)
	return !known || !both || x.Family == y.Family
}

// checkActions verifies that the dialect has k's actions and that the
// columns can take what they do.
func (d *Dialect) checkActions(draft *Table, k ForeignKey) *Error {
	for _, a := range []Action{k.OnDelete, k.OnUpdate} {
		if !slices.Contains(d.Actions, a) {
			names := mapEach(d.Actions, func(a Action) string { return string(a) })
			return &Error{Reason: ValidationError, Message: "Foreign key action " + quote(string(a)) + " is not available on " + d.Title + ": use " + strings.Join(names, ", ")}
		}
		for _, m := range k.Mappings {
			c := draft.column(m.Column)
			if a == SetNull && (!c.IsNullable || draft.inKey(c.ID)) {
				return invalid("Foreign key action set_null needs nullable columns: column %s is not", quote(c.Name))
			}
			if a == SetDefault && c.DefaultValue == "" {
				return invalid("Foreign key action set_default needs a default value: column %s has none", quote(c.Name))
			}
		}
	}
	return nil
}

// checkActionsOf verifies that a changed column can still take what the
// foreign keys on it do.
func (t *tx) checkActionsOf(draft *Table, c Column) *Error {
	for _, k := range draft.ForeignKeys {
		if !k.uses(c.ID) {
			continue
		}
		for _, a := range []Action{k.OnDelete, k.OnUpdate} {
			if a == SetNull && !c.IsNullable {
				return invalid("Column %s must stay nullable: foreign key %s sets it to null", quote(c.Name), quote(k.Name))
			}
			if a == SetDefault && c.DefaultValue == "" {
				return invalid("Column %s must keep a default value: foreign key %s sets it to its default", quote(c.Name), quote(k.Name))
			}
		}
	}
	return nil
}

// keepReferencedKeys refuses a change that leaves foreign keys pointing at
// columns that were a key before and are none after.
func (t *tx) keepReferencedKeys(before, draft *Table) *Error {
	var names []string
	look := func(from *Table) {
		for _, k := range from.ForeignKeys {
			refs := mapEach(k.Mappings, func(m Mapping) ID { return m.RefColumn })
			if k.RefTable == before.ID && before.hasKey(refs) && !draft.hasKey(refs) {
				names = append(names, from.fullName()+"."+k.Name)
			}
		}
	}
	for _, from := range t.s.Incoming(before.ID) {
		if from.ID == before.ID {
			from = draft
		}
		look(from)
	}
	if len(names) > 0 {
		return invalid("The key of table %s cannot change: foreign key %s refers to it; drop the key first", draft.quoted(), listNames(names))
	}
	return nil
}

// cascades tells whether a change of the referenced row reaches this one.
func (k ForeignKey) cascades() bool {
	reaches := func(a Action) bool { return a == Cascade || a == SetNull || a == SetDefault }
	return reaches(k.OnDelete) || reaches(k.OnUpdate)
}

// checkCascades refuses k where a deletion could reach a table on two ways,
// or come back to where it began, as SQL Server does. Only the part of the
// schema that cascades connect with k is looked at.
func (t *tx) checkCascades(draft *Table, k ForeignKey) *Error {
	if !k.cascades() {
		return nil
	}
	below := t.reach(draft.ID, func(id ID) []ID { return t.cascadeTargets(id, k.ID) })
	above := t.reach(k.RefTable, func(id ID) []ID { return t.cascadeSources(id, k.ID) })
	for id := range above {
		if below[id] {
			return invalid("Foreign key would make a cascade cycle through table %s: use no_action", t.table(id).quoted())
		}
	}
	for id := range above {
		for other := range t.reach(id, func(id ID) []ID { return t.cascadeTargets(id, k.ID) }) {
			if below[other] {
				return invalid("Foreign key would make multiple cascade paths to table %s: use no_action", t.table(other).quoted())
			}
		}
	}
	return nil
}

// reach returns the tables reached from one, itself included.
func (t *tx) reach(from ID, next func(ID) []ID) map[ID]bool {
	seen := map[ID]bool{from: true}
	for queue := []ID{from}; len(queue) > 0; queue = queue[1:] {
		for _, id := range next(queue[0]) {
			if !seen[id] {
				seen[id] = true
				queue = append(queue, id)
			}
		}
	}
	return seen
}

// cascadeTargets lists the tables a deletion in the table reaches directly,
// by keys other than the one given.
func (t *tx) cascadeTargets(id, but ID) []ID {
	var out []ID
	for _, from := range t.s.Incoming(id) {
		from = t.table(from.ID)
		for _, k := range from.ForeignKeys {
			if k.ID != but && k.RefTable == id && k.cascades() {
				out = append(out, from.ID)
			}
		}
	}
	return out
}

// cascadeSources lists the tables whose deletions reach the table directly.
func (t *tx) cascadeSources(id, but ID) []ID {
	var out []ID
	for _, k := range t.table(id).ForeignKeys {
		if k.ID != but && k.RefTable != "" && k.cascades() {
			out = append(out, k.RefTable)
		}
	}
	return out
}
