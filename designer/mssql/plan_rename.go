package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// relocation is a table on its way to another schema or name: a
// [designer.NamedObject].
type relocation struct {
	p     *planner
	table *designer.Table // as it was
	at    objectName      // where it is by now
	want  objectName
	taken map[objectName]bool // in use before or after, by anything
	aside bool                // it has had a temporary name
}

// renameTables gives tables their schemas and names.
func (p *planner) renameTables() {
	taken := map[objectName]bool{}
	for _, s := range []*designer.Schema{p.d.From, p.d.To} {
		for _, t := range s.Tables() {
			taken[objectName{t.Schema, t.Name}.folded()] = true
		}
		for _, v := range s.Views() {
			taken[objectName{v.Schema, v.Name}.folded()] = true
		}
	}
	var objects []designer.NamedObject
	for _, t := range p.d.From.Tables() {
		after := p.d.To.ByID(t.ID)
		if after != nil {
			name := objectName{t.Schema, t.Name}
			objects = append(objects, &relocation{p: p, table: t, at: name, want: objectName{after.Schema, after.Name}, taken: taken})
		}
	}
	designer.Sequence(objects) // every table in the way can step aside
}

// Slots implements [designer.NamedObject].
func (r *relocation) Slots() []designer.Slot { return []designer.Slot{r.at.slot()} }

// Next implements [designer.NamedObject]. A table that moves and gets another
// name goes through a name that must be free too.
func (r *relocation) Next() []designer.Slot {
	switch {
	case !r.moves() && r.at.name == r.want.name:
		return nil
	case r.caseAlone():
		return []designer.Slot{}
	}
	return []designer.Slot{r.want.slot(), objectName{r.want.schema, r.at.name}.slot()}
}

func (r *relocation) moves() bool { return !strings.EqualFold(r.at.schema, r.want.schema) }

// caseAlone reports whether nothing but the case of a name changes: the server
// takes that for the same name.
func (r *relocation) caseAlone() bool { return r.at.slot() == r.want.slot() }

// Move implements [designer.NamedObject].
func (r *relocation) Move() []designer.NamedObject {
	if r.caseAlone() {
		return r.park()
	}
	if r.moves() {
		to := objectName{r.want.schema, r.at.name}
		r.p.add(designer.Step{Statement: "ALTER SCHEMA " + quote(to.schema) + " TRANSFER OBJECT::" + r.at.String(),
			Comment: "Move table " + r.at.label() + " to schema " + to.schema,
			Reverse: "ALTER SCHEMA " + quote(r.at.schema) + " TRANSFER OBJECT::" + to.String()}, r.table)
		r.at.schema = to.schema
	}
	if r.at.name != r.want.name {
		r.rename(r.want.name, "Rename table "+r.at.label()+" to "+r.want.name)
	}
	return []designer.NamedObject{r}
}

// StepAside implements [designer.NamedObject].
func (r *relocation) StepAside(func([]designer.Slot) bool) []designer.NamedObject {
	if r.aside || r.Next() == nil {
		return nil
	}
	return r.park()
}

// park gives the table a temporary name where it is.
func (r *relocation) park() []designer.NamedObject {
	r.aside = true
	name := temporaryName(func(name string) bool {
		return r.taken[objectName{r.at.schema, name}.folded()] || r.taken[objectName{r.want.schema, name}.folded()]
	})
	r.taken[objectName{r.at.schema, name}.folded()], r.taken[objectName{r.want.schema, name}.folded()] = true, true
	r.rename(name, "Give table "+r.at.label()+" a temporary name")
	return []designer.NamedObject{r}
}

func (r *relocation) rename(name, comment string) {
	next := objectName{r.at.schema, name}
	r.p.add(designer.Step{Statement: renameStep(r.at.String(), name, "OBJECT"), Comment: comment,
		Reverse: renameStep(next.String(), r.at.name, "OBJECT")}, r.table)
	r.at = next
}

// renameColumns gives columns their names.
func (p *planner) renameColumns(tp *tablePlan) {
	var pending []designer.Rename
	for _, c := range tp.from.table.Columns {
		if to := tp.to.column(c.ID); to != nil && to.Name != c.Name && tp.columns[c.ID] != renewColumn {
			pending = append(pending, designer.Rename{From: c.Name, To: to.Name})
		}
	}
	on, label := tp.to.on(), tp.to.label()
	for _, r := range orderRenames(pending) {
		p.add(designer.Step{Statement: renameStep(on+"."+quote(r.From), r.To, "COLUMN"),
			Comment: "Rename column " + label + "." + r.From + " to " + r.To,
			Reverse: renameStep(on+"."+quote(r.To), r.From, "COLUMN")}, tp.to.table)
	}
}

