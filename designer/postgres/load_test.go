package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

func TestAScriptIsTakenApart(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         []string // line: text
	}{
		{"plain", "CREATE TABLE a ();\n-- b;\n  CREATE TABLE b (c text DEFAULT ';')", []string{"1: CREATE TABLE a ()", "3: CREATE TABLE b (c text DEFAULT ';')"}},
		{"dollars", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT 1; $x$; SELECT 1", []string{"1: CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT 1; $x$", "1: SELECT 1"}},
		{"a body of statements", "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3",
			[]string{"1: CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END", "1: SELECT 3"}},
		{"begin is a word elsewhere", "BEGIN; CREATE TABLE t (begin int); COMMIT", []string{"1: BEGIN", "1: CREATE TABLE t (begin int)", "1: COMMIT"}},
		{"a rule of several statements", "CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b); SELECT 1", []string{"1: CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b)", "1: SELECT 1"}},
		{"rows", "COPY t FROM stdin;\n1\t;x\n\\.\nSELECT 1;", []string{"1: COPY t FROM stdin", "4: SELECT 1"}},
		{"psql", "\\connect x\n\\restrict abc\n\\c y;\nSELECT 1;\n\\echo done", []string{"4: SELECT 1"}},
		{"nothing", " ; -- x\n;", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := split(tt.script)
			require.NoError(t, err)
			var got []string
			for _, s := range list {
				got = append(got, fmt.Sprintf("%d: %s", s.line, s.text))
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestStatementsThatDoNotBelongInAScriptAreRefusedOrLeftOut(t *testing.T) {
	for text, want := range map[string]any{
		"CREATE TABLE t ()": runs, "CREATE UNLOGGED TABLE t ()": runs, "create or replace view v as select 1": runs,
		"ALTER TABLE ONLY t ADD CHECK (a > 0)": runs, "ALTER TABLE t OWNER TO postgres": skipped, "DROP TABLE t": runs,
		"COMMENT ON TABLE t IS 'x'": runs, "COMMENT ON DATABASE d IS 'x'": skipped, "COMMENT ON EXTENSION x IS ''": skipped,
		"SET search_path = app": runs, "SET ROLE postgres": skipped, "SET LOCAL SESSION AUTHORIZATION x": skipped, "RESET ALL": runs,
		"INSERT INTO t VALUES (1)": skipped, "SELECT pg_catalog.set_config('search_path', '', false)": skipped, "GRANT ALL ON t TO PUBLIC": skipped,
		"COPY t TO PROGRAM 'x'": skipped, "CREATE DATABASE x": skipped, "DROP DATABASE x": skipped, "CREATE ROLE x SUPERUSER": skipped,
		"ALTER SYSTEM SET x = 1": skipped, "CREATE EXTENSION citext": byAdmin, "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p": skipped,
		"DO $$BEGIN END$$": "statement DO is not loaded: it may run code", "CALL f()": "may run code", "EXECUTE x": "may run code",
		"LOAD 'x'": "may run code", "CREATE NONSENSE x": "statement CREATE NONSENSE is not loaded: it is none that is known", "'x'": "none that is known",
	} {
		list, err := split("\n\n" + text)
		require.NoError(t, err)
		require.Len(t, list, 1, "%s", text)
		got, err := judge(list[0])
		if message, refused := want.(string); refused {
			assert.ErrorContains(t, err, message)
		} else if assert.NoError(t, err, "%s", text) {
			assert.Equal(t, want, got, "%s", text)
		}
	}
	for _, command := range []string{`\i other.sql`, `\! rm -rf /`, `\copy t from x`, `SELECT 1 \gexec`, `\`} {
		_, err := split("SELECT 1;\n" + command)
		assert.ErrorContains(t, err, "line 2, column ", "%s", command)
		assert.ErrorContains(t, err, "is a command of psql and no SQL: leave it out")
	}
}

func TestQueriesOfAScriptAreNotRun(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE MATERIALIZED VIEW v AS SELECT 1":                              "CREATE MATERIALIZED VIEW v AS SELECT 1\nWITH NO DATA",
		"CREATE MATERIALIZED VIEW v AS SELECT 1 WITH DATA":                    "CREATE MATERIALIZED VIEW v AS SELECT 1 WITH NO DATA",
		"CREATE MATERIALIZED VIEW v AS SELECT 1 WITH NO DATA":                 "CREATE MATERIALIZED VIEW v AS SELECT 1 WITH NO DATA",
		"CREATE MATERIALIZED VIEW v AS WITH q AS (SELECT 1) TABLE data":       "CREATE MATERIALIZED VIEW v AS WITH q AS (SELECT 1) TABLE data\nWITH NO DATA",
		"CREATE MATERIALIZED VIEW v AS SELECT 1 AS no data":                   "CREATE MATERIALIZED VIEW v AS SELECT 1 AS no data\nWITH NO DATA",
		"CREATE MATERIALIZED VIEW v AS SELECT 1 WITH /* with */ DATA -- with": "CREATE MATERIALIZED VIEW v AS SELECT 1 WITH NO DATA",
		"CREATE TABLE t AS SELECT f()":                                        "CREATE TABLE t AS SELECT f()\nWITH NO DATA",
		"CREATE TEMP TABLE IF NOT EXISTS t (a) AS SELECT f()":                 "CREATE TEMP TABLE IF NOT EXISTS t (a) AS SELECT f()\nWITH NO DATA",
		"CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY)":                 "CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY)",
		"CREATE VIEW v AS SELECT 1":                                           "CREATE VIEW v AS SELECT 1",
		`CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA x`:            "",
	} {
		list, err := split(text)
		require.NoError(t, err)
		if want == "" {
			assert.Equal(t, `CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA x CASCADE`, list[0].extension())
			continue
		}
		assert.Equal(t, want, list[0].unfilled())
	}
}

// leftovers lists the scratch databases and roles of the server.
func leftovers(t *testing.T) string {
	return one[string](t, open(t, ""), `SELECT coalesce(string_agg(n, ' '), '') FROM (SELECT datname::text n FROM pg_database UNION SELECT rolname::text FROM pg_roles) x
WHERE n LIKE 'berth\_scratch\_%'`)
}

func TestLoadReadsAScriptAsTheServerUnderstandsIt(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	def, err := Engine{}.Load(context.Background(), db, file(t, "everything.sql"))
	require.NoError(t, err)
	want := read(t, open(t, file(t, "everything.sql"))).Definition()
	got, err := designer.Build(Dialect(), def.Definition, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	assert.Equal(t, want.Tables, got.Definition().Tables)
	for i := range want.Views {
		want.Views[i].Grants = nil
	}
	got.SetCatalog(designer.Catalog{Views: def.Views})
	views := got.Views()
	for i := range views {
		views[i].Grants = nil
	}
	assert.Equal(t, want.Views, views)

	def, err = Engine{}.Load(context.Background(), db, file(t, "everything.script.sql"))
	require.NoError(t, err)
	assert.Len(t, def.Tables, len(want.Tables))
}

func TestALoadTellsWhatOfAScriptNoDefinitionHolds(t *testing.T) {
	t.Parallel()
	loaded, err := Engine{}.Load(context.Background(), open(t, ""), `CREATE ROLE reader; BEGIN;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.users (id integer); CREATE TEMP TABLE scratch (a integer);
ALTER TABLE public.users OWNER TO postgres; GRANT SELECT ON public.users TO reader;
COPY public.users (id) FROM stdin;
1
2
\.
INSERT INTO ONLY "users" VALUES (3); INSERT INTO public.users VALUES (4); TRUNCATE TABLE users; SELECT pg_catalog.setval('x', 1);
CREATE OPERATOR CLASS down FOR TYPE integer USING btree AS OPERATOR 1 >, FUNCTION 1 btint4cmp(integer, integer);
COMMENT ON OPERATOR CLASS down USING btree IS 'x'; CREATE EVENT TRIGGER seen ON ddl_command_end EXECUTE FUNCTION f(); ANALYZE; COMMIT;`)
	require.NoError(t, err)
	assert.Len(t, loaded.Tables, 1)
	assert.Equal(t, []designer.Omission{{What: "CREATE ROLE statement", Count: 1}, {What: "temporary table", Count: 1}, {What: "OWNER TO clause", Count: 1},
		{What: "GRANT statement", Count: 1}, {What: "COPY statement", Count: 1, Names: []string{"public.users"}},
		{What: "INSERT statement", Count: 2, Names: []string{"users", "public.users"}}, {What: "TRUNCATE statement", Count: 1, Names: []string{"users"}},
		{What: "SELECT statement", Count: 1}, {What: "CREATE OPERATOR CLASS statement", Count: 1},
		{What: "COMMENT statement", Count: 1}, {What: "CREATE EVENT TRIGGER statement", Count: 1}}, loaded.LeftOut)
}

// What only a superuser may make must not keep a script of its own server from
// being read, and must not be made with a superuser's rights either.
func TestALoadStandsInForWhatNeedsASuperuser(t *testing.T) {
	t.Parallel()
	loaded, err := Engine{}.Load(context.Background(), open(t, ""), `CREATE FUNCTION plain(text) RETURNS text LANGUAGE c IMMUTABLE STRICT
AS '$libdir/berth_is_not_there', 'plain';
CREATE FUNCTION same(text) RETURNS text AS $$textin$$ LANGUAGE internal IMMUTABLE;
CREATE TABLE ship (name text); CREATE INDEX ship_name ON ship (plain(name));
CREATE CAST (text AS integer) WITHOUT FUNCTION;
CREATE FOREIGN DATA WRAPPER office HANDLER nothing OPTIONS (library '/tmp/x.so');
CREATE SERVER harbour FOREIGN DATA WRAPPER office OPTIONS (host 'localhost');
CREATE USER MAPPING FOR postgres SERVER harbour OPTIONS (password 'x');
CREATE FOREIGN TABLE quay (id integer) SERVER harbour OPTIONS (file '/etc/passwd'); CREATE VIEW quays AS SELECT * FROM quay;`)
	require.NoError(t, err)
	assert.Equal(t, []designer.Omission{{What: "function body", Count: 2}, {What: "CREATE CAST statement", Count: 1},
		{What: "CREATE FOREIGN DATA statement", Count: 1}, {What: "CREATE USER MAPPING statement", Count: 1}}, loaded.LeftOut)
	require.Len(t, loaded.Tables, 1)
	assert.Len(t, loaded.Tables[0].Indexes, 1)
	assert.Len(t, loaded.Views, 2)
	for _, o := range loaded.Objects {
		assert.NotContains(t, o.Definition, "$libdir")
		assert.NotContains(t, o.Definition, "internal")
		assert.NotEqual(t, designer.ObjectWrapper, o.Kind, "%s", o.Name)
	}
}

func TestLoadReadsChinookAsItIs(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // sample data is extra: the tests on our own scripts require the server
	}
	text, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_PostgreSql_SerialPKs.sql"))
	require.NoError(t, err)
	def, err := Engine{}.Load(context.Background(), open(t, ""), string(text))
	require.NoError(t, err)
	assert.Len(t, def.Tables, 11)
}

func TestLoadSaysWhichLineTheServerRefuses(t *testing.T) {
	t.Parallel()
	_, err := Engine{}.Load(context.Background(), open(t, ""), "CREATE TABLE t (a integer);\n\nCREATE TABLE t (b nonsense);")
	assert.ErrorContains(t, err, `line 3, column `)
	_, err = Engine{}.Load(context.Background(), open(t, ""), `\i x`)
	assert.ErrorContains(t, err, `line 1, column 1: \i is a command of psql`)
}

func TestAScratchDatabaseIsDroppedWithItsRole(t *testing.T) {
	t.Parallel()
	s, err := makeScratch(context.Background(), open(t, ""))
	require.NoError(t, err)
	require.Contains(t, leftovers(t), s.name)
	require.NoError(t, s.db.Ping())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, s.drop(ended))
	assert.NotContains(t, leftovers(t), s.name)
}

func TestAScriptHasNoMoreRightsThanItsScratchDatabase(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	if !one[bool](t, db, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") {
		return // who is no superuser has no rights that would have to be kept from a script
	}
	for _, code := range []string{"pg_read_file(''/etc/passwd'')", "set_config(''role'', ''postgres'', false)", "(SELECT pg_ls_dir(''/'') LIMIT 1)"} {
		_, err := Engine{}.Load(context.Background(), db, fmt.Sprintf(`CREATE FUNCTION evil() RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN %s; END';
CREATE TABLE t (a integer); ALTER TABLE t ADD COLUMN b text DEFAULT evil()`, code))
		assert.Error(t, err, "%s", code)
		assert.Regexp(t, "permission denied|must be superuser", err)
	}
}

func TestWhatAKilledProcessLeftIsTakenAway(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	stale := engine.ScratchPrefix + strconv.FormatInt(time.Now().Add(-25*time.Hour).Unix(), 36) + "_" + strings.ToLower(rand.Text())
	run(t, db, "CREATE DATABASE "+stale)
	_, err := Engine{}.Load(context.Background(), db, "CREATE TABLE t ()")
	require.NoError(t, err)
	assert.NotContains(t, leftovers(t), stale)
}

func FuzzSplit(f *testing.F) {
	f.Add("CREATE FUNCTION f() BEGIN ATOMIC CASE END; END; COPY t FROM stdin;\n\\.\n\\c x")
	f.Add("CREATE MATERIALIZED VIEW v AS SELECT 1 WITH DATA; $$ ' \" /* ;")
	f.Add("create extension; create; \\")
	f.Add("CREATE MATERIALIZED DATA")
	f.Fuzz(func(t *testing.T, script string) {
		list, err := split(script)
		if err != nil {
			return
		}
		line := 1
		for _, s := range list {
			assert.NotEmpty(t, s.text)
			assert.GreaterOrEqual(t, s.line, line, "statements come in their order")
			line = s.line
			v, err := judge(s)
			if err == nil && v == runs {
				assert.NotEmpty(t, s.unfilled())
				s.viewName()
			}
			if err == nil && v == byAdmin {
				for _, tok := range scan(s.extension()) {
					assert.False(t, tok.Is(";"), "no second statement")
				}
			}
		}
	})
}

// The dump was made by pg_dump 15 with --create, rows and rights in it.
func TestADumpOfPostgreSQLLoads(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/dump-pg_dump.sql")
	require.NoError(t, err)
	newer := strings.Replace(string(text), "SET lock_timeout = 0;", "SET lock_timeout = 0;\nSET transaction_timeout_of_a_newer_server = 0;", 1)
	loaded, err := Engine{}.Load(t.Context(), open(t, ""), newer)
	require.NoError(t, err)
	assert.Len(t, loaded.Tables, 3)
	assert.Contains(t, fmt.Sprint(loaded.LeftOut), "1 SET statement is left out")
	s, err := designer.Build(Dialect(), loaded.Definition, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	require.NoError(t, s.Check())
}

func TestAScriptThatTheServerRefusesSaysWhere(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	for script, at := range map[string]string{
		"CREATE TABLE a (\n  \"é\" int,\n  b nonsense);":     "3:5   b nonsense);",
		"SELECT 1;\nhello world;":                            "2:1 hello world;",
		"CREATE TABLE a (id int);\n-- x\n CREATE TABLE a ()": "3:2  CREATE TABLE a ()",
		"CREATE TABLE a (id int,\n":                          "1:24 CREATE TABLE a (id int,",
		"CREATE TABLE a (id int);\n\\! x":                    "2:1 \\! x",
	} {
		_, err := Engine{}.Load(t.Context(), db, script)
		var place *designer.ScriptError
		require.ErrorAs(t, err, &place, script)
		assert.Equal(t, at, fmt.Sprintf("%d:%d %s", place.Line, place.Column, place.Source), err)
	}
}
