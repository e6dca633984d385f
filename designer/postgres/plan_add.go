package postgres

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// addParts makes what is new, tables and columns first and foreign keys last.
func (p *planner) addParts() {
	for _, t := range p.d.Added {
		p.createTable(p.to, t)
		p.finishTable(p.to, t)
		if len(t.Triggers) > 0 {
			p.notes = append(p.notes, "The triggers of table "+qualifiedPlain(t.Schema, t.Name)+" are not made: "+strings.Join(t.Triggers, ", ")+".")
		}
	}
	for _, tp := range p.order {
		p.addColumns(tp)
	}
	for _, tp := range p.order {
		if tp.addPrimary {
			p.addPrimaryKey(p.to, tp.To)
		}
		for _, x := range tp.addIndexes {
			p.addIndex(p.to, tp.To, x)
			p.indexSettings(p.to, tp.To, x)
		}
		for _, k := range tp.addChecks {
			p.addCheck(p.to, tp.To, k)
		}
	}
	for _, t := range p.d.Added {
		for _, k := range t.ForeignKeys {
			p.addForeignKey(p.to, t, k)
		}
	}
	for _, tp := range p.order {
		for _, k := range tp.addKeys {
			p.addForeignKey(p.to, tp.To, k)
		}
	}
}

// addColumns adds columns, computed ones last: they may need the others.
func (p *planner) addColumns(tp *tablePlan) {
	for _, computed := range []bool{false, true} {
		for _, c := range tp.To.Columns {
			if c.IsComputed == computed && (columnByID(tp.From, c.ID).Name == "" || tp.rebuilt[c.ID]) {
				p.addColumn(tp, c)
				p.grantColumn(tp, c)
			}
		}
	}
}

func (p *planner) addColumn(tp *tablePlan, c designer.Column) {
	name := qualifiedPlain(tp.To.Schema, tp.To.Name) + "." + c.Name
	table := "ALTER TABLE " + p.to.table(tp.To)
	if p.needsSequence(p.to, tp.To, c) {
		p.add(tp.To, "create the sequence of "+name, p.to.createSequence(tp.To, c), "")
	}
	p.add(tp.To, "add column "+name, table+" ADD COLUMN "+p.to.column(tp.To, c), table+" DROP COLUMN "+ident(c.Name), columnRisks(c)...)
	if p.needsSequence(p.to, tp.To, c) {
		schema, sequence := p.to.sequenceOf(tp.To, c)
		p.add(tp.To, "let the sequence of "+name+" go with its column", p.to.ownSequence(tp.To, c.Name, schema, sequence), "")
	}
	p.columnSettings(p.to, tp.To, c)
}

// grantColumn gives the rights on a column that is made anew back.
func (p *planner) grantColumn(tp *tablePlan, c designer.Column) {
	if o := p.rightsOn(tp, c.ID); o != nil {
		p.run(tp.To, "rights on column "+qualifiedPlain(tp.To.Schema, tp.To.Name)+"."+c.Name, o.Grants...)
	}
}

// rightsOn finds the rights on a single column that is made anew, nil where
// there are none.
func (p *planner) rightsOn(tp *tablePlan, column designer.ID) *designer.Object {
	if !tp.rebuilt[column] {
		return nil
	}
	for _, o := range p.d.From.Objects() {
		if o.Kind == designer.ObjectRights && o.Schema == tp.From.Schema && o.Table == tp.From.Name && o.Name == columnByID(tp.From, column).Name {
			return &o
		}
	}
	return nil
}

// columnRisks says what a new column does to the rows that are there.
func columnRisks(c designer.Column) []designer.Risk {
	switch {
	case c.IsIdentity, c.IsComputed:
		return []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites}
	case c.DefaultValue == "" && !c.IsNullable:
		return []designer.Risk{designer.RiskMayFail} // where there are rows
	case c.DefaultValue != "" && !isConstant(c.DefaultValue):
		return []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites}
	}
	return nil
}

// isConstant reports whether a default is the same for all rows without being
// computed for each: then no row is written.
func isConstant(expression string) bool {
	tokens := significant(expression)
	for i, t := range tokens {
		switch {
		case t.Kind == sqltext.Number, t.Kind == sqltext.String, t.Text == "-" && i == 0:
		case i > 0 && t.Text == "::":
			return true // a cast of a constant
		case t.Is("true"), t.Is("false"), t.Is("null"):
		default:
			return false
		}
	}
	return len(tokens) > 0
}
