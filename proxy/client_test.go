package proxy_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCallReachesTheInstanceOfItsProject(t *testing.T) {
	w := newWorld(t)
	a, b := w.project("a"), w.project("b")
	w.start(a, say("from a"))
	w.start(b, say("from b"))
	c := w.client(nil)
	for range 3 {
		assert.Equal(t, []string{"from a"}, call(t, c, a).Content)
		assert.Equal(t, []string{"from b"}, call(t, c, b).Content)
	}
}

func TestCallCarriesArgumentsAndCallerUnchanged(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	args := arguments(t, root, `,"query":"SELECT '<é>' & 12345678901234567890"`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	from := func(o *proxy.Options) { o.Place = func() (string, string) { return "web", "desk" } }
	line, err := w.client(from).Call(ctx, "run-query", args, proxy.CallOptions{
		Client:         wire.Client{Name: "agent", Version: "7", Elicitation: true},
		InputResponses: json.RawMessage(`{"q":{"action":"accept"}}`),
		RequestState:   "sealed",
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"run-query " + string(args)}, line.Result.Content)
	require.Len(t, f.requests(), 1)
	got := f.requests()[0]
	assert.NotEmpty(t, got.Client.ID)
	assert.Equal(t, wire.Client{ID: got.Client.ID, Name: "agent", Version: "7", Project: "web", Machine: "desk", Elicitation: true}, got.Client)
	assert.JSONEq(t, `{"q":{"action":"accept"}}`, string(got.InputResponses))
	assert.Equal(t, "sealed", got.RequestState)
	assert.False(t, got.WantProgress)
	assert.InDelta(t, time.Minute.Milliseconds(), got.DeadlineMs, 10_000, "the instance knows how long the caller waits")
}

func TestCallRefusesBeforeAnyInstanceIsAsked(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	w.project("other")
	file := filepath.Join(root, "file.txt")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	tests := []struct{ name, args, want string }{
		{"a relative projectRoot", `{"projectRoot":"app"}`, wire.TextNotAbsolute},
		{"an empty projectRoot", `{"projectRoot":""}`, wire.TextNotAbsolute},
		{"a home-relative projectRoot", `{"projectRoot":"~/app"}`, wire.TextNotAbsolute},
		{"a projectRoot that is not there", string(arguments(t, filepath.Join(root, "none"))), wire.TextNotExist},
		{"a projectRoot below a file", string(arguments(t, filepath.Join(file, "x"))), wire.TextNotExist},
		{"a projectRoot longer than any path", string(arguments(t, root+"/"+strings.Repeat("x", 5000))), wire.TextNotExist},
		{"a projectRoot with a NUL", string(arguments(t, root+"\x00")), wire.TextNotExist},
		{"no projectRoot", `{"table":"t"}`, "Error: projectRoot is missing: every call takes the absolute path of the project"},
		{"no arguments", ``, "Error: projectRoot is missing: every call takes the absolute path of the project"},
		{"a projectRoot in another case", `{"ProjectRoot":"/a"}`, "Error: projectRoot is missing: every call takes the absolute path of the project"},
		{"a projectRoot that is a number", `{"projectRoot":5}`, "Error: projectRoot must be a string: the absolute path of the project"},
		{"a projectRoot that is null", `{"projectRoot":null}`, "Error: projectRoot must be a string: the absolute path of the project"},
		{"arguments that are an array", `[]`, "Error: arguments must be a JSON object"},
		{"two projectRoots", `{"projectRoot":"/","projectRoot":"/tmp"}`, "Error: invalid arguments: an object has the same name twice, at byte 19"},
		{"invalid UTF-8", "{\"projectRoot\":\"/\xff\"}", "Error: invalid arguments: not strict JSON at byte 17"},
		{"arguments that are nested too deeply", `{"projectRoot":"/","x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "Error: invalid arguments: JSON is nested too deeply: at most 64 levels"},
	}
	c := w.client(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result := callTool(t, c, "get-tables", json.RawMessage(tt.args))
			assert.True(t, result.IsError)
			assert.Len(t, result.Content, 2)
			assert.Equal(t, tt.want, result.Content[0])
			assert.Contains(t, result.Content[1], root, "the project that runs is named")
		})
	}
	assert.Empty(t, f.requests(), "an instance proves itself for the advice, and gets no call")
	result := callTool(t, c, "no-such-tool", arguments(t, root))
	assert.Equal(t, []string{`Error: unknown tool "no-such-tool"`}, result.Content)
}

func TestCallFindsAProjectThroughASymlink(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	link := filepath.Join(w.dir, "link")
	if err := os.Symlink(root, link); err != nil {
		require.Equal(t, "windows", runtime.GOOS, "%v", err)
		return // needs a privilege there
	}
	w.start(root, say("here"))
	c := w.client(nil)
	assert.Equal(t, []string{"here"}, call(t, c, link).Content)
	assert.Equal(t, []string{"here"}, call(t, c, root+string(filepath.Separator)).Content)
}

func TestCallOfAProjectThatIsNotRunning(t *testing.T) {
	root := func(w *world) string { return w.project("a") }
	tests := []struct {
		name  string
		setUp func(w *world) string
	}{
		{"was never started", root},
		{"has no port map that can be read", func(w *world) string {
			require.NoError(w.t, os.MkdirAll(w.home.Dir(), 0o700))
			require.NoError(w.t, os.WriteFile(w.home.MapFile(), []byte("{"), 0o600))
			return root(w)
		}},
		{"crashed", func(w *world) string {
			f := w.start(root(w), echo)
			f.crash()
			return root(w)
		}},
		{"has no instance file", func(w *world) string {
			f := w.start(root(w), echo)
			require.NoError(w.t, os.Remove(w.home.InstanceFile(f.inst.Port)))
			return root(w)
		}},
		{"has an instance file that others may read", func(w *world) string {
			f := w.start(root(w), echo)
			require.NoError(w.t, os.Chmod(w.home.InstanceFile(f.inst.Port), 0o644))
			return root(w)
		}},
		{"has an instance file of another project", func(w *world) string {
			f := w.start(root(w), echo)
			f.inst.ProjectRoot = w.project("b")
			w.write(f.inst)
			return root(w)
		}},
		{"has an instance file of another port", func(w *world) string {
			f := w.start(root(w), echo)
			wrong := f.inst
			wrong.Port++
			require.NoError(w.t, wire.WriteInstance(w.home.InstanceFile(f.inst.Port), wrong))
			return root(w)
		}},
		{"gave its port to another project", func(w *world) string {
			old := w.start(root(w), echo)
			old.crash()
			l, err := net4(old.inst.Port)
			require.NoError(w.t, err)
			other := old.inst
			other.ProjectRoot, other.Token = w.project("b"), wire.NewToken()
			w.write(other)
			w.serve(l, other, say("from b"))
			return root(w)
		}},
		{"is on its way out", func(w *world) string {
			f := w.start(root(w), nil)
			f.replace(answer(f, func(rw responseWriter) { fail(rw, wire.CodeShuttingDown, "bye") }))
			return root(w)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if runtime.GOOS == "windows" && strings.Contains(tt.name, "others may read") {
				return // no such modes there
			}
			root := tt.setUp(w)
			start := time.Now()
			c := w.client(nil)
			assertNotRunning(t, call(t, c, root), root)
			assertNotRunning(t, callTool(t, c, "mssql_schema_designer", arguments(t, root, `,"operation":"get_overview"`)), root)
			assert.Less(t, time.Since(start), 30*time.Second, "the client would wait a minute")
		})
	}
}

func TestNotRunningNamesTheProjectAsGiven(t *testing.T) {
	w := newWorld(t)
	w.project("a")
	given := filepath.Join(w.dir, "projects") + "/./a/"
	result := call(t, w.client(nil), given)
	assert.Equal(t, "MCP server not running for project: "+given, result.Content[0])
}

func TestInstanceThatRestartsIsReachedByTheNextCall(t *testing.T) {
	tests := []struct {
		name     string
		samePort bool
	}{{"on the same port", true}, {"on another port", false}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			c := w.client(nil)
			f := w.start(root, say("first run"))
			assert.Equal(t, []string{"first run"}, call(t, c, root).Content)
			for run := range 3 {
				f.crash()
				if !tt.samePort {
					squat, err := net4(f.inst.Port)
					require.NoError(t, err)
					defer squat.Close()
				}
				port := f.inst.Port
				f = w.start(root, say("next run"))
				assert.Equal(t, tt.samePort, port == f.inst.Port)
				assert.Equal(t, []string{"next run"}, callTool(t, c, "mssql_schema_designer", arguments(t, root)).Content, "restart %d", run)
			}
		})
	}
}

func TestInputRequiredIsRelayed(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, func(_ context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		_ = reply.Write(wire.Line{Input: &wire.Input{Requests: json.RawMessage(`{"q":{}}`), State: "s"}})
	})
	line, err := w.client(nil).Call(t.Context(), "get-tables", arguments(t, root), proxy.CallOptions{})
	require.NoError(t, err)
	assert.Equal(t, &wire.Input{Requests: json.RawMessage(`{"q":{}}`), State: "s"}, line.Input)
}

func TestProgressArrivesInOrderAndBeforeTheEnd(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	seen := make(chan float64)
	w.start(root, func(ctx context.Context, _ string, req wire.Request, reply *wire.LineWriter) {
		assert.True(t, req.WantProgress)
		for i := range 5 {
			_ = reply.Write(wire.Line{Progress: &wire.Progress{Progress: float64(i), Total: 5, Message: "m"}})
			select { // not buffered on the way: it arrives while the call runs
			case got := <-seen:
				assert.Equal(t, float64(i), got)
			case <-time.After(time.Minute):
				t.Error("progress did not arrive")
			}
		}
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{"end"}}})
	})
	line, err := w.client(nil).Call(t.Context(), "get-tables", arguments(t, root), proxy.CallOptions{
		Progress: func(p wire.Progress) {
			assert.Equal(t, "m", p.Message)
			seen <- p.Progress
		}})
	require.NoError(t, err)
	assert.Equal(t, []string{"end"}, line.Result.Content)
}

func TestCancellationReachesTheInstance(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	began, ended := make(chan struct{}), make(chan error, 1)
	w.start(root, func(ctx context.Context, _ string, _ wire.Request, _ *wire.LineWriter) {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-began
		cancel()
	}()
	_, err := w.client(nil).Call(ctx, "get-tables", arguments(t, root), proxy.CallOptions{})
	require.ErrorIs(t, err, context.Canceled)
	select {
	case err := <-ended:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(time.Minute):
		t.Fatal("the instance's context did not end")
	}
}

func TestNewClientAndServerTouchNoDisk(t *testing.T) {
	home, err := portmap.FindHome(func(string) string { return filepath.Join(t.TempDir(), "none") })
	require.NoError(t, err)
	proxy.NewServer(proxy.NewClient(proxy.Options{Home: home}), proxy.ServerOptions{})
	assert.NoDirExists(t, home.Dir())
}
