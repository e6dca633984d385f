package e2e

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/long"
)

// scratchServer is a server on which a command of berth makes a scratch
// database that this test can tell from everybody else's.
type scratchServer struct {
	servedDatabase
	command []string
	mine    func() []string // the scratch databases of this test, by what they are and not by name
	all     func() []string
	drop    string // a statement, %s the name
}

// names runs a query for texts.
func (s servedDatabase) names(query string) []string {
	s.t.Helper()
	rows, err := s.db.Query(query)
	require.NoError(s.t, err, query)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		require.NoError(s.t, rows.Scan(&name))
		all = append(all, name)
	}
	require.NoError(s.t, rows.Err())
	return all
}

// scratchOnMySQL tries a plan for a table with many rows.
func scratchOnMySQL(t *testing.T, w *world) scratchServer {
	s := dialects["mysql"](t, w)
	table := "rows_of_" + strings.ToLower(rand.Text())
	s.exec("CREATE TABLE "+table+" (id int AUTO_INCREMENT PRIMARY KEY, name varchar(100))", "INSERT INTO "+table+" (name) VALUES ('a customer')")
	for range 16 {
		s.exec("INSERT INTO " + table + " (name) SELECT name FROM " + table)
	}
	client := w.agent()
	in := w.serve(s.root)
	require.True(t, client.design(s.root, map[string]any{"operation": "show"}).Success)
	version := client.design(s.root, map[string]any{"operation": "get_overview"}).Version
	r, err := tryEdit(client, s.root, version, map[string]any{"op": "set_column", "table": map[string]any{"name": table},
		"column": map[string]any{"name": "name"}, "set": map[string]any{"dataType": "text"}})
	require.NoError(t, err)
	require.True(t, r.Success, r.text)
	in.kill()
	const prefix = `LIKE 'berth\_scratch\_%'`
	return scratchServer{s, []string{"verify"},
		func() []string {
			return s.names("SELECT TABLE_SCHEMA FROM information_schema.TABLES WHERE TABLE_NAME = '" + table + "' AND TABLE_SCHEMA " + prefix)
		},
		func() []string {
			return s.names("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME " + prefix)
		},
		"DROP DATABASE IF EXISTS %s"}
}

// scratchOnPostgres reads a long script as a user that owns nothing else.
func scratchOnPostgres(t *testing.T, w *world) scratchServer {
	db, dsn := enginetest.Postgres().New(t)
	user := "berth_test_" + strings.ToLower(rand.Text())
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	u.User = url.UserPassword(user, "harbour")
	s := served(t, w, "postgres", w.project("app", ""), db, "url: "+u.String())
	s.exec("CREATE ROLE " + user + " LOGIN CREATEDB PASSWORD 'harbour'")
	t.Cleanup(func() { s.exec("DROP ROLE " + user) })
	var script strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&script, "CREATE TABLE quay_%d (id integer PRIMARY KEY, name text UNIQUE);\n", i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "long.sql"), []byte(script.String()), 0o644))
	const prefix = `LIKE 'berth\_scratch\_%'`
	return scratchServer{s, []string{"import", "long.sql", "main", "--dry-run"},
		func() []string {
			return s.names("SELECT datname::text FROM pg_database WHERE pg_get_userbyid(datdba) = '" + user + "' AND datname " + prefix)
		},
		func() []string { return s.names("SELECT datname::text FROM pg_database WHERE datname " + prefix) },
		"DROP DATABASE IF EXISTS %s WITH (FORCE)"}
}

// An instance is killed while a plan is tried, or a script read, in a scratch
// database of the server. The next start drops it, and no other.
func TestNoScratchDatabaseOutlivesAKillAndAStart(t *testing.T) {
	t.Parallel()
	for dialect, on := range map[string]func(*testing.T, *world) scratchServer{"mysql": scratchOnMySQL, "postgres": scratchOnPostgres} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := on(t, w)
			dice := long.Dice(t)
			t.Cleanup(func() {
				for _, name := range s.mine() { // where the test has failed
					s.exec(fmt.Sprintf(s.drop, name))
				}
			})
			var others []string
			for _, name := range []string{"berth_scratch_fedcba9876543210_00000001_%s", "berth_scratch_fedcba9876543210_7fffffff_%s",
				fmt.Sprintf("berth_scratch_%08x_%%s", time.Now().Add(-time.Hour).Unix())} {
				name = fmt.Sprintf(name, fmt.Sprintf("%016x", dice.Uint64()))
				others = append(others, name)
				t.Cleanup(func() { s.exec(fmt.Sprintf(s.drop, name)) })
				s.exec(fmt.Sprintf(s.drop, name), "CREATE DATABASE "+name)
			}

			in := w.serve(s.root)
			rounds := long.Rounds(2, 30)
			for range rounds {
				cmd := exec.Command(binary, s.command...)
				cmd.Env, cmd.Dir = w.env, s.root
				require.NoError(t, cmd.Start())
				require.Eventually(t, func() bool { return len(s.mine()) > 0 }, patience, time.Millisecond, "a scratch database")
				time.Sleep(time.Duration(dice.IntN(100)) * time.Millisecond) // somewhere in the work
				in.kill()
				_ = cmd.Wait()
				left := s.mine()
				report := w.berth("doctor", s.root).stdout
				for _, name := range append(left, others...) {
					assert.Contains(t, report, name, "what is left is named")
				}
				in = w.serve(s.root, "--verbose")
				require.Eventually(t, func() bool { return len(s.mine()) == 0 }, patience, 20*time.Millisecond,
					"what a killed process left: %v", left)
				if len(left) > 0 {
					require.Eventually(t, func() bool { return strings.Contains(in.stderr.String(), left[0]) }, patience, time.Millisecond, "the log says what was dropped")
				}
			}
			assert.Subset(t, s.all(), others, "other projects' stay")
			t.Logf("%d kills while the server worked in a scratch database", rounds)
		})
	}
}
