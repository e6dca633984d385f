package mssql

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// change edits a copy of a schema, ids kept.
func change(t testing.TB, from *designer.Schema, edits string) *designer.Schema {
	t.Helper()
	to, err := designer.Restore(Dialect(), from.Tables(), &designer.Options{Catalog: from.Catalog()})
	require.NoError(t, err)
	edit(t, to, edits)
	return to
}

// planOf is the plan for edits of everything.
func planOf(t *testing.T, edits string) designer.Plan {
	t.Helper()
	from := build(t, everything())
	plan, err := Engine{}.Plan(designer.DiffOf(from, change(t, from, edits)))
	require.NoError(t, err)
	require.NotEmpty(t, plan.Steps)
	return plan
}

// plans are edits of everything whose plans are kept in testdata.
var plans = map[string]string{
	"rename": `[
		{"op":"set_table","table":{"schema":"sales","name":"Orders"},"set":{"name":"Purchases"}},
		{"op":"set_column","table":{"schema":"sales","name":"Purchases"},"column":{"name":"Total"},"set":{"name":"Amount"}},
		{"op":"set_foreign_key","table":{"schema":"sales","name":"Purchases"},"foreignKey":{"name":"FK_Orders_Customers"},"set":{"name":"FK_Purchases"}},
		{"op":"set_index","table":{"name":"Customers"},"index":{"name":"IX_Spare"},"set":{"name":"IX_Left"}},
		{"op":"set_index","table":{"name":"Customers"},"index":{"name":"UQ_Email"},"set":{"name":"UQ_Mail"}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Spare"},"set":{"name":"SPARE"}}]`,
	"swap": `[
		{"op":"set_column","table":{"schema":"sales","name":"Lines"},"column":{"name":"Text"},"set":{"name":"x"}},
		{"op":"set_column","table":{"schema":"sales","name":"Lines"},"column":{"name":"Parent"},"set":{"name":"Text"}},
		{"op":"set_column","table":{"schema":"sales","name":"Lines"},"column":{"name":"x"},"set":{"name":"Parent"}},
		{"op":"set_table","table":{"schema":"sales","name":"Lines"},"set":{"name":"x"}},
		{"op":"set_table","table":{"schema":"sales","name":"Orders"},"set":{"name":"Lines"}},
		{"op":"set_table","table":{"schema":"sales","name":"x"},"set":{"name":"Orders"}}]`,
	"move": `[
		{"op":"set_table","createSchema":true,"table":{"schema":"sales","name":"Lines"},"set":{"schema":"archive","name":"OldLines"}},
		{"op":"set_table","table":{"schema":"sales","name":"Orders"},"set":{"schema":"dbo"}}]`,
	"said": `[
		{"op":"add_table","table":{"name":"Tags"},"comment":"Words","initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true},
			{"name":"Name","dataType":"nvarchar(40)","isNullable":false,"isUnique":true,"comment":"It's one"}]},
		{"op":"set_table","table":{"name":"Customers"},"set":{"comment":"Who buys"}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Vip"},"set":{"comment":"Never waits"}},
		{"op":"add_index","table":{"schema":"sales","name":"Orders"},"index":{"columns":[{"name":"Placed","descending":true}],"include":["Total"]}},
		{"op":"add_index","table":{"name":"Tags"},"index":{"method":"columnstore","columns":["Name"]}}]`,
	"alter": `[
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Total"},"set":{"dataType":"decimal(19,4)"}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Placed"},"set":{"isNullable":true}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Email"},"set":{"maxLength":"250","collation":""}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Vip"},"set":{"defaultValue":"1"}},
		{"op":"set_column","table":{"schema":"sales","name":"Lines"},"column":{"name":"Text"},"set":{"maxLength":"80"}}]`,
	"convert": `[
		{"op":"drop_index","table":{"name":"Notes"},"index":{"name":"AX"}},
		{"op":"drop_index","table":{"name":"Notes"},"index":{"name":"PX"}},
		{"op":"set_column","table":{"name":"Notes"},"column":{"name":"Doc"},"set":{"dataType":"nvarchar(max)","name":"Text","isNullable":false}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Vat"},"set":{"isComputed":false,"dataType":"money"}}]`,
	"identity": `[
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"OrderId"},"set":{"isIdentity":true,"defaultValue":""}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Closed"},"set":{"name":"IsClosed","dataType":"tinyint"}},
		{"op":"add_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Note","dataType":"nvarchar(20)","isNullable":false,"defaultValue":"N''"}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Id"},"set":{"identityIncrement":1}}]`,
	"key": `[
		{"op":"drop_foreign_key","table":{"schema":"sales","name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers"}},
		{"op":"set_column","table":{"name":"Customers"},"column":{"name":"Key"},"set":{"isPrimaryKey":true}},
		{"op":"add_index","table":{"name":"Customers"},"index":{"name":"UX_Id","unique":true,"columns":["Id"]}},
		{"op":"add_foreign_key","table":{"schema":"sales","name":"Orders"},"foreignKey":{"name":"FK_C","referencedTable":{"name":"Customers"},
			"mappings":[{"column":"CustomerId","referencedColumn":"Id"}],"onDeleteAction":"set_null"}}]`,
	"unnamed": `[
		{"op":"drop_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Closed"}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Total"},"set":{"name":"Sum","defaultValue":"1"}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"CustomerId"},"set":{"collation":""}},
		{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Placed"},"set":{"dataType":"datetime2(7)"}}]`,
	"new": `[
		{"op":"add_table","createSchema":true,"table":{"schema":"stock","name":"Items"},"initialColumns":[
			{"name":"Id","dataType":"int","isPrimaryKey":true,"isIdentity":true},
			{"name":"Name","dataType":"nvarchar(50)","isNullable":false},
			{"name":"Of","dataType":"bigint"},
			{"name":"Upper","isComputed":true,"computedFormula":"upper(Name)"}]},
		{"op":"add_foreign_key","table":{"schema":"stock","name":"Items"},"foreignKey":{"referencedTable":{"name":"Notes"},"mappings":[{"column":"Of","referencedColumn":"Id"}]}},
		{"op":"add_index","table":{"schema":"stock","name":"Items"},"index":{"columns":["Name"],"where":"Name <> N''"}},
		{"op":"add_check","table":{"schema":"stock","name":"Items"},"check":{"expression":"len(Name) > 1"}},
		{"op":"drop_table","table":{"schema":"sales","name":"Lines"}},
		{"op":"drop_table","table":{"schema":"sales","name":"Prices"}},
		{"op":"drop_table","table":{"schema":"sales","name":"Orders"}}]`,
}

