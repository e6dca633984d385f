package postgres

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// createTable makes a table with its columns, key, unique constraints and
// checks, and the sequences that it needs before. The rest is [steps.finishTable]'s
// and [steps.addForeignKey]'s.
func (b *steps) createTable(w *writer, t *designer.Table) {
	for _, c := range t.Columns {
		if b.needsSequence(w, t, c) {
			b.add(t, "create the sequence of "+t.Name+"."+c.Name, w.createSequence(t, c), "")
		}
	}
	b.add(t, "create table "+qualifiedPlain(t.Schema, t.Name), w.createTable(t), "DROP TABLE "+w.table(t))
	for _, c := range t.Columns {
		if b.needsSequence(w, t, c) {
			schema, name := w.sequenceOf(t, c)
			b.add(t, "let the sequence of "+t.Name+"."+c.Name+" go with its column", w.ownSequence(t, c.Name, schema, name), "")
		}
	}
	b.inheritedSettings(w, t)
}

// inheritedSettings makes what a table has of its own of columns that it
// inherits: defaults, and that there is always a value.
func (b *steps) inheritedSettings(w *writer, t *designer.Table) {
	parents := w.parents(t)
	for _, c := range t.Columns {
		if c.Options[OptionInherited] == "" || c.IsComputed {
			continue
		}
		alter := func(what, words, reverse string) {
			start := "ALTER TABLE ONLY " + w.table(t) + " ALTER COLUMN " + ident(c.Name) + " "
			b.add(t, what+" of "+t.Name+"."+c.Name, start+words, start+reverse)
		}
		theirs, filled := w.inherited(parents, c.Name)
		if isSerialColumn(c) {
			b.add(t, "create the sequence of "+t.Name+"."+c.Name, w.createSequence(t, c), "")
		}
		switch own := w.defaultOf(t, c); {
		case own != theirs && own == "":
			alter("no default", "DROP DEFAULT", "SET DEFAULT "+theirs)
		case own != theirs:
			alter("default", "SET DEFAULT "+own, "DROP DEFAULT")
		}
		if isSerialColumn(c) {
			schema, name := w.sequenceOf(t, c)
			b.add(t, "let the sequence of "+t.Name+"."+c.Name+" go with its column", w.ownSequence(t, c.Name, schema, name), "")
		}
		if !c.IsNullable && !filled {
			alter("always a value", "SET NOT NULL", "DROP NOT NULL")
		}
	}
}

// parents lists the tables that t inherits from.
func (w *writer) parents(t *designer.Table) []*designer.Table {
	from := t.Options[OptionInherits]
	if from == "" {
		return nil
	}
	names := strings.Split(from, ", ")
	return slices.DeleteFunc(w.s.Tables(), func(p *designer.Table) bool { return !slices.Contains(names, w.table(p)) })
}

// inherited returns the default that a column comes with from the first parent
// that has one, and whether any has it NOT NULL.
func (w *writer) inherited(parents []*designer.Table, column string) (text string, filled bool) {
	for _, p := range parents {
		for _, c := range p.Columns {
			if c.Name != column {
				continue
			}
			filled = filled || !c.IsNullable
			if text == "" {
				text = w.defaultOf(p, c)
			}
		}
	}
	return text, filled
}

// defaultOf returns the default of a column as SQL, "" for none.
func (w *writer) defaultOf(t *designer.Table, c designer.Column) string {
	switch {
	case isSerialColumn(c):
		schema, name := w.sequenceOf(t, c)
		return nextval(schema, name)
	case c.IsComputed, c.IsIdentity, c.DefaultValue == "":
		return ""
	}
	return operand(c.DefaultValue)
}

// needsSequence reports whether a column's sequence has to be made apart.
func (b *steps) needsSequence(w *writer, t *designer.Table, c designer.Column) bool {
	return isSerialColumn(c) && c.Options[OptionInherited] == "" && (shortSerial(c) == "" || w.hasSequence(t, c))
}

func (w *writer) createTable(t *designer.Table) string {
	var lines []string
	for _, c := range t.Columns {
		if c.Options[OptionInherited] == "" {
			lines = append(lines, w.column(t, c))
		}
	}
	if t.PrimaryKey != nil {
		lines = append(lines, w.primaryKey(t))
	}
	for _, x := range t.Indexes {
		if isConstraint(x) {
			lines = append(lines, w.constraint(t, x))
		}
	}
	for _, k := range t.Checks {
		if k.Options[OptionInherited] == "" && k.Options[OptionNotValid] == "" {
			lines = append(lines, w.check(k))
		}
	}
	text := "CREATE TABLE " + w.table(t) + " ()"
	if len(lines) > 0 {
		text = "CREATE TABLE " + w.table(t) + " (\n\t" + strings.Join(lines, ",\n\t") + "\n)"
	}
	if t.Options[OptionUnlogged] != "" {
		text = strings.Replace(text, "CREATE TABLE", "CREATE UNLOGGED TABLE", 1)
	}
	return text + tableClauses(t.Options)
}

func tableClauses(o map[string]string) string {
	text := ""
	if parents := o[OptionInherits]; parents != "" {
		text += " INHERITS (" + clause(parents) + ")"
	}
	if key := o[OptionPartitionBy]; key != "" {
		text += " PARTITION BY " + clause(key)
	}
	if m := o[OptionMethod]; m != "" {
		text += " USING " + ident(m)
	}
	if with := o[OptionWith]; with != "" {
		text += " WITH (" + clause(with) + ")"
	}
	if space := o[OptionTablespace]; space != "" {
		text += " TABLESPACE " + ident(space)
	}
	return text
}

