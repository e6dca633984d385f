package e2e

import (
	"encoding/json"
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
)

// configOf is the project's own settings' file, "" if there is none.
func configOf(t *testing.T, root string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".berth", "config.yaml"))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	return string(text)
}

// A password that is typed is shown nowhere, kept in one file that the user
// alone can read, and enough for the instance that runs already.
func TestConnectAsksForThePasswordAndTheRunningInstanceHasIt(t *testing.T) {
	t.Parallel()
	const secret = "  har bour$%'\"é"
	for dialect, server := range map[string]enginetest.Server{"postgres": enginetest.Postgres(), "mysql": enginetest.MySQL()} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			db, dsn := server.New(t)
			at := asURL(t, dialect, dsn)
			user := "berth_newcomer_" + dialect
			who := map[string]string{"postgres": user, "mysql": user + "@'%'"}[dialect]
			quoted := "'" + strings.ReplaceAll(secret, "'", "''") + "'"
			drop := func() {
				if dialect == "postgres" {
					_, _ = db.Exec("DROP OWNED BY " + who) // else its grant keeps it
				}
				_, _ = db.Exec("DROP USER IF EXISTS " + who)
			}
			drop()
			t.Cleanup(drop)
			create := map[string]string{"postgres": "CREATE ROLE " + who + " LOGIN PASSWORD " + quoted, "mysql": "CREATE USER " + who + " IDENTIFIED BY " + quoted}[dialect]
			_, err := db.Exec(create)
			require.NoError(t, err)
			_, err = db.Exec("CREATE TABLE berth_quay (id int)")
			require.NoError(t, err)
			if dialect == "mysql" {
				_, err = db.Exec("GRANT SELECT, SHOW VIEW ON " + strings.TrimPrefix(at.Path, "/") + ".* TO " + who)
			} else {
				_, err = db.Exec("GRANT SELECT ON berth_quay TO " + who)
			}
			require.NoError(t, err)
			at.User = url.User(user)
			root := w.project("app", "")
			writeBelow(t, root, ".berth/config.yaml", "# ours\nidleTimeout: 2h # long\n")
			w.serve(root)
			client := w.agent()

			wrong := w.atTTY(root, terminalInput{prompt: "Password of " + user, text: "wrong-" + secret}, "connect", at.String())
			if dialect == "mysql" { // whose pg_hba does not trust everybody here
				assert.Equal(t, 1, wrong.code, wrong.stdout)
				assert.Contains(t, wrong.stdout, "Nothing was written")
				assert.Equal(t, "# ours\nidleTimeout: 2h # long\n", configOf(t, root))
			}
			assert.NotContains(t, wrong.stdout, secret)

			root2 := w.project("another", "")
			got := w.atTTY(root2, terminalInput{prompt: "Password of " + user, text: secret}, "connect", at.String(), root)
			require.Equal(t, 0, got.code, got.stdout)
			assert.NotContains(t, got.stdout, "bour$", "what is typed is not shown")
			assert.Contains(t, got.stdout, "the instance that runs has it\r\n", "it waits for that")
			want := "# ours\nidleTimeout: 2h # long\nconnections:\n  main:\n    url: \"" + at.String() + "\"\n    passwordCommand: \"berth password main\"\n"
			assert.Equal(t, want, configOf(t, root), "comments stay, and no password is there")
			require.Eventually(t, func() bool { return strings.Contains(client.ask(root, "get-tables", nil).text(), "berth_quay") }, patience, 20*time.Millisecond,
				"the running instance: %s", client.ask(root, "list-connections", nil).items)
			w.keptByTheUserAlone(secret)

			again := w.atTTY(root, terminalInput{prompt: "Password of " + user, text: secret}, "connect", at.String())
			assert.Equal(t, 0, again.code, again.stdout)
			assert.Contains(t, again.stdout, "has it already")
			assert.Equal(t, want, configOf(t, root))

			shown := w.atTTY(root, terminalInput{}, "password", "main")
			assert.Equal(t, 3, shown.code, shown.stdout)
			assert.NotContains(t, shown.stdout, "bour$")
			assert.Equal(t, secret+"\n", w.berthIn(root, "password", "main").stdout, "a program gets it to the byte")
			require.Equal(t, 0, w.berthIn(root, "password", "main", "--remove").code)
			assert.Equal(t, 1, w.berthIn(root, "password", "main").code)
		})
	}
}

// keptByTheUserAlone requires that a secret stands in one file of berth's own
// folder, and that nobody else can read it.
func (w *world) keptByTheUserAlone(secret string) {
	w.t.Helper()
	encoded, err := json.Marshal(secret)
	require.NoError(w.t, err)
	var in []string
	require.NoError(w.t, filepath.WalkDir(w.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && (strings.Contains(string(text), secret) || strings.Contains(string(text), strings.Trim(string(encoded), `"`))) {
			in = append(in, path)
		}
		return nil
	}))
	require.Len(w.t, in, 1, "%v", in)
	assert.Equal(w.t, filepath.Join(w.home, "passwords"), filepath.Dir(in[0]))
	info, err := os.Stat(in[0])
	require.NoError(w.t, err)
	assert.Equal(w.t, os.FileMode(0o600), info.Mode().Perm())
	dir, err := os.Stat(filepath.Dir(in[0]))
	require.NoError(w.t, err)
	assert.Equal(w.t, os.FileMode(0o700), dir.Mode().Perm())
}

