package db

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// people is a table of every dialect: a key, a text that is not unique, a
// number, bytes.
const people = `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(40), age INT, tag %bytes%);
INSERT INTO people VALUES (1, 'Ada', 36, %one%), (2, 'grace', NULL, NULL), (3, 'Ada', 12, %two%), (4, '50%_!['';--', 7, NULL), (5, NULL, 70, NULL);`

// everyPeople runs a test on each dialect that is at hand.
func everyPeople(t *testing.T, test func(t *testing.T, c testProject)) {
	script := func(bytes, one, two string) string {
		return strings.NewReplacer("%bytes%", bytes, "%one%", one, "%two%", two).Replace(people)
	}
	t.Run("sqlite", func(t *testing.T) { test(t, project(t, script("BLOB", "x'00ff'", "x'01'"), settings{})) })
	t.Run("postgres", func(t *testing.T) {
		test(t, postgresServed(t, script("bytea", `'\x00ff'`, `'\x01'`)).connect(t, settings{}))
	})
	t.Run("mysql", func(t *testing.T) {
		test(t, mysqlServed(t, strings.SplitAfter(script("VARBINARY(4)", "x'00ff'", "x'01'"), ");\n")...).connect(t, settings{}))
	})
	t.Run("mssql", func(t *testing.T) {
		test(t, mssqlServed(t, script("VARBINARY(4)", "0x00ff", "0x01")).connect(t, settings{}))
	})
}

// ids are the keys of the rows that a request is for, as JSON.
func (p testProject) ids(t *testing.T, r browse.Request) string {
	t.Helper()
	r.Table.Name, r.Columns = "people", []string{"id"}
	if r.Limit == 0 {
		r.Limit = 100
	}
	text, err := p.PageRows(t.Context(), "", r, false)
	require.NoError(t, err)
	var got struct{ Rows json.RawMessage }
	require.NoError(t, json.Unmarshal(text, &got))
	return string(got.Rows)
}

func TestRowsAreSortedByAnyColumnAndThenByTheKey(t *testing.T) {
	everyPeople(t, func(t *testing.T, c testProject) {
		named := browse.Filter{Column: "name", Is: browse.NotNull}
		byName := []browse.Order{{Column: "name"}, {Column: "id"}}
		only := []browse.Filter{named, {Column: "age", Is: browse.NotNull}}
		assert.Equal(t, "[[4],[1],[3]]", c.ids(t, browse.Request{Filters: only, Order: byName}))
		assert.Equal(t, "[[1],[3],[4]]", c.ids(t, browse.Request{Filters: only, Order: []browse.Order{{Column: "name", Descending: true}, {Column: "id"}}}))
		assert.Equal(t, "[[3]]", c.ids(t, browse.Request{Filters: only, Order: byName, Limit: 1, Offset: 2}))
	})
}

func TestRowsAreFilteredByValuesThatAreNoPartOfTheStatement(t *testing.T) {
	everyPeople(t, func(t *testing.T, c testProject) {
		for _, tt := range []struct {
			column string
			is     browse.Is
			value  string
			as     browse.Kind
			want   string
		}{
			{"name", browse.Equal, "Ada", browse.Text, "[[1],[3]]"},
			{"name", browse.Equal, "50%_!['';--", browse.Text, "[]"},
			{"name", browse.Equal, "50%_![';--", browse.Text, "[[4]]"},
			{"name", browse.Equal, "' OR 1=1 --", browse.Text, "[]"},
			{"name", browse.Unequal, "Ada", browse.Text, "[[2],[4]]"},
			{"name", browse.Contains, "RAC", browse.Text, "[[2]]"},
			{"name", browse.Contains, "%_", browse.Text, "[[4]]"},
			{"name", browse.Contains, "![", browse.Text, "[[4]]"},
			{"name", browse.Contains, "%A%", browse.Text, "[]"},
			{"name", browse.Null, "", browse.Text, "[[5]]"},
			{"age", browse.NotNull, "", browse.Text, "[[1],[3],[4],[5]]"},
			{"age", browse.Less, "12", browse.Number, "[[4]]"},
			{"age", browse.Greater, "12", browse.Text, "[[1],[5]]"},
			{"age", browse.Equal, "36", browse.Number, "[[1]]"},
			{"age", browse.Contains, "7", browse.Text, "[[4],[5]]"},
			{"tag", browse.Equal, "00ff", browse.Blob, "[[1]]"},
		} {
			got := c.ids(t, browse.Request{Filters: []browse.Filter{{Column: tt.column, Is: tt.is, Value: tt.value, As: tt.as}}, Order: []browse.Order{{Column: "id"}}})
			assert.Equal(t, tt.want, got, "%s %s %s", tt.column, tt.is, tt.value)
		}
		twice := []browse.Filter{{Column: "name", Is: browse.Equal, Value: "Ada"}, {Column: "age", Is: browse.Greater, Value: "12", As: browse.Number}}
		for range 3 { // what a session remembers of a text is right for its next values
			assert.Equal(t, "[[1]]", c.ids(t, browse.Request{Filters: twice}))
			twice[0].Value, twice[1].Value = "grace", "1"
			assert.Equal(t, "[]", c.ids(t, browse.Request{Filters: twice}))
			twice[0].Value, twice[1].Value = "Ada", "12"
		}
		counted, err := c.PageCount(t.Context(), "", browse.Request{Table: browse.Table{Name: "people"}, Filters: twice[:1]})
		require.NoError(t, err)
		require.NotNil(t, counted.Rows)
		assert.EqualValues(t, 2, *counted.Rows)
	})
}

