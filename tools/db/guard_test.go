package db

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// state is what a project's folder holds: names and digests.
func state(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	}))
	return files
}

const guarded = `CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y');
CREATE TABLE x_node (a); CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t (b);
CREATE TRIGGER tr INSTEAD OF INSERT ON v BEGIN DELETE FROM t; END;
CREATE VIRTUAL TABLE f USING fts5(body); PRAGMA user_version = 7`

// TestNothingGetsPastTheGuards runs every trick twice: through run-query, and
// past the check straight to the engine. Either way the folder stays as it is.
func TestNothingGetsPastTheGuards(t *testing.T) {
	for _, tt := range []struct {
		rule    string // that refuses it
		queries []string
	}{
		{"one statement", []string{
			"", " ", ";", "-- only a comment", "/* only a comment */", ";;;",
			"SELECT 1; DELETE FROM t", "SELECT 1; SELECT 2", "SELECT 1;;SELECT 2", "VALUES (1); DROP TABLE t",
			"SELECT 1 -- x\n; DELETE FROM t", "SELECT 1 /* ; */ ; DELETE FROM t", "SELECT '--'; DELETE FROM t --'",
			`SELECT "a;"";"; DELETE FROM t`, "SELECT [;]; DELETE FROM t", "SELECT `;`; DELETE FROM t", "SELECT 1 /* /* */; DELETE FROM t; -- */",
			"EXPLAIN SELECT 1; DELETE FROM t", "PRAGMA table_info(t); DELETE FROM t", "WITH c AS (SELECT 1) SELECT 1; DELETE FROM t",
			"SELECT x'00'; DELETE FROM t", "SELECT 1 \ufeff; DELETE FROM t", "SELECT '\\'; DELETE FROM t; --'",
		}},
		{"reads only", []string{
			"DELETE FROM t", "delete from t", "INSERT INTO t VALUES (3, 'z')", "REPLACE INTO t VALUES (1, 'z')",
			"UPDATE t SET b = 'z'", "INSERT INTO t VALUES (3, 'z') RETURNING a", "INSERT INTO v VALUES (1)", "INSERT INTO x_node VALUES (1)",
			"/**/DELETE/**/FROM/**/t", "--\nDELETE FROM t", "\ufeffDELETE FROM t", "DELETE FROM t; SELECT 1",
			"CREATE TABLE u (a)", "CREATE TEMP TABLE u (a)", "DROP TABLE t", "ALTER TABLE t ADD c", "CREATE TABLE u AS SELECT 1",
			"ATTACH 'other.db' AS o", "ATTACH DATABASE ':memory:' AS o", "DETACH main", "VACUUM", "VACUUM INTO 'copy.db'",
			"REINDEX", "ANALYZE", "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT s", "RELEASE s",
			"WITH c AS (SELECT 1) DELETE FROM t", "WITH c AS (SELECT 1) INSERT INTO t SELECT 3, 'z'", "WITH c AS (SELECT 1) UPDATE t SET b = 'z'",
			"WITH c(a) AS (VALUES (1)), d AS NOT MATERIALIZED (SELECT 2) REPLACE INTO t SELECT 1, 'z'",
			"WITH c AS (DELETE FROM t RETURNING a) SELECT * FROM c", "WITH RECURSIVE c AS (INSERT INTO t VALUES (3, 'z') RETURNING a) SELECT 1",
			"EXPLAIN DELETE FROM t", "EXPLAIN QUERY PLAN DELETE FROM t", "EXPLAIN VACUUM", "EXPLAIN ATTACH 'other.db' AS o", "EXPLAIN WITH c AS (SELECT 1) DELETE FROM t",
		}},
		{"pragma", []string{
			"PRAGMA query_only = 0", "PRAGMA query_only(0)", "PRAGMA main.query_only = off", "PRAGMA user_version = 8", "PRAGMA user_version(8)",
			"PRAGMA journal_mode = wal", "PRAGMA journal_mode(delete)", "PRAGMA journal_mode", "PRAGMA writable_schema = 1", "PRAGMA writable_schema", "PRAGMA wal_checkpoint",
			"PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA optimize", "PRAGMA incremental_vacuum(1)", "PRAGMA temp_store_directory = '/'",
			"PRAGMA data_store_directory", "PRAGMA locking_mode = exclusive", "PRAGMA schema_version = 9", "PRAGMA shrink_memory", "PRAGMA page_size = 8192",
			"PRAGMA auto_vacuum = 1", "PRAGMA table_info = t", "PRAGMA no_such_thing", "PRAGMA", `PRAGMA "query_only"(0)`, "PRAGMA 'user_version' = 8",
			"EXPLAIN PRAGMA user_version = 8", "PRAGMA user_version /**/ = /**/ 8", "PRAGMA table_info(t) = 1", "SELECT * FROM pragma_wal_checkpoint('x')",
			`SELECT * FROM "pragma_optimize"(1)`,
		}},
		{"function", []string{
			"SELECT load_extension('x')", `SELECT "load_extension"('x')`, "SELECT [load_extension] ('x', 'y')", "SELECT LOAD_EXTENSION/**/('x')",
			"SELECT writefile('out.txt', 'x')", "SELECT readfile('app.db')", "SELECT edit('x')", "SELECT fts3_tokenizer('simple')", "SELECT a FROM t WHERE fts3_tokenizer('a', x'00') = 1",
		}},
		{"legal text", []string{
			"SELECT 1\x00; DELETE FROM t", "\x00DELETE FROM t", "SELECT 'a\x00'; DELETE FROM t", "SELECT 'open; DELETE FROM t", `SELECT "open`,
			"SELECT [open", "SELECT `open", "SELECT 1 /* open; DELETE FROM t", "SELECT x'0'", "SELECT 1a", "SELECT 1 \\ DELETE", "SELECT !", "SELECT $",
		}},
		{"no placeholders", []string{"SELECT ?", "SELECT ?1", "SELECT :a", "SELECT @a", "SELECT $a"}},
		{"statement kind", []string{
			"EXPLAIN", "EXPLAIN QUERY", "EXPLAIN EXPLAIN SELECT 1", "FOO", "(SELECT 1)", "'SELECT' 1", `"SELECT" 1`, "WITH", "WITH c", "WITH c AS",
			"WITH c AS (", "WITH c AS (SELECT 1", "WITH c AS (SELECT 1)", "WITH c AS (SELECT 1) FOO", "WITH c AS () SELECT 1", "WITH (SELECT 1) SELECT 2",
			"WITH c AS (SELECT 1),", "WITH c(a AS (SELECT 1) SELECT 1", ".schema", ".shell ls", "EXEC x", "SHOW TABLES", "TABLE t", "CALL x()", "GRANT", "SET a = 1", "COPY t",
		}},
		{"length", []string{"SELECT '" + strings.Repeat("x", maxQuery) + "'"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			c := project(t, guarded, Options{})
			d, err := c.database(Config{Path: "app.db"})
			require.NoError(t, err)
			before := state(t, c.root)
			for _, query := range tt.queries {
				r := checkSQLite(query, false)
				if assert.NotNil(t, r, query) {
					assert.Equal(t, tt.rule, r.Rule, query)
				}
				if strings.TrimSpace(query) != "" {
					reply := ask(t, c, query)
					assert.True(t, reply.IsError, query)
					assert.Contains(t, reply.Content[0], "refused ("+tt.rule+")", query)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				_ = d.query(ctx, query, newResult(10, 1<<16)) // refused or harmless: the folder tells
				cancel()
			}
			assert.Equal(t, before, state(t, c.root))
		})
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	assert.EqualError(t, checkSQLite("DROP TABLE t", false), "refused (reads only): run-query reads only, and DROP changes the schema")
	assert.EqualError(t, checkSQLite("DROP TABLE t", true), "refused (reads only): run-query reads only, and DROP changes the schema; "+
		"use the apply_edits operation of mssql_schema_designer, which changes the design")
	assert.EqualError(t, checkSQLite("SELECT 1; DELETE FROM t", false),
		"refused (one statement): the query has more than one statement: another begins behind the semicolon at byte 8")
	assert.NotContains(t, checkSQLite("DELETE FROM t", true).Message, "apply_edits")
}

func TestHarmlessQueriesAreAdmitted(t *testing.T) {
	c := project(t, guarded, Options{})
	before := state(t, c.root)
	for _, query := range []string{
		"SELECT 'DELETE FROM t; DROP TABLE t'", `SELECT a AS "; DELETE FROM t" FROM t`, "SELECT 1;", "SELECT 1 ; ; -- end",
		"SELECT replace(b, 'x', 'y') FROM t", "select a from t where b = 'it''s'", "SELECT 1 /* DELETE; */ -- ; DROP",
		"WITH c AS (SELECT 1), d(x) AS MATERIALIZED (VALUES (1)) SELECT * FROM c, d", "WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM a",
		"EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN WITH c AS (SELECT 1) SELECT * FROM c", "VALUES (1, 2), (3, 4);",
		"PRAGMA table_info(t)", "PRAGMA main.table_xinfo('t')", "PRAGMA foreign_key_list(t);", "PRAGMA table_list", "PRAGMA user_version",
		"PRAGMA integrity_check", "PRAGMA index_list([t])", "SELECT * FROM pragma_index_info('i')", "PRAGMA compile_options",
		"SELECT json_extract('{\"a\":1}', '$.a') -> '$'", "SELECT body FROM f WHERE f MATCH 'x'", "SELECT group_concat(a) OVER (ORDER BY a) FROM t",
		"SELECT \"delete\" FROM (SELECT 1 AS \"delete\")", "SELECT * FROM v, t AS u LEFT JOIN t USING (a) LIMIT 1 OFFSET 0", "SELECT 1 UNION SELECT 2 EXCEPT VALUES (3)",
	} {
		r := ask(t, c, query)
		assert.False(t, r.IsError, "%s: %v", query, r.Content)
	}
	assert.Equal(t, before, state(t, c.root))
}

// FuzzCheck runs whatever the check admits on a real file, and looks whether
// the folder is as it was.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"SELECT 1", "SELECT 1; DELETE FROM t", "WITH c AS (SELECT 1) DELETE FROM t", "PRAGMA user_version(8)", "EXPLAIN DELETE FROM t",
		"SELECT 'a''b' /* c */ -- d\n", "VACUUM INTO 'copy.db'", "ATTACH 'x.db' AS x", "SELECT load_extension('x')", "VALUES (1)",
		"SELECT * FROM pragma_user_version(9)", "SELECT * FROM v WHERE a IN (SELECT a FROM t)", "SELECT writefile('a', 'b')",
	} {
		f.Add(seed)
	}
	root := f.TempDir()
	writeDB(f, root, "app.db", guarded)
	c := connections(f, root, Options{})
	before := state(f, c.root)
	f.Fuzz(func(t *testing.T, query string) {
		r := checkSQLite(query, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		d, err := c.database(Config{Path: "app.db"})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_ = d.query(ctx, query, newResult(10, 1<<16)) // its rows do not matter
		require.Equal(t, before, state(t, c.root))
	})
}