func TestPlansAreAsKept(t *testing.T) {
	for name, edits := range plans {
		t.Run(name, func(t *testing.T) {
			plan := planOf(t, edits)
			golden(t, "plan_"+name+".sql", planText(plan))
			understood(t, plan)
			assert.True(t, plan.Transactional)
			assert.Equal(t, "GO", plan.Separator)
		})
	}
}

func TestNoChangeIsNoPlan(t *testing.T) {
	s := build(t, everything())
	plan, err := Engine{}.Plan(designer.DiffOf(s, change(t, s, `[]`)))
	require.NoError(t, err)
	assert.Empty(t, plan.Steps)
}

func TestATableIsNeverWithoutColumns(t *testing.T) {
	from := build(t, designer.Definition{Tables: []designer.TableDefinition{{Name: "t",
		Columns: []designer.Column{{Name: "a", DataType: "int"}, {Name: "b", DataType: "int"}}}}})
	to := change(t, from, `[
		{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}},
		{"op":"add_column","table":{"name":"t"},"column":{"name":"b","dataType":"date"}},
		{"op":"drop_column","table":{"name":"t"},"column":{"name":"a"}}]`)
	plan, err := Engine{}.Plan(designer.DiffOf(from, to))
	require.NoError(t, err)
	understood(t, plan)
	golden(t, "plan_all_columns.sql", planText(plan))
}

