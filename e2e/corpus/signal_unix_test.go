//go:build unix

package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
)

// Every database of a run is the run's own role's, berth's scratch ones too.
func TestARunThatIsEndedLeavesNoDatabases(t *testing.T) {
	long.Thoroughly(t) // it builds berth and the program
	needs.Program(t, "psql")
	server := cmp.Or(os.Getenv("BERTH_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	admin, err := sql.Open("pgx", server)
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close() })
	if err := admin.Ping(); err != nil {
		needs.Missing(t, "postgres", err.Error())
	}
	dir := t.TempDir()
	for name, path := range map[string]string{"corpus": ".", "berth": "../../cmd/berth"} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), path).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	folder := filepath.Join(dir, "schemas")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "postgres"), 0o700))
	// It takes a while to make, also where berth reads its own export on a
	// scratch database.
	var slow strings.Builder
	for i := range 300 {
		fmt.Fprintf(&slow, "CREATE TABLE t%d (a int PRIMARY KEY, b text UNIQUE, CHECK (a > 0));\n", i)
	}
	slow.WriteString("SELECT pg_sleep(1);\n")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "postgres", "slow.sql"), []byte(slow.String()), 0o600))
	for _, ended := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for what, in := range map[string]string{"its own database": "berth_corpus_", "berth's scratch database": "berth_scratch_"} {
			t.Run(fmt.Sprint(ended, " in ", what), func(t *testing.T) {
				r := newOwnedRun(t, admin, server)
				r.start(t, dir, folder)
				r.waitForDatabase(t, in)
				require.NoError(t, r.cmd.Process.Signal(ended))
				assert.Error(t, r.wait(t), "a run that is ended says so")
				assert.Empty(t, r.databases(t), "%s", r.out.String())
			})
		}
	}
}

// ownedRun is a run whose databases are told from those of other runs by the
// role that owns them.
type ownedRun struct {
	admin *sql.DB
	role  string
	env   []string
	cmd   *exec.Cmd
	out   bytes.Buffer
}

func newOwnedRun(t *testing.T, admin *sql.DB, server string) *ownedRun {
	r := &ownedRun{admin: admin, role: freshName()}
	_, err := admin.Exec("CREATE ROLE " + r.role + " LOGIN CREATEDB PASSWORD 'corpus'")
	require.NoError(t, err)
	t.Cleanup(func() {
		for _, name := range r.databases(t) {
			_, err := admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
			assert.NoError(t, err)
		}
		_, err := admin.Exec("DROP ROLE " + r.role)
		assert.NoError(t, err)
	})
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.User = url.UserPassword(r.role, "corpus")
	r.env = append(os.Environ(), "BERTH_TEST_POSTGRES="+u.String())
	return r
}

func (r *ownedRun) databases(t *testing.T) (names []string) {
	rows, err := r.admin.Query("SELECT datname FROM pg_database WHERE pg_get_userbyid(datdba) = $1", r.role)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	return names
}

func (r *ownedRun) start(t *testing.T, dir, folder string) {
	r.cmd = exec.Command(filepath.Join(dir, "corpus"), "-edits", "0", "-berth", filepath.Join(dir, "berth"), folder)
	r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = r.env, &r.out, &r.out
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
}

// waitForDatabase waits until the run has a database of such a name.
func (r *ownedRun) waitForDatabase(t *testing.T, prefix string) {
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(r.databases(t), func(name string) bool { return strings.HasPrefix(name, prefix) })
	}, time.Minute, 10*time.Millisecond)
}

func (r *ownedRun) wait(t *testing.T) error {
	done := make(chan error, 1)
	go func() { done <- r.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		require.FailNow(t, "the run does not end")
		return nil
	}
}