// finishTable makes what a new table has beside what CREATE TABLE brings:
// indexes, unchecked checks, settings and comments, but no foreign keys.
func (b *steps) finishTable(w *writer, t *designer.Table) {
	for _, x := range t.Indexes {
		if !isConstraint(x) {
			b.addIndex(w, t, x)
		}
		b.indexSettings(w, t, x)
	}
	for _, k := range t.Checks {
		if k.Options[OptionNotValid] != "" && k.Options[OptionInherited] == "" {
			b.addCheck(w, t, k)
		} else {
			b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
		}
	}
	if k := t.PrimaryKey; k != nil {
		b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
		b.keySettings(w, t, k.Name, k.Options)
	}
	for _, c := range t.Columns {
		b.columnSettings(w, t, c)
	}
	b.tableSettings(w, t, t.Options)
	b.comment(t, "TABLE "+w.table(t), t.Comment)
}

// comment adds what something is for; "" is no comment.
func (b *steps) comment(t *designer.Table, target, text string) {
	if target != "" && text != "" {
		b.add(t, "comment on "+plainTarget(target), "COMMENT ON "+target+" IS "+literal(text), "COMMENT ON "+target+" IS NULL")
	}
}

// plainTarget words what COMMENT ON names.
func plainTarget(target string) string {
	kind, name, _ := strings.Cut(target, " ")
	return strings.ToLower(kind) + " " + strings.ReplaceAll(strings.Replace(name, " ON ", " of ", 1), `"`, "")
}

// constraintTarget is what COMMENT ON calls a constraint, "" for an unnamed.
func constraintTarget(w *writer, t *designer.Table, name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + ident(name) + " ON " + w.table(t)
}

// indexTarget is what COMMENT ON calls an index or its constraint.
func indexTarget(w *writer, t *designer.Table, x designer.Index) string {
	if isConstraint(x) || x.Name == "" {
		return constraintTarget(w, t, x.Name)
	}
	return "INDEX " + qualified(t.Schema, x.Name)
}

// indexSettings makes what neither CREATE INDEX nor a constraint's clause
// says.
func (b *steps) indexSettings(w *writer, t *designer.Table, x designer.Index) {
	b.comment(t, indexTarget(w, t, x), x.Options[OptionComment])
	b.keySettings(w, t, x.Name, x.Options)
}

// keySettings makes what a table or the server knows of an index, which may be
// that of a key.
func (b *steps) keySettings(w *writer, t *designer.Table, index string, o map[string]string) {
	if index == "" {
		return
	}
	if o[OptionReplicaIdentity] != "" {
		b.add(t, "let replicas know rows of "+t.Name+" by "+index,
			"ALTER TABLE "+w.table(t)+" REPLICA IDENTITY USING INDEX "+ident(index), "ALTER TABLE "+w.table(t)+" REPLICA IDENTITY DEFAULT")
	}
	if o[OptionClustered] != "" {
		b.add(t, "let CLUSTER order "+t.Name+" by "+index,
			"ALTER TABLE "+w.table(t)+" CLUSTER ON "+ident(index), "ALTER TABLE "+w.table(t)+" SET WITHOUT CLUSTER")
	}
	for one := range strings.SplitSeq(o[OptionStatistics], ",") {
		if key, n, is := strings.Cut(one, "="); is && isDigits(key) && isDigits(n) {
			start := "ALTER INDEX " + qualified(t.Schema, index) + " ALTER COLUMN " + key + " SET STATISTICS "
			b.add(t, "statistics of "+index, start+n, start+"-1")
		}
	}
}

// columnSettings makes what ADD COLUMN does not say.
func (b *steps) columnSettings(w *writer, t *designer.Table, c designer.Column) {
	alter := func(what, words, reverse string) {
		start := "ALTER TABLE " + w.table(t) + " ALTER COLUMN " + ident(c.Name) + " "
		if reverse != "" {
			reverse = start + reverse
		}
		b.add(t, what+" of "+t.Name+"."+c.Name, start+words, reverse)
	}
	if v := c.Options[OptionStorage]; v != "" {
		alter("storage", "SET STORAGE "+ident(v), "SET STORAGE DEFAULT")
	}
	if v := c.Options[OptionStatistics]; isDigits(v) {
		alter("statistics", "SET STATISTICS "+v, "SET STATISTICS -1")
	}
	if v := c.Options[OptionWith]; v != "" {
		alter("parameters", "SET ("+clause(v)+")", "")
	}
	b.comment(t, "COLUMN "+w.table(t)+"."+ident(c.Name), c.Comment)
}

// tableSettings makes what CREATE TABLE does not say.
func (b *steps) tableSettings(w *writer, t *designer.Table, o map[string]string) {
	alter := func(what, clause, reverse string) {
		b.add(t, what+" of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" "+clause, "ALTER TABLE "+w.table(t)+" "+reverse)
	}
	if v := o[OptionRowSecurity]; v == "enabled" || v == "forced" {
		alter("row security", "ENABLE ROW LEVEL SECURITY", "DISABLE ROW LEVEL SECURITY")
	}
	if v := o[OptionRowSecurity]; v == "owner" || v == "forced" {
		alter("row security for the owner", "FORCE ROW LEVEL SECURITY", "NO FORCE ROW LEVEL SECURITY")
	}
	if v := o[OptionOfType]; v != "" && isTypeText(v) {
		alter("type", "OF "+v, "NOT OF")
	}
	if v := o[OptionReplicaIdentity]; v != "" {
		alter("replica identity", "REPLICA IDENTITY "+strings.ToUpper(clause(v)), "REPLICA IDENTITY DEFAULT")
	}
}
