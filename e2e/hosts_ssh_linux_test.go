package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/sshd"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/relay"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// bothTables is the answer of get-tables where a project has twoTables.
const bothTables = `["customer","purchase"]`

// overSSH is another machine in miniature, reached by ssh.
func overSSH(s *sshd.Server, w *world, name string) *world {
	w.t.Helper()
	return w.far(name, s.Command(sshd.Host)...)
}

func TestAProjectIsReachedAndCalledOverSSH(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	far := overSSH(s, w, "build1")
	root := far.project("app", twoTables)
	far.serve(root)
	project, client := "build1:"+root, w.agent()
	assert.Equal(t, bothTables, client.ask(project, "get-tables", nil).text())
	shown := client.design(project, map[string]any{"operation": "show"})
	require.True(t, shown.Success, shown.text)
	edited := client.design(project, edits(shown.Version, addTable("invoice")))
	assert.True(t, edited.Success, edited.text)
	list, got := client.list(nil)
	require.Len(t, list.Projects, 1, got.text())
	assert.Equal(t, project, list.Projects[0].ProjectRoot)

	config, err := os.ReadFile(w.ownConfig())
	require.NoError(t, err)
	assert.Contains(t, string(config), `"BatchMode=yes"`, "ssh asks an agent for nothing")
	hosts := w.berth("hosts")
	assert.Contains(t, hosts.stdout, "reached", hosts.stderr)
	assert.Contains(t, w.berth("call", "get-tables", fmt.Sprintf(`{"projectRoot":%q}`, project)).stdout, "customer")
	assert.Contains(t, w.berth("approvals", project).stdout, "nothing")

	stopped := far.project("stopped", twoTables)
	answer := client.ask("build1:"+stopped, "get-tables", nil)
	assert.Equal(t, "MCP server not running for project: build1:"+stopped, answer.items[0])
	assert.Equal(t, "Error: projectRoot does not exist", client.ask("build1:"+stopped+"-not", "get-tables", nil).items[0])
}

func TestWhatALoginOverSSHPrintsIsSkippedOrQuoted(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	far := newWorld(t)
	root := far.project("app", twoTables)
	far.serve(root)
	w.nameHost("loud", append(s.Command(sshd.Banner), far.relay()...)...)
	w.nameHost("newer", append(s.Command(sshd.Host), "echo berth-relay 2 9.9.9; cat; relay")...)
	w.nameHost("missing", append(s.Command(sshd.Host), "/no/such/berth relay; exit $?", "relay")...)
	w.nameHost("tty", append([]string{"ssh", "-tt", "-F", s.Config, sshd.Host}, far.relay()...)...)
	w.nameHost("stranger", append([]string{"ssh", "-l", "no-such-user-here", "-F", s.Config, sshd.Host}, far.relay()...)...)
	w.nameHost("closed", append([]string{"ssh", "-o", "Port=1", "-F", s.Config, sshd.Host}, far.relay()...)...)
	client := w.agent()
	assert.Equal(t, bothTables, client.ask("loud:"+root, "get-tables", nil).text())
	for host, words := range map[string]string{
		"newer": "berth 9.9.9 there speaks version 2", "missing": "/no/such/berth", "tty": "leave out -t",
		"stranger": "Permission denied", "closed": "Connection refused",
	} {
		got := client.ask(host+":"+root, "get-tables", nil)
		assert.Equal(t, "Could not establish database connection", got.text(), host)
		require.Len(t, got.items, 2, host)
		assert.Contains(t, got.items[1], "The host "+host+" cannot be reached: ", host)
		assert.Contains(t, got.items[1], words, host)
	}
}

