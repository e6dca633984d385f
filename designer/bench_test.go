package designer

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// large is a schema of n tables of ten columns in a chain of foreign keys,
// a tenth of which point at one hub instead.
func large(b *testing.B, d *Dialect, n int) *Schema {
	b.Helper()
	def := Definition{Tables: make([]TableDefinition, n)}
	for i := range def.Tables {
		columns := []Column{{Name: "Id", DataType: "int"}, {Name: "Parent", DataType: "int", IsNullable: true}}
		for c := range 8 {
			columns = append(columns, Column{Name: fmt.Sprint("c", c), DataType: "nvarchar", MaxLength: "50", IsNullable: true})
		}
		target := fmt.Sprint("T", max(i-1, 0))
		if i%10 == 0 {
			target = "T0"
		}
		def.Tables[i] = TableDefinition{
			Name: fmt.Sprint("T", i), Columns: columns, PrimaryKey: &KeyDefinition{Columns: []string{"Id"}},
			ForeignKeys: []ForeignKeyDefinition{{Name: fmt.Sprint("FK", i), ReferencedTable: TableRef{Name: target}, OnDelete: Cascade,
				Mappings: []NameMapping{{"Parent", "Id"}}}},
			Checks: []CheckDefinition{{Name: fmt.Sprint("CK", i), Expression: "c1 <> c2"}},
		}
	}
	def.Tables = append(def.Tables, TableDefinition{Name: "Leaf", Columns: []Column{{Name: "Parent", DataType: "int"}}})
	s, err := Build(d, def, nil)
	require.NoError(b, err)
	return s
}

// everydayEdits are one of each kind that is made often, on a table in the
// middle and on the hub.
func everydayEdits(n int) map[string]string {
	table := fmt.Sprint("T", n/2)
	toHub := `{"referencedTable":{"name":"T0"},"mappings":[{"column":"Parent","referencedColumn":"Id"}],"onDeleteAction":0}`
	return map[string]string{
		"add_table":       `{"op":"add_table","table":{"schema":"dbo","name":"New"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]}`,
		"set_table":       `{"op":"set_table","table":{"name":"` + table + `"},"set":{"name":"New"}}`,
		"add_column":      `{"op":"add_column","table":{"name":"` + table + `"},"column":{"name":"New","dataType":"int"}}`,
		"set_column":      setsColumn(table, "c1", `{"name":"New","dataType":"nvarchar(70)"}`),
		"add_foreign_key": addsKey("T1", `{"referencedTable":{"name":"`+table+`"},"mappings":[{"column":"Parent","referencedColumn":"Id"}]}`),
		"add_index":       addsIndex(table, `{"columns":["c1","c2"]}`),
		"add_check":       addsCheck(table, `{"expression":"c1 > ''"}`),
		"hub_cascade":     addsKey("Leaf", toHub),
		"hub_set_column":  setsColumn("T0", "c1", `{"name":"New","dataType":"nvarchar(70)"}`),
		"hub_drop_column": dropsColumn("T0", "c3"),
	}
}

func BenchmarkApplyOneEdit(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		s := large(b, serverDialect(), n)
		for op, text := range everydayEdits(n) {
			edit := decode(b, "["+text+"]")[0]
			b.Run(fmt.Sprintf("%s/tables=%d", op, n), func(b *testing.B) {
				for b.Loop() {
					c, err := s.Apply(edit)
					if err != nil {
						b.Fatal(err)
					}
					if s.Version() == "" || len(c.Tables) == 0 {
						b.Fatal("nothing changed")
					}
					Summarize(s, []Change{c})
					s.Warnings([]Change{c})
					s.Undo(c)
				}
			})
		}
	}
}

// BenchmarkRefusedEdit pays for the hints.
func BenchmarkRefusedEdit(b *testing.B) {
	s := large(b, serverDialect(), 10_000)
	edit := decode(b, `[{"op":"drop_table","table":{"name":"TX"}}]`)[0]
	for b.Loop() {
		if _, err := s.Apply(edit); err == nil {
			b.Fatal("accepted")
		}
	}
}

// BenchmarkBatchOf200 is the start of a design: 20 tables of 7 columns, with
// foreign keys and indexes, from JSON to the receipt.
func BenchmarkBatchOf200(b *testing.B) {
	text := "["
	for i := range 20 {
		name := fmt.Sprint("New", i)
		text += `{"op":"add_table","table":{"name":"` + name + `"}},`
		for c := range 7 {
			text += fmt.Sprintf(`{"op":"add_column","table":{"name":"%s"},"column":{"name":"c%d","dataType":"int","isPrimaryKey":%t}},`, name, c, c == 0)
		}
		text += addsKey(name, fmt.Sprintf(`{"referencedTable":{"name":"New%d"},"mappings":[{"column":"c1","referencedColumn":"c0"}]}`, i/2)) + ","
		text += addsIndex(name, `{"columns":["c1"]}`) + ","
	}
	text = text[:len(text)-1] + "]"
	for _, n := range []int{0, 10_000} {
		s := large(b, openDialect(), n)
		b.Run(fmt.Sprintf("onto=%d", n), func(b *testing.B) {
			for b.Loop() {
				var changes []Change
				for _, e := range decode(b, text) {
					c, err := s.Apply(e)
					if err != nil {
						b.Fatal(err)
					}
					changes = append(changes, c)
				}
				Summarize(s, changes)
				s.Warnings(changes)
				for _, c := range InverseAll(changes) {
					s.Redo(c)
				}
			}
		})
	}
}
