package sqlite

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// rebuildTables re-creates the tables that ALTER TABLE cannot change: the old
// one is set aside, the new one made under its name, the rows copied and the
// old one dropped; its indexes and triggers are made again afterwards. Views,
// triggers elsewhere and foreign keys of other tables mean the table by its
// name and are not touched: that is what legacy_alter_table is for. Without
// it SQLite would lead them all to the table set aside.
func (p *planner) rebuildTables() {
	var list []*rebuild
	for _, t := range p.tables {
		if t.rebuild() {
			list = append(list, newRebuild(t, p.fresh.like(t.To.Name)))
		}
	}
	p.setAside(slices.DeleteFunc(slices.Clone(list), func(b *rebuild) bool { return b.copied }))
	for _, b := range list {
		p.rebuild(b)
	}
	if len(list) > 0 {
		p.Notes = append(p.Notes, "Tables are rebuilt: the script runs in one transaction with PRAGMA foreign_keys = OFF, "+
			"and PRAGMA foreign_key_check decides before the commit.")
	}
}

// rebuild is the way of one table.
type rebuild struct {
	*tablePlan
	old     string // what it is called while it is set aside
	copied  bool   // set aside as a copy of its rows, see setAside
	numbers bool   // what sqlite_sequence knows has to move along
	rowID   string // a name of the rowid that no column has; "": rowids do not move along
	columns []string
	values  []string // an expression over the old table for each of columns
}

func newRebuild(t *tablePlan, old string) *rebuild {
	b := &rebuild{tablePlan: t, old: old}
	for _, text := range texts(t.From) {
		b.copied = b.copied || qualifies(text, t.From.Name)
	}
	identity := func(c designer.Column) bool { return c.IsIdentity }
	b.numbers = slices.ContainsFunc(t.From.Columns, identity) && slices.ContainsFunc(t.To.Columns, identity)
	b.chooseRowID()
	for i := range t.To.Columns {
		b.mapColumn(&t.To.Columns[i])
	}
	return b
}

// chooseRowID finds a name for the rowids where both tables have them and the
// new one does not keep them in a column that the old one has.
func (b *rebuild) chooseRowID() {
	if b.From.Options[OptionWithoutRowID] != "" || b.To.Options[OptionWithoutRowID] != "" {
		return
	}
	if aliasesRowID(b.To) && columnByID(b.From, b.To.PrimaryKey.Columns[0]) != nil {
		return
	}
	for _, name := range [...]string{"rowid", "_rowid_", "oid"} {
		taken := func(c designer.Column) bool { return fold(c.Name) == name }
		if !slices.ContainsFunc(b.From.Columns, taken) && !slices.ContainsFunc(b.To.Columns, taken) {
			b.rowID = name
			break
		}
	}
	if b.rowID != "" {
		b.columns, b.values = []string{b.rowID}, []string{b.rowID}
	}
}

// mapColumn returns where the values of a column come from. One that is new is
// left to its default.
func (b *rebuild) mapColumn(c *designer.Column) {
	from := columnByID(b.From, c.ID)
	switch {
	case c.IsComputed, from == nil:
		return
	case b.To.Options[OptionStrict] != "" && affinity(c.DataType) == blobAffinity && fold(c.DataType) == "blob" &&
		affinity(from.DataType) != blobAffinity:
		b.values = append(b.values, "CAST("+ident(c.Name)+" AS BLOB)") // which a STRICT table asks for
	case b.becomesRowID(c):
		b.values = append(b.values, "coalesce("+ident(c.Name)+", 'NULL is no key')") // SQLite would make up a number for NULL; this is refused
	default:
		b.values = append(b.values, ident(c.Name))
	}
	b.columns = append(b.columns, ident(c.Name))
}

// becomesRowID reports whether a column of the old table is the new one's rowid and
// was not the old one's.
func (b *rebuild) becomesRowID(c *designer.Column) bool {
	return aliasesRowID(b.To) && b.To.PrimaryKey.Columns[0] == c.ID &&
		!(aliasesRowID(b.From) && b.From.PrimaryKey.Columns[0] == c.ID)
}

