package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// far is another machine in miniature: a world of its own, which the near one
// reaches by a command.
func (w *world) far(name string, via ...string) *world {
	w.t.Helper()
	far := newWorld(w.t)
	w.nameHost(name, append(via, far.relay()...)...)
	return far
}

// relay is the command that runs berth relay in a world.
func (w *world) relay() []string {
	return append(append([]string{"env", "-i"}, w.env...), binary, "relay")
}

// nameHost writes a host into the user's config.yaml.
func (w *world) nameHost(name string, command ...string) {
	w.t.Helper()
	got := w.berth(append([]string{"hosts", "add", name}, command...)...)
	require.Zero(w.t, got.code, got.stderr)
}

func TestAProjectOfAnotherMachineIsCalledByItsHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	far.serve(root)
	client := w.agent()
	project := "build1:" + root
	assert.Equal(t, []string{`["customer","purchase"]`}, client.ask(project, "get-tables", nil).items[:1])
	rows := client.ask(project, "run-query", map[string]any{"query": "SELECT count(*) AS n FROM customer"})
	assert.False(t, rows.isError, rows.text())

	shown := client.design(project, map[string]any{"operation": "show"})
	require.True(t, shown.Success, shown.text)
	edited := client.design(project, edits(shown.Version, addTable("invoice")))
	assert.True(t, edited.Success, edited.text)

	list, got := client.list(nil)
	require.Len(t, list.Projects, 1, got.text())
	assert.Equal(t, [2]string{"build1", project}, [2]string{*list.Projects[0].Host, list.Projects[0].ProjectRoot})
	assert.Empty(t, w.portMap(), "nothing of it is on this machine")

	called := w.berth("call", "get-tables", fmt.Sprintf(`{"projectRoot":%q}`, project))
	assert.Contains(t, called.stdout, "customer", called.stderr)
	hosts := w.berth("hosts", "--json")
	var rowsOf []struct {
		Name, State, Version string
		Projects             int
		LatencyMs            float64
	}
	require.NoError(t, json.Unmarshal([]byte(hosts.stdout), &rowsOf), hosts.stdout)
	require.Len(t, rowsOf, 1)
	assert.Equal(t, "build1 reached 1", fmt.Sprint(rowsOf[0].Name, " ", rowsOf[0].State, " ", rowsOf[0].Projects), hosts.stdout)
	assert.NotEmpty(t, rowsOf[0].Version)
	assert.Positive(t, rowsOf[0].LatencyMs)
}

func TestRootsOfAnotherMachineAreCheckedThereWithTheSameTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	here := w.project("only-here", twoTables)
	stopped := far.project("stopped", twoTables)
	require.NoError(t, os.Mkdir(filepath.Join(stopped, ".git"), 0o755))
	running := far.project("app", twoTables)
	far.serve(running)
	client := w.agent("--autostart")
	for _, tt := range []struct{ root, first, second string }{
		{"build1:app", "Error: projectRoot must be an absolute path", "build1:" + running},
		{"build1:" + here + "-not", "Error: projectRoot does not exist", "build1:" + running},
		{"build1:" + running + "/app.db", "MCP server not running for project: build1:" + running + "/app.db", "lies in the running project build1:" + running},
		{"build1:" + stopped, "MCP server not running for project: build1:" + stopped, "berth serve " + stopped + " (on the host build1)"},
		{"foo:/x", "Error: projectRoot must be an absolute path", "berth hosts"},
		{"foo:/x", "Error: projectRoot must be an absolute path", "No host is named foo. Hosts: build1."},
		{"c:/work", "Error: projectRoot must be an absolute path", "No project runs."},
	} {
		got := client.ask(tt.root, "get-tables", nil)
		assert.True(t, got.isError, tt.root)
		require.Len(t, got.items, 2, "%s: %v", tt.root, got.items)
		assert.Equal(t, tt.first, got.items[0], tt.root)
		assert.Contains(t, got.items[1], tt.second, tt.root)
	}
	got := client.ask(here, "get-tables", nil)
	assert.NotContains(t, strings.Join(got.items, " "), "build1")
}

func TestAutostartThereTakesBothTheFlagAndTheHostsEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := newWorld(t)
	root := far.project("app", twoTables)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	w.nameHost("quiet", far.relay()...)
	got := w.berth(append([]string{"hosts", "add", "--autostart", "eager"}, far.relay()...)...)
	require.Zero(t, got.code, got.stderr)
	stopped := "MCP server not running for project: "
	assert.Equal(t, stopped+"quiet:"+root, w.agent("--autostart").ask("quiet:"+root, "get-tables", nil).text())
	assert.Equal(t, stopped+"eager:"+root, w.agent().ask("eager:"+root, "get-tables", nil).text())
	assert.Equal(t, `["customer","purchase"]`, w.agent("--autostart").ask("eager:"+root, "get-tables", nil).text())
	require.Zero(t, far.berth("stop", root).code)
}

