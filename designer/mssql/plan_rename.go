package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// relocation is a table on its way to another schema or name.
type relocation struct {
	table    *designer.Table // as it was
	from, to objectName      // from: where it is by now
}

// renameTables gives tables their schemas and names.
func (p *planner) renameTables() {
	var pending []*relocation
	taken := map[objectName]bool{}
	take := func(n objectName) { taken[n.folded()] = true }
	for _, s := range []*designer.Schema{p.d.From, p.d.To} {
		for _, t := range s.Tables() {
			take(objectName{t.Schema, t.Name})
		}
		for _, v := range s.Views() {
			take(objectName{v.Schema, v.Name})
		}
	}
	for _, w := range p.works {
		from, to := w.from.table, w.to.table
		if from.Schema != to.Schema || from.Name != to.Name {
			pending = append(pending, &relocation{from, objectName{from.Schema, from.Name}, objectName{to.Schema, to.Name}})
		}
	}
	for len(pending) > 0 {
		i := freeRelocation(pending)
		if i < 0 {
			p.park(pending[0], taken)
			continue
		}
		p.relocate(pending[i], taken)
		pending = append(pending[:i], pending[i+1:]...)
	}
}

func (n objectName) folded() objectName {
	return objectName{designer.Fold(n.schema), designer.Fold(n.name)}
}

// freeRelocation finds one whose goal nothing holds, -1 if there is none.
func freeRelocation(pending []*relocation) int {
	for i, r := range pending {
		free := true
		for _, other := range pending {
			free = free && other.from.folded() != r.to.folded()
		}
		if free {
			return i
		}
	}
	return -1
}

// park gives a table a temporary name where it is.
func (p *planner) park(r *relocation, taken map[objectName]bool) {
	name := temporaryName(func(name string) bool {
		return taken[objectName{r.from.schema, name}.folded()] || taken[objectName{r.to.schema, name}.folded()]
	})
	taken[objectName{r.from.schema, name}.folded()] = true
	taken[objectName{r.to.schema, name}.folded()] = true
	p.renameTable(r, name, "Give table "+r.from.label()+" a temporary name")
}

func (n objectName) label() string { return n.schema + "." + n.name }

// relocate moves and renames a table. A table that does both goes through a
// name that must not be taken either.
func (p *planner) relocate(r *relocation, taken map[objectName]bool) {
	moves, renames := !strings.EqualFold(r.from.schema, r.to.schema), r.from.name != r.to.name
	if moves && renames && taken[objectName{r.to.schema, r.from.name}.folded()] && !strings.HasPrefix(r.from.name, "berth_tmp_") {
		p.park(r, taken)
	}
	if moves {
		to := objectName{r.to.schema, r.from.name}
		p.add(designer.Step{Statement: "ALTER SCHEMA " + quote(to.schema) + " TRANSFER OBJECT::" + r.from.String(),
			Comment: "Move table " + r.from.label() + " to schema " + to.schema,
			Reverse: "ALTER SCHEMA " + quote(r.from.schema) + " TRANSFER OBJECT::" + to.String()}, r.table)
		r.from.schema = to.schema
	}
	if r.from.name != r.to.name {
		p.renameTable(r, r.to.name, "Rename table "+r.from.label()+" to "+r.to.name)
	}
}

func (p *planner) renameTable(r *relocation, name, comment string) {
	next := objectName{r.from.schema, name}
	p.add(designer.Step{Statement: renameStep(r.from.String(), name, "OBJECT"), Comment: comment,
		Reverse: renameStep(next.String(), r.from.name, "OBJECT")}, r.table)
	r.from = next
}

// renameColumns gives columns their names.
func (p *planner) renameColumns(w *work) {
	var pending []renaming
	for _, c := range w.from.table.Columns {
		if to := w.to.column(c.ID); to != nil && to.Name != c.Name && w.columns[c.ID] != renewColumn {
			pending = append(pending, renaming{c.Name, to.Name})
		}
	}
	on, label := w.to.on(), w.to.label()
	for _, r := range orderRenames(pending) {
		p.add(designer.Step{Statement: renameStep(on+"."+quote(r.from), r.to, "COLUMN"),
			Comment: "Rename column " + label + "." + r.from + " to " + r.to,
			Reverse: renameStep(on+"."+quote(r.to), r.from, "COLUMN")}, w.to.table)
	}
}

// renameConstraints gives constraints and indexes their names: constraints
// share a place with all of their schema, indexes with those of their table.
func (p *planner) renameConstraints() {
	bySchema := map[string][]renaming{}
	var order []string
	tables := map[string]*designer.Table{} // by schema and name of a constraint on its way
	for _, w := range p.inPlace() {
		schema := w.to.table.Schema
		if _, seen := bySchema[schema]; !seen {
			order = append(order, schema)
		}
		constraints, indexes := w.renamings()
		for _, r := range constraints {
			tables[schema+"\x00"+r.from] = w.to.table
		}
		bySchema[schema] = append(bySchema[schema], constraints...)
		for _, r := range orderRenames(indexes) {
			p.add(designer.Step{Statement: renameStep(w.to.on()+"."+quote(r.from), r.to, "INDEX"),
				Comment: "Rename index " + r.from + " of " + w.to.label() + " to " + r.to,
				Reverse: renameStep(w.to.on()+"."+quote(r.to), r.from, "INDEX")}, w.to.table)
		}
	}
	for _, schema := range order {
		for _, r := range orderRenames(bySchema[schema]) {
			t := tables[schema+"\x00"+r.from]
			tables[schema+"\x00"+r.to] = t
			p.add(designer.Step{Statement: renameStep(qualified(schema, r.from), r.to, "OBJECT"),
				Comment: "Rename constraint " + r.from + " of " + tableLabel(t) + " to " + r.to,
				Reverse: renameStep(qualified(schema, r.to), r.from, "OBJECT")}, t)
		}
	}
}

// renamings lists the new names of a table's constraints and indexes.
func (w *work) renamings() (constraints, indexes []renaming) {
	if w.renameKey {
		constraints = append(constraints, renaming{w.from.table.PrimaryKey.Name, w.to.table.PrimaryKey.Name})
	}
	for _, d := range w.diff.Indexes {
		if !d.Changed() || !w.renameIndexes[d.From.ID] {
			continue
		}
		if d.From.Constraint {
			constraints = append(constraints, renaming{d.From.Name, d.To.Name})
		} else {
			indexes = append(indexes, renaming{d.From.Name, d.To.Name})
		}
	}
	for _, d := range w.diff.Checks {
		if d.Changed() && w.renameChecks[d.From.ID] {
			constraints = append(constraints, renaming{d.From.Name, d.To.Name})
		}
	}
	for _, d := range w.diff.ForeignKeys {
		if d.Changed() && w.renameForeignKeys[d.From.ID] {
			constraints = append(constraints, renaming{d.From.Name, d.To.Name})
		}
	}
	return constraints, indexes
}
