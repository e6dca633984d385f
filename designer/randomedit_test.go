package designer

import (
	"fmt"

	"pgregory.net/rapid"
)

// editor draws edits that mostly mean something that is there, and sometimes
// a name from a small pool, which may be there or not.
type editor struct {
	t  *rapid.T
	s  *Schema
	on *Table // that the edit is about; nil: one that is not there
}

// lucky reports whether to take what is there.
func (g editor) lucky() bool { return g.number(8, "lucky") < 7 }

// number draws from 0 to n-1, each alike. The library's ranges and samples
// prefer what comes first, so that most edits would be refused.
func (g editor) number(n int, what string) int {
	drawn := 0
	for range 8 {
		drawn *= 2
		if rapid.Bool().Draw(g.t, what) {
			drawn++
		}
	}
	return drawn % n
}

func pick[T any](g editor, what string, values []T) T { return values[g.number(len(values), what)] }

func (g editor) of(what string, values ...string) string { return pick(g, what, values) }

func (g editor) existing() *Table {
	if g.s.Len() == 0 || !g.lucky() {
		return nil
	}
	return pick(g, "existing table", g.s.Tables())
}

func (g editor) table() TableRef {
	if t := g.existing(); t != nil {
		return TableRef{Schema: t.Schema, Name: t.Name}
	}
	return TableRef{Schema: g.of("schema", "", "", "", "dbo", "s", "nowhere"), Name: g.tableName()}
}

func (g editor) tableName() string { return g.of("table", "A", "B", "C", "D", "E", "F", "G", "a", "") }

// refer draws the name of something that is there, or one of the pool.
func refer[T any](g editor, list []T, name func(T) string, pool ...string) string {
	if len(list) > 0 && g.lucky() {
		return name(pick(g, "existing", list))
	}
	return g.of("name", pool...)
}

func (g editor) columnOf(t *Table) string {
	if t == nil {
		return g.column()
	}
	return refer(g, t.Columns, func(c Column) string { return c.Name }, "id", "x", "gone")
}

// partRef draws a key, index or check of the table.
func partRef[T any](g editor, list func(*Table) []T, name func(T) string) ObjectRef {
	if g.on == nil {
		return ObjectRef{Name: "gone"}
	}
	return ObjectRef{Name: refer(g, list(g.on), name, "gone", "fk0", "ix0")}
}

func (g editor) column() string { return g.of("column", "id", "x", "y", "z", "ID", "order") }

func (g editor) object(kind string) string { return fmt.Sprint(kind, g.number(3, kind)) }

// maybe draws a value or none.
func maybe[T any](g editor, what string, draw func() T) *T {
	if g.number(5, what+" given") > 0 {
		return nil // four times of five
	}
	return new(draw())
}

func (g editor) flag(what string) *bool {
	return maybe(g, what, func() bool { return rapid.Bool().Draw(g.t, what) })
}

func (g editor) columnSpec() ColumnSpec {
	return ColumnSpec{
		DataType: maybe(g, "type", func() string {
			return g.of("type", "int", "bigint", "nvarchar(9)", "decimal(9,2)", "integer", "bit", "strng", "nvarchar")
		}),
		MaxLength:       maybe(g, "length", func() string { return g.of("length", "", "7", "max", "-1") }),
		IsPrimaryKey:    g.flag("key"),
		IsNullable:      g.flag("nullable"),
		IsIdentity:      g.flag("identity"),
		DefaultValue:    maybe(g, "default", func() string { return g.of("default", "", "1", ")") }),
		IsComputed:      g.flag("computed"),
		Comment:         maybe(g, "comment", func() string { return g.of("comment", "", "one", "it's") }),
		IsUnique:        g.flag("unique column"),
		ComputedFormula: maybe(g, "formula", func() string { return g.of("formula", "", "x + 1", "A.y*[z]", "'") }),
	}
}

// newColumn is a column that is valid more often than not.
func (g editor) newColumn() ColumnSpec {
	spec := ColumnSpec{DataType: new(g.typed()), IsPrimaryKey: g.flag("key"),
		IsUnique: g.flag("unique column"), IsNullable: g.flag("nullable"), DefaultValue: maybe(g, "default", func() string { return "1" })}
	if g.number(4, "any spec") == 0 {
		spec = g.columnSpec()
	}
	spec.Name = new(g.column())
	return spec
}

