package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheMarkIsAnotherOneOnceTheSchemaHasChanged(t *testing.T) {
	db := open(t, "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO a (name) VALUES ('x')")
	mark := func() string {
		t.Helper()
		m, err := Mark(t.Context(), db)
		require.NoError(t, err)
		return m
	}
	before := mark()
	for _, rows := range []string{"INSERT INTO a (name) VALUES ('y')", "UPDATE a SET name = 'z'", "DELETE FROM a", "VACUUM"} {
		_, err := db.Exec(rows)
		require.NoError(t, err)
	}
	require.Equal(t, before, mark(), "rows are no schema")
	for _, change := range []string{
		"ALTER TABLE a ADD COLUMN mail TEXT", "ALTER TABLE a RENAME COLUMN mail TO post", "ALTER TABLE a RENAME TO b",
		"CREATE INDEX ix ON b (post)", "CREATE VIEW v AS SELECT 1 AS one", "CREATE TRIGGER tr AFTER INSERT ON b BEGIN SELECT 1; END",
		"DROP TRIGGER tr", "DROP VIEW v", "DROP INDEX ix", "ALTER TABLE b DROP COLUMN post", "DROP TABLE b",
	} {
		_, err := db.Exec(change)
		require.NoError(t, err)
		assert.NotEqual(t, before, mark(), change)
		before = mark()
	}
}

// The schema cookie of two files can be the same; the mark is not.
func TestTheMarkTellsTwoFilesApart(t *testing.T) {
	marks := map[string]bool{}
	for _, script := range []string{"CREATE TABLE a (id)", "CREATE TABLE b (id)", "CREATE TABLE a (id, name)"} {
		m, err := Mark(t.Context(), open(t, script))
		require.NoError(t, err)
		marks[m] = true
	}
	assert.Len(t, marks, 3)
}

// BenchmarkMark asks for the mark of 1,000 tables.
func BenchmarkMark(b *testing.B) {
	db := open(b, manyTables())
	for b.Loop() {
		_, err := Mark(b.Context(), db)
		require.NoError(b, err)
	}
}
