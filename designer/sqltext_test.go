package designer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer/sqltext"

	"github.com/berth-dev/berth/e2e/long"
)

func TestANewNameIsCarriedIntoSQLText(t *testing.T) {
	column, table := columnRename("Total", "Sum"), tableRename("Orders", "Sales")
	tests := []struct {
		name, text string
		rename     rename
		want       string
	}{
		{"a bare name, whatever its case", "total>0 AND TOTAL<9", column, "Sum>0 AND Sum<9"},
		{"a quoted name keeps its quotes", `"Total" > [total]`, column, `"Sum" > [Sum]`},
		{"not a part of a name", "SubTotal + Total2 + _Total + Total$", column, "SubTotal + Total2 + _Total + Total$"},
		{"not in a string", "Total > 'Total' + N'it''s Total'", column, "Sum > 'Total' + N'it''s Total'"},
		{"not in a comment", "Total /* Total */ > 0 -- Total\n", column, "Sum /* Total */ > 0 -- Total\n"},
		{"not a function", "Total(Total) + total (1)", column, "Total(Sum) + total (1)"},
		{"but before a list", "Total IN (1, 2)", column, "Sum IN (1, 2)"},
		{"but a quoted name is no function", "[Total] (1)", column, "[Sum] (1)"},
		{"not a type", "CAST(Total AS total) + Total::total", column, "CAST(Sum AS total) + Sum::total"},
		{"not a collation", "Total COLLATE Total = ''", column, "Sum COLLATE Total = ''"},
		{"not a qualifier", "Total.Total > 0", column, "Total.Sum > 0"},
		{"a qualified name", "dbo.Orders . Total > 0", column, "dbo.Orders . Sum > 0"},
		{"a name that needs quotes", "Total > 0", columnRename("Total", "Sum of it"), "[Sum of it] > 0"},
		{"a name that is a reserved word", "Total > 0", columnRename("Total", "order"), "[order] > 0"},
		{"a name with quotes in it", `"Total" > [Total]`, columnRename("Total", `a]"b`), `"a]""b" > [a]]"b]`},
		{"a reserved word must be quoted to be a name", "CASE WHEN [end] > 0 THEN 1 END", columnRename("End", "Stop"), "CASE WHEN [Stop] > 0 THEN 1 END"},
		{"a text that does not end stays", "Total > 'Total", column, "Sum > 'Total"},
		{"a letter of another alphabet", "größe > 0", columnRename("GRÖSSE", "x"), "größe > 0"},
		{"a letter of another alphabet in another case", "Ärger > 0", columnRename("ärger", "Ärger2"), "Ärger2 > 0"},
		{"a table where it qualifies", "Orders.Orders > [orders].a", table, "Sales.Orders > [Sales].a"},
		{"nothing in an empty text", "", column, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, serverDialect().renamed(tt.text, tt.rename))
		})
	}
}

// Digits and letters are one word on MySQL, two tokens on SQL Server and
// refused by the others.
func TestANumberThatRunsIntoANameIsTheDialects(t *testing.T) {
	for name, want := range map[string]string{"postgres": "1Total + 1.Total", "sqlite": "1Total + 1.Total", "mysql": "1Total + 1.Sum", "mssql": "1Sum + 1.Sum"} {
		rules := map[string]sqltext.Rules{"postgres": sqltext.PostgreSQL(), "sqlite": sqltext.SQLite(), "mysql": sqltext.MySQL(), "mssql": sqltext.TSQL()}[name]
		assert.Equal(t, want, (&Dialect{SQL: rules}).renamed("1Total + 1.Total", columnRename("Total", "Sum")), name)
	}
}

func TestQuotesAreTheDialects(t *testing.T) {
	mysql := &Dialect{SQL: sqltext.MySQL()}
	assert.Equal(t, `x > "a" AND b = 'it\'s a' AND `+"`x`", mysql.renamed(`a > "a" AND b = 'it\'s a' AND `+"`a`", columnRename("a", "x")))
	postgres := openDialect()
	assert.Equal(t, `"x y" > '\' AND "x y" > "A2"`, postgres.renamed(`a > '\' AND a > "A2"`, columnRename("a", "x y")))
	assert.Equal(t, "`x` + [x] + \"x\" + \"x y\"", strings.Join([]string{
		(&Dialect{}).renamed("`a` + [a] + \"a\"", columnRename("a", "x")),
		(&Dialect{}).renamed("a", columnRename("a", "x y"))}, " + "))
}

func TestARenamedColumnOrTableKeepsItsTextsTrue(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, "["+addsColumn(`{"name":"Twice","isComputed":true,"computedFormula":"Orders.Total * 2"}`)+
		","+setsColumn("Orders", "Total", `{"name":"Sum"}`)+
		`,{"op":"set_table","table":{"name":"Orders"},"set":{"name":"Sales"}}]`)
	def := s.DefineTable(tableOf(t, s, "Sales"))
	assert.Equal(t, "Sales.Sum * 2", columnOf(t, s, "Sales", "Twice").ComputedFormula)
	assert.Equal(t, "Sum >= 0", def.Checks[0].Expression)
	assert.Equal(t, "Sum > 0", def.Indexes[0].Where)
	err := refuse(t, s, dropsColumn("Sales", "Sum"))
	assert.Equal(t, "Column 'Sum' cannot be dropped: 'index IX_Total', 'check CK_Total', 'computed column Twice' uses it; change or drop that first", err.Message)
}

func TestATextIsTheSumOfItsTokens(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b1", "'", "\"", "[", "]", "`", "--", "\n", "/*", "*/", "\\", "(", ".", " ", "ä", "\xff", "N'", "9.5e1"})).Draw(rt, "pieces")
		text := strings.Join(pieces, "")
		d := &Dialect{SQL: rapid.SampledFrom([]sqltext.Rules{sqltext.PostgreSQL(), sqltext.MySQL(), sqltext.TSQL(), sqltext.SQLite()}).Draw(rt, "rules")}
		var out strings.Builder
		for _, token := range d.scan(text) {
			assert.NotEmpty(rt, token.Text)
			out.WriteString(token.Text)
		}
		assert.Equal(rt, text, out.String())
		assert.Equal(rt, text, d.renamed(text, columnRename("nothing", "x")))
	})
}
