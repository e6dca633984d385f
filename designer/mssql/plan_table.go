package mssql

import "github.com/berth-dev/berth/designer"

// tablePlan is what a plan does to one table that is there before and after: what
// is taken away first, changed, and put back.
type tablePlan struct {
	from, to *tableState
	diff     designer.TableDiff // empty where only keys of others make it change

	columns map[designer.ID]columnChange
	// rebuild says why the table has to be re-created, "": it has not.
	rebuild string
	aside   string // temporary name of a column that goes when the table has another

	dropKey, addKey, renameKey bool

	indexes, checks, foreignKeys partChanges
	dropDefaults, addDefaults    map[designer.ID]bool
}

// columnChange is what happens to a column that is there before.
type columnChange int

const (
	keepColumn    columnChange = iota
	widenColumn                // ALTER COLUMN, in a way that indexes and checks allow
	alterColumn                // ALTER COLUMN
	convertColumn              // a new column takes its values and its place
	renewColumn                // dropped and added: computed, or made up by the server
	dropColumn
)

func newTablePlan(d *designer.Diff, from, to *designer.Table) *tablePlan {
	return &tablePlan{
		from: newTableState(d.From, from), to: newTableState(d.To, to), diff: designer.TableDiff{From: from, To: to},
		columns: map[designer.ID]columnChange{},
		indexes: newPartChanges(), checks: newPartChanges(), foreignKeys: newPartChanges(),
		dropDefaults: map[designer.ID]bool{}, addDefaults: map[designer.ID]bool{},
	}
}

// error words what a plan cannot do to the table.
func (tp *tablePlan) error(message string) error {
	return &designer.PlanError{Table: designer.TableName{Schema: tp.from.table.Schema, Name: tp.from.table.Name}, Message: message}
}

// renamed reports whether the column gets another name.
func (tp *tablePlan) renamed(id designer.ID) bool {
	to := tp.to.column(id)
	return to != nil && tp.from.names[id] != to.Name
}

// reached reports whether something that uses the column has to make way.
func (tp *tablePlan) reached(id designer.ID) bool { return tp.columns[id] >= alterColumn }

// reachedText reports whether an expression of before uses a column that
// changes: what an expression uses can be neither altered nor renamed.
func (tp *tablePlan) reachedText(text string, widened bool) bool {
	if text == "" {
		return false
	}
	for i := range tp.from.table.Columns {
		c := &tp.from.table.Columns[i]
		changes := tp.reached(c.ID) || widened && tp.columns[c.ID] == widenColumn || tp.renamed(c.ID)
		if changes && mentions(text, c.Name) {
			return true
		}
	}
	return false
}

// decide finds out what happens to each part. The parts that depend on each
// other are decided in the order of their dependence.
func (tp *tablePlan) decide() error {
	if err := tp.decideColumns(); err != nil {
		return err
	}
	tp.decideComputed()
	tp.decideDefaults()
	tp.decideKey()
	tp.decideIndexes()
	tp.decideChecks()
	tp.decideForeignKeys()
	return tp.checkKind()
}

// tableState is one state of a table, whose parts it writes by their names.
type tableState struct {
	schema *designer.Schema
	table  *designer.Table
	names  map[designer.ID]string // of columns
}

func newTableState(s *designer.Schema, t *designer.Table) *tableState {
	v := &tableState{schema: s, table: t, names: make(map[designer.ID]string, len(t.Columns))}
	for _, c := range t.Columns {
		v.names[c.ID] = c.Name
	}
	return v
}

// on is the table's quoted name.
func (v *tableState) on() string { return qualified(v.table.Schema, v.table.Name) }

// label names the table in a comment.
func (v *tableState) label() string { return tableLabel(v.table) }

func tableLabel(t *designer.Table) string { return t.Schema + "." + t.Name }

func (v *tableState) column(id designer.ID) *designer.Column {
	for i := range v.table.Columns {
		if v.table.Columns[i].ID == id {
			return &v.table.Columns[i]
		}
	}
	return nil
}

func (v *tableState) columns(ids []designer.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = v.names[id]
	}
	return out
}

func (v *tableState) primaryKey() designer.KeyDefinition {
	k := v.table.PrimaryKey
	var indexes []designer.IndexDefinition
	for i := range v.table.Indexes {
		indexes = append(indexes, v.index(&v.table.Indexes[i]))
	}
	return beside(designer.KeyDefinition{Name: k.Name, Columns: v.columns(k.Columns), Options: k.Options}, indexes)
}

func (v *tableState) index(x *designer.Index) designer.IndexDefinition {
	d := designer.IndexDefinition{Name: x.Name, Unique: x.Unique, Constraint: x.Constraint, Where: x.Where,
		Include: v.columns(x.Include), Method: x.Method, Options: x.Options}
	for _, p := range x.Parts {
		d.Parts = append(d.Parts, designer.IndexKeyDefinition{Column: v.names[p.Column], Descending: p.Descending})
	}
	return d
}

func (v *tableState) check(k *designer.Check) designer.CheckDefinition {
	return designer.CheckDefinition{Name: k.Name, Expression: k.Expression, Options: k.Options}
}

// foreignKey writes k with the names of the table it refers to; ok is false
// where that does not exist.
func (v *tableState) foreignKey(k *designer.ForeignKey) (d designer.ForeignKeyDefinition, ok bool) {
	target := v.schema.ByID(k.RefTable)
	if target == nil {
		return d, false
	}
	to := newTableState(v.schema, target)
	d = designer.ForeignKeyDefinition{Name: k.Name, OnDelete: k.OnDelete, OnUpdate: k.OnUpdate, Options: k.Options,
		ReferencedTable: designer.TableRef{Schema: target.Schema, Name: target.Name}}
	for _, m := range k.Mappings {
		d.Mappings = append(d.Mappings, designer.NameMapping{Column: v.names[m.Column], ReferencedColumn: to.names[m.RefColumn]})
	}
	return d, true
}

// comments writes the comments that differ, and those that went with a table
// or column that was re-created.
func (p *planner) comments(tp *tablePlan) {
	t := tp.to.table
	if tp.rebuild != "" {
		addComments(&p.steps, t)
		return
	}
	if tp.diff.Comment {
		p.setComment(t, "", tp.from.table.Comment, t.Comment)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		was := ""
		if from := tp.from.column(c.ID); from != nil && tp.columns[c.ID] < convertColumn {
			was = from.Comment
		}
		if was != c.Comment {
			p.setComment(t, c.Name, was, c.Comment)
		}
	}
}
