package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// makeAnew puts a new table into the place of one that cannot be altered:
// bare columns, the rows, and the old name. Its defaults, keys, indexes,
// checks and triggers follow, as their names are free only then.
func (p *planner) makeAnew(w *work) error {
	if err := p.checkTriggers(w); err != nil {
		return err
	}
	columns, values := w.copied()
	if len(columns) == 0 {
		return w.error(w.rebuild + " and the table has no column whose values could be kept")
	}
	next := p.d.To.DefineTable(w.to.table)
	final := w.to.on()
	next.Name = p.freeTable()
	on, label := qualified(next.Schema, next.Name), w.to.label()
	p.keepRights(final, label, "", w.to.table)
	p.add(designer.Step{Statement: createTable(bare(next)), Comment: "Make table " + label + " anew: " + w.rebuild,
		Reverse: "DROP TABLE " + on}, w.to.table)
	insert := fmt.Sprintf("INSERT INTO %s (%s)\nSELECT %s FROM %s WITH (HOLDLOCK, TABLOCKX)", on, strings.Join(columns, ", "), strings.Join(values, ", "), final)
	if w.keepsIdentity(columns) {
		insert = "SET IDENTITY_INSERT " + on + " ON\n" + insert + "\nSET IDENTITY_INSERT " + on + " OFF"
	}
	p.add(designer.Step{Statement: insert, Comment: "Copy the rows of " + label,
		Risks: []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}}, w.to.table)
	if w.countsOn() {
		p.add(designer.Step{Statement: fmt.Sprintf("DECLARE @last bigint = IDENT_CURRENT(%s);\nIF @last > IDENT_CURRENT(%s) DBCC CHECKIDENT (%s, RESEED, @last) WITH NO_INFOMSGS",
			literal(final), literal(on), literal(on)), Comment: "Go on numbering " + label + " where the old table ended"}, w.to.table)
	}
	p.add(designer.Step{Statement: "DROP TABLE " + final, Comment: "Drop the old table " + label}, w.to.table)
	p.add(designer.Step{Statement: renameStep(on, w.to.table.Name, "OBJECT"), Comment: "Give the new table the name of " + label}, w.to.table)
	return nil
}

// bare is a table without what has a name of its own, and without defaults.
func bare(t designer.TableDefinition) designer.TableDefinition {
	t.PrimaryKey, t.Indexes, t.Checks = nil, nil, nil
	for i := range t.Columns {
		t.Columns[i].DefaultValue = ""
	}
	return t
}

// freeTable is a name that no table or view has, before or after.
func (p *planner) freeTable() string {
	return temporaryName(func(name string) bool {
		for _, s := range []*designer.Schema{p.d.From, p.d.To} {
			for _, t := range s.Tables() {
				if strings.EqualFold(t.Name, name) {
					return true
				}
			}
			for _, v := range s.Views() {
				if strings.EqualFold(v.Name, name) {
					return true
				}
			}
		}
		return false
	})
}

// copied lists the columns that get values and, in the same order, what from
// the old table they are.
func (w *work) copied() (columns, values []string) {
	for i := range w.to.table.Columns {
		to := &w.to.table.Columns[i]
		from := w.from.column(to.ID)
		switch {
		case to.IsComputed || classOf(to.DataType) == classRowVersion || to.Options[OptionColumnSet] != "":
		case from != nil:
			columns = append(columns, quote(to.Name))
			values = append(values, converted(*from, *to))
		case to.DefaultValue != "" && !to.IsNullable:
			columns = append(columns, quote(to.Name))
			values = append(values, wrap(to.DefaultValue))
		}
	}
	return columns, values
}

// keepsIdentity reports whether the identity column of the new table is among
// the columns that get values.
func (w *work) keepsIdentity(columns []string) bool {
	for _, c := range w.to.table.Columns {
		if c.IsIdentity {
			for _, name := range columns {
				if name == quote(c.Name) {
					return true
				}
			}
		}
	}
	return false
}

// countsOn reports whether the new table numbers the column that the old one
// numbered, upwards.
func (w *work) countsOn() bool {
	for _, c := range w.to.table.Columns {
		from := w.from.column(c.ID)
		if c.IsIdentity && c.IdentityIncrement > 0 && from != nil && from.IsIdentity && from.IdentityIncrement > 0 {
			return true
		}
	}
	return false
}

// checkTriggers refuses to lose a trigger whose text is not known.
func (p *planner) checkTriggers(w *work) error {
	for _, o := range p.triggers(w.from.table) {
		if o.Definition == "" {
			return w.error(fmt.Sprintf("%s and the table cannot be made anew without losing trigger %s, whose text is not known", w.rebuild, o.Name))
		}
	}
	return nil
}
