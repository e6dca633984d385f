package mssql

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestTypesChangeTheWayTheServerTakes(t *testing.T) {
	max := func(name string) designer.Column { return designer.Column{DataType: name, MaxLength: "MAX"} }
	plain := func(name string) designer.Column { return designer.Column{DataType: name} }
	for _, tt := range []struct {
		from, to designer.Column
		want     conversion
	}{
		{plain("int"), plain("bigint"), implicit},
		{plain("int"), plain("varchar"), implicit},
		{plain("varchar"), plain("int"), implicit},
		{plain("nvarchar"), plain("varbinary"), explicit},
		{plain("varbinary"), plain("nvarchar"), implicit},
		{plain("int"), plain("datetime"), implicit},
		{plain("datetime"), plain("int"), explicit},
		{plain("int"), plain("date"), impossible},
		{plain("date"), plain("datetime2"), implicit},
		{plain("date"), plain("int"), impossible},
		{plain("uniqueidentifier"), plain("int"), impossible},
		{plain("uniqueidentifier"), plain("char"), implicit},
		{plain("xml"), max("nvarchar"), explicit},
		{plain("nvarchar"), plain("xml"), implicit},
		{plain("text"), max("varchar"), implicit},
		{plain("text"), plain("varchar"), explicit},
		{plain("image"), max("varbinary"), implicit},
		{plain("int"), plain("rowversion"), regenerated},
		{plain("rowversion"), plain("binary"), explicit},
		{plain("geometry"), plain("geography"), impossible},
		{plain("sql_variant"), plain("int"), explicit},
		{plain("Flag"), plain("bit"), implicit},
	} {
		assert.Equal(t, tt.want, conversionOf(tt.from, tt.to), "%s to %s", tt.from.DataType, tt.to.DataType)
	}
}

// pairTypes are types of each kind and size; pairs are made of all of them.
func pairTypes() []designer.Column {
	sized := func(name, length string) designer.Column { return designer.Column{DataType: name, MaxLength: length} }
	scaled := func(name string, precision, scale int) designer.Column {
		return designer.Column{DataType: name, Precision: precision, Scale: scale}
	}
	list := []designer.Column{
		scaled("decimal", 9, 0), scaled("decimal", 10, 2), scaled("decimal", 19, 4), scaled("numeric", 10, 2),
		sized("char", "10"), sized("varchar", "10"), sized("varchar", "40"), sized("varchar", "MAX"),
		sized("nchar", "10"), sized("nvarchar", "40"), sized("nvarchar", "MAX"),
		sized("binary", "8"), sized("varbinary", "8"), sized("varbinary", "900"), sized("varbinary", "MAX"),
		scaled("time", 0, 0), scaled("time", 0, 7), scaled("datetime2", 0, 0), scaled("datetime2", 0, 3), scaled("datetime2", 0, 7),
		scaled("datetimeoffset", 0, 7),
	}
	for _, name := range []string{"bit", "tinyint", "smallint", "int", "bigint", "smallmoney", "money", "real", "float", "date",
		"smalldatetime", "datetime", "uniqueidentifier", "xml", "text", "ntext", "image", "sql_variant", "rowversion", "hierarchyid",
		"geometry", "geography", "Flag"} {
		list = append(list, designer.Column{DataType: name})
	}
	return list
}

// outcomeWords are what the kept table says of a pair.
var outcomeWords = map[conversionOutcome]string{fits: "fits", fails: "fails", loses: "loses"}

