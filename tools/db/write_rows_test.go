package db

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

var null = rowedit.Value{As: rowedit.Null}

func text(s string) rowedit.Value   { return rowedit.Value{Text: s} }
func number(s string) rowedit.Value { return rowedit.Value{As: rowedit.Number, Text: s} }
func blob(hex string) rowedit.Value { return rowedit.Value{As: rowedit.Blob, Text: hex} }

type cells = map[string]rowedit.Value

// written is the data of changes of people.
func ofPeople(changes ...rowedit.Change) rowedit.Changes {
	return rowedit.Changes{Table: browse.Table{Name: "people"}, Rows: changes}
}

// made reviews changes and makes them.
func (p testProject) made(t *testing.T, c rowedit.Changes) rowedit.Outcome {
	t.Helper()
	reviewed, err := p.PageReview(t.Context(), "", c)
	require.NoError(t, err)
	require.Len(t, reviewed.Statements, len(c.Rows))
	out, err := p.PageRun(t.Context(), "", rowedit.Run{Changes: c, Seal: reviewed.Seal})
	require.NoError(t, err)
	out.ElapsedMs = 0
	return out
}

// cellsOf reads a table as a page does, in the order of its first column.
func (p testProject) cellsOf(t *testing.T, table, order string) (rows []cells) {
	t.Helper()
	raw, err := p.PageRows(t.Context(), "", browse.Request{Table: browse.Table{Name: table}, Limit: 100, Order: []browse.Order{{Column: order}}}, false)
	require.NoError(t, err)
	var got struct {
		Columns []struct{ Name string }
		Rows    [][]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(raw, &got))
	for _, row := range got.Rows {
		cells := cells{}
		for i, cell := range row {
			cells[got.Columns[i].Name] = valueOf(t, cell)
		}
		rows = append(rows, cells)
	}
	return rows
}

// valueOf is a value as the page sends it back.
func valueOf(t *testing.T, cell json.RawMessage) rowedit.Value {
	t.Helper()
	var whole struct {
		Base64 []byte `json:"$base64"`
		Bytes  int    `json:"$bytes"`
	}
	switch {
	case string(cell) == "null":
		return null
	case string(cell) == "true" || string(cell) == "false":
		return rowedit.Value{As: rowedit.Bool, Text: string(cell)}
	case cell[0] == '"':
		var s string
		require.NoError(t, json.Unmarshal(cell, &s))
		return text(s)
	case cell[0] == '{':
		require.NoError(t, json.Unmarshal(cell, &whole))
		require.Zero(t, whole.Bytes, "it was cut")
		return blob(fmt.Sprintf("%x", whole.Base64))
	}
	return number(string(cell))
}

// onEach runs a test on SQLite, PostgreSQL and MariaDB, on a table of people.
func onEach(t *testing.T, test func(t *testing.T, c testProject)) {
	everyPeople(t, func(t *testing.T, c testProject) {
		if strings.HasSuffix(t.Name(), "/mssql") {
			t.Skip("what is written to SQL Server is checked by its text")
		}
		test(t, c)
	})
}

func TestRowsAreChangedAddedAndDeletedInOneGo(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		out := c.made(t, ofPeople(
			rowedit.Change{Kind: rowedit.Delete, Row: before[2]},
			rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"name": text("Ada'; DROP TABLE people; --\\"), "age": null}},
			rowedit.Change{Kind: rowedit.Update, Row: before[1], Set: cells{"age": number("85"), "tag": blob("c0ffee")}},
			rowedit.Change{Kind: rowedit.Update, Row: before[4], Set: cells{"id": number("50"), "name": text("")}},
			rowedit.Change{Kind: rowedit.Insert, Set: cells{"id": number("6"), "name": text("naïve 船")}},
		))
		assert.Equal(t, rowedit.Outcome{Done: 5}, out)
		assert.Equal(t, []cells{
			{"id": number("1"), "name": text("Ada'; DROP TABLE people; --\\"), "age": null, "tag": blob("00ff")},
			{"id": number("2"), "name": text("grace"), "age": number("85"), "tag": blob("c0ffee")},
			before[3],
			{"id": number("6"), "name": text("naïve 船"), "age": null, "tag": null},
			{"id": number("50"), "name": text(""), "age": number("70"), "tag": null},
		}, c.cellsOf(t, "people", "id"))
	})
}

// The second change finds another row than the one that was read: the first is
// taken back, and what the database has now is said.
func TestARowThatAnotherProgramChangedIsNotOverwritten(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		two := ofPeople(rowedit.Change{Kind: rowedit.Delete, Row: before[3]}, rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"name": text("Augusta")}})
		reviewed, err := c.PageReview(t.Context(), "", two)
		require.NoError(t, err)
		for _, other := range []string{
			"UPDATE people SET name = 'ADA' WHERE id = 1", // the same by a collation that ignores case
			"UPDATE people SET name = 'Ada ' WHERE id = 1",
			"UPDATE people SET name = NULL WHERE id = 1",
			"DELETE FROM people WHERE id = 1",
		} {
			c.executed(t, other)
			out, err := c.PageRun(t.Context(), "", rowedit.Run{Changes: two, Seal: reviewed.Seal})
			require.NoError(t, err)
			require.NotNil(t, out.Refused, other)
			assert.Equal(t, 1, out.Refused.Change)
			assert.Contains(t, out.Refused.Why, "is not as it was read any more")
			after := c.cellsOf(t, "people", "id")
			assert.Contains(t, after, before[3], "nothing was changed")
			if strings.HasPrefix(other, "DELETE") {
				assert.Contains(t, string(out.Refused.Now), `"rows":[]`)
			} else {
				assert.Contains(t, string(out.Refused.Now), encodeJSON(jsonOf(after[0]["name"])))
				assert.NotContains(t, string(out.Refused.Now), `"Ada"`)
			}
		}
	})
}

