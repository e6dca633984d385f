package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// changeColumns adds and alters columns, under their new names.
func (p *planner) changeColumns(w *work) {
	for _, d := range w.diff.Columns {
		if d.Added() && !d.To.IsComputed {
			p.addColumn(w, d.To)
		}
	}
	for i := range w.to.table.Columns {
		to := &w.to.table.Columns[i]
		from := w.from.column(to.ID)
		if from == nil {
			continue
		}
		switch how := w.columns[to.ID]; {
		case how == renewColumn && !to.IsComputed:
			p.addColumn(w, to)
		case how == convertColumn && !to.IsNullable:
			asNow := *to // it was added nullable, to be filled
			asNow.IsNullable = true
			p.alterColumn(w, &asNow, to)
		case how == alterColumn, how == widenColumn:
			p.alterColumn(w, from, to)
		}
	}
	if w.parked != "" {
		p.add(designer.Step{Statement: "ALTER TABLE " + w.to.on() + " DROP COLUMN " + quote(w.parked),
			Comment: "Drop the column of " + w.to.label() + " that was kept until now", Risks: []designer.Risk{designer.RiskDataLoss}}, w.to.table)
	}
}

func (p *planner) addColumn(w *work, c *designer.Column) {
	var risks []designer.Risk
	switch {
	case c.IsIdentity || strings.EqualFold(c.DataType, "rowversion") || c.IsComputed && c.ComputedPersisted:
		risks = []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites}
	case !c.IsComputed && !c.IsNullable && c.DefaultValue == "":
		risks = []designer.Risk{designer.RiskMayFail} // rows that are there would have no value
	}
	drop := "ALTER TABLE " + w.to.on() + " DROP COLUMN " + quote(c.Name)
	if c.DefaultValue != "" {
		r := constraintRef{kind: "default", name: c.Options[OptionDefaultName], find: findDefault(c.Name)}
		drop = r.drop(w.to.on()) + ";\n" + drop
	}
	p.add(designer.Step{Statement: "ALTER TABLE " + w.to.on() + " ADD " + columnText(*c),
		Comment: "Add column " + w.to.label() + "." + c.Name, Reverse: drop, Risks: risks}, w.to.table)
}

// alterColumn writes an ALTER COLUMN. It says all that is the column's own:
// what it does not say would become the default.
func (p *planner) alterColumn(w *work, from, to *designer.Column) {
	on := "ALTER TABLE " + w.to.on() + " ALTER COLUMN "
	guid := to.Options[OptionRowGUID] != "" && typeText(*from) != typeText(*to)
	if guid {
		p.add(designer.Step{Statement: on + quote(to.Name) + " DROP ROWGUIDCOL", Comment: "Let go of ROWGUIDCOL of " + w.to.label() + "." + to.Name,
			Reverse: on + quote(to.Name) + " ADD ROWGUIDCOL"}, w.to.table)
	}
	back := *from
	back.Name = to.Name
	p.add(designer.Step{Statement: on + alterText(*to, back), Comment: "Alter column " + w.to.label() + "." + to.Name,
		Reverse: on + alterText(back, *to), Risks: alterRisks(*from, *to)}, w.to.table)
	if guid {
		p.add(designer.Step{Statement: on + quote(to.Name) + " ADD ROWGUIDCOL", Comment: "Make " + w.to.label() + "." + to.Name + " ROWGUIDCOL again",
			Reverse: on + quote(to.Name) + " DROP ROWGUIDCOL"}, w.to.table)
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
	if m := c.Options[OptionMasked]; m != "" {
		words = append(words, "MASKED WITH (FUNCTION = '"+strings.ReplaceAll(m, "'", "''")+"')")
	}
	words = append(words, nullability(c.IsNullable))
	if c.Options[OptionSparse] != "" {
		words = append(words, "SPARSE")
	}
	return strings.Join(words, " ")
}

func alterRisks(from, to designer.Column) []designer.Risk {
	risks := []designer.Risk{designer.RiskBlocksWrites}
	loses := narrows(from, to)
	if !strings.EqualFold(from.DataType, to.DataType) || loses || from.IsNullable && !to.IsNullable {
		risks = append(risks, designer.RiskRewritesTable)
	}
	if loses {
		risks = append(risks, designer.RiskDataLoss)
	}
	if loses || from.IsNullable && !to.IsNullable {
		risks = append(risks, designer.RiskMayFail)
	}
	return risks
}