// Who is killed or stopped in a call: this end of ssh, sshd's process for the
// connection, or the relay there. The instance is a stand-in that says when a
// call has arrived and when its caller has gone.
func TestAHostThatDiesOrHangsInACallOverSSHIsNoticed(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	far := overSSH(s, w, "build1")
	arrived, gone := make(chan struct{}, 1), make(chan struct{}, 1)
	project := "build1:" + far.standIn("app", func(rw http.ResponseWriter, r *http.Request) {
		if r.PathValue("name") != "get-tables" {
			_, _ = io.Copy(io.Discard, r.Body) // else the end of the connection is not seen
			arrived <- struct{}{}
			<-r.Context().Done()
			gone <- struct{}{}
			return
		}
		_ = wire.NewLineWriter(rw, nil).Write(wire.Line{Result: &wire.Result{Content: []string{bothTables}}})
	})
	victims := map[string]func() []int{
		"ssh": func() []int {
			return processes(func(p process) bool { return p.runs("ssh", s.Config, far.home) })
		},
		"sshd":  func() []int { return parents(far.relays()) },
		"relay": far.relays,
	}
	type fault struct {
		victim string
		signal syscall.Signal
	}
	var faults []fault
	for range long.Rounds(4, 20) / 4 {
		for _, victim := range slices.Sorted(maps.Keys(victims)) {
			faults = append(faults, fault{victim, syscall.SIGKILL}, fault{victim, syscall.SIGSTOP})
		}
	}
	for _, f := range long.Sample(t, 3, faults) {
		client := w.agent() // one that has seen many failures waits for minutes
		within(t, "the host is reached", func() {
			for client.ask(project, "get-tables", nil).text() != bothTables {
				time.Sleep(tick) // it waits longer after each failure
			}
		})
		answered := make(chan answer, 1)
		go func() {
			got, err := client.try(context.Background(), project, designer, edits("1", addTable("invoice")))
			assert.NoError(t, err)
			answered <- got
		}()
		receive(t, arrived, "a call there")
		pids := victims[f.victim]()
		require.NotEmpty(t, pids, f.victim)
		for _, pid := range pids {
			require.NoError(t, syscall.Kill(pid, f.signal))
		}
		got := receive(t, answered, fmt.Sprint("the answer of a call whose ", f.victim, " got ", f.signal))
		assert.True(t, got.isError, "%v %v", f, got.items)
		said := strings.Join(got.items, " ")
		if f.signal == syscall.SIGSTOP {
			assert.Contains(t, said, "stopped answering while the call was in progress", f.victim)
			for _, pid := range pids {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		assert.Contains(t, said, "may", "%v: nobody knows whether it ran", f)
		receive(t, gone, "the end of the call there")
		require.Empty(t, arrived, "an edit is sent once")
	}
}

// 24 front-ends need one host at once. sshd refuses the sixth login that has not
// finished, as ssh alone shows; berth's wait for each other.
func TestTwentyFourFrontEndsReachOneHostOverSSHAtOnce(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t, "MaxStartups 5:100:5"), newWorld(t)
	far := overSSH(s, w, "build1")
	root := far.project("app", twoTables)
	far.serve(root)
	together := func(do func() bool) (failed int) {
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 24 {
			all.Go(func() {
				ok := do()
				mu.Lock()
				defer mu.Unlock()
				if !ok {
					failed++
				}
			})
		}
		all.Wait()
		return failed
	}
	refused := together(func() bool { return s.Run(sshd.Host, "true") == nil })
	assert.Positive(t, refused, "ssh alone: what the cap is for")
	for range long.Rounds(1, 5) {
		agents := make(chan *agent, 24)
		for range cap(agents) {
			agents <- w.agent()
		}
		assert.Zero(t, together(func() bool {
			got, err := (<-agents).try(context.Background(), "build1:"+root, "get-tables", nil)
			return assert.NoError(t, err) && assert.Equal(t, bothTables, got.text(), got.items)
		}))
	}
	t.Logf("24 logins at once: sshd refused %d of ssh's own, 0 of berth's", refused)
}

func TestThreeHundredParallelCallsGoThroughOneSSH(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	far := overSSH(s, w, "build1")
	root := far.project("app", twoTables)
	far.serve(root)
	client := w.agent()
	for range long.Rounds(1, 20) {
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
	assert.Len(t, far.relays(), 1)
}

// A reply of 16 MB, which is the largest of all, comes whole, also many at once:
// 8 MB of text, and as many of structure.
func TestRepliesOfSixteenMegabytesComeWholeOverSSH(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	far := overSSH(s, w, "build1")
	text := strings.Repeat("0123456789abcdef", (wire.MaxLineBytes-1024)/32)
	structure, err := json.Marshal(map[string]string{"text": text})
	require.NoError(t, err)
	root := far.standIn("app", func(rw http.ResponseWriter, r *http.Request) {
		_ = wire.NewLineWriter(rw, nil).Write(wire.Line{Result: &wire.Result{Content: []string{text}, Structured: structure}})
	})
	config, err := settings.LoadHosts(w.ownConfig())
	require.NoError(t, err)
	require.Len(t, config, 1)
	host := relay.NewHost(relay.HostOptions{Name: "build1", Command: config[0].Command})
	defer host.Close()
	args, err := json.Marshal(map[string]string{"projectRoot": root})
	require.NoError(t, err)
	tool := catalog.All()[slices.IndexFunc(catalog.All(), func(d catalog.Definition) bool { return d.Name == catalog.RunQuery })]
	began := time.Now()
	rounds := long.Rounds(1, 10)
	for range rounds {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				line, err := host.Call(t.Context(), tool, root, args, proxy.CallOptions{})
				if assert.NoError(t, err) && assert.NotNil(t, line.Result) {
					assert.True(t, line.Result.Content[0] == text, "%.300s", line.Result.Content)
					assert.True(t, bytes.Equal(line.Result.Structured, structure), "%d of %d bytes", len(line.Result.Structured), len(structure))
				}
			})
		}
		all.Wait()
	}
	t.Logf("%d replies of 16 MB, four at once, in %v", 4*rounds, time.Since(began).Round(time.Millisecond))
}