func TestWhatNoPlanCanDoIsSaid(t *testing.T) {
	for _, tt := range []struct{ name, edits, message string }{
		{"no conversion", `[{"op":"set_column","table":{"name":"Notes"},"column":{"name":"At"},"set":{"dataType":"int"}}]`,
			"column At cannot change from time(0) to int: SQL Server converts no such values; add a column of the new type and drop this one"},
		{"the type of a computed column", `[{"op":"set_column","table":{"schema":"sales","name":"Orders"},"column":{"name":"Vat"},"set":{"dataType":"int"}}]`,
			"column Vat is computed: its type follows from its formula; convert in the formula"},
		{"a computed column that is not null", `[{"op":"add_column","table":{"schema":"sales","name":"Lines"},"column":{"name":"x","isComputed":true,"computedFormula":"1","isNullable":false}}]`,
			"column x is computed: only a persisted one can be NOT NULL or part of a key; set computedPersisted"},
		{"a name that a bound view has", `[{"op":"set_table","table":{"name":"Notes"},"set":{"name":"x"}},{"op":"set_table","table":{"name":"Customers"},"set":{"name":"Notes"}},
			{"op":"set_table","table":{"name":"x"},"set":{"name":"Customers"}}]`,
			"view sales.bound is bound to it (SCHEMABINDING) and names what gets another name or is dropped: drop the view, publish, and make it again as it is to be"},
		{"a column that a bound view names", `[{"op":"set_column","table":{"name":"Notes"},"column":{"name":"Id"},"set":{"name":"Number"}}]`,
			"view sales.bound is bound to it (SCHEMABINDING) and names what gets another name or is dropped: drop the view, publish, and make it again as it is to be"},
		{"XML indexes without a clustered key", `[{"op":"set_column","table":{"name":"Notes"},"column":{"name":"Id"},"set":{"isPrimaryKey":false}}]`,
			"index AX is of xml, which needs a clustered primary key, and the server refuses that"},
		{"a table with a history", `[{"op":"set_column","table":{"schema":"sales","name":"Prices"},"column":{"name":"Id"},"set":{"isIdentity":true}}]`,
			"the identity of column Id cannot be altered and the table cannot be re-created: it keeps a history; switch SYSTEM_VERSIONING off first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := build(t, everything())
			_, err := Engine{}.Plan(designer.DiffOf(from, change(t, from, tt.edits)))
			var none *designer.PlanError
			require.ErrorAs(t, err, &none)
			assert.Equal(t, tt.message, none.Message)
			assert.NotEmpty(t, none.Table.Name)
		})
	}
}

func TestStepsNameTheTablesAsTheyWere(t *testing.T) {
	for _, s := range planOf(t, plans["rename"]).Steps {
		for _, table := range s.Tables {
			assert.NotContains(t, table.Name, "Purchases", s.Statement)
		}
		if strings.Contains(s.Statement, "Purchases") {
			assert.Contains(t, s.Tables, designer.TableName{Schema: "sales", Name: "Orders"}, s.Statement)
		}
	}
}

