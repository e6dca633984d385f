package merge

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/mssql"
)

// shop is a schema of three tables.
func shop(t testing.TB) *designer.Schema {
	t.Helper()
	s := designer.New(mssql.Dialect(), &designer.Options{DefaultSchema: "dbo"})
	apply(t, s, `[
		{"op":"add_table","table":{"name":"Customers"},"initialColumns":[
			{"name":"Id","dataType":"int","isPrimaryKey":true,"isIdentity":true},
			{"name":"Email","dataType":"nvarchar(200)","isNullable":false},
			{"name":"Region","dataType":"int"}]},
		{"op":"add_index","table":{"name":"Customers"},"index":{"name":"UQ_Email","unique":true,"columns":["Email"]}},
		{"op":"add_table","table":{"name":"Orders"},"initialColumns":[
			{"name":"OrderId","dataType":"int","isPrimaryKey":true},
			{"name":"CustomerId","dataType":"int"},
			{"name":"Total","dataType":"decimal(10,2)","defaultValue":"0"},
			{"name":"Note","dataType":"nvarchar(max)"}]},
		{"op":"add_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers",
			"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}},
		{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX_Total","columns":[{"name":"Total","descending":true}],"where":"Total > 0"}},
		{"op":"add_check","table":{"name":"Orders"},"check":{"name":"CK_Total","expression":"Total >= 0"}},
		{"op":"add_table","table":{"name":"Lines"},"initialColumns":[
			{"name":"OrderId","dataType":"int","isPrimaryKey":true},
			{"name":"Line","dataType":"int","isPrimaryKey":true},
			{"name":"Parent","dataType":"int"},
			{"name":"Quantity","dataType":"int","isNullable":false}]},
		{"op":"add_foreign_key","table":{"name":"Lines"},"foreignKey":{"name":"FK_Lines_Orders",
			"referencedTable":{"name":"Orders"},"mappings":[{"column":"OrderId","referencedColumn":"OrderId"}]}}
	]`)
	return s
}

// apply makes edits as a caller writes them.
func apply(t testing.TB, s *designer.Schema, text string) {
	t.Helper()
	list, refusal := edits.Decode(json.RawMessage(text))
	require.Nil(t, refusal)
	for i, e := range list {
		_, refusal := s.Apply(e)
		require.Nil(t, refusal, "edits[%d]", i)
	}
	require.NoError(t, s.Check())
}

// merged edits the shop on both sides and joins them.
func merged(t *testing.T, ours, theirs string, choose func(Conflict) Side) *Result {
	t.Helper()
	base := shop(t)
	again := func() *designer.Schema {
		s, err := base.Adopt(base.Definition())
		require.NoError(t, err)
		return s
	}
	design, database := again(), again()
	apply(t, design, ours)
	apply(t, database, theirs)
	before := design.Version()
	m, err := Definition(base, design, database.Definition(), choose)
	require.NoError(t, err)
	assert.Equal(t, before, design.Version(), "joining changes none of the three")
	require.NoError(t, m.Design.Check())
	require.NoError(t, m.Database.Check())
	assert.Equal(t, database.Version(), m.Database.Version())
	return m
}

func lines(items []designer.DiffItem) []string {
	var out []string
	for _, i := range items {
		text := fmt.Sprintf("%s %s.%s", i.Kind, i.Table.Name, i.Name)
		if len(i.Fields) > 0 {
			text += fmt.Sprint(" ", i.Fields)
		}
		out = append(out, text)
	}
	return out
}

func TestWhoChoosesIsShownBothSidesOfAPart(t *testing.T) {
	add := func(column string) string {
		return `[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Phone",` + column + `}}]`
	}
	index := func(columns string) string {
		return `[{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX","columns":[` + columns + `],"unique":true}}]`
	}
	check := func(expression string) string {
		return `[{"op":"add_check","table":{"name":"Orders"},"check":{"name":"CK","expression":"` + expression + `"}}]`
	}
	for _, tt := range []struct{ ours, theirs, design, database string }{
		{add(`"dataType":"int"`), add(`"dataType":"varchar(20)","isNullable":false,"defaultValue":"'-'"`), "int", "varchar(20) not null default '-'"},
		{index(`"Note"`), index(`"CustomerId",{"name":"Note","descending":true}`), "unique (Note)", "unique (CustomerId, Note desc)"},
		{check("Total > 0"), check("Total > 1"), "Total > 0", "Total > 1"},
	} {
		m := merged(t, tt.ours, tt.theirs, nil)
		require.Len(t, m.Conflicts, 1)
		assert.Equal(t, tt.design, m.Conflicts[0].Design)
		assert.Equal(t, tt.database, m.Conflicts[0].Database)
	}
}