// Nine hosts of five projects, and a tenth whose port takes a connection and
// says nothing.
func TestTenHostsAreListedOverSSHAndADeadOneDelaysNone(t *testing.T) {
	t.Parallel()
	s, w := sshd.Start(t), newWorld(t)
	for i := range 9 {
		far := overSSH(s, w, fmt.Sprintf("host%d", i))
		for p := range 5 {
			far.standIn(fmt.Sprintf("p%d", p))
		}
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	w.nameHost("dead", "ssh", "-o", fmt.Sprintf("Port=%d", silent.Addr().(*net.TCPAddr).Port), "-F", s.Config, sshd.Host)
	client := w.agent()
	var list projectList
	require.Eventually(t, func() bool {
		list, _ = client.list(nil)
		return list.Total == 45
	}, patience, 100*time.Millisecond)
	assert.Contains(t, list.Note, "dead (")
	for range long.Rounds(1, 30) {
		list, _ = client.list(nil)
		assert.Equal(t, 45, list.Total, "known hosts stay listed")
	}
	seen := w.berth("hosts", "--json")
	var rows []struct{ Name, State string }
	require.NoError(t, json.Unmarshal([]byte(seen.stdout), &rows), seen.stdout)
	states := map[string]int{}
	for _, r := range rows {
		states[r.State]++
	}
	assert.Equal(t, map[string]int{"reached": 9, "unreachable": 1}, states, seen.stdout)
}

// process is a process of this machine, by its arguments and environment.
type process struct {
	pid       int
	arguments []string
}

// runs reports whether the process is that program with those arguments among
// its own.
func (p process) runs(program string, arguments ...string) bool {
	if len(p.arguments) == 0 || filepath.Base(p.arguments[0]) != program {
		return false
	}
	all := strings.Join(p.arguments, "\x00")
	for _, a := range arguments {
		if !strings.Contains(all, a) {
			return false
		}
	}
	return true
}

// processes returns the ids of those that are chosen.
func processes(chosen func(process) bool) []int {
	var pids []int
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range folders {
		raw, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if chosen(process{pid, strings.Split(strings.TrimRight(string(raw), "\x00"), "\x00")}) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// relays returns the ids of the relays that run in a world.
func (w *world) relays() []int {
	return processes(func(p process) bool {
		if len(p.arguments) != 2 || p.arguments[0] != binary || p.arguments[1] != "relay" {
			return false
		}
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		return strings.Contains(string(env), "BERTH_HOME="+w.home+"\x00")
	})
}

// parents returns the ids of the processes that started them.
func parents(pids []int) []int {
	var up []int
	for _, pid := range pids {
		raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(raw), ") ") // behind the program's name
		if fields := strings.Fields(rest); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			up = append(up, parent)
		}
	}
	return up
}
