package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// changeColumns adds and alters columns, under their new names.
func (p *planner) changeColumns(tp *tablePlan) {
	for _, d := range tp.diff.Columns {
		if d.Added() && !d.To.IsComputed {
			p.addColumn(tp, d.To)
		}
	}
	for i := range tp.to.table.Columns {
		to := &tp.to.table.Columns[i]
		from := tp.from.column(to.ID)
		if from == nil {
			continue
		}
		switch how := tp.columns[to.ID]; {
		case how == renewColumn && !to.IsComputed:
			p.addColumn(tp, to)
		case how == convertColumn && !to.IsNullable:
			asNow := *to // it was added nullable, to be filled
			asNow.IsNullable = true
			p.alterColumn(tp, &asNow, to)
		case how == alterColumn, how == widenColumn:
			p.alterColumn(tp, from, to)
		}
	}
	if tp.aside != "" {
		p.add(designer.Step{Statement: "ALTER TABLE " + tp.to.on() + " DROP COLUMN " + quote(tp.aside),
			Comment: "Drop the column of " + tp.to.label() + " that was kept until now", Risks: []designer.Risk{designer.RiskDataLoss}}, tp.to.table)
	}
}

func (p *planner) addColumn(tp *tablePlan, c *designer.Column) {
	var risks []designer.Risk
	switch {
	case c.IsIdentity || strings.EqualFold(c.DataType, "rowversion") || c.IsComputed && c.ComputedPersisted:
		risks = []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites}
	case !c.IsComputed && !c.IsNullable && c.DefaultValue == "":
		risks = []designer.Risk{designer.RiskMayFail} // rows that are there would have no value
	}
	drop := "ALTER TABLE " + tp.to.on() + " DROP COLUMN " + quote(c.Name)
	if c.DefaultValue != "" {
		r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
		drop = r.drop(tp.to.on()) + ";\n" + drop
	}
	p.add(designer.Step{Statement: "ALTER TABLE " + tp.to.on() + " ADD " + columnText(*c),
		Comment: "Add column " + tp.to.label() + "." + c.Name, Reverse: drop, Risks: risks}, tp.to.table)
}

// alterColumn writes an ALTER COLUMN. It says all that is the column's own:
// what it does not say would become the default. What it cannot say beside the
// type ("ALTER TABLE") goes before and comes back.
func (p *planner) alterColumn(tp *tablePlan, from, to *designer.Column) {
	on, label := "ALTER TABLE "+tp.to.on()+" ALTER COLUMN ", tp.to.label()+"."+to.Name
	column := on + quote(to.Name)
	aside := []struct {
		is        bool
		what, add string
	}{
		{to.Options[OptionRowGUID] != "" && typeText(*from) != typeText(*to), "ROWGUIDCOL", "ROWGUIDCOL"},
		{to.Options[OptionMasked] != "", "MASKED", maskText(*to)},
	}
	for _, a := range aside {
		if a.is {
			p.add(designer.Step{Statement: column + " DROP " + a.what, Comment: "Take " + a.what + " from " + label + " for a while", Reverse: column + " ADD " + a.add}, tp.to.table)
		}
	}
	back := *from
	back.Name = to.Name
	p.add(designer.Step{Statement: on + alterText(*to, back), Comment: "Alter column " + label,
		Reverse: on + alterText(back, *to), Risks: alterRisks(*from, *to)}, tp.to.table)
	for _, a := range aside {
		if a.is {
			p.add(designer.Step{Statement: column + " ADD " + a.add, Comment: "Make " + label + " " + a.what + " again", Reverse: column + " DROP " + a.what}, tp.to.table)
		}
	}
}

// alterText writes a column as ALTER COLUMN takes it; was is what it is.
func alterText(c, was designer.Column) string {
	words := []string{quote(c.Name), typeText(c)}
	switch {
	case c.Collation != "":
		words = append(words, "COLLATE "+c.Collation)
	case was.Collation != "" && isText(c.DataType):
		words = append(words, "COLLATE DATABASE_DEFAULT")
	}
	words = append(words, nullability(c.IsNullable))
	if c.Options[OptionSparse] != "" {
		words = append(words, "SPARSE")
	}
	return strings.Join(words, " ")
}

// alterRisks are those of an ALTER COLUMN.
func alterRisks(from, to designer.Column) []designer.Risk {
	risks := []designer.Risk{designer.RiskBlocksWrites}
	becomes := outcomeOf(from, to)
	strict := from.IsNullable && !to.IsNullable
	if !strings.EqualFold(from.DataType, to.DataType) || becomes != fits || strict {
		risks = append(risks, designer.RiskRewritesTable)
	}
	if becomes == loses {
		risks = append(risks, designer.RiskDataLoss)
	}
	if becomes != fits || strict {
		risks = append(risks, designer.RiskMayFail)
	}
	return risks
}

