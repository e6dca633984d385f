package rowedit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/browse"
)

// orders is a table of a dialect's own types.
func orders(schema string, types ...string) designer.Definition {
	t := designer.TableDefinition{Schema: schema, Name: "orders", PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}}
	for i, name := range strings.Fields("id note total at body") {
		t.Columns = append(t.Columns, designer.Column{Name: name, DataType: types[i], IsNullable: name != "id"})
	}
	t.Columns[2].Precision, t.Columns[2].Scale = 18, 4
	return designer.Definition{Tables: []designer.TableDefinition{t}}
}

// changes are one of each kind.
var changes = Changes{Table: browse.Table{Name: "orders"}, Rows: []Change{
	{Update, map[string]Value{"id": {Number, "7"}, "note": {Text, "it's"}, "total": {Number, "1.5"}},
		map[string]Value{"total": {Number, "2.25"}, "note": {As: Null}}},
	{Insert, nil, map[string]Value{"id": {Number, "8"}, "body": {Blob, "00ff"}}},
	{Insert, nil, nil},
	{Delete, map[string]Value{"id": {Number, "7"}, "note": {As: Null}, "at": {Text, "2024-01-02T10:00:00.123"}, "body": {Blob, "01"}}, nil},
}}

func TestEachDialectHasItsOwnStatements(t *testing.T) {
	for _, tt := range []struct {
		dialect     *designer.Dialect
		def         designer.Definition
		shown, text []string
	}{
		{sqlite.Dialect(), orders("main", "INTEGER", "TEXT", "NUMERIC", "DATETIME", "BLOB"), []string{
			`UPDATE "main"."orders" SET "note" = NULL, "total" = 2.25 WHERE "id" = 7 AND "note" = 'it''s' COLLATE BINARY AND "total" = 1.5`,
			`INSERT INTO "main"."orders" ("id", "body") VALUES (8, X'00ff')`,
			`INSERT INTO "main"."orders" DEFAULT VALUES`,
			`DELETE FROM "main"."orders" WHERE "id" = 7 AND "note" IS NULL AND "at" = '2024-01-02T10:00:00.123' COLLATE BINARY AND "body" = X'01'`,
		}, []string{`UPDATE "main"."orders" SET "note" = NULL, "total" = ? WHERE "id" = ? AND "note" = ? COLLATE BINARY AND "total" = ?`}},
		{postgres.Dialect(), orders("public", "integer", "json", "numeric", "timestamp", "bytea"), []string{
			`UPDATE "public"."orders" SET "note" = NULL, "total" = '2.25' WHERE "id" = '7' AND "note"::text = 'it''s' AND "total" = '1.5'`,
			`INSERT INTO "public"."orders" ("id", "body") VALUES ('8', '\x00ff')`,
			`INSERT INTO "public"."orders" DEFAULT VALUES`,
			`DELETE FROM "public"."orders" WHERE "id" = '7' AND "note" IS NULL AND "at" = '2024-01-02T10:00:00.123' AND "body" = '\x01'`,
		}, []string{`UPDATE "public"."orders" SET "note" = NULL, "total" = $1 WHERE "id" = $2 AND "note"::text = $3 AND "total" = $4`}},
		{mysql.Dialect(), orders("", "int unsigned", "varchar", "decimal unsigned", "datetime", "blob"), []string{
			"UPDATE `orders` SET `note` = NULL, `total` = '2.25' WHERE `id` = 7 AND CAST(CONVERT(`note` USING utf8mb4) AS BINARY) = CAST('it''s' AS BINARY) AND `total` = CAST('1.5' AS DECIMAL(65,4))",
			"INSERT INTO `orders` (`id`, `body`) VALUES (8, X'00ff')",
			"INSERT INTO `orders` () VALUES ()",
			"DELETE FROM `orders` WHERE `id` = 7 AND `note` IS NULL AND `at` = '2024-01-02T10:00:00.123' AND `body` = X'01'",
		}, []string{"UPDATE `orders` SET `note` = NULL, `total` = ? WHERE `id` = ? AND CAST(CONVERT(`note` USING utf8mb4) AS BINARY) = CAST(? AS BINARY) AND `total` = CAST(? AS DECIMAL(65,4))"}},
		{mssql.Dialect(), orders("dbo", "int", "varchar", "decimal", "datetime", "varbinary"), []string{
			`UPDATE [dbo].[orders] SET [note] = NULL, [total] = N'2.25' WHERE [id] = 7 AND CAST(CAST([note] AS nvarchar(max)) AS varbinary(max)) = CAST(CAST(N'it''s' AS nvarchar(max)) AS varbinary(max)) AND [total] = CAST(N'1.5' AS decimal(18,4))`,
			`INSERT INTO [dbo].[orders] ([id], [body]) VALUES (8, 0x00ff)`,
			`INSERT INTO [dbo].[orders] DEFAULT VALUES`,
			`DELETE FROM [dbo].[orders] WHERE [id] = 7 AND [note] IS NULL AND [at] = CAST(CAST(N'2024-01-02T10:00:00.123' AS datetime2(7)) AS datetime) AND [body] = 0x01`,
		}, []string{`UPDATE [dbo].[orders] SET [note] = NULL, [total] = @p1 WHERE [id] = @p2 AND CAST(CAST([note] AS nvarchar(max)) AS varbinary(max)) = CAST(CAST(@p3 AS nvarchar(max)) AS varbinary(max)) AND [total] = CAST(@p4 AS decimal(18,4))`}},
	} {
		t.Run(tt.dialect.Name, func(t *testing.T) {
			made, err := Plan(tt.dialect, tt.def, changes)
			require.NoError(t, err)
			for i, s := range made {
				assert.Equal(t, tt.shown[i], s.Shown)
			}
			assert.Equal(t, tt.text[0], made[0].Text)
			assert.Len(t, made[0].Values, 4-strings.Count(made[0].Text, "IS NULL"))
			assert.Equal(t, []string{"total"}, made[3].NotCompared)
			assert.Equal(t, &browse.Request{Table: browse.Table{Name: "orders"}, Filters: []browse.Filter{{Column: "id", Is: browse.Equal, Value: "7", As: browse.Number}}, Limit: 2}, made[0].Now)
			assert.Nil(t, made[1].Now)
		})
	}
}

