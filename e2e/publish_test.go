package e2e

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// harbour is what a database of each dialect holds before it is redesigned.
var harbour = []string{
	`CREATE TABLE berths (id INT NOT NULL PRIMARY KEY, name VARCHAR(50) NOT NULL, depth DECIMAL(6,2) NOT NULL)`,
	`CREATE TABLE boats (id INT NOT NULL PRIMARY KEY, berth_id INT NOT NULL, label VARCHAR(40))`,
	`CREATE INDEX ix_boats_label ON boats (label)`,
	`CREATE VIEW deep AS SELECT id, depth FROM berths WHERE depth > 5`,
	`INSERT INTO berths VALUES (1, 'north', 4.5), (2, 'south', 9.25), (3, 'quay', 2)`,
	`INSERT INTO boats VALUES (10, 1, 'Ada'), (11, 2, NULL)`,
}

// servedDatabase is a project with one database and the way around berth to
// look into it.
type servedDatabase struct {
	*world
	t       *testing.T
	dialect string
	root    string
	db      *sql.DB
	// babelfish is a SQL Server that can alter no column that is NOT NULL,
	// gives indexes names of its own, and has no sp_refreshview for a view over
	// a changed table.
	babelfish bool
}

// dialects are those that publishing is shown on, each with how a project
// with an empty database of its own is made. SQL Server is skipped unless
// BERTH_TEST_MSSQL names one.
var dialects = map[string]func(t *testing.T, w *world) servedDatabase{
	"sqlite": func(t *testing.T, w *world) servedDatabase {
		root := w.project("app", "")
		db, err := sql.Open("sqlite", filepath.Join(root, "app.db"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return served(t, w, "sqlite", root, db, "path: app.db")
	},
	"postgres": func(t *testing.T, w *world) servedDatabase {
		db, dsn := enginetest.Postgres().New(t)
		return served(t, w, "postgres", w.project("app", ""), db, "url: "+dsn)
	},
	"mysql": func(t *testing.T, w *world) servedDatabase {
		db, dsn := enginetest.MySQL().New(t)
		c, err := mysql.ParseDSN(dsn)
		require.NoError(t, err)
		u := url.URL{Scheme: "mysql", User: url.UserPassword(c.User, c.Passwd), Host: c.Addr, Path: "/" + c.DBName}
		return served(t, w, "mysql", w.project("app", ""), db, "url: "+u.String())
	},
	"mssql": func(t *testing.T, w *world) servedDatabase {
		needs.SQLServer(t)
		db, dsn := enginetest.MSSQL().New(t)
		s := served(t, w, "mssql", w.project("app", ""), db, "url: "+strconv.Quote(dsn))
		s.babelfish = s.count("SELECT CASE WHEN @@VERSION LIKE '%Babelfish%' THEN 1 ELSE 0 END") == 1
		if s.babelfish {
			s.exec("DROP VIEW deep")
		}
		return s
	},
}

func served(t *testing.T, w *world, dialect, root string, db *sql.DB, connection string) servedDatabase {
	w.trustAll() // a test has nobody to type a word
	config := "publish: {unattended: true}\nconnections:\n  main:\n    " + connection + "\n"
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(config), 0o644))
	s := servedDatabase{world: w, t: t, dialect: dialect, root: root, db: db}
	s.exec(harbour...)
	return s
}

func (s servedDatabase) exec(statements ...string) {
	s.t.Helper()
	for _, statement := range statements {
		_, err := s.db.Exec(statement)
		require.NoError(s.t, err, statement)
	}
}

// count runs a query for one number.
func (s servedDatabase) count(query string) (n int) {
	s.t.Helper()
	require.NoError(s.t, s.db.QueryRow(query).Scan(&n), query)
	return n
}

// run is a command in the project that has to succeed.
func (s servedDatabase) run(args ...string) string {
	s.t.Helper()
	got := s.berthIn(s.root, args...)
	require.Zero(s.t, got.code, "berth %s: %s%s", strings.Join(args, " "), got.stdout, got.stderr)
	return got.stdout
}

// redesign renames a column and widens it in one go, and adds a table, a key
// and an index.
func (s servedDatabase) redesign(client *agent) {
	s.t.Helper()
	shown := client.design(s.root, map[string]any{"operation": "show"})
	require.True(s.t, shown.Success, shown.text)
	table := func(name string) map[string]any { return map[string]any{"name": name} }
	set := map[string]any{"name": "full_name", "maxLength": 80}
	if s.babelfish {
		delete(set, "maxLength")
	}
	list := []map[string]any{
		{"op": "set_column", "table": table("berths"), "column": map[string]any{"name": "name"}, "set": set},
		{"op": "set_table", "table": table("boats"), "set": map[string]any{"name": "vessels"}},
		{"op": "add_foreign_key", "table": table("vessels"), "foreignKey": map[string]any{"name": "fk_vessels_berths",
			"referencedTable": table("berths"), "mappings": []any{map[string]any{"column": "berth_id", "referencedColumn": "id"}}}},
		{"op": "add_table", "table": table("moorings"), "initialColumns": []any{
			map[string]any{"name": "id", "dataType": "int", "isPrimaryKey": true},
			map[string]any{"name": "since", "dataType": "date", "isNullable": true}}},
		{"op": "add_index", "table": table("moorings"), "index": map[string]any{"name": "ix_since", "columns": []any{map[string]any{"name": "since"}}}},
	}
	if s.babelfish {
		list = list[:len(list)-1]
	}
	r := client.design(s.root, edits(shown.Version, list...))
	require.True(s.t, r.Success, r.text)
}