func TestRowsThatCannotBeReadSaySo(t *testing.T) {
	everyPeople(t, func(t *testing.T, c testProject) {
		for code, r := range map[string]browse.Request{
			"query_failed":    {Table: browse.Table{Name: "nowhere"}, Limit: 1},
			"invalid_request": {Table: browse.Table{Name: "people"}},
		} {
			_, err := c.PageRows(t.Context(), "", r, false)
			var told *routeError
			require.ErrorAs(t, err, &told)
			assert.Equal(t, code, told.code, told.message)
		}
		_, err := c.PageRows(t.Context(), "", browse.Request{Table: browse.Table{Name: "people"}, Limit: 1, Filters: []browse.Filter{{Column: "nothing", Is: browse.Equal, Value: "nothing"}}}, false)
		assert.Error(t, err, "a name that no column has is no text")
	})
}

// A query that writes is refused here as everywhere: by each dialect's check
// before it runs.
func TestAWritingTextWithValuesIsRefused(t *testing.T) {
	everyPeople(t, func(t *testing.T, c testProject) {
		_, d, err := c.Connections.Open(t.Context(), "")
		require.NoError(t, err)
		hole := map[string]string{"postgres": "$1", "mssql": "@p1"}[d.Dialect().Name]
		if hole == "" {
			hole = "?"
		}
		for _, query := range []string{"DELETE FROM people WHERE id = ", "UPDATE people SET age = 1 WHERE id = ", "SELECT 1 WHERE 1 = 1; DELETE FROM people WHERE id = "} {
			err := d.QueryBound(t.Context(), query+hole, []any{int64(1)}, rowset.NewPage(1, 1000, 100))
			assert.Equal(t, "not_a_read", reasonOf(err), query)
		}
		assert.Equal(t, "[[1],[2],[3],[4],[5]]", c.ids(t, browse.Request{Order: []browse.Order{{Column: "id"}}}))
	})
}

func TestFilteredRowsAreSaved(t *testing.T) {
	everyPeople(t, func(t *testing.T, c testProject) {
		r := browse.Request{Table: browse.Table{Name: "people"}, Columns: []string{"id", "name"}, Filters: []browse.Filter{{Column: "age", Is: browse.Less, Value: "40", As: browse.Number}}, Order: []browse.Order{{Column: "id"}}}
		var out bytes.Buffer
		saved, err := c.PageSave(t.Context(), "", r, browse.CSV, &out)
		require.NoError(t, err)
		assert.Equal(t, "id,name\r\n1,Ada\r\n3,Ada\r\n4,50%_![';--\r\n", out.String())
		assert.Equal(t, browse.Saved{Rows: 3, Bytes: int64(out.Len())}, saved)
		out.Reset()
		_, err = c.PageSave(t.Context(), "", r, browse.JSON, &out)
		require.NoError(t, err)
		assert.JSONEq(t, `[{"id":1,"name":"Ada"},{"id":3,"name":"Ada"},{"id":4,"name":"50%_![';--"}]`, out.String())
		r.Filters = []browse.Filter{{Column: "id", Is: browse.Less, Value: "0", As: browse.Number}}
		out.Reset()
		_, err = c.PageSave(t.Context(), "", r, browse.JSON, &out)
		require.NoError(t, err)
		assert.JSONEq(t, `[]`, out.String())
	})
}

func TestAValueIsHadWholeAlone(t *testing.T) {
	c := project(t, "CREATE TABLE people (id INT PRIMARY KEY, body TEXT); INSERT INTO people VALUES (1, replace(hex(zeroblob(50000)), '00', 'ab'))", settings{})
	one := browse.Request{Table: browse.Table{Name: "people"}, Columns: []string{"body"}, Limit: 1}
	cut, err := c.PageRows(t.Context(), "", one, false)
	require.NoError(t, err)
	assert.Contains(t, string(cut), `"$bytes":100000`)
	whole, err := c.PageRows(t.Context(), "", one, true)
	require.NoError(t, err)
	assert.Contains(t, string(whole), strings.Repeat("ab", 50000))
}

// Counting is given up after its time, and the person still has the rows.
func TestACountThatTakesLongIsGivenUp(t *testing.T) {
	t.Parallel()
	c := project(t, `CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`, settings{})
	counted, err := c.PageCount(t.Context(), "", browse.Request{Table: browse.Table{Name: "slow"}})
	require.NoError(t, err)
	assert.Nil(t, counted.Rows)
	assert.GreaterOrEqual(t, counted.ElapsedMs, countTime.Milliseconds())
}

func TestHiddenCharactersReachThePage(t *testing.T) {
	c := project(t, "CREATE TABLE people (id INT, \"na\u202eme\" TEXT); INSERT INTO people VALUES (1, 'a\u202eb')", settings{})
	text, err := c.PageRows(t.Context(), "", browse.Request{Table: browse.Table{Name: "people"}, Limit: 1}, false)
	require.NoError(t, err)
	assert.Contains(t, string(text), "a\u202eb", "the page writes them out, and filters by them")
	assert.Contains(t, string(text), "na\u202eme")
}

func TestASavedFileThatCannotBeginAgainSaysSo(t *testing.T) {
	f := &fewer{File: rowset.NewFile(&bytes.Buffer{}, rowset.CSV, 100), left: 1}
	require.NoError(t, f.Columns([]string{"a"}, []string{""}))
	assert.ErrorContains(t, f.Columns([]string{"a"}, []string{""}), "save the rows again")
	more, err := f.Row([]any{int64(1)})
	assert.True(t, more)
	require.NoError(t, errors.Join(err))
	more, _ = f.Row([]any{int64(2)})
	assert.False(t, more)
	assert.True(t, f.more, "there was another row")
}
