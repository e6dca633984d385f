package postgres

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheMarkIsAnotherOneOnceTheSchemaHasChanged(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE a (id integer PRIMARY KEY, name text); INSERT INTO a VALUES (1, 'x')")
	mark := func() string {
		t.Helper()
		m, err := Mark(t.Context(), db)
		require.NoError(t, err)
		return m
	}
	before := mark()
	for _, rows := range []string{"INSERT INTO a VALUES (2, 'y')", "UPDATE a SET name = 'z'", "DELETE FROM a", "ANALYZE a", "VACUUM a", "VACUUM pg_class"} {
		run(t, db, rows)
	}
	require.Equal(t, before, mark(), "rows are no schema")
	for _, change := range []string{
		"ALTER TABLE a ADD COLUMN mail text", "ALTER TABLE a RENAME COLUMN mail TO post", "ALTER TABLE a ALTER post SET NOT NULL",
		"ALTER TABLE a ALTER post SET DEFAULT 'x'", "ALTER TABLE a ALTER post DROP DEFAULT", "ALTER TABLE a ALTER post TYPE varchar(20)",
		"COMMENT ON COLUMN a.post IS 'where it goes'", "ALTER TABLE a RENAME TO b", "CREATE INDEX ix ON b (post)",
		"ALTER TABLE b ADD CONSTRAINT ck CHECK (id > 0)", "CREATE TABLE c (id integer REFERENCES b)", "CREATE TYPE mood AS ENUM ('ok')",
		"ALTER TYPE mood ADD VALUE 'sad'", "CREATE VIEW v AS SELECT 1 AS one", "CREATE OR REPLACE VIEW v AS SELECT 2 AS one",
		"CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "CREATE OR REPLACE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT 2'",
		"CREATE SCHEMA s", "ALTER TABLE c SET SCHEMA s", "CREATE SEQUENCE q", "ALTER SEQUENCE q INCREMENT 5", "DROP VIEW v", "DROP INDEX ix",
		"ALTER TABLE b DROP CONSTRAINT ck", "ALTER TABLE b DROP COLUMN post", "DROP TABLE s.c", "DROP TABLE b",
		"CREATE OPERATOR <<# (FUNCTION = int4lt, LEFTARG = integer, RIGHTARG = integer)", "CREATE OPERATOR FAMILY o USING btree",
		"ALTER OPERATOR FAMILY o USING btree ADD OPERATOR 1 < (integer, integer)", "CREATE CAST (point AS integer) WITH INOUT",
		"CREATE TEXT SEARCH CONFIGURATION w (COPY = simple)", "ALTER TEXT SEARCH CONFIGURATION w DROP MAPPING FOR word",
		"CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple)", "CREATE CONVERSION k FOR 'UTF8' TO 'LATIN1' FROM utf8_to_iso8859_1",
		"CREATE FOREIGN DATA WRAPPER x", "CREATE SERVER x FOREIGN DATA WRAPPER x", "ALTER SERVER x VERSION '2'",
		"CREATE USER MAPPING FOR PUBLIC SERVER x", "DROP USER MAPPING FOR PUBLIC SERVER x", "CREATE PUBLICATION p", "ALTER PUBLICATION p SET (publish = 'insert')",
		"ALTER PUBLICATION p ADD TABLES IN SCHEMA s",
	} {
		run(t, db, change)
		assert.NotEqual(t, before, mark(), change)
		before = mark()
	}
}

// BenchmarkMark asks for the mark of 1,000 tables.
func BenchmarkMark(b *testing.B) {
	db := openMany(b)
	for b.Loop() {
		_, err := Mark(b.Context(), db)
		require.NoError(b, err)
	}
}

// A catalogue that is read and not marked would leave a design behind its
// database.
func TestTheMarkCoversWhatIsRead(t *testing.T) {
	const v = version(150000)
	texts := strings.Join([]string{schemaQuery(), relationQuery(everyTable), typeQuery(everyTable), columnQuery(v, everyTable), sequenceQuery(everyTable), constraintQuery(v, everyTable), indexQuery(v, everyTable),
		commentQuery(everyTable), viewQuery(v, everyTable), objectQuery(v, everyPart(v)), rightsQuery(), columnRightsQuery(), useQuery}, "\n")
	without := map[string]string{
		"pg_depend": "its rows come with those of the objects", "pg_publication_namespace": "its rows have dependencies, see markedDependencies",
		"pg_tablespace": "shared", "pg_roles": "shared", "pg_database": "shared",
	}
	for _, found := range regexp.MustCompile(`(?:FROM|JOIN) (pg_\w+) `).FindAllStringSubmatch(texts, -1) {
		name := found[1]
		if without[name] == "" && markedNames[name] == "" {
			assert.Contains(t, markedCatalogs, name)
		}
	}
}