func TestOnlyTheUsersOwnConfigNamesHosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	config := filepath.Join(root, ".berth", "config.yaml")
	require.NoError(t, os.WriteFile(config, []byte("default: main\nhosts: {evil: {command: [sh, -c, evil]}}\n"), 0o644))
	got := w.berth("serve", root)
	assert.NotZero(t, got.code)
	assert.Contains(t, got.stderr, config+":2: hosts: is for the user's own config.yaml")
	answer := w.agent().ask("evil:/x", "get-tables", nil)
	assert.Contains(t, answer.items[1], "No host is named evil")

	require.NoError(t, os.Remove(config))
	above := filepath.Join(filepath.Dir(root), ".berth", "workspace.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(above), 0o755))
	require.NoError(t, os.WriteFile(above, []byte("hosts: {evil: {command: [sh, -c, evil]}}\n"), 0o644))
	assert.Contains(t, w.berth("serve", root).stderr, above+":1: hosts: is for the user's own config.yaml")
}

func TestHostsAreAddedAndRemovedAndTheRestOfTheFileStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.own("# mine\nidleTimeout: 2h # stays\n")
	require.Zero(t, w.berth("hosts", "add", "build1", "ssh", "build1").code)
	require.Zero(t, w.berth("hosts", "add", "api", "docker", "exec", "-i", "api-dev").code)
	text, err := os.ReadFile(w.ownConfig())
	require.NoError(t, err)
	assert.Equal(t, "# mine\nidleTimeout: 2h # stays\nhosts:\n"+
		`  api: {command: ["docker", "exec", "-i", "api-dev", "berth", "relay"]}`+"\n"+
		`  build1: {command: ["ssh", "-T", "-o", "BatchMode=yes", "build1", "berth", "relay"]}`+"\n", string(text))
	again := w.berth("hosts", "add", "api", "docker", "exec", "-i", "other")
	assert.Equal(t, 2, again.code)
	assert.Contains(t, again.stderr, "there is a host api already")
	assert.Equal(t, 2, w.berth("hosts", "add", "c", "ssh", "c").code, "a letter is a drive")
	require.Zero(t, w.berth("hosts", "remove", "api").code)
	require.Zero(t, w.berth("hosts", "remove", "build1").code)
	text, err = os.ReadFile(w.ownConfig())
	require.NoError(t, err)
	assert.Equal(t, "# mine\nidleTimeout: 2h # stays\n", string(text))
	assert.Equal(t, "no host is named; add one with: berth hosts add NAME COMMAND\n", w.berth("hosts").stdout)
}

// A stand-in for docker, kubectl and wsl.exe: a shell with the faults of their
// streams.
func TestWhatAHostPrintsIsSkippedOrQuoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := newWorld(t)
	root := far.project("app", twoTables)
	far.serve(root)
	relay := strings.Join(far.relay(), " ")
	shell := func(name, script string) { w.nameHost(name, "sh", "-c", script, "relay") }
	shell("banner", "printf 'Welcome!\\nberth-relay is not this line\\nno line break: '; "+relay)
	shell("long", "head -c 60000 /dev/zero | tr '\\0' x; echo; "+relay)
	shell("toolong", "head -c 90000 /dev/zero | tr '\\0' x; echo; "+relay)
	shell("newer", "echo berth-relay 2 9.9.9; cat")
	shell("crlf", "printf 'berth-relay 1 1.0\\r\\n'; cat")
	shell("killed", "echo permission denied >&2; kill -9 $$")
	shell("none", "echo 'sh: berth: not found' >&2; exit 127")
	shell("wide", "printf 'W\\0S\\0L\\0 \\0o\\0f\\0f\\0\\n\\0'; exit 1")
	shell("tty", "script -qec '"+relay+"' /dev/null")
	w.nameHost("nowhere", "/no/such/program")
	client := w.agent()
	for _, host := range []string{"banner", "long"} {
		assert.Equal(t, `["customer","purchase"]`, client.ask(host+":"+root, "get-tables", nil).text(), host)
	}
	for host, words := range map[string]string{
		"toolong": "printed more than 65536 bytes", "newer": "berth 9.9.9 there speaks version 2 of the relay's protocol, and this berth version 1",
		"crlf": "leave out -t", "killed": "permission denied", "none": "exit status 127): sh: berth: not found", "wide": "WSL off", "tty": "leave out -t", "nowhere": "no such file",
	} {
		got := client.ask(host+":"+root, "get-tables", nil)
		assert.True(t, got.isError, host)
		require.Len(t, got.items, 2, host)
		assert.Equal(t, "Could not establish database connection", got.text(), host)
		assert.Contains(t, got.items[1], "The host "+host+" cannot be reached: ", host)
		assert.Contains(t, got.items[1], words, host)
		assert.Less(t, len(got.items[1]), 2000, host)
	}
}

