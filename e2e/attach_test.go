package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/version"
)

// attachLine is a line that berth attach --json prints; only members of its type
// are set.
type attachLine struct {
	Type      string
	Port, PID int
	Started   bool
	Outcome   string
	Error     string
	Pending   int
	ID        int
	Code      string
	KeyID     string
	Key       string
	Event     struct{ Type string }
	Notice    struct{ Type string }
	Approval  struct{ State string }
	Approvals []struct{ ID, State string }
}

// window is a running berth attach, as an editor starts it.
type window struct {
	w     *world
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan attachLine
	done  chan struct{}
}

func (w *world) window(root string, args ...string) *window {
	w.t.Helper()
	cmd := exec.Command(binary, append([]string{"attach", root, "--json", "--stdin-lifeline"}, args...)...)
	cmd.Env = w.env
	stdin, err := cmd.StdinPipe()
	require.NoError(w.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	win := &window{w: w, cmd: cmd, stdin: stdin, lines: make(chan attachLine, 1000), done: make(chan struct{})}
	go func() {
		defer close(win.done)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			var line attachLine
			if json.Unmarshal(scan.Bytes(), &line) == nil {
				win.lines <- line
			}
		}
		_ = cmd.Wait()
	}()
	w.t.Cleanup(func() {
		win.kill()
		_ = w.berth("stop", root) // what the window started outlives it
	})
	return win
}

// next returns the next line of a type, and drops those before it.
func (win *window) next(kind string) attachLine {
	win.w.t.Helper()
	for {
		if line := receive(win.w.t, win.lines, "a line of type "+kind); line.Type == kind {
			return line
		}
	}
}

func (win *window) ask(request string) attachLine {
	win.w.t.Helper()
	_, err := fmt.Fprintln(win.stdin, request)
	require.NoError(win.w.t, err)
	return win.next("reply")
}

// close closes the window as an editor does.
func (win *window) close() {
	win.w.t.Helper()
	require.NoError(win.w.t, win.stdin.Close())
	within(win.w.t, "the end of berth attach", func() { <-win.done })
	assert.Equal(win.w.t, 0, win.cmd.ProcessState.ExitCode())
}

func (win *window) kill() {
	_ = win.cmd.Process.Kill()
	within(win.w.t, "the end of a killed berth attach", func() { <-win.done })
}

// listed is the project in berth ls --json; nil: it is not there.
func (w *world) listed(root string) *listedProject {
	w.t.Helper()
	var list []*listedProject
	require.NoError(w.t, json.Unmarshal([]byte(w.berth("ls", "--json").stdout), &list))
	for _, p := range list {
		if p.ProjectRoot == root {
			return p
		}
	}
	return nil
}

type listedProject struct {
	ProjectRoot, State, IdleEnd string
	PID, Approvals              int
	Leases                      []struct{ Name string }
}

func (p *listedProject) holders() (names []string) {
	for _, l := range p.Leases {
		names = append(names, l.Name)
	}
	return names
}

func TestWindowsShareOneInstanceThatEndsAfterTheLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	first := w.window(root, "--idle", "1s", "--name", "first window")
	ready := first.next("ready")
	assert.True(t, ready.Started)
	second := w.window(root, "--name", "second window")
	joined := second.next("ready")
	assert.False(t, joined.Started)
	assert.Equal(t, ready.PID, joined.PID)
	p := w.listed(root)
	assert.Equal(t, []string{"first window", "second window"}, p.holders())
	assert.Equal(t, "1s", p.IdleEnd)

	first.close() // the one that started it
	assert.Equal(t, []string{"second window"}, w.listed(root).holders())
	reloaded := w.window(root)
	assert.Equal(t, ready.PID, reloaded.next("ready").PID)
	reloaded.kill()
	require.Eventually(t, func() bool { return len(w.listed(root).holders()) == 1 }, patience, 20*time.Millisecond, "a killed window holds nothing")
	assert.Equal(t, ready.PID, w.listed(root).PID)
	second.close()
	require.Eventually(t, func() bool { return w.listed(root) == nil }, patience, 50*time.Millisecond, "the instance ends, also while somebody looks at the list")
}

func TestAnInstanceThatCrashesIsBackOnceForAllItsWindows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	windows := []*window{w.window(root), w.window(root)}
	was := windows[0].next("ready")
	require.Equal(t, was.PID, windows[1].next("ready").PID)
	kill(t, was.PID)
	pids := map[int]bool{}
	for _, win := range windows {
		win.next("lost")
		ready := win.next("ready")
		assert.Equal(t, was.Port, ready.Port)
		pids[ready.PID] = true
	}
	assert.Len(t, pids, 1)
	assert.NotContains(t, pids, was.PID)
	assert.Len(t, w.listed(root).holders(), 2)
}

func TestWhatAPersonServesOutlivesEveryWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	in := w.serve(root)
	win := w.window(root, "--idle", "1ms")
	assert.Equal(t, in.PID, win.next("ready").PID)
	assert.Empty(t, w.listed(root).IdleEnd)
	win.close()
	p := w.listed(root)
	require.NotNil(t, p)
	assert.Equal(t, in.PID, p.PID)
	assert.Empty(t, p.holders())
}

func TestANewerServeTakesTheWindowsAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	win := w.window(root)
	win.next("ready")
	in := w.serve(root)
	assert.Equal(t, "handed over", win.next("lost").Outcome)
	assert.Equal(t, in.PID, win.next("ready").PID)
	win.close() // or it would serve the project again once the test ends what it joined
}

func TestWhatAPersonStopsStaysStoppedUntilAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	windows := []*window{w.window(root), w.window(root)}
	for _, win := range windows {
		win.next("ready")
	}
	require.Equal(t, 0, w.berth("stop", root).code)
	for _, win := range windows {
		assert.Equal(t, "shut down", win.next("stopped").Outcome)
	}
	assert.Nil(t, w.listed(root))
	windows[0].ask(`{"id":1,"op":"start"}`)
	started := windows[0].next("ready")
	assert.True(t, started.Started)
	joined := windows[1].next("ready")
	assert.Equal(t, started.PID, joined.PID)
	assert.False(t, joined.Started)
}

func TestAWindowHearsOfApprovalsAndDecidesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	const before = "north 4\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, "berths.txt"), []byte(before), 0o644))
	win := w.window(root)
	win.next("ready")
	assert.Empty(t, win.next("approvals").Approvals)
	list := w.watchList()
	args, err := json.Marshal(map[string]any{"path": "berths.txt", "version": version.Of([]byte(before)), "edits": []any{map[string]any{"old_text": "4", "new_text": "5"}}})
	require.NoError(t, err)
	assert.Contains(t, w.berthIn(root, "call", "fs_edit_file", string(args)).stderr, "approval_required")
	waiting := win.next("approvals")
	assert.Equal(t, 1, waiting.Pending)
	require.Len(t, waiting.Approvals, 1)
	plan := waiting.Approvals[0].ID
	list.until(func(p listedProject) bool { return p.Approvals == 1 })

	assert.Equal(t, "approved", win.ask(fmt.Sprintf(`{"id":2,"op":"decide","plan":%q,"decision":"approve"}`, plan)).Approval.State)
	list.until(func(p listedProject) bool { return p.Approvals == 0 })
	assert.Contains(t, win.ask(fmt.Sprintf(`{"id":3,"op":"decide","plan":%q,"decision":"reject"}`, plan)).Error, "approved")
	assert.Contains(t, win.ask(`{"id":4,"op":"approval","plan":"none"}`).Error, "none")
	assert.Contains(t, win.ask(`{"id":5,"op":"dance"}`).Error, "dance")
}

// TestAKeyOfAWindowEndsWithIt: an editor's process may be killed, and cannot
// revoke anything then.
func TestAKeyOfAWindowEndsWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "CREATE TABLE t (a INTEGER)")
	in := w.serve(root)
	win := w.window(root)
	win.next("ready")
	key := win.ask(`{"id":1,"op":"key"}`)
	require.NotEmpty(t, key.Key)
	status := func() int {
		req, err := http.NewRequest(http.MethodGet, in.URL+"/keys", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+key.KeyID+"."+key.Key)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		return resp.StatusCode
	}
	assert.Equal(t, 200, status())
	win.close()
	assert.Equal(t, 401, status())
	other := w.window(root)
	other.next("ready")
	code := other.ask(`{"id":2,"op":"code"}`)
	resp, err := http.Post(in.URL+"/signin", "application/json", strings.NewReader(fmt.Sprintf(`{"code":%q}`, code.Code)))
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, 200, resp.StatusCode)
}

func TestAWindowIsToldWhyAProjectIsNotServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", "")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("enableMcpServer: false\n"), 0o644))
	res := w.berth("attach", root, "--json")
	assert.Equal(t, 3, res.code)
	assert.Contains(t, res.stderr, "enableMcpServer is false")
}

// listWatch is a running berth ls --watch --json.
type listWatch struct {
	t     *testing.T
	lines chan []listedProject
}

func (w *world) watchList() *listWatch {
	w.t.Helper()
	cmd := exec.Command(binary, "ls", "--watch", "--json")
	cmd.Env = w.env
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	list := &listWatch{w.t, make(chan []listedProject, 100)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			var projects []listedProject
			if json.Unmarshal(scan.Bytes(), &projects) == nil {
				list.lines <- projects
			}
		}
		_ = cmd.Wait()
	}()
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
	})
	return list
}

// until waits for a list of one project that is as wanted.
func (l *listWatch) until(wanted func(listedProject) bool) {
	l.t.Helper()
	for {
		if list := receive(l.t, l.lines, "a list"); len(list) == 1 && wanted(list[0]) {
			return
		}
	}
}

func kill(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, process.Kill())
}
