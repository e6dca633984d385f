package e2e

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // sample databases of the projects
)

// patience bounds every wait for a process. It is long because CI machines
// are slow and the race detector slower; nothing here measures time with it.
const patience = 60 * time.Second

// world is a user's machine in miniature: a BERTH_HOME and a HOME of its own,
// a range of ports no other test uses, and any number of projects.
type world struct {
	t     *testing.T
	dir   string
	home  string // BERTH_HOME
	first int    // lowest port instances take here
	env   []string
}

// ranges are those below the system's ephemeral ports that no world has, so
// that no outgoing connection of this machine sits on one. The one that was
// given back first is taken first.
var ranges = make(chan int, 78)

func init() {
	for i := range cap(ranges) {
		ranges <- 21000 + 150*i
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	first := receive(t, ranges, "a range of ports")
	t.Cleanup(func() { ranges <- first }) // what the test starts ends before: cleanups run in reverse order
	return worldAt(t, first)
}

// worldAt is a world whose instances take the ports from first on.
func worldAt(t *testing.T, first int) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "berth-home"), first: first}
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "user"), "TMPDIR=" + os.TempDir(),
		"BERTH_HOME=" + w.home, "BERTH_FIRST_PORT=" + strconv.Itoa(w.first),
		"GORACE=halt_on_error=1",
	}
	return w
}

// own writes the user's own settings, which need no trust.
func (w *world) own(text string) {
	w.t.Helper()
	require.NoError(w.t, os.MkdirAll(w.home, 0o700))
	require.NoError(w.t, os.WriteFile(w.ownConfig(), []byte(text), 0o600))
}

func (w *world) ownConfig() string { return filepath.Join(w.home, "config.yaml") }

// trustAll has the user trust every project's own files, as a container or a
// build machine would.
func (w *world) trustAll() {
	w.t.Helper()
	all := "trust: all\n"
	if now, err := os.ReadFile(w.ownConfig()); err == nil && strings.HasPrefix(string(now), all) {
		return // what else the user has set stays
	}
	w.own(all)
}

// project makes a folder with a SQLite database from script and returns its
// root. An empty script makes a folder without a database.
func (w *world) project(name, script string) string {
	w.t.Helper()
	root := filepath.Join(w.dir, "projects", name)
	require.NoError(w.t, os.MkdirAll(root, 0o755))
	if script != "" {
		db, err := sql.Open("sqlite", filepath.Join(root, "app.db"))
		require.NoError(w.t, err)
		_, err = db.Exec(script)
		require.NoError(w.t, err)
		require.NoError(w.t, db.Close())
	}
	return root
}

// instance is a running `berth serve`.
type instance struct {
	t           *testing.T
	cmd         *exec.Cmd
	stderr      *buffer
	done        chan struct{} // closed when the process is gone
	ProjectRoot string        `json:"projectRoot"`
	Port        int           `json:"port"`
	URL         string        `json:"url"`
	PID         int           `json:"pid"`
}

// serve starts `berth serve root --json` and waits for its ready line. The
// process is killed with the test if it is still there.
func (w *world) serve(root string, args ...string) *instance {
	w.t.Helper()
	in, err := w.tryServe(root, args...)
	require.NoError(w.t, err)
	return in
}

// tryServe is serve for starts that may fail: the error carries what the
// process wrote to stderr.
func (w *world) tryServe(root string, args ...string) (*instance, error) {
	in, err := w.starting(exec.Command(binary, append([]string{"serve", root, "--json"}, args...)...))
	if err != nil {
		return nil, err
	}
	return in, nil
}

// starting runs the command, which is to become berth serve --json. With an
// error, the instance is what is known of the process, or nil.
func (w *world) starting(cmd *exec.Cmd) (*instance, error) {
	cmd.Env = w.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	in := &instance{t: w.t, cmd: cmd, stderr: new(buffer), done: make(chan struct{})}
	cmd.Stderr = in.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w.t.Cleanup(in.kill)
	lines := make(chan []byte, 1)
	go func() {
		defer close(in.done)
		r := bufio.NewReader(out)
		line, _ := r.ReadBytes('\n')
		lines <- line
		_, _ = io.Copy(io.Discard, r)
		_ = cmd.Wait()
	}()
	select {
	case line := <-lines:
		if err := json.Unmarshal(line, in); err != nil {
			in.wait() // all of its complaint is there only then
			return in, errors.New("berth serve did not start: " + in.stderr.String())
		}
		return in, nil
	case <-time.After(patience):
		return in, errors.New("berth serve was not ready: " + in.stderr.String())
	}
}

// kill ends the instance with SIGKILL, as a crash would, and waits.
func (in *instance) kill() {
	_ = in.cmd.Process.Kill()
	within(in.t, "the end of a killed instance", func() { <-in.done })
}

// stop ends the instance with SIGTERM and requires a clean exit.
func (in *instance) stop() {
	in.t.Helper()
	require.NoError(in.t, in.cmd.Process.Signal(syscall.SIGTERM))
	in.wait()
	require.Equal(in.t, 0, in.cmd.ProcessState.ExitCode(), "exit code of a terminated instance; stderr: %s", in.stderr)
}

