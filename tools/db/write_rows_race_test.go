package db

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

// Another program has changed the row and not committed yet when the changes
// run: they wait for it, and find another row.
func TestAChangeThatIsNotCommittedYetIsNotOverwritten(t *testing.T) {
	onEach(t, func(t *testing.T, c testProject) {
		before := c.cellsOf(t, "people", "id")
		change := ofPeople(rowedit.Change{Kind: rowedit.Update, Row: before[1], Set: cells{"name": text("x")}}, rowedit.Change{Kind: rowedit.Update, Row: before[0], Set: cells{"age": number("1")}})
		reviewed, err := c.PageReview(t.Context(), "", change)
		require.NoError(t, err)
		_, d, err := c.Open(t.Context(), "")
		require.NoError(t, err)
		writer, err := d.Writer()
		require.NoError(t, err)
		other, err := writer.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = other.ExecContext(t.Context(), "UPDATE people SET age = 99 WHERE id = 1")
		require.NoError(t, err)
		ended := make(chan rowedit.Outcome)
		go func() {
			out, err := c.PageRun(t.Context(), "", rowedit.Run{Changes: change, Seal: reviewed.Seal})
			assert.NoError(t, err)
			ended <- out
		}()
		require.NoError(t, other.Commit())
		out := <-ended
		require.NotNil(t, out.Refused)
		assert.Equal(t, 1, out.Refused.Change)
		assert.Contains(t, string(out.Refused.Now), "99")
		assert.Equal(t, before[1], c.cellsOf(t, "people", "id")[1], "nothing was changed")
	})
}

// A person's changes keep to the connection's rules as an agent's do.
func TestRowsOfAConnectionThatIsNotWrittenToAreNotChanged(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE loose (a); CREATE VIEW shown AS SELECT * FROM people; INSERT INTO people VALUES (1, 'Ada')")
	change := ofPeople(rowedit.Change{Kind: rowedit.Insert, Set: cells{"name": text("x")}})
	for want, cfg := range map[string]pool.Config{
		"opened with mode=ro; nothing is written to it": {Name: "app", Path: "app.db", ReadOnly: true},
		"it waits for berth trust":                      {Name: "app", Path: "app.db", Withheld: "it waits for berth trust"},
		"design":                                        {Name: "app", Design: true},
	} {
		c := connections(t, root, settings{Connections: []pool.Config{cfg}, NoDiscovery: true})
		_, err := c.PageReview(t.Context(), "", change)
		assert.ErrorContains(t, err, want)
		_, err = c.PageRun(t.Context(), "", rowedit.Run{Changes: change})
		assert.ErrorContains(t, err, want)
	}
	c := connections(t, root, settings{})
	for table, want := range map[string]string{"loose": "has no primary key", "shown": "'shown' is a view", "nowhere": "no table 'nowhere' any more"} {
		_, err := c.PageReview(t.Context(), "", rowedit.Changes{Table: browse.Table{Name: table}, Rows: change.Rows})
		assert.ErrorContains(t, err, want)
	}
	assert.Len(t, c.cellsOf(t, "people", "id"), 1)
}

// What a storage engine without transactions has written is not taken back.
func TestRowsOfATableWithoutTransactionsAreNotChanged(t *testing.T) {
	c := mysqlServed(t, "CREATE TABLE people (id INT PRIMARY KEY) ENGINE = MyISAM;\n").connect(t, settings{})
	_, err := c.PageReview(t.Context(), "", ofPeople(rowedit.Change{Kind: rowedit.Insert, Set: cells{"id": number("1")}}))
	assert.ErrorContains(t, err, "storage engine 'MyISAM', which has no transactions")
}

// What the database writes beside is its own business: a trigger, and a column
// that is renewed with each change.
func TestWhatTheDatabaseWritesBesideIsNoSecondRow(t *testing.T) {
	for name, c := range map[string]testProject{
		"sqlite": project(t, `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, n INT DEFAULT 0); CREATE TABLE log (a); INSERT INTO people VALUES (1, 'Ada', 0), (2, 'Eve', 0);
CREATE TRIGGER more AFTER UPDATE OF name ON people BEGIN INSERT INTO log VALUES (1), (2); UPDATE people SET n = n + 1; END;`, settings{}),
		"postgres": postgresServed(t, `CREATE TABLE people (id INT PRIMARY KEY, name TEXT, n INT DEFAULT 0); INSERT INTO people VALUES (1, 'Ada', 0), (2, 'Eve', 0);
CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE people SET n = n + 1; RETURN NULL; END $$;
CREATE TRIGGER more AFTER UPDATE OF name ON people FOR EACH ROW EXECUTE FUNCTION more();`).connect(t, settings{}),
		"mysql": mysqlServed(t, "CREATE TABLE people (id INT PRIMARY KEY, name TEXT, at TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP);\n", "CREATE TABLE log (a INT);\n", "INSERT INTO people VALUES (1, 'Ada', NULL);\n",
			"CREATE TRIGGER more AFTER UPDATE ON people FOR EACH ROW INSERT INTO log VALUES (1), (2);\n").connect(t, settings{}),
	} {
		t.Run(name, func(t *testing.T) {
			row := c.cellsOf(t, "people", "id")[0]
			assert.Equal(t, rowedit.Outcome{Done: 1}, c.made(t, ofPeople(rowedit.Change{Kind: rowedit.Update, Row: row, Set: cells{"name": text("Augusta")}})))
		})
	}
}