// The pairs whose outcome Microsoft's documentation gives in words, by the page
// that does. The kept table has all others.
func TestAnotherTypeIsJudgedAsDocumented(t *testing.T) {
	column := func(text string) designer.Column {
		for _, c := range pairTypes() {
			if typeText(c) == text {
				return c
			}
		}
		t.Fatalf("no type %s", text)
		return designer.Column{}
	}
	for _, tt := range []struct {
		page, from, to string
		want           conversionOutcome
	}{
		{"CAST and CONVERT: datetime to int rounds", "datetime", "int", loses},
		{"CAST and CONVERT: datetime to numeric", "datetime", "decimal(10,2)", loses},
		{"CAST and CONVERT: numeric to int truncates", "decimal(10,2)", "int", loses},
		{"CAST and CONVERT: money to int rounds", "money", "int", loses},
		{"CAST and CONVERT: numeric to money", "decimal(10,2)", "money", fits},
		{"CAST and CONVERT: float to int truncates", "float", "int", loses},
		{"CAST and CONVERT: style 0 of float has six digits", "float", "varchar(40)", loses},
		{"CAST and CONVERT: style 0 of money has two digits behind the point", "money", "varchar(40)", loses},
		{"CAST and CONVERT: style 0 of datetime has no seconds", "datetime", "varchar(40)", loses},
		{"CAST and CONVERT: style 121 is that of datetime2", "datetime2(7)", "varchar(40)", fits},
		{"CAST and CONVERT: an int too long for char becomes *", "int", "char(10)", loses},
		{"CAST and CONVERT: an int too long for nchar is an error", "int", "nchar(10)", fails},
		{"CAST and CONVERT: text to varchar(max)", "text", "varchar(max)", fits},
		{"CAST and CONVERT: a shorter text is truncated", "text", "varchar(40)", loses},
		{"CAST and CONVERT: a binary value of large enough size", "int", "varbinary(8)", fits},
		{"int, bigint, smallint, and tinyint", "int", "bigint", fits},
		{"int, bigint, smallint, and tinyint", "bigint", "int", fails},
		{"decimal and numeric", "decimal(9,0)", "int", fits},
		{"decimal and numeric", "decimal(10,2)", "decimal(19,4)", fits},
		{"decimal and numeric", "decimal(10,2)", "numeric(10,2)", fits},
		{"bit: any value that is not 0 becomes 1", "int", "bit", loses},
		{"float and real", "int", "float", fits},
		{"float and real", "bigint", "float", loses},
		{"float and real", "int", "real", loses},
		{"nchar and nvarchar", "varchar(10)", "nvarchar(40)", fits},
		{"nchar and nvarchar: characters of another code page", "nvarchar(40)", "varchar(40)", loses},
		{"char and varchar", "varchar(10)", "char(10)", fits},
		{"ALTER TABLE: a shorter column is an error", "varchar(40)", "varchar(10)", fails},
		{"datetime2", "datetime", "datetime2(7)", fits},
		{"datetime2", "datetime", "datetime2(0)", loses},
		{"datetime2", "datetime2(0)", "datetime2(7)", fits},
		{"datetime2: years before 1753", "datetime2(0)", "datetime", fails},
		{"datetime2", "datetime2(7)", "datetime", loses},
		{"datetimeoffset: the offset is ignored", "datetimeoffset(7)", "datetime2(7)", loses},
		{"date", "datetime2(0)", "date", loses},
		{"date", "date", "datetime2(0)", fits},
		{"smalldatetime: rounded to the minute", "datetime", "smalldatetime", loses},
		{"uniqueidentifier: 36 characters", "uniqueidentifier", "varchar(40)", fits},
		{"uniqueidentifier: insufficient result space", "uniqueidentifier", "varchar(10)", fails},
		{"sql_variant", "sql_variant", "int", loses},
		{"sql_variant", "int", "sql_variant", fits},
		{"rowversion", "int", "rowversion", loses},
		{"xml", "xml", "nvarchar(max)", fits},
		{"xml: insignificant white space is not kept", "nvarchar(max)", "xml", loses},
		{"hierarchyid: 892 bytes, nvarchar(4000)", "hierarchyid", "varbinary(900)", fits},
	} {
		assert.Equal(t, outcomeWords[tt.want], outcomeWords[outcomeOf(column(tt.from), column(tt.to))], "%s: %s to %s", tt.page, tt.from, tt.to)
	}
}