// What reaches beyond the project and this machine is trusted by who connects
// at a terminal, line by line, and by nobody without one.
func TestWhatIsConnectedAtATerminalIsTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", "")
	other := w.project("other", twoTables)
	outside := filepath.Join(other, "app.db")
	alone := w.berthIn(root, "connect", outside)
	assert.Equal(t, 3, alone.code)
	assert.Contains(t, alone.stderr, "a person has to do this at a terminal, since it opens a database file outside of the project")
	assert.Empty(t, configOf(t, root), "nothing is written")

	forced := w.berthIn(root, "connect", outside, "--force", "--name", "untried")
	assert.Equal(t, 0, forced.code, forced.stderr)
	assert.Contains(t, forced.stdout, "berth trust ")
	assert.Contains(t, w.berth("trust", "--list", root).stdout, "wait for your trust")

	typed := w.atTTY(root, terminalInput{}, "connect", outside, "--name", "typed")
	assert.Equal(t, 0, typed.code, typed.stdout)
	assert.Contains(t, typed.stdout, "trusted: it opens a database file outside of the project")
	list := w.berth("trust", "--list", root).stdout
	assert.Regexp(t, `(?s)You trust:.*connection typed.*These wait.*connection untried`, list, "that line and no other")
}

// Everything that is refused leaves the file as it was, and says what to do.
func TestWhatConnectRefusesIsNotWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	const before = "connections:\n  main: {path: app.db} # ours\n"
	writeBelow(t, root, ".berth/config.yaml", before)
	writeBelow(t, root, "garbage.db", magicAndGarbage())
	for name, one := range map[string]struct {
		args       []string
		code       int
		says, hint string
	}{
		"a password":             {[]string{"postgres://ann:hunter2@127.0.0.1/x"}, 2, "has a password in it", "type it when berth asks"},
		"a password parameter":   {[]string{"jdbc:postgresql://127.0.0.1/x?user=ann&password=hunter2"}, 2, "has a password in it", "type it when berth asks"},
		"a server that is down":  {[]string{"postgres://ann@" + closedPort(t) + "/x"}, 1, "connection refused. Nothing was written", "start the server"},
		"no such file":           {[]string{"nope.db"}, 1, "the file does not exist", "check its address"},
		"garbage":                {[]string{"garbage.db"}, 1, "Nothing was written", "backup"},
		"an unset variable":      {[]string{"postgres://ann:${BERTH_NO_SUCH}@127.0.0.1/x"}, 2, "BERTH_NO_SUCH is not set", "set it"},
		"a scheme that is none":  {[]string{"mongodb://127.0.0.1/x"}, 2, "mongodb is not served", "berth connect --help"},
		"no database":            {[]string{"mysql://root@127.0.0.1"}, 2, "a database must be named", "berth connect --help"},
		"a name that is taken":   {[]string{"nope.db", "--name", "MAIN"}, 3, `config.yaml:2 has a connection "main" already`, "another --name"},
		"a name that is none":    {[]string{"app.db", "--name", "a b"}, 2, "connection name", "--name"},
		"no address":             {[]string{""}, 2, "ADDRESS is empty", "--help"},
		"a command for a SQLite": {[]string{"app.db", "--name", "x", "--password-command", "pass x"}, 2, "path and passwordCommand exclude each other", "--help"},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.berthIn(root, append([]string{"connect"}, one.args...)...)
			assert.Equal(t, one.code, got.code, got.stdout+got.stderr)
			assert.Contains(t, got.stderr, one.says)
			assert.Contains(t, got.stderr, "hint: ")
			assert.Contains(t, got.stderr, one.hint)
			assert.NotContains(t, got.stdout+got.stderr, "hunter2")
			assert.Equal(t, before, configOf(t, root))
		})
	}
	got := w.berthIn(root, "connect", "nope.db", "--force", "--json")
	require.Equal(t, 0, got.code, got.stderr)
	var report struct {
		Name    string
		Written []string
		Test    struct {
			OK            bool
			Problem, Hint string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report), got.stdout)
	assert.Equal(t, "nope", report.Name)
	assert.False(t, report.Test.OK)
	assert.NotEmpty(t, report.Test.Hint)
	assert.Equal(t, before+"  nope: {path: nope.db}\n", configOf(t, root))
	again := w.berthIn(root, "connect", "app.db")
	assert.Equal(t, 0, again.code, again.stderr)
	assert.Contains(t, again.stdout, "has it already")
}

// A person who gives up at the prompt has a terminal that shows what is typed.
func TestGivingUpAtThePasswordLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", "")
	// The second Ctrl+C may come when berth is gone, and must not end stty.
	script := `trap : INT; "` + binary + `" connect postgres://ann@127.0.0.1/x; trap "" INT; stty -a | grep -o -- '-\?echo '`
	require.NoError(t, exec.Command("stty", "--version").Run())
	got := w.programAtTTY(root, terminalInput{prompt: "Password of ann", text: "\x03", then: &terminalInput{prompt: "Password of ann", text: "\x03"}}, "sh", "-c", script)
	assert.NotContains(t, got.stdout, "-echo", got.stdout)
	assert.Contains(t, got.stdout, "echo")
	assert.Empty(t, configOf(t, root))
}