func (g editor) action() Action {
	return pick(g, "action", []Action{Cascade, NoAction, NoAction, SetNull, SetDefault, Restrict})
}

// keySpec is a key to a table that is there, mostly to its primary key.
func (g editor) keySpec() ForeignKeySpec {
	spec := ForeignKeySpec{
		Name:     maybe(g, "key name", func() string { return g.object("fk") }),
		OnDelete: maybe(g, "on delete", g.action), OnUpdate: maybe(g, "on update", g.action),
	}
	target := g.keyed()
	if target == nil {
		spec.ReferencedTable = new(g.table())
		spec.Mappings = []NameMapping{{g.column(), g.column()}}
		return spec
	}
	spec.ReferencedTable = &TableRef{Schema: target.Schema, Name: target.Name}
	columns := []string{g.columnOf(target)}
	if target.PrimaryKey != nil && g.lucky() {
		columns = namesOf(target.ColumnNames(), target.PrimaryKey.Columns)
	}
	for _, c := range columns {
		spec.Mappings = append(spec.Mappings, NameMapping{g.fitting(target, c), c})
	}
	return spec
}

// keyed is a table that is there, mostly one with a primary key.
func (g editor) keyed() *Table {
	keyed := keep(g.s.Tables(), func(t *Table) bool { return t.PrimaryKey != nil })
	if len(keyed) == 0 || !g.lucky() {
		return g.existing()
	}
	return pick(g, "keyed table", keyed)
}

// fitting is a column that may refer to the one given, if there is one.
func (g editor) fitting(target *Table, column string) string {
	to, err := target.Column(ObjectRef{Name: column})
	if g.on == nil || err != nil || !g.lucky() {
		return g.columnOf(g.on)
	}
	fit := keep(g.on.Columns, func(c Column) bool { return g.s.dialect.pairable(c, *to) })
	if len(fit) == 0 {
		return g.columnOf(g.on)
	}
	return pick(g, "fitting", fit).Name
}

// keySet changes some fields of a key.
func (g editor) keySet() ForeignKeySpec {
	spec := g.keySpec()
	if rapid.Bool().Draw(g.t, "target stays") {
		spec.ReferencedTable = nil
	}
	if rapid.Bool().Draw(g.t, "mappings stay") {
		spec.Mappings = nil
	}
	return spec
}

func (g editor) indexSpec() IndexSpec {
	spec := IndexSpec{
		Name: maybe(g, "index name", func() string { return g.of("index name", "ix0", "ix1", "IX0", "A", "") }), Unique: g.flag("unique"),
		Where: maybe(g, "where", func() string { return g.of("where", "", "x > 0", "'") }),
	}
	for range 1 + g.number(3, "index columns") {
		part := IndexPart{Name: g.columnOf(g.on), Descending: rapid.Bool().Draw(g.t, "descending"),
			Nulls: maybe(g, "nulls", func() string { return g.of("nulls", "first", "last", "") })}
		if g.number(4, "expression") == 0 {
			part.Name, part.Expression = "", g.of("expression text", "x + 1", "lower([y])", "A.y", "x, y")
		}
		spec.Columns = append(spec.Columns, part)
	}
	spec.Method = maybe(g, "method", func() string { return g.of("method", "btree", "", "hash", "tree") })
	if g.number(4, "include") == 0 {
		spec.Include = []string{g.columnOf(g.on)}
	}
	return spec
}

