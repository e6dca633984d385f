package enginetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// BenchmarkPlanOneEdit plans one edit of a schema with so many tables, a view
// for every fourth and a trigger for every eighth of them: each batch of edits
// is planned once before it is acknowledged. It needs no server.
func BenchmarkPlanOneEdit(b *testing.B, e engine.Engine) {
	for _, n := range []int{10, 1000, 10000} {
		base, err := designer.Build(e.Dialect(), manyTables(n), nil)
		require.NoError(b, err)
		for _, edit := range []struct {
			name string
			make func(*designer.Table)
		}{
			{"add", func(t *designer.Table) {
				t.Columns = append(t.Columns, designer.Column{ID: "added", Name: "more", DataType: "int", IsNullable: true})
			}},
			{"drop", func(t *designer.Table) { t.Columns = t.Columns[:len(t.Columns)-1] }},
			{"rename", func(t *designer.Table) { t.Columns[len(t.Columns)-1].Name = "other" }},
		} {
			b.Run(fmt.Sprintf("tables=%d/%s", n, edit.name), func(b *testing.B) {
				design := withTable(b, base, "table_2", edit.make)
				for b.Loop() {
					_, _, blocked, err := designer.PlanAround(designer.DiffOf(base, design), e.Plan)
					require.NoError(b, err)
					require.Empty(b, blocked)
				}
			})
		}
	}
}

// withTable is a copy of s with a table changed.
func withTable(t testing.TB, s *designer.Schema, name string, change func(*designer.Table)) *designer.Schema {
	t.Helper()
	tables := append([]*designer.Table(nil), s.Tables()...)
	for i, table := range tables {
		if table.Name == name {
			next := *table
			next.Columns = append([]designer.Column(nil), table.Columns...)
			change(&next)
			tables[i] = &next
		}
	}
	to, err := designer.Restore(s.Dialect(), tables, &designer.Options{DefaultSchema: s.DefaultSchema(), Catalog: s.Catalog()})
	require.NoError(t, err)
	require.NoError(t, to.Check())
	return to
}

// manyTables is n tables of 15 columns with a foreign key and an index each.
func manyTables(n int) (d designer.Definition) {
	for i := range n {
		t := designer.TableDefinition{Name: fmt.Sprintf("table_%d", i), PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}},
			Columns: []designer.Column{{Name: "id", DataType: "int"}, {Name: "parent_id", DataType: "int", IsNullable: true}},
			Indexes: []designer.IndexDefinition{{Name: fmt.Sprintf("ix_%d", i), Parts: []designer.IndexKeyDefinition{{Column: "parent_id"}}}},
			ForeignKeys: []designer.ForeignKeyDefinition{{Name: fmt.Sprintf("fk_%d", i),
				ReferencedTable: designer.TableRef{Name: fmt.Sprintf("table_%d", i/2)},
				Mappings:        []designer.NameMapping{{Column: "parent_id", ReferencedColumn: "id"}}}},
		}
		for c := range 13 {
			t.Columns = append(t.Columns, designer.Column{Name: fmt.Sprintf("column_%d", c), DataType: "int", IsNullable: true})
		}
		switch {
		case i%4 == 1:
			d.Views = append(d.Views, viewOf(t, fmt.Sprintf("table_%d", i/2)))
		case i%8 == 2:
			trigger := triggerOf(t)
			t.Triggers = []string{trigger.Name}
			d.Objects = append(d.Objects, trigger)
		}
		d.Tables = append(d.Tables, t)
	}
	return d
}

// viewOf reads all columns of a table but the last, and its parent's.
func viewOf(t designer.TableDefinition, parent string) designer.View {
	var columns []string
	for _, c := range t.Columns[:len(t.Columns)-1] {
		columns = append(columns, "c."+c.Name, fmt.Sprintf("coalesce(p.%s, 0) AS parents_%s", c.Name, c.Name))
	}
	return designer.View{Name: "view_of_" + t.Name, Definition: fmt.Sprintf("CREATE VIEW view_of_%s AS SELECT %s FROM %s c JOIN %s p ON p.id = c.parent_id",
		t.Name, strings.Join(columns, ", "), t.Name, parent)}
}

// triggerOf writes to the table's columns but the last.
func triggerOf(t designer.TableDefinition) designer.Object {
	var sets []string
	for _, c := range t.Columns[1 : len(t.Columns)-1] {
		sets = append(sets, fmt.Sprintf("%s = coalesce(%s, 0) + 1", c.Name, c.Name))
	}
	name := "trigger_of_" + t.Name
	return designer.Object{Kind: designer.ObjectTrigger, Name: name, Table: t.Name,
		Definition: fmt.Sprintf("CREATE TRIGGER %s AFTER UPDATE ON %s BEGIN UPDATE %s SET %s WHERE id = 1; END", name, t.Name, t.Name, strings.Join(sets, ", "))}
}
