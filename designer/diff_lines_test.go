package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinesSayWhatEachItemWasAndBecomes(t *testing.T) {
	from := aroundFrom(t)
	to, err := Restore(from.Dialect(), from.Tables(), nil)
	require.NoError(t, err)
	for _, e := range []Edit{
		{Op: DropTable, Table: TableRef{Name: "c"}},
		{Op: AddTable, Table: TableRef{Name: "n"}, InitialColumns: []ColumnSpec{{Name: new("id"), DataType: new("int"), IsPrimaryKey: new(true)}}},
		{Op: SetTable, Table: TableRef{Name: "d"}, SetTable: TableSet{Name: new("e")}},
		{Op: SetColumn, Table: TableRef{Name: "a"}, ColumnRef: ObjectRef{Name: "x"}, SetColumn: ColumnSpec{DataType: new("bigint")}},
		{Op: AddColumn, Table: TableRef{Name: "a"}, Column: ColumnSpec{Name: new("z"), DataType: new("int")}},
		{Op: AddIndex, Table: TableRef{Name: "a"}, Index: IndexSpec{Name: new("ix"), Columns: []IndexPart{{Name: "z"}}}},
		{Op: AddForeignKey, Table: TableRef{Name: "a"}, ForeignKey: ForeignKeySpec{Name: new("fk"), ReferencedTable: &TableRef{Name: "n"},
			Mappings: []NameMapping{{Column: "y", ReferencedColumn: "id"}}}},
	} {
		_, refused := to.Apply(e)
		require.Nil(t, refused, "%v", e.Op)
	}
	d := DiffOf(from, to)
	said := map[string][2]string{}
	lines := d.Lines()
	items := d.Items()
	require.Len(t, lines, len(items))
	for i, l := range lines {
		assert.Equal(t, items[i], l.DiffItem, "in the order of Items")
		said[string(l.Kind)+" "+l.Table.Name+" "+l.Name] = [2]string{l.From, l.To}
	}
	assert.Equal(t, map[string][2]string{
		"drop_table c ":        {"id, x, y", ""},
		"add_table n ":         {"", "id"},
		"rename_table e ":      {"d", "e"},
		"alter_column a x":     {"int", "bigint"},
		"add_column a z":       {"", "int"},
		"add_index a ix":       {"", "(z)"},
		"add_foreign_key a fk": {"", "y → n (id)"},
	}, said)
}

func TestLinesSayWhatElseDiffersInAnIndex(t *testing.T) {
	table := &Table{Columns: []Column{{ID: "c1", Name: "a"}, {ID: "c2", Name: "b"}}}
	x := Index{Unique: true, Parts: []IndexKey{{Column: "c1", Descending: true}}}
	assert.Equal(t, "unique (a desc)", indexText(table)(&x))
	x.Method, x.Include, x.Where = "gin", []ID{"c2"}, "a > 0"
	assert.Equal(t, "unique (a desc) using gin include (b) where a > 0", indexText(table)(&x))
}
