package designer

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aroundFrom is a schema with tables that refer to each other: c to b to a.
func aroundFrom(t *testing.T) *Schema {
	t.Helper()
	table := func(name, refers string) TableDefinition {
		td := TableDefinition{Schema: "dbo", Name: name, PrimaryKey: &KeyDefinition{Columns: []string{"id"}},
			Columns: []Column{{Name: "id", DataType: "int"}, {Name: "x", DataType: "int", IsNullable: true}, {Name: "y", DataType: "int", IsNullable: true}}}
		if refers != "" {
			td.ForeignKeys = []ForeignKeyDefinition{{Name: "fk_" + name, ReferencedTable: TableRef{Schema: "dbo", Name: refers},
				Mappings: []NameMapping{{Column: "x", ReferencedColumn: "id"}}}}
		}
		return td
	}
	s, err := Build(serverDialect(), Definition{Tables: []TableDefinition{table("a", ""), table("b", "a"), table("c", "b"), table("d", "")}}, nil)
	require.NoError(t, err)
	return s
}

func TestWhatCannotBePlannedIsLeftOutWithWhatNeedsIt(t *testing.T) {
	add := func(table, column string) Edit {
		return Edit{Op: AddColumn, Table: TableRef{Name: table}, Column: ColumnSpec{Name: new(column), DataType: new("int")}}
	}
	drop := func(table string) Edit { return Edit{Op: DropTable, Table: TableRef{Name: table}} }
	rename := func(table, to string) Edit {
		return Edit{Op: SetTable, Table: TableRef{Name: table}, SetTable: TableSet{Name: &to}}
	}
	make := func(name string) Edit {
		return Edit{Op: AddTable, Table: TableRef{Name: name}, InitialColumns: []ColumnSpec{{Name: new("id"), DataType: new("int"), IsPrimaryKey: new(true)}}}
	}
	refer := func(from, column, to string) Edit {
		return Edit{Op: AddForeignKey, Table: TableRef{Name: from}, ForeignKey: ForeignKeySpec{ReferencedTable: &TableRef{Name: to},
			Mappings: []NameMapping{{Column: column, ReferencedColumn: "id"}}}}
	}
	for name, tt := range map[string]struct {
		edits   []Edit
		refused []string // tables that no plan may change
		planned []string
		blocked []string
	}{
		"nothing is refused":                {[]Edit{add("a", "z"), add("b", "z")}, nil, []string{"a", "b"}, nil},
		"a table by itself":                 {[]Edit{add("a", "z"), add("b", "z")}, []string{"a"}, []string{"b"}, []string{"a"}},
		"all":                               {[]Edit{add("a", "z"), add("b", "z")}, []string{"a", "b"}, nil, []string{"a", "b"}},
		"a table that goes, and its keys":   {[]Edit{drop("a"), add("c", "z")}, []string{"a"}, []string{"c"}, []string{"a", "b"}},
		"a key to a new table":              {[]Edit{make("n"), refer("d", "y", "n"), add("a", "z")}, []string{"n"}, []string{"a"}, []string{"n", "d"}},
		"a new table with a key":            {[]Edit{make("n"), add("n", "a"), refer("n", "a", "d"), add("d", "z")}, []string{"d"}, []string{"n"}, []string{"d"}},
		"a name that another one takes":     {[]Edit{rename("d", "e"), make("d"), add("a", "z")}, []string{"d"}, []string{"a"}, []string{"d", "d"}},
		"a name that another one gives way": {[]Edit{rename("d", "e"), rename("c", "d")}, []string{"c"}, []string{"e"}, []string{"c"}},
		"a draft":                           {[]Edit{{Op: AddTable, Table: TableRef{Name: "n"}}, add("a", "z")}, nil, []string{"a"}, []string{"n"}},
	} {
		t.Run(name, func(t *testing.T) {
			from := aroundFrom(t)
			to, err := Restore(from.Dialect(), from.Tables(), nil)
			require.NoError(t, err)
			for _, e := range tt.edits {
				_, refused := to.Apply(e)
				require.Nil(t, refused)
			}
			_, rest, blocked, err := PlanAround(DiffOf(from, to), func(d *Diff) (Plan, error) {
				require.NoError(t, d.To.Check(), "what is planned is a whole schema")
				var refused error
				(&partialPlanner{d: d}).differing(func(_ ID, was, is *Table) bool {
					if was == nil {
						was = is
					}
					if slices.Contains(tt.refused, was.Name) {
						refused = &PlanError{Table: was.TableName(), Message: "no"}
					}
					return refused == nil
				})
				return Plan{}, refused
			})
			require.NoError(t, err)
			var planned, left []string
			(&partialPlanner{d: rest}).differing(func(_ ID, was, is *Table) bool {
				if is == nil {
					is = was
				}
				planned = append(planned, is.Name)
				return true
			})
			for _, b := range blocked {
				left = append(left, b.Table.Name)
				assert.NotEmpty(t, b.Items)
				assert.NotEmpty(t, b.Message)
			}
			slices.Sort(planned)
			assert.Equal(t, tt.planned, planned)
			assert.ElementsMatch(t, tt.blocked, left)
		})
	}
}

// A refusal may name what is no table, as a view: then the tables are planned
// one by one.
func TestARefusalThatNamesNoTableIsFoundByPlanningEachAlone(t *testing.T) {
	from := aroundFrom(t)
	to, err := Restore(from.Dialect(), from.Tables(), nil)
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "d"} {
		_, refused := to.Apply(Edit{Op: AddColumn, Table: TableRef{Name: name}, Column: ColumnSpec{Name: new("z"), DataType: new("int")}})
		require.Nil(t, refused)
	}
	plan := func(d *Diff) (Plan, error) {
		if slices.ContainsFunc(d.Changed, func(td TableDiff) bool { return td.To.Name == "b" }) {
			return Plan{}, &PlanError{Table: TableName{Schema: "dbo", Name: "a view"}, Message: "no"}
		}
		return Plan{}, nil
	}
	_, rest, blocked, err := PlanAround(DiffOf(from, to), plan)
	require.NoError(t, err)
	assert.Len(t, rest.Changed, 2)
	require.Len(t, blocked, 1)
	assert.Equal(t, "b", blocked[0].Table.Name)

	together := func(d *Diff) (Plan, error) {
		if len(d.Changed) > 1 {
			return Plan{}, &PlanError{Message: "not together"}
		}
		return Plan{}, nil
	}
	_, _, _, err = PlanAround(DiffOf(from, to), together)
	assert.ErrorContains(t, err, "not together", "no table is to blame")
	_, _, _, err = PlanAround(DiffOf(from, to), func(*Diff) (Plan, error) { return Plan{}, errors.New("broken") })
	assert.ErrorContains(t, err, "broken")
}
