package mysql_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/mysql"
)

func markOf(t testing.TB, db *sql.DB) string {
	t.Helper()
	m, err := mysql.Mark(t.Context(), db)
	require.NoError(t, err)
	return m
}

// The server's times are whole seconds: each change is made once the mark has
// come to rest, where nothing but the change can make it another one.
// Who may use a table is read with it.
func TestTheMarkIsAnotherOneOnceRightsHaveChanged(t *testing.T) {
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY);")
	_, user := users(t, db)
	for _, change := range []string{"GRANT SELECT ON a TO ", "REVOKE SELECT ON a FROM "} {
		require.Eventually(t, func() bool { first := markOf(t, db); return markOf(t, db) == first }, time.Minute, 10*time.Millisecond,
			"the mark comes to rest")
		before := markOf(t, db)
		exec(t, db, change+"`"+user+"`@`%`")
		assert.NotEqual(t, before, markOf(t, db), change)
	}
}

func TestTheMarkIsAnotherOneOnceTheSchemaHasChanged(t *testing.T) {
	t.Parallel()
	changes := []string{
		"ALTER TABLE a ADD COLUMN mail text", "ALTER TABLE a RENAME COLUMN name TO post", "ALTER TABLE a MODIFY name varchar(21) NOT NULL",
		"ALTER TABLE a ALTER name SET DEFAULT 'x'", "ALTER TABLE a COMMENT 'all of them'", "ALTER TABLE a MODIFY name varchar(20) COMMENT 'of a person'",
		"RENAME TABLE a TO z", "CREATE INDEX ix ON a (name)", "DROP INDEX there ON a", "ALTER TABLE a ADD CONSTRAINT ck CHECK (id > 0)",
		"ALTER TABLE a ADD FOREIGN KEY (parent) REFERENCES a (id)", "CREATE TABLE b (id int)", "DROP TABLE a",
		"CREATE VIEW v AS SELECT 1 AS one", "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET NEW.name = 'y'",
		"CREATE FUNCTION f() RETURNS int DETERMINISTIC RETURN 1",
	}
	databases := make([]*sql.DB, len(changes))
	for i := range changes {
		databases[i] = newDatabase(t)
		load(t, databases[i], "CREATE TABLE a (id int PRIMARY KEY, name varchar(20), parent int, KEY there (name));")
	}
	for i, change := range changes {
		db := databases[i]
		require.Eventually(t, func() bool { first := markOf(t, db); return markOf(t, db) == first }, time.Minute, 10*time.Millisecond,
			"the mark comes to rest")
		before := markOf(t, db)
		_, err := db.Exec(change)
		require.NoError(t, err)
		assert.NotEqual(t, before, markOf(t, db), change)
	}
}

func TestRowsLeaveTheMarkAlone(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	load(t, db, "CREATE TABLE a (id int PRIMARY KEY, name varchar(20));")
	require.Eventually(t, func() bool { // other tests of this server make views and triggers beside this one
		before := markOf(t, db)
		for _, rows := range []string{"INSERT INTO a VALUES (1, 'y')", "UPDATE a SET name = 'z'", "DELETE FROM a"} {
			_, err := db.Exec(rows)
			require.NoError(t, err)
		}
		return before == markOf(t, db)
	}, time.Minute, 10*time.Millisecond)
}

// BenchmarkMark asks for the mark of 1,000 tables.
func BenchmarkMark(b *testing.B) {
	db := newDatabase(b)
	load(b, db, manyTables())
	for b.Loop() {
		markOf(b, db)
	}
}