// convert gives the columns that ALTER COLUMN cannot convert their new type:
// a new column takes the values, and then the old one's name. Triggers have no
// part in it.
func (p *planner) convert(tp *tablePlan) {
	var list []*designer.Column
	for i := range tp.from.table.Columns {
		if c := &tp.from.table.Columns[i]; tp.columns[c.ID] == convertColumn {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	p.switchTriggers(tp, "DISABLE", "ENABLE")
	for _, c := range list {
		p.convertColumn(tp, c)
	}
	p.switchTriggers(tp, "ENABLE", "DISABLE")
}

func (p *planner) convertColumn(tp *tablePlan, c *designer.Column) {
	next := *tp.to.column(c.ID)
	next.Name, next.IsNullable, next.DefaultValue = tp.freeColumn(), true, ""
	on, label := tp.from.on(), tp.from.label()+"."+c.Name
	p.keepRights(on, tp.from.label(), c.Name, tp.from.table)
	p.add(designer.Step{Statement: "ALTER TABLE " + on + " ADD " + columnText(next), Comment: "Add a column for the converted values of " + label,
		Reverse: dropColumnText(on, next.Name)}, tp.from.table)
	p.add(designer.Step{Statement: fmt.Sprintf("UPDATE %s SET %s = %s", on, quote(next.Name), converted(*c, next)),
		Comment: "Convert " + label + " to " + typeText(next),
		Risks:   []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}}, tp.from.table)
	p.add(designer.Step{Statement: dropColumnText(on, c.Name), Comment: "Drop the old column " + label,
		Risks: lossRisk(outcomeOf(*c, next) == loses)}, tp.from.table)
	p.add(designer.Step{Statement: renameStep(on+"."+quote(next.Name), c.Name, "COLUMN"), Comment: "Give the new column the name of " + label,
		Reverse: renameStep(on+"."+quote(c.Name), next.Name, "COLUMN")}, tp.from.table)
}

// lossRisk is the risk of a step after which values are gone.
func lossRisk(lost bool) []designer.Risk {
	if lost {
		return []designer.Risk{designer.RiskDataLoss}
	}
	return nil
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
func (tp *tablePlan) freeColumn() string {
	return temporaryName(func(name string) bool {
		for _, v := range []*tableState{tp.from, tp.to} {
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
func (p *planner) dropColumns(tp *tablePlan) {
	last := tp.lastColumn()
	for i := range tp.from.table.Columns {
		c := &tp.from.table.Columns[i]
		drops := !c.IsComputed && (tp.columns[c.ID] == dropColumn || tp.columns[c.ID] == renewColumn)
		switch {
		case !drops:
		case c.ID == last:
			tp.aside = tp.freeColumn()
			p.add(designer.Step{Statement: renameStep(tp.from.on()+"."+quote(c.Name), tp.aside, "COLUMN"),
				Comment: "Keep " + tp.from.label() + "." + c.Name + " until the table has another column",
				Reverse: renameStep(tp.from.on()+"."+quote(tp.aside), c.Name, "COLUMN")}, tp.from.table)
		default:
			p.dropColumn(tp.from, c)
		}
	}
}

// lastColumn is a column to keep for a while where all others with values go,
// "" where one stays.
func (tp *tablePlan) lastColumn() designer.ID {
	last := designer.ID("")
	for _, c := range tp.from.table.Columns {
		how := tp.columns[c.ID]
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

func (p *planner) dropDefault(v *tableState, c *designer.Column) {
	r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
	p.add(designer.Step{Statement: r.drop(v.on()), Comment: "Drop the default of " + v.label() + "." + c.Name,
		Reverse: addDefault(v, c)}, v.table)
}

func addDefault(v *tableState, c *designer.Column) string {
	return "ALTER TABLE " + v.on() + " ADD " + defaultText(*c) + " FOR " + quote(c.Name)
}

func (p *planner) addDefault(v *tableState, c *designer.Column) {
	r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
	p.add(designer.Step{Statement: addDefault(v, c), Comment: "Set the default of " + v.label() + "." + c.Name,
		Reverse: r.drop(v.on())}, v.table)
}

// dropColumn drops a column; what is computed can be computed again.
func (p *planner) dropColumn(v *tableState, c *designer.Column) {
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
