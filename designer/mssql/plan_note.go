package mssql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// warn notes what the plan does to what is not part of it.
func (p *planner) warn() {
	carried := p.carried()
	for _, tp := range p.tables {
		if tp.rebuild != "" {
			p.note(fmt.Sprintf("Table %s is re-created, as %s. Permissions granted on it, statistics, full-text indexes and extended properties other than MS_Description go with the old one.", tp.from.label(), tp.rebuild))
		}
		p.warnOfColumns(tp)
		if tp.diff.Moved {
			p.note("Permissions granted on table " + tp.from.label() + " itself go with its move to another schema.")
		}
		p.warnOfModules(tp, carried)
	}
	for _, t := range p.d.Dropped {
		for _, m := range carried {
			if m.schema == t.Schema && m.kind == "trigger" && p.isOn(m, t) {
				continue // it goes with the table
			}
			if line := m.line(t.Name); line > 0 {
				p.note(fmt.Sprintf("The text of %s %s.%s names table %s, which is dropped, on line %d.", m.kind, m.schema, m.name, tableLabel(t), line))
				p.breaks(t, "DROP TABLE ")
			}
		}
	}
}

// warnOfColumns notes what is lost with columns that are made again or dropped.
func (p *planner) warnOfColumns(tp *tablePlan) {
	for i := range tp.from.table.Columns {
		c := &tp.from.table.Columns[i]
		how := tp.columns[c.ID]
		to := tp.to.column(c.ID)
		label := tp.from.label() + "." + c.Name
		switch {
		case to != nil && classOf(to.DataType) == classRowVersion && (tp.rebuild != "" || how == renewColumn):
			p.note("All rows get a new value of rowversion column " + label + ": who compares it with one read before sees a change.")
		case how == convertColumn && tp.rebuild == "":
			p.note("Column " + label + " is re-created, as the last of its table. Statistics, full-text indexes and extended properties other than MS_Description go with the old one.")
		case how == dropColumn && tp.from.table.Options[OptionVersioning] != "":
			p.note("Column " + label + " is dropped from the history " + tp.from.table.Options[OptionVersioning] + " as well.")
		}
	}
}

// carried lists the views, routines and triggers of the database.
func (p *planner) carried() []module {
	list := slices.Clone(p.modules)
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectTrigger {
			list = append(list, newModule("trigger", o.Schema, o.Name, o.Definition))
		}
	}
	return list
}

// warnOfModules notes whose text names what gets another name, or binds what
// changes.
func (p *planner) warnOfModules(tp *tablePlan, carried []module) {
	from, to := tp.from.table, tp.to.table
	var gone []string
	for _, c := range from.Columns {
		if next := tp.to.column(c.ID); next == nil || next.Name != c.Name {
			gone = append(gone, c.Name)
		}
	}
	for _, m := range carried {
		table := m.line(from.Name)
		if table == 0 {
			continue
		}
		if m.kind != "view" && m.isBound() {
			p.note(fmt.Sprintf("%s %s.%s is bound to what it uses (SCHEMABINDING): where that is part of table %s the server refuses the change; drop it before and make it again after.", capital(m.kind), m.schema, m.name, tp.from.label()))
			continue
		}
		if from.Name != to.Name || from.Schema != to.Schema {
			p.note(fmt.Sprintf("The text of %s %s.%s names table %s, which gets another name, on line %d: change it.", m.kind, m.schema, m.name, tp.from.label(), table))
			p.breaks(from, "@newname = "+literal(to.Name)+", @objtype = 'OBJECT'", "TRANSFER OBJECT::")
		}
		for _, column := range gone {
			if line := m.line(column); line > 0 {
				p.note(fmt.Sprintf("The text of %s %s.%s names column %s of table %s, which is renamed or dropped, on line %d: change it.", m.kind, m.schema, m.name, column, tp.from.label(), line))
				p.breaks(from, literal(quote(from.Schema)+"."+quote(from.Name)+"."+quote(column)), "."+quote(column)+"'", "DROP COLUMN "+quote(column))
			}
		}
	}
}

func capital(word string) string { return string(word[0]-'a'+'A') + word[1:] }

// breaks marks the step by which a name goes that a text has: the first one of
// the table with one of the clauses, else the last one of the table.
func (p *planner) breaks(t *designer.Table, clauses ...string) {
	at := -1
	for i, s := range p.list {
		if !slices.Contains(s.Tables, designer.TableName{Schema: t.Schema, Name: t.Name}) {
			continue
		}
		at = i
		if slices.ContainsFunc(clauses, func(c string) bool { return strings.Contains(s.Statement, c) }) {
			break
		}
	}
	if at >= 0 && !slices.Contains(p.list[at].Risks, designer.RiskBreaks) {
		p.list[at].Risks = append(slices.Clip(p.list[at].Risks), designer.RiskBreaks)
	}
}

// isOn reports whether a trigger is one of the table.
func (p *planner) isOn(m module, t *designer.Table) bool {
	return slices.ContainsFunc(p.triggers(t), func(o designer.Object) bool { return o.Name == m.name })
}