func TestAHostThatDiesOrHangsInACallIsNoticed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := newWorld(t)
	root := far.project("app", twoTables)
	far.serve(root)
	pids := filepath.Join(w.dir, "pid")
	w.nameHost("build1", "sh", "-c", "echo $$ > "+pids+"; exec "+strings.Join(far.relay(), " "), "relay")
	client := w.agent()
	slow := map[string]any{"query": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 500000000) SELECT max(i) FROM n"}
	for name, end := range map[string]string{"killed": "-KILL", "stopped": "-STOP"} {
		require.False(t, client.ask("build1:"+root, "get-tables", nil).isError)
		pid, err := os.ReadFile(pids)
		require.NoError(t, err)
		answered := make(chan answer, 1)
		go func() {
			got, err := client.try(context.Background(), "build1:"+root, "run-query", slow)
			assert.NoError(t, err)
			answered <- got
		}()
		require.Eventually(t, func() bool { return strings.Contains(far.berth("ls", "--json").stdout, "live") }, patience, 10*time.Millisecond)
		w.run("kill", "", end, strings.TrimSpace(string(pid)))
		got := receive(t, answered, "the answer of a call whose host was "+name)
		if name == "stopped" {
			assert.True(t, got.isError, got.items)
			assert.Contains(t, strings.Join(got.items, " "), "stopped answering while the call was in progress")
			w.run("kill", "", "-KILL", strings.TrimSpace(string(pid)))
		}
	}
}

func TestTwentyFourFrontEndsReachOneHostAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := newWorld(t)
	root := far.project("app", twoTables)
	far.serve(root)
	logins := filepath.Join(w.dir, "logins")
	require.NoError(t, os.Mkdir(logins, 0o755))
	// The stand-in counts those that log in with it, as sshd would.
	w.nameHost("build1", "sh", "-c", "mkdir "+logins+"/$$; ls "+logins+" | wc -l >> "+logins+".seen; sleep 0.3; rmdir "+logins+"/$$; exec "+strings.Join(far.relay(), " "), "relay")
	agents := make([]*agent, 24)
	for i := range agents {
		agents[i] = w.agent()
	}
	var all sync.WaitGroup
	for _, a := range agents {
		all.Go(func() {
			got, err := a.try(context.Background(), "build1:"+root, "get-tables", nil)
			assert.NoError(t, err)
			assert.Equal(t, `["customer","purchase"]`, got.text(), got.items)
		})
	}
	all.Wait()
	seen, err := os.ReadFile(logins + ".seen")
	require.NoError(t, err)
	counts := strings.Fields(string(seen))
	assert.Len(t, counts, 24)
	for _, n := range counts {
		many, err := strconv.Atoi(n)
		require.NoError(t, err)
		assert.LessOrEqual(t, many, 3, "logins at once")
	}
}

func TestThreeHundredParallelCallsGoThroughOneRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	far.serve(root)
	client := w.agent()
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			got, err := client.try(context.Background(), "build1:"+root, "run-query", map[string]any{"query": fmt.Sprintf("SELECT %d AS n", i)})
			assert.NoError(t, err)
			assert.False(t, got.isError, got.items)
			assert.Contains(t, got.text(), strconv.Itoa(i))
		})
	}
	all.Wait()
}

func TestTenHostsAreListedAndADeadOneDelaysNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 9 {
		far := w.far(fmt.Sprintf("host%d", i))
		for p := range 5 {
			far.standIn(fmt.Sprintf("p%d", p))
		}
	}
	w.nameHost("dead", "sh", "-c", "exec sleep 1000", "relay")
	client := w.agent()
	var list projectList
	require.Eventually(t, func() bool {
		list, _ = client.list(nil)
		return list.Total == 45
	}, patience, 100*time.Millisecond)
	assert.Contains(t, list.Note, "dead (connecting)")
	byHost := map[string]int{}
	for _, p := range list.Projects {
		byHost[*p.Host]++
	}
	for host, n := range byHost {
		assert.LessOrEqual(t, n, 5, host)
	}
	first := list.Projects[0].ProjectRoot
	got := client.ask(first, "get-tables", nil)
	assert.NotContains(t, strings.Join(got.items, " "), "cannot be reached", "a call to another host")
}

func TestCancellingACallEndsItOnTheOtherMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	far.serve(root)
	client := w.agent()
	require.False(t, client.ask("build1:"+root, "get-tables", nil).isError)
	slow := map[string]any{"query": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) FROM n"}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := client.try(ctx, "build1:"+root, "run-query", slow)
		ended <- err
	}()
	time.AfterFunc(300*time.Millisecond, cancel)
	require.ErrorIs(t, receive(t, ended, "the end of a cancelled call"), context.Canceled)
	// All readers of the file are free again: 24 calls at once are answered.
	var all sync.WaitGroup
	for range 24 {
		all.Go(func() {
			got, err := client.try(context.Background(), "build1:"+root, "run-query", map[string]any{"query": "SELECT 1 AS n"})
			assert.NoError(t, err)
			assert.False(t, got.isError, got.items)
		})
	}
	all.Wait()
}
