package browse

import (
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
	"github.com/berth-dev/berth/tools/db/readonly"
)

// dialects have a check that admits a text with so many values.
var dialects = map[*designer.Dialect]func(text string, values int) *readonly.Refusal{
	sqlite.Dialect(): readonly.CheckBoundSQLite,
	postgres.Dialect(): func(text string, n int) *readonly.Refusal {
		_, r := readonly.ParseBoundPostgres(text, n)
		return r
	},
	mysql.Dialect(): func(text string, n int) *readonly.Refusal {
		_, r := readonly.ParseBoundMySQL(text, n)
		return r
	},
	mssql.Dialect(): func(text string, n int) *readonly.Refusal {
		_, r := readonly.ParseBoundMSSQL(text, readonly.NewMSSQLWords(), n)
		return r
	},
}

func TestEachDialectHasItsOwnText(t *testing.T) {
	r := Request{Table: Table{"s", "t"}, Limit: 51, Offset: 100,
		Filters: []Filter{{Column: "a", Is: Equal, Value: "x"}, {Column: "n", Is: Greater, Value: "5", As: Number}, {Column: "c", Is: Contains, Value: "50%_[!"}, {Column: "d", Is: Null}},
		Order:   []Order{{"a", true}, {"id", false}, {"a", false}}}
	for name, want := range map[string]struct{ rows, count, pattern string }{
		"sqlite": {`SELECT * FROM "s"."t" AS r WHERE r."a" = ? AND r."n" > ? AND r."c" LIKE ? ESCAPE '!' AND r."d" IS NULL ORDER BY r."a" DESC, r."id" LIMIT 51 OFFSET 100`,
			`SELECT COUNT(*) FROM "s"."t" AS r WHERE r."a" = ? AND r."n" > ? AND r."c" LIKE ? ESCAPE '!' AND r."d" IS NULL`, "%50!%!_[!!%"},
		"postgres": {`SELECT * FROM "s"."t" AS r WHERE r."a" = $1 AND r."n" > $2 AND CAST(r."c" AS text) ILIKE $3 ESCAPE '!' AND r."d" IS NULL ORDER BY r."a" DESC, r."id" LIMIT 51 OFFSET 100`,
			`SELECT COUNT(*) FROM "s"."t" AS r WHERE r."a" = $1 AND r."n" > $2 AND CAST(r."c" AS text) ILIKE $3 ESCAPE '!' AND r."d" IS NULL`, "%50!%!_[!!%"},
		"mysql": {"SELECT * FROM `s`.`t` AS r WHERE r.`a` = ? AND r.`n` > ? AND r.`c` LIKE ? ESCAPE '!' AND r.`d` IS NULL ORDER BY r.`a` DESC, r.`id` LIMIT 51 OFFSET 100",
			"SELECT COUNT(*) FROM `s`.`t` AS r WHERE r.`a` = ? AND r.`n` > ? AND r.`c` LIKE ? ESCAPE '!' AND r.`d` IS NULL", "%50!%!_[!!%"},
		"mssql": {`SELECT * FROM [s].[t] AS r WHERE r.[a] = @p1 AND r.[n] > @p2 AND CAST(r.[c] AS nvarchar(max)) LIKE @p3 ESCAPE '!' AND r.[d] IS NULL ORDER BY r.[a] DESC, r.[id] OFFSET 100 ROWS FETCH NEXT 51 ROWS ONLY`,
			`SELECT COUNT_BIG(*) FROM [s].[t] AS r WHERE r.[a] = @p1 AND r.[n] > @p2 AND CAST(r.[c] AS nvarchar(max)) LIKE @p3 ESCAPE '!' AND r.[d] IS NULL`, "%50!%!_![!!%"},
	} {
		for d, check := range dialects {
			if d.Name != name {
				continue
			}
			rows, err := r.Rows(d)
			require.NoError(t, err)
			assert.Equal(t, Statement{want.rows, []any{"x", int64(5), want.pattern}}, rows)
			assert.Nil(t, check(rows.Text, len(rows.Values)), name)
			count, err := r.Count(d)
			require.NoError(t, err)
			assert.Equal(t, Statement{want.count, rows.Values}, count)
			assert.Nil(t, check(count.Text, len(count.Values)), name)
		}
	}
}

// Whatever names and values are, the guard of a dialect admits the text, and
// no part of a value is in it.
func TestNoValueIsPartOfAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching("[a-z\"`\\]';?$@ -]{1,12}")
		value := "value" + rapid.StringMatching(`['"\\;?$@!%-]{0,8}`).Draw(t, "value")
		is := rapid.SampledFrom([]Is{Equal, Unequal, Less, Greater, Contains}).Draw(t, "is")
		r := Request{Table: Table{"", name.Draw(t, "table")}, Limit: 1,
			Filters: []Filter{{Column: name.Draw(t, "column"), Is: is, Value: value}}, Order: []Order{{Column: name.Draw(t, "order")}}}
		for d, check := range dialects {
			s, err := r.Rows(d)
			require.NoError(t, err)
			require.NotContains(t, s.Text, "value")
			require.Len(t, s.Values, 1)
			require.Nil(t, check(s.Text, 1), "%s: %s", d.Name, s.Text)
		}
	})
}

func TestARequestThatMakesNoQueryIsRefused(t *testing.T) {
	filtered := func(f Filter) Request { return Request{Table: Table{"", "t"}, Filters: []Filter{f}} }
	for want, r := range map[string]Request{
		"the table has no name":             {},
		"limit and offset are 0 or more":    {Table: Table{"", "t"}, Offset: -1},
		`no condition is called "like"`:     filtered(Filter{Column: "a", Is: "like"}),
		`"x" is no number`:                  filtered(Filter{Column: "a", Is: Equal, Value: "x", As: Number}),
		`"NaN" is no number`:                filtered(Filter{Column: "a", Is: Equal, Value: "NaN", As: Number}),
		"a blob's value is hex digits, two": filtered(Filter{Column: "a", Is: Equal, Value: "0g", As: Blob}),
		"a value has a NUL character":       filtered(Filter{Column: "a", Is: Equal, Value: "\x00"}),
		"a value has more than 65536 bytes": filtered(Filter{Column: "a", Is: Equal, Value: strings.Repeat("x", MaxValue+1)}),
		"more than 64 conditions":           {Table: Table{"", "t"}, Order: make([]Order, MaxParts+1)},
	} {
		var refused *Error
		_, err := r.Rows(sqlite.Dialect())
		require.ErrorAs(t, err, &refused, want)
		assert.Contains(t, err.Error(), want)
		_, err = r.Count(sqlite.Dialect())
		assert.ErrorAs(t, err, &refused, want)
	}
}