// edit draws one; things are added more often than dropped.
func (g editor) edit() Edit {
	ops := append(Ops(), AddType, AddTable, AddColumn, AddColumn, AddForeignKey, AddForeignKey, AddForeignKey, SetForeignKey, AddIndex, SetColumn)
	e := Edit{Op: pick(g, "op", ops)}
	if e.Op == AddTable {
		e.Table = TableRef{Schema: g.of("schema", "", "", "s", "nowhere"), Name: g.tableName()}
		e.CreateSchema = rapid.Bool().Draw(g.t, "create schema")
		e.Comment = maybe(g, "comment", func() string { return g.of("comment", "", "table") })
		for range g.number(4, "columns") {
			e.InitialColumns = append(e.InitialColumns, g.newColumn())
		}
		return e
	}
	if e.Op.IsOfType() {
		g.typeEdit(&e)
		return e
	}
	e.Table = g.table()
	g.on, _ = g.s.Table(e.Table)
	switch e.Op {
	case SetTable:
		e.CreateSchema = rapid.Bool().Draw(g.t, "create schema")
		e.SetTable = TableSet{Name: maybe(g, "name", g.tableName), Schema: maybe(g, "schema", func() string { return g.of("new schema", "", "s", "S") }),
			Comment: maybe(g, "comment", func() string { return g.of("comment", "", "one", "two") })}
	case AddColumn:
		e.Column = g.newColumn()
	case DropColumn:
		e.ColumnRef.Name = g.columnOf(g.on)
	case SetColumn:
		e.ColumnRef.Name, e.SetColumn = g.columnOf(g.on), g.columnSpec()
		e.SetColumn.Name = maybe(g, "name", g.column)
	default:
		g.part(&e)
	}
	return e
}

// typeEdit draws an edit of a type.
func (g editor) typeEdit(e *Edit) {
	name := func() string { return g.of("type name", "mood", "Level", "level", "A", "int", "") }
	schema := func() string { return g.of("type schema", "", "", "s", "nowhere") }
	values := func() []string {
		return []string{g.of("value", "one", "two"), g.of("value", "three", "it's"), g.of("value", "four", "one")}
	}
	if e.Op == AddType {
		e.Type = TypeSpec{Schema: schema(), Name: name(), Values: values(), Comment: maybe(g, "comment", func() string { return "of a type" })}
		return
	}
	e.TypeRef = TableRef{Schema: schema(), Name: name()}
	if all := g.s.NamedTypes(); len(all) > 0 && g.lucky() {
		e.TypeRef = TableRef{ID: pick(g, "existing type", all).ID}
	}
	if e.Op == DropType {
		return
	}
	e.SetType = TypeSet{Name: maybe(g, "new name", name), Schema: maybe(g, "new schema", schema)}
	switch g.number(4, "values") {
	case 0:
		e.SetType.Values = values()
	case 1:
		e.SetType.AddValues, e.SetType.Before = []string{g.of("added", "five", "one")}, maybe(g, "before", func() string { return "one" })
	case 2:
		e.SetType.RenameValues = map[string]string{g.of("old", "one", "two", "gone"): g.of("new", "six", "three")}
	}
}

// typed draws a type for a column: one of the model's own or a plain one.
func (g editor) typed() string {
	if all := g.s.NamedTypes(); len(all) > 0 && g.number(3, "own type") == 0 {
		t := pick(g, "own type", all)
		return t.Schema + "." + t.Name
	}
	return g.of("plain type", "int", "int", "bigint", "nvarchar(9)")
}

// part draws the rest of an edit of a key, index or check.
func (g editor) part(e *Edit) {
	key := func() ObjectRef {
		return partRef(g, func(t *Table) []ForeignKey { return t.ForeignKeys }, func(k ForeignKey) string { return k.Name })
	}
	index := func() ObjectRef {
		return partRef(g, func(t *Table) []Index { return t.Indexes }, func(x Index) string { return x.Name })
	}
	switch e.Op {
	case AddForeignKey:
		e.ForeignKey = g.keySpec()
	case DropForeignKey:
		e.ForeignKeyRef = key()
	case SetForeignKey:
		e.ForeignKeyRef, e.SetForeignKey = key(), g.keySet()
	case AddIndex:
		e.Index = g.indexSpec()
	case DropIndex:
		e.IndexRef = index()
	case SetIndex:
		e.IndexRef, e.SetIndex = index(), g.indexSpec()
		if rapid.Bool().Draw(g.t, "only its name") {
			e.SetIndex = IndexSpec{Name: new(g.of("index name", "ix0", "ix1", "ix2"))}
		}
	case AddCheck:
		e.Check = CheckSpec{Name: maybe(g, "check name", func() string { return g.object("ck") }), Expression: new(g.of("check", "x > 0", "y IN (id)", "("))}
	case DropCheck:
		e.CheckRef = partRef(g, func(t *Table) []Check { return t.Checks }, func(k Check) string { return k.Name })
	}
}
