package enginetest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// A database that another test had is as one just made, whatever that test did
// in it; where it cannot be, it is given to no other.
func TestADatabaseOfAnotherTestIsAsOneJustMade(t *testing.T) {
	const objects = `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE SEQUENCE free; CREATE TABLE parent (id serial PRIMARY KEY, m mood, p positive) ; CREATE TABLE child (id int REFERENCES parent, d tstzrange);
CREATE VIEW v AS SELECT * FROM parent; CREATE MATERIALIZED VIEW mv AS SELECT * FROM v; CREATE STATISTICS st ON id, d FROM child;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER tr BEFORE INSERT ON parent FOR EACH ROW EXECUTE FUNCTION f();
CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int); CREATE OPERATOR #+# (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl);
CREATE COLLATION c (LOCALE = 'C'); CREATE TEXT SEARCH CONFIGURATION english (COPY = pg_catalog.english); CREATE PROCEDURE p() LANGUAGE sql AS 'SELECT 1';
CREATE TABLE parts (a int) PARTITION BY LIST (a); CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1); CREATE TYPE pair AS (a int, b int);
CREATE SCHEMA other; CREATE TABLE other.t (a int); CREATE TEMP TABLE passing (a int); CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;
CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER et ON ddl_command_start EXECUTE FUNCTION e(); CREATE PUBLICATION pub FOR ALL TABLES`
	for _, tt := range []struct {
		name, script string
		kept         bool
	}{
		{"nothing", "", true},
		{"objects of every kind", objects, true},
		{"rights to a function of the server's", "REVOKE EXECUTE ON FUNCTION pg_catalog.pg_sleep(float8) FROM PUBLIC", false},
		{"another right to the schema public", "GRANT CREATE ON SCHEMA public TO PUBLIC", false},
		{"rights of what is made later", "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC", false},
		{"a setting", "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = ''1MB''', current_database()); END $$", false},
		{"a large object", "SELECT lo_create(0)", false},
		{"a remark", "DO $$ BEGIN EXECUTE format('COMMENT ON DATABASE %I IS ''x''', current_database()); END $$", false},
		{"a catalogue written to", "UPDATE pg_catalog.pg_proc SET procost = 2 WHERE proname = 'pg_sleep'", false},
	} {
		name := ""
		t.Run(tt.name, func(t *testing.T) {
			db := PostgresDB(t)
			_, err := db.Exec(tt.script)
			require.NoError(t, err)
			require.NoError(t, db.QueryRow("SELECT current_database()").Scan(&name))
		})
		var next string
		require.NoError(t, PostgresDB(t).QueryRow("SELECT current_database()").Scan(&next))
		assert.Equal(t, tt.kept, name == next, tt.name)
	}
}