func jsonOf(v rowedit.Value) any {
	if v == null {
		return nil
	}
	return v.Text
}

// executed runs a statement as another program does.
func (p testProject) executed(t *testing.T, statement string) {
	t.Helper()
	_, d, err := p.Open(t.Context(), "")
	require.NoError(t, err)
	writer, err := d.Writer()
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// A row to delete is another one when anything of it changed.
func TestADeletedRowIsTheOneThatWasSeen(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		c.executed(t, "UPDATE people SET age = 37 WHERE id = 1")
		out := c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Delete, Row: before[0]}))
		require.NotNil(t, out.Refused)
		assert.Contains(t, string(out.Refused.Now), "37")
		// A value that was cut is not compared, and that is said.
		row := c.cellsOf(t, "people", "id")[0]
		delete(row, "tag")
		reviewed, err := c.PageReview(t.Context(), "", ofPeople(rowedit.Change{Kind: rowedit.Delete, Row: row}))
		require.NoError(t, err)
		assert.Equal(t, []string{"tag"}, reviewed.Statements[0].NotCompared)
		assert.Equal(t, rowedit.Outcome{Done: 1}, c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Delete, Row: row})))
	})
}

// The database's own rules end the whole.
func TestAChangeThatTheDatabaseRefusesTakesTheOthersBack(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		out := c.made(t, ofPeople(
			rowedit.Change{Kind: rowedit.Update, Row: before[1], Set: cells{"age": number("1")}},
			rowedit.Change{Kind: rowedit.Insert, Set: cells{"id": number("1"), "name": text("twice")}},
		))
		require.NotNil(t, out.Refused)
		assert.Equal(t, 1, out.Refused.Change)
		assert.Regexp(t, "(?i)unique|duplicate", out.Refused.Why)
		assert.Nil(t, out.Refused.Now, "it is new")
		assert.Equal(t, before, c.cellsOf(t, "people", "id"))
	})
}

// What is written in another way but is the same to the server was found.
func TestAValueThatIsTheSameIsWritten(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		row := c.cellsOf(t, "people", "id")[0]
		assert.Equal(t, rowedit.Outcome{Done: 1}, c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Update, Row: row, Set: cells{"age": number("36")}})))
	})
}

// Only what was reviewed runs.
func TestOnlyReviewedStatementsRun(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		change := ofPeople(rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"age": number("1")}})
		reviewed, err := c.PageReview(t.Context(), "", change)
		require.NoError(t, err)
		other := ofPeople(rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"age": number("2")}})
		for _, run := range []rowedit.Run{{Changes: change}, {Changes: other, Seal: reviewed.Seal}} {
			_, err = c.PageRun(t.Context(), "", run)
			assert.ErrorContains(t, err, "review them again")
		}
		c.executed(t, "ALTER TABLE people ADD COLUMN later INT")
		c.executed(t, "ALTER TABLE people DROP COLUMN name")
		_, err = c.PageRun(t.Context(), "", rowedit.Run{Changes: change, Seal: reviewed.Seal})
		assert.ErrorContains(t, err, "no column 'name' any more")
	})
}

// What a person changed is among what was approved and run.
func TestChangedRowsAreInTheLedger(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", strings.NewReplacer("%bytes%", "BLOB", "%one%", "NULL", "%two%", "NULL").Replace(people))
	databases, err := pool.New(root, pool.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, databases.Close()) })
	ledger, err := approval.New(approval.Options{})
	require.NoError(t, err)
	tools, err := New(databases, Options{Ledger: ledger})
	require.NoError(t, err)
	c := testProject{Tools: tools, Connections: databases}
	before := c.cellsOf(t, "people", "id")
	refused := c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Insert, Set: cells{"id": number("1")}}))
	require.NotNil(t, refused.Refused)
	assert.Empty(t, ledger.List(), "nothing was changed")
	c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"age": number("1")}}, rowedit.Change{Kind: rowedit.Delete, Row: before[1]}))
	list := ledger.List()
	require.Len(t, list, 1)
	assert.Equal(t, approval.Used, list[0].State)
	assert.Equal(t, "a person at the page", list[0].Client)
	assert.Equal(t, approval.KindQuery, list[0].Kind)
	assert.Equal(t, `Change 2 rows of "people" on the file app.db of connection "app.db"`, list[0].Title)
	assert.Equal(t, `UPDATE "main"."people" SET "age" = 1 WHERE "id" = 1 AND "age" = 36;
DELETE FROM "main"."people" WHERE "id" = 2 AND "name" = 'grace' COLLATE BINARY AND "age" IS NULL AND "tag" IS NULL;`, list[0].Detail)
	assert.Len(t, list[0].Statements, 2)
}