func TestWhatDoesNotConflictIsJoined(t *testing.T) {
	tests := []struct {
		name, ours, theirs string
		left               []string // what the design proposes afterwards
	}{
		{"different tables",
			`[{"op":"set_table","table":{"name":"Lines"},"set":{"name":"OrderLines"}}]`,
			`[{"op":"add_table","table":{"name":"New"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]}]`,
			[]string{"rename_table OrderLines."}},
		{"different columns of a table",
			`[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Mine","dataType":"int"}}]`,
			`[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Theirs","dataType":"int"}},
			  {"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Note"}}]`,
			[]string{"add_column Orders.Mine"}},
		{"different attributes of a column",
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"dataType":"decimal(12,2)"}}]`,
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"defaultValue":"1"}}]`,
			[]string{"alter_column Orders.Total [type]"}},
		{"the same on both sides",
			`[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Both","dataType":"int"}},
			  {"op":"add_table","table":{"name":"New"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]}]`,
			`[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Both","dataType":"int"}},
			  {"op":"add_table","table":{"name":"New"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]}]`,
			nil},
		{"dropped on both sides",
			`[{"op":"drop_table","table":{"name":"Lines"}}]`, `[{"op":"drop_table","table":{"name":"Lines"}}]`, nil},
		{"dropped there, untouched here",
			`[{"op":"add_column","table":{"name":"Customers"},"column":{"name":"Mine","dataType":"int"}}]`,
			`[{"op":"drop_table","table":{"name":"Lines"}},{"op":"drop_check","table":{"name":"Orders"},"check":{"name":"CK_Total"}}]`,
			[]string{"add_column Customers.Mine"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := merged(t, tt.ours, tt.theirs, nil)
			assert.Empty(t, m.Conflicts)
			assert.Equal(t, tt.left, lines(designer.DiffOf(m.Database, m.Design).Items()))
		})
	}
}

func TestWhatConflictsIsListedAndChosen(t *testing.T) {
	tests := []struct {
		name, ours, theirs, part, what string
		design                         []string // left to publish where the design is chosen
	}{
		{"a type",
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"dataType":"decimal(12,2)"}}]`,
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"dataType":"decimal(14,2)"}}]`,
			"column Total", "type", []string{"alter_column Orders.Total [type]"}},
		{"a column dropped here and changed there",
			`[{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Note"}}]`,
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Note"},"set":{"isNullable":false}}]`,
			"column Note", "dropped in the design, changed in the database", []string{"drop_column Orders.Note"}},
		{"a column changed here and dropped there",
			`[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Note"},"set":{"isNullable":false}}]`,
			`[{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Note"}}]`,
			"column Note", "dropped in the database, changed in the design", []string{"add_column Orders.Note"}},
		{"a table changed here and dropped there",
			`[{"op":"add_column","table":{"name":"Lines"},"column":{"name":"Mine","dataType":"int"}}]`,
			`[{"op":"drop_table","table":{"name":"Lines"}}]`,
			"", "dropped in the database, changed in the design", []string{"add_table Lines."}},
		{"an index added on both sides",
			`[{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX","columns":["Note"]}}]`,
			`[{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX","columns":["CustomerId"]}}]`,
			"index IX", "added in both, differently", []string{"alter_index Orders.IX"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := merged(t, tt.ours, tt.theirs, nil)
			require.Len(t, m.Conflicts, 1)
			assert.Equal(t, 1, m.Open)
			assert.Equal(t, tt.part, m.Conflicts[0].Part)
			assert.Equal(t, tt.what, m.Conflicts[0].What)
			assert.NotEmpty(t, m.Conflicts[0].ID)

			take := func(side Side) func(Conflict) Side { return func(Conflict) Side { return side } }
			m = merged(t, tt.ours, tt.theirs, take(SideDatabase))
			assert.Zero(t, m.Open)
			assert.Empty(t, designer.DiffOf(m.Database, m.Design).Items(), "the database's side leaves nothing to publish")
			m = merged(t, tt.ours, tt.theirs, take(SideDesign))
			assert.Zero(t, m.Open)
			assert.Equal(t, tt.design, lines(designer.DiffOf(m.Database, m.Design).Items()))
		})
	}
}

func TestAKeyOnWhatTheDatabaseDroppedIsAConflict(t *testing.T) {
	m := merged(t,
		`[{"op":"add_index","table":{"name":"Orders"},"index":{"name":"IX_Note","columns":["Note"]}}]`,
		`[{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Note"}}]`, nil)
	require.Len(t, m.Conflicts, 1)
	assert.Equal(t, "index IX_Note", m.Conflicts[0].Part)
	assert.Equal(t, "needs what the database dropped", m.Conflicts[0].What)
	assert.Empty(t, designer.DiffOf(m.Database, m.Design).Items())
}
