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

	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
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
	attempts := 0
	for _, tt := range ruled(t, "sqlite.txt") {
		attempts += len(tt.queries)
		t.Run(tt.rule, func(t *testing.T) {
			c := project(t, guarded, settings{})
			d, err := c.Database(pool.Config{Path: "app.db"})
			require.NoError(t, err)
			before := state(t, c.Root())
			for _, query := range tt.queries {
				r := readonly.CheckSQLite(query, false)
				if assert.NotNil(t, r, query) {
					assert.Equal(t, tt.rule, r.Rule, query)
				}
				if strings.TrimSpace(query) != "" {
					reply := ask(t, c, query)
					assert.True(t, reply.IsError, query)
					assert.Contains(t, reply.Content[0], "refused ("+tt.rule+")", query)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				_ = d.Query(ctx, query, rowset.NewReply(10, 1<<16)) // refused or harmless: the folder tells
				cancel()
			}
			assert.Equal(t, before, state(t, c.Root()))
		})
	}
	assert.GreaterOrEqual(t, attempts, 100, "a corpus has at least a hundred attempts")
}

// ruledAttempts are attempts that one rule refuses.
type ruledAttempts struct {
	rule    string
	queries []string
}

// ruled reads a corpus whose attempts stand under the names of rules, and adds
// those that a file of lines cannot hold.
func ruled(t testing.TB, name string) []ruledAttempts {
	t.Helper()
	all := []ruledAttempts{{"length", []string{"SELECT '" + strings.Repeat("x", readonly.MaxQuery) + "'"}}, {"one statement", []string{"", " "}}}
	for _, line := range dbtest.Corpus(t, "readonly/testdata/"+name, "main") {
		if rule, ok := strings.CutPrefix(line, "#= "); ok {
			all = append(all, ruledAttempts{rule: rule})
			continue
		}
		last := &all[len(all)-1]
		last.queries = append(last.queries, strings.ReplaceAll(line, "﹏", "\ufeff"))
	}
	return all
}

func TestHarmlessQueriesAreAdmitted(t *testing.T) {
	c := project(t, guarded, settings{})
	before := state(t, c.Root())
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
	assert.Equal(t, before, state(t, c.Root()))
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
	dbtest.SQLite(f, root, "app.db", guarded)
	c := connections(f, root, settings{})
	before := state(f, c.Root())
	f.Fuzz(func(t *testing.T, query string) {
		r := readonly.CheckSQLite(query, true)
		if r != nil {
			require.NotEmpty(t, r.Rule)
			return
		}
		d, err := c.Database(pool.Config{Path: "app.db"})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_ = d.Query(ctx, query, rowset.NewReply(10, 1<<16)) // its rows do not matter
		require.Equal(t, before, state(t, c.Root()))
	})
}