// Whatever a value is, no part of it is in the text that runs.
func TestNoValueIsPartOfAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Value{Text: "value" + rapid.StringMatching(`['"\\;?$@!%-]{0,8}`).Draw(t, "value")}
		old := Value{Text: "value" + rapid.String().Draw(t, "old")}
		for _, d := range []*designer.Dialect{sqlite.Dialect(), postgres.Dialect(), mysql.Dialect(), mssql.Dialect()} {
			made, err := Plan(d, orders("", "varchar", "varchar", "varchar", "varchar", "varchar"), Changes{Rows: []Change{
				{Update, map[string]Value{"id": old, "note": old}, map[string]Value{"note": v, "id": v}},
				{Delete, map[string]Value{"id": old, "note": old}, nil}, {Insert, nil, map[string]Value{"note": v}}}})
			require.NoError(t, err)
			for _, s := range made {
				require.NotContains(t, s.Text, "value", d.Name)
			}
		}
	})
}

func TestChangesThatCannotBeMadeSayWhy(t *testing.T) {
	def := func(change func(*designer.TableDefinition)) designer.Definition {
		d := orders("", "integer", "varchar", "decimal", "date", "bytea")
		change(&d.Tables[0])
		return d
	}
	asIs := func(*designer.TableDefinition) {}
	row := map[string]Value{"id": {Number, "1"}, "note": {Text, "a"}}
	update := func(column string, v Value) []Change { return []Change{{Update, row, map[string]Value{column: v}}} }
	for _, tt := range []struct {
		want    string
		dialect *designer.Dialect
		def     designer.Definition
		changes []Change
	}{
		{"there is nothing to change", postgres.Dialect(), def(asIs), nil},
		{"201 rows are to be changed, and 200 at most", postgres.Dialect(), def(asIs), make([]Change, 201)},
		{"'v' is a view", postgres.Dialect(), designer.Definition{Views: []designer.View{{Name: "v"}}}, update("note", Value{})},
		{"the database has no table 'orders' any more", postgres.Dialect(), designer.Definition{}, update("note", Value{})},
		{"has no primary key and no unique key without NULL", postgres.Dialect(), def(func(t *designer.TableDefinition) {
			t.PrimaryKey = nil
			t.Indexes = []designer.IndexDefinition{
				{Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "note"}}},
				{Unique: true, Where: "id > 1", Parts: []designer.IndexKeyDefinition{{Column: "id"}}},
				{Unique: true, Parts: []designer.IndexKeyDefinition{{Expression: "id + 1"}}},
				{Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "id", Length: 3}}},
				{Parts: []designer.IndexKeyDefinition{{Column: "id"}}}}
		}), update("note", Value{})},
		{"storage engine 'MyISAM', which has no transactions", mysql.Dialect(), def(func(t *designer.TableDefinition) { t.Options = map[string]string{mysql.OptionEngine: "MyISAM"} }), update("note", Value{})},
		{"no column 'gone' any more", postgres.Dialect(), def(asIs), update("gone", Value{})},
		{"column 'note' is computed by the database", postgres.Dialect(), def(func(t *designer.TableDefinition) { t.Columns[1].IsComputed = true }), update("note", Value{})},
		{"column 'note' is numbered by the database", mssql.Dialect(), def(func(t *designer.TableDefinition) { t.Columns[1].IsIdentity = true }), update("note", Value{})},
		{"column 'note' is the row's version", mssql.Dialect(), def(func(t *designer.TableDefinition) { t.Columns[1].DataType = "rowversion" }), update("note", Value{})},
		{"column 'id' takes no NULL", postgres.Dialect(), def(asIs), update("id", Value{As: Null})},
		{"has 65537 bytes, and a value has 65536 at most", postgres.Dialect(), def(asIs), update("note", Value{Text: strings.Repeat("x", MaxValue+1)})},
		{"more than 262144 bytes in all", postgres.Dialect(), def(asIs), []Change{{Insert, nil, map[string]Value{"note": {Text: strings.Repeat("x", MaxValue)}}},
			{Insert, nil, map[string]Value{"note": {Text: strings.Repeat("x", MaxValue)}}}, {Insert, nil, map[string]Value{"note": {Text: strings.Repeat("x", MaxValue)}}}, {Insert, nil, map[string]Value{"note": {Text: strings.Repeat("x", MaxValue)}}}}},
		{"column 'total' had did not come whole; read all of it", postgres.Dialect(), def(asIs), update("total", Value{Number, "1"})},
		{"the key's column 'id' did not come whole", postgres.Dialect(), def(asIs), []Change{{Kind: Delete, Row: map[string]Value{"note": {}}}}},
		{"nothing of the row is changed", postgres.Dialect(), def(asIs), []Change{{Kind: Update, Row: row}}},
		{"not 'upsert'", postgres.Dialect(), def(asIs), []Change{{Kind: "upsert", Row: row}}},
		{"has a NUL character", postgres.Dialect(), def(asIs), update("note", Value{Text: "a\x00"})},
		{"'total' is of the type 'decimal', and '1,5' is not a number; for no value write NULL", mysql.Dialect(), def(asIs), []Change{{Insert, nil, map[string]Value{"total": {Text: "1,5"}}}}},
		{"and '' is not a whole number", mysql.Dialect(), def(asIs), update("id", Value{})},
		{"'0g' is not hex digits", postgres.Dialect(), def(asIs), []Change{{Insert, nil, map[string]Value{"body": {Blob, "0g"}}}}},
		{"not changed here", postgres.Dialect(), def(asIs), update("note", Value{Blob, "ff"})},
		{"no whole number as great as that", sqlite.Dialect(), def(asIs), update("note", Value{Number, "99999999999999999999"})},
		{"a value is a text, number, bool, blob or null", sqlite.Dialect(), def(asIs), update("note", Value{"date", "x"})},
		{"cannot be compared", mysql.Dialect(), def(func(t *designer.TableDefinition) { t.Columns[1].DataType = "geometry" }), update("note", Value{Text: "x"})},
	} {
		_, err := Plan(tt.dialect, tt.def, Changes{Table: browse.Table{Name: "orders"}, Rows: tt.changes})
		var said *Error
		require.ErrorAs(t, err, &said, tt.want)
		assert.Contains(t, fmt.Sprint(err), tt.want)
	}
}

// A unique key whose columns take no NULL is as good as a primary key.
func TestTheShortestUniqueKeyStandsInForAPrimaryKey(t *testing.T) {
	d := orders("", "integer", "text", "numeric", "date", "bytea")
	table := &d.Tables[0]
	table.PrimaryKey = nil
	table.Columns[1].IsNullable = false
	table.Indexes = []designer.IndexDefinition{
		{Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "id"}, {Column: "note"}}},
		{Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "note"}}}}
	made, err := Plan(postgres.Dialect(), d, Changes{Rows: []Change{{Update, map[string]Value{"id": {Number, "1"}, "note": {Text, "a"}}, map[string]Value{"id": {Number, "2"}}}}})
	require.NoError(t, err)
	assert.Equal(t, `UPDATE "orders" SET "id" = '2' WHERE "note" = 'a' AND "id" = '1'`, made[0].Shown)
}