// wait returns when the process is gone.
func (in *instance) wait() {
	in.t.Helper()
	select {
	case <-in.done:
	case <-time.After(patience):
		require.Fail(in.t, "instance did not end", "stderr: %s", in.stderr)
	}
}

// commandResult is the result of a command that ran to its end.
type commandResult struct {
	stdout, stderr string
	code           int
}

// berth runs a command to its end, without standard input.
func (w *world) berth(args ...string) commandResult {
	w.t.Helper()
	return w.berthIn("", args...)
}

// berthIn is berth in a folder of choice.
func (w *world) berthIn(dir string, args ...string) commandResult {
	w.t.Helper()
	return w.run(binary, dir, args...)
}

// run runs a program to its end, without standard input.
func (w *world) run(program, dir string, args ...string) commandResult {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = w.env, dir
	cmd.WaitDelay = 5 * time.Second // what it started may keep its output open; on a loaded machine a second is not enough to read what was written
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(w.t, err)
	}
	require.NoError(w.t, ctx.Err(), "berth %s did not end", strings.Join(args, " "))
	return commandResult{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// agent is an MCP client on the stdio of a `berth mcp`.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
}

func (w *world) agent(args ...string) *agent {
	w.t.Helper()
	cmd := exec.Command(binary, append([]string{"mcp"}, args...)...)
	cmd.Env = w.env
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, nil)
	return w.connected(client, cmd, nil)
}

// connected is a client on the stdio of a command, until the test ends.
func (w *world) connected(client *mcp.Client, cmd *exec.Cmd, opts *mcp.ClientSessionOptions) *agent {
	w.t.Helper()
	var session *mcp.ClientSession
	var err error
	said := new(buffer)
	if cmd.Stderr == nil {
		cmd.Stderr = said
	}
	if !within(w.t, "a session", func() { session, err = client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, opts) }) {
		inspect(w.t, cmd, said)
		w.t.FailNow()
	}
	require.NoError(w.t, err)
	require.NotNil(w.t, session)
	w.t.Cleanup(func() { within(w.t, "the end of a session", func() { _ = session.Close() }) })
	return &agent{t: w.t, session: session}
}

// answer is one tool reply.
type answer struct {
	items   []string
	isError bool
}

func (a answer) text() string {
	if len(a.items) == 0 {
		return ""
	}
	return a.items[0]
}

// ask calls a tool on a project and requires that the protocol worked.
func (a *agent) ask(root, tool string, args map[string]any) answer {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := a.try(ctx, root, tool, args)
	require.NoError(a.t, err)
	return got
}

// try is ask for use from goroutines, where require must not be called.
func (a *agent) try(ctx context.Context, root, tool string, args map[string]any) (answer, error) {
	full := map[string]any{"projectRoot": root}
	for k, v := range args {
		full[k] = v
	}
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: full})
	if err != nil {
		return answer{}, err
	}
	got := answer{isError: res.IsError}
	for _, item := range res.Content {
		if text, ok := item.(*mcp.TextContent); ok {
			got.items = append(got.items, text.Text)
		}
	}
	return got, nil
}

const designer = "mssql_schema_designer"

// design calls the designer and decodes its reply.
func (a *agent) design(root string, args map[string]any) reply {
	a.t.Helper()
	got := a.ask(root, designer, args)
	var r reply
	require.NoError(a.t, json.Unmarshal([]byte(got.text()), &r), got.text())
	r.text = got.text()
	return r
}

// reply holds the fields of the designer's replies that stories look at.
type reply struct {
	text            string
	Success         bool   `json:"success"`
	Reason          string `json:"reason"`
	Message         string `json:"message"`
	Version         string `json:"version"`
	CurrentVersion  string `json:"currentVersion"`
	Notice          string `json:"notice"`
	AppliedEdits    int    `json:"appliedEdits"`
	FailedEditIndex *int   `json:"failedEditIndex"`
	Overview        struct {
		Tables []struct {
			Schema  string `json:"schema"`
			Name    string `json:"name"`
			Columns []struct {
				Name     string `json:"name"`
				DataType string `json:"dataType"`
			} `json:"columns"`
		} `json:"tables"`
	} `json:"overview"`
}

// edits makes the arguments of apply_edits.
func edits(version string, list ...map[string]any) map[string]any {
	return map[string]any{"operation": "apply_edits",
		"payload": map[string]any{"expectedVersion": version, "edits": list}}
}

// portMap reads the port map as another program would.
func (w *world) portMap() map[string]int {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.home, "ports.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	require.NoError(w.t, err)
	var m map[string]int
	require.NoError(w.t, json.Unmarshal(raw, &m), "port map: %s", raw)
	return m
}

// occupy binds a port of 127.0.0.1 as a foreign program would.
func (w *world) occupy(port int) net.Listener {
	w.t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = l.Close() })
	return l
}

// buffer is a bytes.Buffer that a process may write while a test reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
