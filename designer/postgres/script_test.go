package postgres

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// publish makes a plan, which has to succeed.
func publish(t testing.TB, db *sql.DB, p designer.Plan) {
	t.Helper()
	err := Engine{}.Publish(context.Background(), db, p, 0, nil)
	require.NoError(t, err, "%s", p.Script())
}

// remake makes what s is in an empty database and reads it.
func remake(t *testing.T, s *designer.Schema) (designer.Plan, *designer.Schema) {
	t.Helper()
	p, err := Engine{}.Script(s)
	require.NoError(t, err)
	db := open(t, "")
	publish(t, db, p)
	return p, read(t, db)
}

func TestAScriptMakesEverythingAnew(t *testing.T) {
	t.Parallel()
	s := read(t, open(t, file(t, "everything.sql")))
	p, again := remake(t, s)
	golden(t, "everything.script.sql", p.Script())
	assert.Empty(t, p.Notes)
	want := s.Definition()
	for i := range want.Views {
		want.Views[i].Grants = nil
	}
	assert.Equal(t, want, again.Definition())
	assert.Equal(t, s.Version(), again.Version())
}

func TestAScriptMakesChinookAnew(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // sample data is extra: the tests on our own scripts require the server
	}
	text, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_PostgreSql_SerialPKs.sql"))
	require.NoError(t, err)
	_, tables, found := strings.Cut(string(text), `\c chinook_serial;`)
	require.True(t, found)
	s := read(t, open(t, tables))
	require.Equal(t, 11, s.Len())
	_, again := remake(t, s)
	assert.Equal(t, s.Definition(), again.Definition())
	assert.Equal(t, s.Version(), again.Version())
}

// The server writes such a check otherwise once it has read it back.
func TestACheckOfValuesIsTheSameAfterAScript(t *testing.T) {
	t.Parallel()
	s := read(t, open(t, `CREATE TABLE t (kind varchar(20) CHECK (kind IN ('a', 'it''s', 'c'))); CREATE INDEX i ON t (kind) WHERE kind IN ('a', 'b')`))
	_, again := remake(t, s)
	assert.Equal(t, s.Definition(), again.Definition())
}

// A column that is inherited has a default of its own, or none, or a number
// from a sequence of its own.
func TestAScriptKeepsWhatAColumnHasBesideItsInheritance(t *testing.T) {
	t.Parallel()
	s := read(t, open(t, `CREATE TABLE base (id serial, class integer, kind text DEFAULT 'x', plain text DEFAULT 'p');
CREATE TABLE child () INHERITS (base); ALTER TABLE child ALTER class SET DEFAULT 4, ALTER kind DROP DEFAULT, ALTER kind SET NOT NULL;
CREATE SEQUENCE child_id_seq AS integer OWNED BY child.id; ALTER TABLE child ALTER id SET DEFAULT nextval('child_id_seq');`))
	p, again := remake(t, s)
	assert.Equal(t, s.Definition(), again.Definition())
	assert.NotContains(t, p.Script(), "COLUMN plain")
}

// What uses something that cannot be made is not made either, and both are
// named: the rest of a script has to load.
func TestAScriptLeavesOutWhatNeedsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	s := read(t, open(t, `CREATE TYPE hull; CREATE FUNCTION hull_in(cstring) RETURNS hull LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION hull_out(hull) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE hull (INPUT = hull_in, OUTPUT = hull_out, LIKE = int4); CREATE VIEW of_hull AS SELECT '1'::hull AS a; CREATE VIEW above AS SELECT * FROM of_hull;
CREATE TABLE t (a integer); CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';`))
	p, _ := remake(t, s)
	notes := strings.Join(p.Notes, "\n")
	assert.Contains(t, notes, "The type public.hull is left out: the database gives only its name.")
	assert.Contains(t, notes, "The view public.of_hull is left out: it needs ")
	assert.Contains(t, notes, "The view public.above is left out: it needs public.of_hull, which is left out.")
}

// A partition is made of its table, which keeps neither the names that somebody
// gave its indexes nor another order of its columns. That is said.
func TestAScriptNamesWhatAPartitionGetsOtherwise(t *testing.T) {
	t.Parallel()
	s := read(t, open(t, `CREATE TABLE t (a integer, b integer) PARTITION BY LIST (a); CREATE INDEX t_b ON t (b);
CREATE TABLE usual PARTITION OF t FOR VALUES IN (1);
CREATE TABLE attached (b integer, a integer); CREATE INDEX own_name ON attached (b); ALTER TABLE t ATTACH PARTITION attached FOR VALUES IN (2)`))
	p, again := remake(t, s)
	assert.Equal(t, []string{"The partition public.attached is made of its table: the server chooses index own_name, the order of its columns."}, p.Notes)
	assert.Equal(t, s.Version(), again.Version())
}