// renameConstraints gives constraints and indexes their names: constraints
// share a place with all of their schema, indexes with those of their table.
func (p *planner) renameConstraints() {
	bySchema := map[string][]designer.Rename{}
	var order []string
	tables := map[string]*designer.Table{} // by schema and name of a constraint on its way
	for _, tp := range p.inPlace() {
		schema := tp.to.table.Schema
		if _, seen := bySchema[schema]; !seen {
			order = append(order, schema)
		}
		constraints, indexes := tp.renamings()
		for _, r := range constraints {
			tables[schema+"\x00"+r.From] = tp.to.table
		}
		bySchema[schema] = append(bySchema[schema], constraints...)
		for _, r := range orderRenames(indexes) {
			p.add(designer.Step{Statement: renameStep(tp.to.on()+"."+quote(r.From), r.To, "INDEX"),
				Comment: "Rename index " + r.From + " of " + tp.to.label() + " to " + r.To,
				Reverse: renameStep(tp.to.on()+"."+quote(r.To), r.From, "INDEX")}, tp.to.table)
		}
	}
	for _, schema := range order {
		for _, r := range orderRenames(bySchema[schema]) {
			t := tables[schema+"\x00"+r.From]
			tables[schema+"\x00"+r.To] = t
			p.add(designer.Step{Statement: renameStep(qualified(schema, r.From), r.To, "OBJECT"),
				Comment: "Rename constraint " + r.From + " of " + tableLabel(t) + " to " + r.To,
				Reverse: renameStep(qualified(schema, r.To), r.From, "OBJECT")}, t)
		}
	}
}

// renamings lists the new names of a table's constraints and indexes.
func (tp *tablePlan) renamings() (constraints, indexes []designer.Rename) {
	if tp.renameKey {
		constraints = append(constraints, designer.Rename{From: tp.from.table.PrimaryKey.Name, To: tp.to.table.PrimaryKey.Name})
	}
	for _, d := range tp.diff.Indexes {
		if !d.Changed() || !tp.indexes.rename[d.From.ID] {
			continue
		}
		if d.From.Constraint {
			constraints = append(constraints, designer.Rename{From: d.From.Name, To: d.To.Name})
		} else {
			indexes = append(indexes, designer.Rename{From: d.From.Name, To: d.To.Name})
		}
	}
	for _, d := range tp.diff.Checks {
		if d.Changed() && tp.checks.rename[d.From.ID] {
			constraints = append(constraints, designer.Rename{From: d.From.Name, To: d.To.Name})
		}
	}
	for _, d := range tp.diff.ForeignKeys {
		if d.Changed() && tp.foreignKeys.rename[d.From.ID] {
			constraints = append(constraints, designer.Rename{From: d.From.Name, To: d.To.Name})
		}
	}
	return constraints, indexes
}

// orderRenames puts renames of one scope into an order that works. A change of
// case alone needs a temporary name here.
func orderRenames(renames []designer.Rename) []designer.Rename {
	taken := map[string]bool{}
	var names []string
	for _, r := range renames {
		taken[designer.Fold(r.From)], taken[designer.Fold(r.To)] = true, true
		names = append(names, r.From)
	}
	space := designer.Namespace{Fold: designer.Fold, Taken: names, CaseDetour: true, Temporary: func(string) string {
		name := temporaryName(func(name string) bool { return taken[designer.Fold(name)] })
		taken[designer.Fold(name)] = true
		return name
	}}
	return space.Sequence(renames)
}

// temporaryName is a name that is not taken.
func temporaryName(taken func(string) bool) string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("berth_tmp_%d", n); !taken(name) {
			return name
		}
	}
}

// renameStep writes an sp_rename. what is the quoted path of the object, kind
// one of OBJECT, COLUMN and INDEX; the new name is not quoted.
func renameStep(what, name, kind string) string {
	return fmt.Sprintf("EXEC sys.sp_rename @objname = %s, @newname = %s, @objtype = '%s'", literal(what), literal(name), kind)
}
