package postgres

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// alterColumns brings the columns that stay to what they have to be, all but
// their names.
func (p *planner) alterColumns() {
	for _, tp := range p.order {
		for _, c := range tp.Columns {
			if c.Changed() && !tp.rebuilt[c.From.ID] {
				a := &alteration{planner: p, tp: tp, c: c, from: *c.From, to: *c.To}
				a.name = qualifiedPlain(tp.From.Schema, tp.From.Name) + "." + c.From.Name
				a.run()
			}
		}
	}
}

// alteration is one column on its way.
type alteration struct {
	*planner
	tp       *tablePlan
	c        designer.ColumnDiff
	from, to designer.Column
	name     string // for a reader
}

// run adds what changes, in the order in which the server takes it: what would
// keep the type from changing, the type, and what needs the new type.
func (a *alteration) run() {
	identity := a.numbering(a.from) != a.numbering(a.to)
	if identity && a.from.IsIdentity {
		a.dropIdentity()
	}
	if a.from.IsComputed && !a.to.IsComputed {
		a.alter("keep the values of computed column", "DROP EXPRESSION", "")
	}
	if a.c.Type || a.c.Collation {
		a.retype()
	} else if a.c.Default && !a.from.IsComputed {
		a.setDefault()
	}
	if a.from.IsComputed && !a.to.IsComputed && a.to.DefaultValue != "" {
		a.alter("set the default of", a.defaultClause(a.to), "DROP DEFAULT")
	}
	if a.c.Nullable {
		a.setNullable()
	}
	if identity && a.from.IsIdentity && a.to.IsIdentity {
		a.noteSequence(a.name)
	}
	switch {
	case identity && a.to.IsIdentity:
		a.addIdentity()
	case a.to.IsIdentity:
		a.changeIdentity()
	}
}

// numbering is how a column numbers itself: the two forms of identity turn
// into each other, a serial is another thing.
func (a *alteration) numbering(c designer.Column) string {
	switch {
	case isSerialColumn(c):
		return IdentitySerial
	case c.IsIdentity:
		return "identity"
	}
	return ""
}

func (a *alteration) start(column string) string {
	return "ALTER TABLE " + a.planner.from.table(a.tp.From) + " ALTER COLUMN " + ident(column) + " "
}

// alter adds a step of one clause; reverse is a clause too, or "".
func (a *alteration) alter(what, clause, reverse string, risks ...designer.Risk) {
	if reverse != "" {
		reverse = a.start(a.from.Name) + reverse
	}
	a.add(a.tp.From, what+" "+a.name, a.start(a.from.Name)+clause, reverse, risks...)
}

func (a *alteration) defaultClause(c designer.Column) string {
	if c.DefaultValue == "" {
		return "DROP DEFAULT"
	}
	return "SET DEFAULT " + operand(c.DefaultValue)
}

func (a *alteration) setDefault() {
	what := "set the default of"
	if a.to.DefaultValue == "" {
		what = "drop the default of"
	}
	a.alter(what, a.defaultClause(a.to), a.defaultClause(a.from))
}

func (a *alteration) setNullable() {
	if a.to.IsNullable {
		a.alter("allow nulls in", "DROP NOT NULL", "SET NOT NULL")
		return
	}
	a.alter("refuse nulls in", "SET NOT NULL", "DROP NOT NULL", designer.RiskMayFail, designer.RiskBlocksWrites)
}

// retype changes the type. A default does not follow it by itself: it goes
// before and is set again, all in one statement.
func (a *alteration) retype() {
	risks := append([]designer.Risk{designer.RiskBlocksWrites}, typeRisks(a.from, a.to)...)
	a.add(a.tp.From, "change the type of "+a.name, a.retypeText(a.planner.from, a.planner.to, a.from, a.to),
		a.retypeText(a.planner.to, a.planner.from, a.to, a.from), risks...)
	if isSerialColumn(a.from) && isSerialColumn(a.to) {
		a.alterSequence("let the sequence count as far as", a.to.DataType)
	}
}

// retypeText changes a column that is still called as before from one type to
// another.
func (a *alteration) retypeText(w, next *writer, from, to designer.Column) string {
	column := "ALTER COLUMN " + ident(a.from.Name)
	var clauses []string
	if from.DefaultValue != "" && !from.IsComputed {
		clauses = append(clauses, column+" DROP DEFAULT")
	}
	typed := column + " TYPE " + next.dataType(to)
	if to.Collation != "" {
		typed += " COLLATE " + next.collation(to.Collation)
	}
	if using := conversion(from, to, ident(a.from.Name), next.dataType(to)); using != "" && !to.IsComputed {
		typed += " USING " + using
	}
	clauses = append(clauses, typed)
	if to.DefaultValue != "" && !to.IsComputed && !from.IsComputed {
		clauses = append(clauses, column+" "+a.defaultClause(to))
	}
	return "ALTER TABLE " + a.planner.from.table(a.tp.From) + " " + strings.Join(clauses, ", ")
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

// grantColumn restores the rights on a column that is re-created.
func (p *planner) grantColumn(tp *tablePlan, c designer.Column) {
	if o := p.rightsOn(tp, c.ID); o != nil {
		p.run(tp.To, "rights on column "+qualifiedPlain(tp.To.Schema, tp.To.Name)+"."+c.Name, o.Grants...)
	}
}

// rightsOn finds the rights on a single column that is re-created, nil where
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

// columnRisks returns what a new column does to the rows that are there.
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

// dropColumns drops columns, computed ones first: they may need the others.
func (p *planner) dropColumns(tp *tablePlan) {
	for _, computed := range []bool{true, false} {
		for _, c := range tp.From.Columns {
			after := columnByID(tp.To, c.ID)
			if c.IsComputed != computed || after.Name != "" && !tp.rebuilt[c.ID] {
				continue
			}
			comment, risks := "drop column ", []designer.Risk{designer.RiskDataLoss}
			if c.IsComputed {
				risks = nil
			}
			if after.Name != "" {
				comment = "drop, to compute it again, column "
			}
			p.add(tp.From, comment+qualifiedPlain(tp.From.Schema, tp.From.Name)+"."+c.Name,
				"ALTER TABLE "+p.from.table(tp.From)+" DROP COLUMN "+ident(c.Name), "", p.withBreaks(tp.From, c.Name, risks...)...)
		}
	}
}