// A view has its columns written down: what a SELECT * shows beneath is wrong
// until the server has read it again.
func TestViewsAreReadAgainAfterWhatTheyUse(t *testing.T) {
	table := func(name string) designer.TableDefinition {
		return designer.TableDefinition{Name: name, Columns: []designer.Column{{Name: "A", DataType: "int"}, {Name: "B", DataType: "int", IsNullable: true}}}
	}
	use := func(names ...string) (list []designer.Dependency) {
		for _, n := range names {
			list = append(list, designer.Dependency{Schema: "dbo", Name: n})
		}
		return list
	}
	view := func(name, query string, uses ...string) designer.View {
		return designer.View{Schema: "dbo", Name: name, Definition: "CREATE VIEW dbo." + name + " AS " + query, Uses: use(uses...)}
	}
	def := designer.Definition{Tables: []designer.TableDefinition{table("T"), table("Other")},
		Views: []designer.View{
			view("a_top", "SELECT * FROM dbo.middle", "middle"),
			view("aside", "SELECT * FROM dbo.Other", "Other"),
			view("lost", "SELECT * FROM dbo.T, dbo.nowhere", "T", "nowhere"),
			view("middle", "SELECT * FROM dbo.base", "base"),
			view("base", "SELECT * FROM dbo.T", "T"),
			view("named", "SELECT B FROM dbo.T", "T"),
			view("over_named", "SELECT * FROM dbo.named", "named"),
			view("unknown", "SELECT * FROM T"),
		},
		Objects: []designer.Object{
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "f", Definition: "CREATE FUNCTION dbo.f() RETURNS TABLE AS RETURN SELECT * FROM dbo.T", Uses: use("T")},
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "n", Definition: "CREATE FUNCTION dbo.n() RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM dbo.T) END", Uses: use("T")},
		}}
	for _, tt := range []struct {
		name, edits string
		want        []string
	}{
		{"another type", `[{"op":"set_column","table":{"name":"T"},"column":{"name":"B"},"set":{"dataType":"bigint"}}]`,
			[]string{"base", "middle", "a_top", "named", "over_named", "unknown", "f"}},
		{"a column gone and one added", `[{"op":"drop_column","table":{"name":"T"},"column":{"name":"B"}},{"op":"add_column","table":{"name":"T"},"column":{"name":"X","dataType":"int"}}]`,
			[]string{"base", "middle", "a_top", "unknown", "f"}},
		{"a default", `[{"op":"set_column","table":{"name":"T"},"column":{"name":"B"},"set":{"defaultValue":"1"}}]`, nil},
		{"another name of the table", `[{"op":"set_table","table":{"name":"T"},"set":{"name":"S"}}]`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := build(t, def)
			plan, err := Engine{}.Plan(designer.DiffOf(from, change(t, from, tt.edits)))
			require.NoError(t, err)
			understood(t, plan)
			var got []string
			for _, s := range plan.Steps {
				if strings.Contains(s.Statement, "sp_refresh") {
					_, name, _ := strings.Cut(s.Statement, "[dbo].[")
					got = append(got, strings.TrimSuffix(name, "]'"))
				}
			}
			assert.ElementsMatch(t, tt.want, got)
			for _, pair := range [][2]string{{"base", "middle"}, {"middle", "a_top"}, {"named", "over_named"}} {
				if slices.Contains(got, pair[1]) {
					assert.Less(t, slices.Index(got, pair[0]), slices.Index(got, pair[1]), "%v", got)
				}
			}
			if len(tt.want) > 0 {
				assert.Contains(t, plan.Notes, "View dbo.lost uses what is not in the database, and is not refreshed.")
			}
		})
	}
}

func TestTextsThatNameWhatIsRenamedOrDroppedAreARisk(t *testing.T) {
	from := build(t, designer.Definition{
		Tables: []designer.TableDefinition{{Schema: "dbo", Name: "film", Triggers: []string{"own"}, Columns: []designer.Column{
			{Name: "id", DataType: "int"}, {Name: "rate", DataType: "int", IsNullable: true}, {Name: "note", DataType: "int", IsNullable: true}}}},
		Objects: []designer.Object{
			{Kind: designer.ObjectRoutine, Schema: "dbo", Name: "dynamic", Definition: "CREATE PROCEDURE dbo.dynamic AS\nEXEC(N'UPDATE film\nSET rate = 1')"},
			{Kind: designer.ObjectTrigger, Schema: "dbo", Name: "own", Table: "film", Definition: "CREATE TRIGGER dbo.own ON dbo.film AFTER UPDATE AS\nSELECT note FROM inserted"},
		}})
	for _, tt := range []struct{ edits, note, step string }{
		{`[{"op":"set_column","table":{"name":"film"},"column":{"name":"rate"},"set":{"name":"cost"}}]`,
			"The text of procedure dbo.dynamic names column rate of table dbo.film, which is renamed or dropped, on line 3: change it.", "[rate]"},
		{`[{"op":"drop_column","table":{"name":"film"},"column":{"name":"note"}}]`,
			"The text of trigger dbo.own names column note of table dbo.film, which is renamed or dropped, on line 2: change it.", "DROP COLUMN [note]"},
		{`[{"op":"set_table","table":{"name":"film"},"set":{"name":"movie"}}]`,
			"The text of procedure dbo.dynamic names table dbo.film, which gets another name, on line 2: change it.", "N'movie'"},
		{`[{"op":"drop_table","table":{"name":"film"}}]`, "The text of procedure dbo.dynamic names table dbo.film, which is dropped, on line 2.", "DROP TABLE"},
	} {
		p, err := Engine{}.Plan(designer.DiffOf(from, change(t, from, tt.edits)))
		require.NoError(t, err)
		assert.Contains(t, p.Notes, tt.note)
		n := 0
		for _, s := range p.Steps {
			if slices.Contains(s.Risks, designer.RiskBreaks) {
				n++
				assert.Contains(t, s.Statement, tt.step)
			}
		}
		assert.Equal(t, 1, n, "%s\n%s", tt.edits, p.Script())
	}
}