// What loses nothing in two steps loses nothing in one, and a type is its own.
// Texts and bytes are written by styles that differ by type, and left out.
func TestOutcomesAgreeWithEachOther(t *testing.T) {
	list := pairTypes()
	for _, a := range list {
		assert.Equal(t, fits, outcomeOf(a, a), "%s to itself", typeText(a))
		for _, b := range list {
			for _, c := range list {
				if outcomeOf(a, b) == fits && outcomeOf(b, c) == fits && conversionOf(a, c) != impossible &&
					(isText(a.DataType) || !written(c)) {
					assert.Equal(t, fits, outcomeOf(a, c), "%s to %s, by way of %s", typeText(a), typeText(c), typeText(b))
				}
			}
		}
	}
}

func written(c designer.Column) bool {
	class := classOf(c.DataType)
	return class == classText || class == classBinary
}

// A plan says data_loss of a pair of types where values are lost, and nowhere
// else: whether a column is altered, converted or copied into a new table.
func TestEveryPairOfTypesHasTheRisksOfItsOutcome(t *testing.T) {
	var kept strings.Builder
	for _, a := range pairTypes() {
		for _, b := range pairTypes() {
			way := conversionOf(a, b)
			if way == impossible || typeText(a) == typeText(b) {
				continue
			}
			want := outcomeOf(a, b)
			fmt.Fprintf(&kept, "%s -> %s: %s\n", typeText(a), typeText(b), outcomeWords[want])
			for _, rebuilt := range []bool{false, true} {
				risks := risksOfPair(t, a, b, rebuilt)
				assert.Equal(t, want == loses, slices.Contains(risks, designer.RiskDataLoss), "%s to %s, rebuilt %t: %v", typeText(a), typeText(b), rebuilt, risks)
				if want == fails {
					assert.Contains(t, risks, designer.RiskMayFail, "%s to %s", typeText(a), typeText(b))
				}
			}
		}
	}
	golden(t, "plan_type.txt", kept.String())
}

// risksOfPair plans the change of a column's type, perhaps beside a change that
// needs a new table.
func risksOfPair(t *testing.T, a, b designer.Column, rebuilt bool) []designer.Risk {
	a.Name, a.IsNullable, b.IsNullable = "v", true, true
	if classOf(a.DataType) == classRowVersion {
		a.IsNullable = false
	}
	from := build(t, designer.Definition{Tables: []designer.TableDefinition{{Name: "t",
		Columns: []designer.Column{{Name: "id", DataType: "int"}, a}}}})
	table := *from.Tables()[0]
	table.Columns = slices.Clone(table.Columns)
	b.Name, b.ID = "v", table.Columns[1].ID
	table.Columns[1] = b
	if rebuilt {
		table.Columns[0].IsIdentity, table.Columns[0].IdentitySeed, table.Columns[0].IdentityIncrement = true, 1, 1
	}
	to, err := designer.Restore(Dialect(), []*designer.Table{&table}, nil)
	require.NoError(t, err)
	plan, err := Engine{}.Plan(designer.DiffOf(from, to))
	require.NoError(t, err)
	require.NotEmpty(t, plan.Steps)
	return plan.Risks()
}

func TestACollationKeepsTheCharactersOfItsCodePage(t *testing.T) {
	text := func(name, collation string) designer.Column {
		return designer.Column{DataType: name, MaxLength: "9", Collation: collation}
	}
	for _, tt := range []struct {
		from, to designer.Column
		want     conversionOutcome
	}{
		{text("varchar", "Latin1_General_CI_AS"), text("varchar", "Latin1_General_BIN2"), fits},
		{text("varchar", "Latin1_General_CI_AS"), text("varchar", "Greek_CI_AS"), loses},
		{text("varchar", ""), text("varchar", "Greek_CI_AS"), loses},
		{text("varchar", "Greek_CI_AS"), text("varchar", "Latin1_General_100_CI_AS_SC_UTF8"), fits},
		{text("nvarchar", "Greek_CI_AS"), text("nvarchar", "Latin1_General_CI_AS"), fits},
	} {
		assert.Equal(t, outcomeWords[tt.want], outcomeWords[outcomeOf(tt.from, tt.to)], "%v to %v", tt.from, tt.to)
	}
}
