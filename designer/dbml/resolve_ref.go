package dbml

import (
	"github.com/berth-dev/berth/designer"
)

// inline makes a foreign key of a column's own relationship: of the column
// that has it, but for <, where it is the other side's.
func (r *resolver) inline(table int, column string, ref inlineRef) error {
	own := side{table: table, columns: []string{column}}
	other, err := r.side(ref.to, ref.line)
	if err != nil {
		return err
	}
	switch ref.op {
	case "<":
		return r.foreignKey(other, own, relation{line: ref.line})
	case ">", "-":
		return r.foreignKey(own, other, relation{line: ref.line})
	}
	return manyToMany(ref.line)
}

// ref makes a foreign key of a relationship: of the side that may be many,
// and of the right one where none may.
func (r *resolver) ref(x ref) error {
	left, err := r.side(x.left, x.line)
	if err != nil {
		return err
	}
	right, err := r.side(x.right, x.line)
	if err != nil {
		return err
	}
	rel := relation{name: x.name, onDelete: designer.Action(x.onDelete), onUpdate: designer.Action(x.onUpdate), line: x.line}
	switch {
	case x.op == "<>":
		return manyToMany(x.line)
	case x.inactive:
		return nil
	case x.op == ">":
		return r.foreignKey(left, right, rel)
	}
	return r.foreignKey(right, left, rel)
}

func manyToMany(line int) error {
	return failAt(line, "<> is many-to-many, which no database has as it is: add a table with a column for each side and a Ref (>) to each")
}

// side is a resolved endpoint. Its table need not be in the file, because the
// design may have it.
type side struct {
	table   int // in the definition; -1: not in the file
	ref     designer.TableRef
	columns []string
}

// relation is what a foreign key has beside its columns.
type relation struct {
	name               string
	onDelete, onUpdate designer.Action
	line               int
}

func (r *resolver) side(e endpoint, line int) (side, error) {
	schema, err := r.schema(name{schema: e.schema, name: e.table, line: line})
	if err != nil {
		return side{}, err
	}
	at, ok := r.tableAt(schema, e)
	if !ok {
		return side{table: -1, ref: designer.TableRef{Schema: schema, Name: e.table}, columns: e.columns}, nil
	}
	found := &r.def.Tables[at]
	s := side{table: at, ref: designer.TableRef{Schema: found.Schema, Name: found.Name}, columns: make([]string, len(e.columns))}
	for i, c := range e.columns {
		if s.columns[i], err = r.columnOf(at, r.def.Tables[at].Name, c, line); err != nil {
			return side{}, err
		}
	}
	return s, nil
}

// tableAt finds a table by its exact name or alias, else the only one that
// has the name but for case.
func (r *resolver) tableAt(schema string, e endpoint) (int, bool) {
	at := r.place(schema, e.table)
	if i, ok := r.exact[at]; ok {
		return i, true
	}
	if i, ok := r.aliases[e.table]; ok && e.schema == "" {
		return i, true
	}
	if list := r.folded[foldPlace(at)]; len(list) == 1 {
		return list[0], true
	}
	return 0, false
}

// foreignKey adds a key to the table of from.
func (r *resolver) foreignKey(from, to side, rel relation) error {
	if len(from.columns) != len(to.columns) {
		return failAt(rel.line, "%d columns refer to %d: both sides need as many", len(from.columns), len(to.columns))
	}
	if from.table < 0 {
		return failAt(rel.line, "there is no table %q", excerpt(from.ref.Name))
	}
	k := designer.ForeignKeyDefinition{Name: rel.name, ReferencedTable: to.ref, OnDelete: rel.onDelete, OnUpdate: rel.onUpdate}
	same := from.table == to.table
	for i := range from.columns {
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: from.columns[i], ReferencedColumn: to.columns[i]})
		same = same && from.columns[i] == to.columns[i]
	}
	if same {
		return failAt(rel.line, "both sides of the relationship are the same column")
	}
	td := &r.def.Tables[from.table]
	td.ForeignKeys = append(td.ForeignKeys, k)
	return nil
}
