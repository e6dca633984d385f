package mssql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// takeAway drops the parts of a table that change or stand in the way.
func (p *planner) takeAway(w *work) {
	t := w.from.table
	for i := range t.Checks {
		if k := &t.Checks[i]; w.dropChecks[k.ID] {
			r := constraintRef{kind: "check", name: k.Name, find: findCheck(k.Expression)}
			p.dropConstraint(w.from, r, checkText(w.from.check(k)), k.Options)
		}
	}
	indexes := indexOrder(t.Indexes)
	slices.Reverse(indexes) // the clustered one last: without it the others would be made again
	for _, x := range indexes {
		if w.dropIndexes[x.ID] {
			p.dropIndex(w.from, x)
		}
	}
	if w.dropKey {
		r := constraintRef{kind: "primary key", name: t.PrimaryKey.Name, find: findPrimaryKey}
		p.dropConstraint(w.from, r, primaryKeyText(w.from.primaryKey()), nil)
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; w.dropDefaults[c.ID] {
			p.dropDefault(w.from, c)
		}
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.IsComputed && (w.columns[c.ID] == renewColumn || w.columns[c.ID] == dropColumn) {
			if w.columns[c.ID] == renewColumn {
				p.keepRights(w.from.on(), w.from.label(), c.Name, w.from.table)
			}
			p.dropColumn(w.from, c)
		}
	}
}

func (p *planner) dropIndex(v *side, x *designer.Index) {
	d := v.index(x)
	if x.Constraint {
		r := constraintRef{kind: "unique constraint", name: x.Name, find: findUnique(d)}
		p.dropConstraint(v, r, uniqueText(d), nil)
		return
	}
	p.add(designer.Step{Statement: dropIndex(v.on(), x.Name), Comment: "Drop index " + x.Name + " of " + v.label(),
		Reverse: createIndex(v.on(), d)}, v.table)
}

func (p *planner) dropDefault(v *side, c *designer.Column) {
	r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
	p.add(designer.Step{Statement: r.drop(v.on()), Comment: "Drop the default of " + v.label() + "." + c.Name,
		Reverse: addDefault(v, c)}, v.table)
}

func addDefault(v *side, c *designer.Column) string {
	return "ALTER TABLE " + v.on() + " ADD " + defaultText(*c) + " FOR " + quote(c.Name)
}

// dropColumn drops a column; what is computed can be computed again.
func (p *planner) dropColumn(v *side, c *designer.Column) {
	step := designer.Step{Statement: dropColumnText(v.on(), c.Name),
		Comment: "Drop column " + v.label() + "." + c.Name}
	if c.IsComputed {
		step.Reverse = "ALTER TABLE " + v.on() + " ADD " + columnText(*c)
	} else {
		step.Risks = []designer.Risk{designer.RiskDataLoss}
	}
	p.add(step, v.table)
}

func dropColumnText(on, name string) string {
	return "ALTER TABLE " + on + " DROP COLUMN " + quote(name)
}

// convert gives the columns that ALTER COLUMN cannot convert their new type:
// a new column takes the values, and then the old one's name. Triggers have no
// part in it.
func (p *planner) convert(w *work) {
	var list []*designer.Column
	for i := range w.from.table.Columns {
		if c := &w.from.table.Columns[i]; w.columns[c.ID] == convertColumn {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	p.switchTriggers(w, "DISABLE", "ENABLE")
	for _, c := range list {
		p.convertColumn(w, c)
	}
	p.switchTriggers(w, "ENABLE", "DISABLE")
}

// switchTriggers switches those triggers of a table that are in force.
func (p *planner) switchTriggers(w *work, verb, back string) {
	for _, o := range p.triggers(w.from.table) {
		if disables(o.Definition) {
			continue
		}
		what := " TRIGGER " + qualified(o.Schema, o.Name) + " ON " + w.from.on()
		p.add(designer.Step{Statement: verb + what, Comment: verb[:1] + strings.ToLower(verb[1:]) + " trigger " + o.Name + " of " + w.from.label(),
			Reverse: back + what}, w.from.table)
	}
}

// disables reports whether a trigger's text leaves it disabled.
func disables(text string) bool {
	batches := Batches(text)
	if len(batches) == 0 {
		return false
	}
	tokens := significant(lex(batches[len(batches)-1]))
	return len(tokens) > 1 && tokens[0].Is("DISABLE") && tokens[1].Is("TRIGGER")
}

func (p *planner) convertColumn(w *work, c *designer.Column) {
	next := *w.to.column(c.ID)
	next.Name, next.IsNullable, next.DefaultValue = w.freeColumn(), true, ""
	on, label := w.from.on(), w.from.label()+"."+c.Name
	p.keepRights(on, w.from.label(), c.Name, w.from.table)
	p.add(designer.Step{Statement: "ALTER TABLE " + on + " ADD " + columnText(next), Comment: "Add a column for the converted values of " + label,
		Reverse: dropColumnText(on, next.Name)}, w.from.table)
	p.add(designer.Step{Statement: fmt.Sprintf("UPDATE %s SET %s = %s", on, quote(next.Name), converted(*c, next)),
		Comment: "Convert " + label + " to " + typeText(next),
		Risks:   []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}}, w.from.table)
	p.add(designer.Step{Statement: dropColumnText(on, c.Name), Comment: "Drop the old column " + label}, w.from.table)
	p.add(designer.Step{Statement: renameStep(on+"."+quote(next.Name), c.Name, "COLUMN"), Comment: "Give the new column the name of " + label,
		Reverse: renameStep(on+"."+quote(c.Name), next.Name, "COLUMN")}, w.from.table)
}

// converted writes the values of a column as another type.
func converted(from, to designer.Column) string {
	value := quote(from.Name)
	if !from.IsComputed && typeText(from) == typeText(to) {
		return value
	}
	return "CONVERT(" + typeText(to) + ", " + value + ")"
}

// freeColumn is a name that no column of the table has, before or after.
func (w *work) freeColumn() string {
	return temporaryName(func(name string) bool {
		for _, v := range []*side{w.from, w.to} {
			for _, n := range v.names {
				if designer.Fold(n) == designer.Fold(name) {
					return true
				}
			}
		}
		return false
	})
}

// dropColumns drops the columns that go. A table keeps one to the last, so
// that it is never without: changeColumns drops that one.
func (p *planner) dropColumns(w *work) {
	last := w.lastColumn()
	for i := range w.from.table.Columns {
		c := &w.from.table.Columns[i]
		drops := !c.IsComputed && (w.columns[c.ID] == dropColumn || w.columns[c.ID] == renewColumn)
		switch {
		case !drops:
		case c.ID == last:
			w.parked = w.freeColumn()
			p.add(designer.Step{Statement: renameStep(w.from.on()+"."+quote(c.Name), w.parked, "COLUMN"),
				Comment: "Keep " + w.from.label() + "." + c.Name + " until the table has another column",
				Reverse: renameStep(w.from.on()+"."+quote(w.parked), c.Name, "COLUMN")}, w.from.table)
		default:
			p.dropColumn(w.from, c)
		}
	}
}

// lastColumn is a column to keep for a while where all others with values go,
// "" where one stays.
func (w *work) lastColumn() designer.ID {
	last := designer.ID("")
	for _, c := range w.from.table.Columns {
		how := w.columns[c.ID]
		stays := how != dropColumn && how != renewColumn
		switch {
		case stays && (!c.IsComputed || how == convertColumn):
			return ""
		case !c.IsComputed:
			last = c.ID
		}
	}
	return last
}