func TestADesignReachesTheDatabaseOfEachDialect(t *testing.T) {
	t.Parallel()
	for name, open := range dialects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, newWorld(t))
			s.serve(s.root)
			s.redesign(s.agent())

			diff := s.run("diff")
			for _, line := range []string{"rename column ", "alter column ", "rename table ", "add foreign key ", "add table ", "statement(s)"} {
				if line != "alter column " || !s.babelfish {
					assert.Contains(t, diff, line)
				}
			}
			assert.NotContains(t, diff, "drop", "a rename is no drop and add")
			assert.Contains(t, s.run("verify"), "nothing was changed")
			assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"), "trying and looking change nothing")

			refused := s.berthIn(s.root, "publish")
			assert.Equal(t, 3, refused.code, "nobody is there to approve: %s", refused.stdout)
			assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"))

			assert.Contains(t, s.run("publish", "--yes"), "published")
			assert.Equal(t, "no changes\n", s.run("diff"))
			assert.Equal(t, 3, s.count("SELECT count(*) FROM berths WHERE full_name IN ('north', 'south', 'quay')"))
			assert.Equal(t, 2, s.count("SELECT count(*) FROM vessels"))
			if !s.babelfish {
				assert.Equal(t, 1, s.count("SELECT count(*) FROM deep"), "a view over a changed table is still there")
			}
			assert.Contains(t, s.run("ls"), "synced")
		})
	}
}

func TestPublishingNeedsAPerson(t *testing.T) {
	t.Parallel()
	s := dialects["sqlite"](t, newWorld(t))
	s.serve(s.root)
	client := s.agent()
	s.redesign(client)
	r := client.design(s.root, map[string]any{"operation": "publish"})
	assert.Equal(t, "approval_required", r.Reason, r.text)
	assert.Contains(t, r.Message, "berth publish")
	assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"))

	config := filepath.Join(s.root, ".berth", "config.yaml")
	require.NoError(t, os.WriteFile(config, []byte("connections:\n  main:\n    path: app.db\n"), 0o644))
	got := s.berthIn(s.root, "publish", "--yes")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "publish: {unattended: true}")
	assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"))
}

// The instance is killed at a random moment of a publish. Afterwards the
// database is as before or as planned, or, where statements cannot be taken
// back, between, and berth says which; the next publish gets there.
func TestAPublishSurvivesSIGKILL(t *testing.T) {
	t.Parallel()
	for name, open := range dialects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dice := long.Dice(t)
			whole := unkilledPublish(t, open(t, newWorld(t)))
			said := map[string]int{}
			for range long.Rounds(2, 30) {
				moment := whole/3 + time.Duration(dice.Int64N(int64(whole))) // the command itself takes a while to start
				said[killedPublish(t, open(t, newWorld(t)), moment)]++
			}
			t.Logf("a publish takes %v; after the kill: %v", whole, said)
		})
	}
}

// unkilledPublish returns how long one takes, so that kills fall within.
func unkilledPublish(t *testing.T, s servedDatabase) time.Duration {
	s.serve(s.root)
	s.redesign(s.agent())
	start := time.Now()
	assert.Contains(t, s.run("publish", "--yes"), "published")
	return time.Since(start)
}

// killedPublish returns what berth said of the database after the kill.
func killedPublish(t *testing.T, s servedDatabase, moment time.Duration) string {
	in := s.serve(s.root)
	s.redesign(s.agent())
	killer := time.AfterFunc(moment, func() { _ = in.cmd.Process.Kill() })
	_ = s.berthIn(s.root, "publish", "--yes")
	killer.Stop()
	in.kill()

	s.serve(s.root)
	diff := s.run("diff")
	state := "before"
	switch {
	case diff == "no changes\n":
		state = "after"
	case strings.Contains(diff, "interrupted"):
		state = "between"
		assert.Equal(t, "mysql", s.dialect, "only there a publish can stop halfway: %s", diff)
	default:
		assert.Equal(t, 2, s.count("SELECT count(*) FROM boats"), "what is not published is as it was: %s", diff)
	}
	if state != "after" {
		assert.Contains(t, s.run("publish", "--yes"), "published", fmt.Sprintf("from %s: %s", state, diff))
		assert.Equal(t, "no changes\n", s.run("diff"))
	}
	assert.Equal(t, 3, s.count("SELECT count(*) FROM berths WHERE full_name IN ('north', 'south', 'quay')"))
	assert.Equal(t, 2, s.count("SELECT count(*) FROM vessels"))
	return state
}
