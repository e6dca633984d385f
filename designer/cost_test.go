package designer

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// star makes a schema of n tables with ten columns each, all of which refer
// to the first: an edit of that one must cost what any other's does.
func star(t testing.TB, n int) *Schema {
	t.Helper()
	s := emptySchema(serverDialect())
	for i := range n {
		initial := []ColumnSpec{newColumn("Id", "int"), newColumn("Parent", "int")}
		yes := true
		initial[0].IsPrimaryKey = &yes
		for j := range 8 {
			initial = append(initial, newColumn(fmt.Sprintf("Column%d", j), "nvarchar(50)"))
		}
		grow(t, s, Edit{Op: AddTable, Table: TableRef{Name: tableNumber(i)}, InitialColumns: initial})
		if i == 0 {
			continue
		}
		target := TableRef{Name: tableNumber(0)}
		grow(t, s, Edit{Op: AddForeignKey, Table: TableRef{Name: tableNumber(i)}, ForeignKey: ForeignKeySpec{
			ReferencedTable: &target, Mappings: []NameMapping{{Column: "Parent", ReferencedColumn: "Id"}}}})
	}
	return s
}

func grow(t testing.TB, s *Schema, e Edit) Change {
	c, err := s.Apply(e)
	if err != nil {
		require.FailNow(t, "the edit was refused", "%v", err)
	}
	return c
}

func newColumn(name, dataType string) ColumnSpec { return ColumnSpec{Name: &name, DataType: &dataType} }

func tableNumber(i int) string { return fmt.Sprintf("Table%05d", i) }

// toggle is an edit that changes something every time.
func toggle(table string, turn int) Edit {
	nullable := turn%2 == 1
	return Edit{Op: SetColumn, Table: TableRef{Name: table}, ColumnRef: ObjectRef{Name: "Column3"},
		SetColumn: ColumnSpec{IsNullable: &nullable}}
}

func BenchmarkEditOfATableOthersReferTo(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprintf("references=%d", n), func(b *testing.B) {
			s := star(b, n)
			turn := 0
			for b.Loop() {
				grow(b, s, toggle(tableNumber(0), turn))
				_ = s.Version()
				turn++
			}
		})
	}
}

func TestAnEditOfATableLooksAtThoseThatReferToItOnlyWhenItsKeyGoes(t *testing.T) {
	few, many := star(t, 10), star(t, 2_000)
	allocations := func(s *Schema) float64 {
		turn := 0
		return testing.AllocsPerRun(20, func() {
			grow(t, s, toggle(tableNumber(0), turn))
			turn++
		})
	}
	require.InDelta(t, allocations(few), allocations(many), 5, "allocations of one edit")
	no := false
	_, err := many.Apply(Edit{Op: SetColumn, Table: TableRef{Name: tableNumber(0)}, ColumnRef: ObjectRef{Name: "Id"},
		SetColumn: ColumnSpec{IsPrimaryKey: &no}})
	require.NotNil(t, err, "a key that others refer to was taken away")
}