// setAside renames the old tables. A table whose own text says table.column
// cannot be renamed so, for SQLite would have to change that text: its rows
// are copied instead.
func (p *planner) setAside(list []*rebuild) {
	if len(list) == 0 {
		return
	}
	on, off := "PRAGMA legacy_alter_table = ON", "PRAGMA legacy_alter_table = OFF"
	p.add(designer.Step{Statement: on, Comment: "Let views, triggers and foreign keys stay with the names of tables", Reverse: off})
	for _, b := range list {
		p.add(designer.Step{Statement: "ALTER TABLE " + ident(b.To.Name) + " RENAME TO " + ident(b.old),
			Comment: "Set table " + spoken(b.To.Name) + " aside",
			Reverse: "ALTER TABLE " + ident(b.old) + " RENAME TO " + ident(b.To.Name), Tables: b.tableNames()})
	}
	p.add(designer.Step{Statement: off, Comment: "Let them follow again", Reverse: on})
}

func (p *planner) rebuild(b *rebuild) {
	add := func(comment, statement, reverse string, risks ...designer.Risk) {
		p.add(designer.Step{Statement: statement, Comment: comment, Reverse: reverse, Risks: risks, Tables: b.tableNames()})
	}
	name := spoken(b.To.Name)
	sequence := "INSERT INTO sqlite_sequence (name, seq) SELECT " + literal(b.To.Name) +
		", seq FROM sqlite_sequence WHERE name = " + literal(b.old)
	if b.copied {
		add("Set the rows of table "+name+" aside", b.copyAside(), "DROP TABLE "+ident(b.old), designer.RiskRewritesTable)
		if b.numbers {
			add("Keep the numbering of table "+name, "UPDATE sqlite_sequence SET name = "+literal(b.old)+
				" WHERE name = "+literal(b.To.Name), "UPDATE sqlite_sequence SET name = "+literal(b.To.Name)+" WHERE name = "+literal(b.old))
			sequence = "UPDATE sqlite_sequence SET name = " + literal(b.To.Name) + " WHERE name = " + literal(b.old)
		}
		add("Drop table "+name+" to re-create it", "DROP TABLE "+ident(b.To.Name), "")
	}
	add("Re-create table "+name+": "+spoken(sentence(b.why)), p.r.table(b.To), "DROP TABLE "+ident(b.To.Name))
	if b.numbers {
		add("Continue the numbering of table "+name, sequence, "")
	}
	if len(b.columns) > 0 {
		add("Copy the rows of table "+name, b.copyBack(), "DELETE FROM "+ident(b.To.Name), b.copyRisks()...)
		p.noteLossy(b)
	}
	comment, risks := "Drop the old table "+name, []designer.Risk(nil)
	if lost := b.lost(); len(lost) > 0 {
		comment += ", and with it " + spoken(sentence(lost))
		risks = []designer.Risk{designer.RiskDataLoss}
	}
	add(comment, "DROP TABLE "+ident(b.old), "", risks...)
}

// copyAside makes a table of the rows as they are, without constraints.
func (b *rebuild) copyAside() string {
	list := make([]string, 0, len(b.columns))
	for i, c := range b.columns {
		if i == 0 && b.rowID != "" {
			c += " AS " + ident(asideRowID)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		list = []string{"NULL"}
	}
	return "CREATE TABLE " + ident(b.old) + " AS SELECT " + strings.Join(list, ", ") + " FROM " + ident(b.To.Name)
}

// asideRowID is the column of the rowids in a copy. The copy has rowids of
// its own, and the column's name must not be one of theirs.
const asideRowID = "berth row"

// copyBack copies the rows. OR ABORT goes before the conflict resolutions of
// the table, which would leave out or replace rows in silence.
func (b *rebuild) copyBack() string {
	columns, values := slices.Clone(b.columns), slices.Clone(b.values)
	if b.rowID != "" && b.copied {
		values[0] = ident(asideRowID)
	}
	if b.rowID != "" && aliasesRowID(b.To) {
		columns[0] = ident(columnByID(b.To, b.To.PrimaryKey.Columns[0]).Name) // a new key takes over the rowids
	}
	return "INSERT OR ABORT INTO " + ident(b.To.Name) + " (" + strings.Join(columns, ", ") + ")\nSELECT " +
		strings.Join(values, ", ") + " FROM " + ident(b.old)
}
