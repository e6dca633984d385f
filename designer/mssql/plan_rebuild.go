package mssql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// checkRebuild refuses to re-create a table that has what a new one would
// not have.
func (tp *tablePlan) checkRebuild() error {
	if tp.diff.Options {
		return tp.error("no plan changes how a table is stored; change it by hand")
	}
	if tp.rebuild == "" {
		return nil
	}
	t := tp.from.table
	switch {
	case slices.ContainsFunc(tp.to.table.Columns, func(c designer.Column) bool { return c.Options[OptionIdentity] == identityUnknown }):
		return tp.error(tp.rebuild + " and the table cannot be re-created: the server does not tell what its identity counts from and by")
	case t.Options[OptionVersioning] != "":
		return tp.error(tp.rebuild + " and the table cannot be re-created: it keeps a history; switch SYSTEM_VERSIONING off first")
	}
	for _, x := range t.Indexes {
		if x.Method == MethodSpatial {
			return tp.error(fmt.Sprintf("%s and the table cannot be re-created without losing the grid of spatial index %s; drop it first", tp.rebuild, x.Name))
		}
	}
	return nil
}

// recreate puts a new table into the place of one that cannot be altered:
// bare columns, the rows, and the old name. Its defaults, keys, indexes,
// checks and triggers follow, as their names are free only then.
func (p *planner) recreate(tp *tablePlan) error {
	if err := p.checkTriggers(tp); err != nil {
		return err
	}
	columns, values := tp.copied()
	if len(columns) == 0 {
		return tp.error(tp.rebuild + " and the table has no column whose values could be kept")
	}
	next := p.d.To.DefineTable(tp.to.table)
	final := tp.to.on()
	next.Name = p.freeTable()
	on, label := qualified(next.Schema, next.Name), tp.to.label()
	p.keepRights(final, label, "", tp.to.table)
	p.add(designer.Step{Statement: createTable(bare(next)), Comment: "Re-create table " + label + ": " + tp.rebuild,
		Reverse: "DROP TABLE " + on}, tp.to.table)
	insert := fmt.Sprintf("INSERT INTO %s (%s)\nSELECT %s FROM %s WITH (HOLDLOCK, TABLOCKX)", on, strings.Join(columns, ", "), strings.Join(values, ", "), final)
	if tp.keepsIdentity(columns) {
		insert = "SET IDENTITY_INSERT " + on + " ON\n" + insert + "\nSET IDENTITY_INSERT " + on + " OFF"
	}
	p.add(designer.Step{Statement: insert, Comment: "Copy the rows of " + label,
		Risks: []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites, designer.RiskMayFail}}, tp.to.table)
	if tp.countsOn() {
		p.add(designer.Step{Statement: countOn(final, on, identityOf(tp.to.table).IdentityIncrement),
			Comment: "Continue numbering " + label + " where the old table ended"}, tp.to.table)
	}
	p.add(designer.Step{Statement: "DROP TABLE " + final, Comment: "Drop the old table " + label, Risks: lossRisk(tp.losesValues())}, tp.to.table)
	p.add(designer.Step{Statement: renameStep(on, tp.to.table.Name, "OBJECT"), Comment: "Give the new table the name of " + label}, tp.to.table)
	return nil
}

// countOn writes the batch after which table next gives the number that table
// old would have given. After RESEED the first row of a table that never had one
// has the very value given, any other the value and the increment ("DBCC
// CHECKIDENT"); a table that never gave a number has no last_value
// ("sys.identity_columns"). Numbers are those of decimal(38).
func countOn(old, next string, increment int64) string {
	return fmt.Sprintf("DECLARE @last decimal(38,0) = (SELECT CONVERT(decimal(38,0), i.last_value) FROM sys.identity_columns i WHERE i.object_id = OBJECT_ID(%s));\n"+
		"IF NOT EXISTS (SELECT 1 FROM %s) SET @last = @last + %d;\n"+
		"IF @last > IDENT_CURRENT(%s) DBCC CHECKIDENT (%s, RESEED, @last) WITH NO_INFOMSGS",
		literal(old), next, increment, literal(next), literal(next))
}

// identityOf is the identity column of a table, nil for none.
func identityOf(t *designer.Table) *designer.Column {
	for i := range t.Columns {
		if t.Columns[i].IsIdentity {
			return &t.Columns[i]
		}
	}
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
func (tp *tablePlan) copied() (columns, values []string) {
	for i := range tp.to.table.Columns {
		to := &tp.to.table.Columns[i]
		from := tp.from.column(to.ID)
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

// losesValues reports whether the new table does not have all values of the
// old one: columns are dropped, or their values do not survive the new type.
func (tp *tablePlan) losesValues() bool {
	for i := range tp.from.table.Columns {
		from := &tp.from.table.Columns[i]
		to := tp.to.column(from.ID)
		if !from.IsComputed && (to == nil || to.IsComputed || outcomeOf(*from, *to) == loses) {
			return true
		}
	}
	return false
}

// keepsIdentity reports whether the identity column of the new table is among
// the columns that get values.
func (tp *tablePlan) keepsIdentity(columns []string) bool {
	for _, c := range tp.to.table.Columns {
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
func (tp *tablePlan) countsOn() bool {
	for _, c := range tp.to.table.Columns {
		from := tp.from.column(c.ID)
		if c.IsIdentity && c.IdentityIncrement > 0 && from != nil && from.IsIdentity && from.IdentityIncrement > 0 {
			return true
		}
	}
	return false
}

// checkTriggers refuses to lose a trigger whose text is not known.
func (p *planner) checkTriggers(tp *tablePlan) error {
	for _, o := range p.triggers(tp.from.table) {
		if o.Definition == "" {
			return tp.error(fmt.Sprintf("%s and the table cannot be re-created without losing trigger %s, whose text is not known", tp.rebuild, o.Name))
		}
	}
	return nil
}
