package proxy_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParallelCallsShareConnections(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	c := w.client(func(o *proxy.Options) {
		o.SilenceCheck = time.Hour // a look at a call is a connection too
	})
	var calls sync.WaitGroup
	for i := range 1000 {
		calls.Go(func() {
			args := arguments(t, root, fmt.Sprintf(`,"query":"%d"`, i))
			assert.Equal(t, []string{"run-query " + string(args)}, callTool(t, c, "run-query", args).Content, "each call gets its own answer")
		})
	}
	calls.Wait()
	assert.LessOrEqual(t, f.conns.Load(), int64(64))
	assert.Equal(t, f.conns.Load(), f.healths.Load(), "each connection is proven once")
}

// While the calls to the hung instance wait for its proof, for as long as the
// test wants, the other one answers; and the end of one wait is that of all.
func TestHungInstanceDelaysNoOther(t *testing.T) {
	const atMost = 4 // connections to one instance, and so waits
	w := newWorld(t)
	hung, live := w.project("hung"), w.project("live")
	released := make(chan struct{})
	var waits atomic.Int64
	f := w.start(hung, say("never"))
	prove := f.current()
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != wire.HealthPath {
			fail(rw, wire.CodeOverloaded, "still hung")
			return
		}
		waits.Add(1)
		<-released
		prove.ServeHTTP(rw, r)
	}))
	w.start(live, say("here"))
	c := w.client(func(o *proxy.Options) {
		o.SilenceCheck, o.MaxConns = time.Hour, atMost
	})
	var calls sync.WaitGroup
	var answered atomic.Int64
	for range 500 {
		calls.Go(func() {
			assert.Equal(t, wire.TextNoConnection, call(t, c, hung).Content[0])
			answered.Add(1)
		})
	}
	require.Eventually(t, func() bool { return waits.Load() == atMost }, time.Minute, time.Millisecond)
	for range 20 {
		assert.Equal(t, []string{"here"}, call(t, c, live).Content)
	}
	assert.Zero(t, answered.Load(), "calls to the hung instance still wait")
	close(released)
	calls.Wait()
	assert.Less(t, waits.Load(), int64(100), "the last of many waits for one proof, not for all of them") // a call that began late has one of its own
}

// On a busy machine the proof on one of many connections comes too late. The
// instance that proves itself on another one meanwhile does not hang.
func TestALateProofOfAnInstanceThatAnswersIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, say("here"))
	prove := f.current()
	var first sync.Once
	waits := make(chan struct{})
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		late := false
		if r.URL.Path == wire.HealthPath {
			first.Do(func() { late = true })
		}
		if late {
			close(waits)
			hijack(rw)
			return
		}
		prove.ServeHTTP(rw, r)
	}))
	c := w.client(func(o *proxy.Options) { o.ProofTimeout = 2 * time.Second })
	var calls sync.WaitGroup
	calls.Go(func() { assert.Equal(t, []string{"here"}, call(t, c, root).Content) })
	<-waits
	assert.Equal(t, []string{"here"}, callTool(t, c, "run-query", arguments(t, root, `,"query":"SELECT 1"`)).Content, "it has connections of its own")
	calls.Wait()
}

func TestInstanceThatHangsDuringACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("a")
	var hang atomic.Bool
	f := w.start(root, func(ctx context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		hang.Store(true)
		<-ctx.Done()
	})
	prove := f.current()
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if hang.Load() && r.URL.Path == wire.HealthPath {
			hijack(rw) // accepts, and says nothing
			return
		}
		prove.ServeHTTP(rw, r)
	}))
	c := w.client(func(o *proxy.Options) { o.SilenceCheck, o.ProofTimeout = 20*time.Millisecond, 500*time.Millisecond })
	start := time.Now()
	result := callTool(t, c, "mssql_schema_designer", arguments(t, root))
	assert.True(t, result.IsError)
	assert.Contains(t, result.Content[0], `"reason":"internal_error"`)
	assert.Contains(t, result.Content[0], wire.TextNoConnection+". The project's instance stopped answering while the call was in progress. outcome unknown: ")
	assert.Less(t, time.Since(start), time.Minute)
}

// A call may be silent for as long as it likes while its instance lives.
func TestLongSilentCallIsNotGivenUp(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	proven := make(chan struct{}, 100)
	f := w.start(root, func(ctx context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
		for range 5 {
			<-proven
		}
		_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{"at last"}}})
	})
	prove := f.current()
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		prove.ServeHTTP(rw, r)
		if r.URL.Path == wire.HealthPath {
			proven <- struct{}{}
		}
	}))
	c := w.client(func(o *proxy.Options) { o.SilenceCheck = 5 * time.Millisecond })
	assert.Equal(t, []string{"at last"}, call(t, c, root).Content)
}

// hijack keeps a request's connection open without an answer until the client
// goes.
func hijack(rw http.ResponseWriter) {
	conn, _, err := rw.(http.Hijacker).Hijack()
	if err == nil {
		defer conn.Close()
		_, _ = io.Copy(io.Discard, conn)
	}
}

func TestConnectionsOfDeadInstancesAreLetGo(t *testing.T) {
	w := newWorld(t)
	c := w.client(func(o *proxy.Options) { o.MaxInstances = 2 })
	var instances []*fake
	for _, name := range []string{"a", "b", "c"} {
		instances = append(instances, w.start(w.project(name), echo))
	}
	use := func(i int) { require.False(t, call(t, c, instances[i].inst.ProjectRoot).IsError) }
	open := func(want ...int64) {
		t.Helper()
		for i, f := range instances {
			require.Eventually(t, func() bool { return f.open.Load() == want[i] }, time.Minute, time.Millisecond, "instance %d", i)
		}
	}
	use(0)
	use(1)
	use(2)
	open(0, 1, 1) // the one not used for longest made room
	use(1)
	use(0)
	open(1, 1, 0)

	again := instances[0].inst // the same instance under a new token, as after a restart
	again.Token = wire.NewToken()
	w.write(again)
	assertNotRunning(t, call(t, c, again.ProjectRoot), again.ProjectRoot)
	open(0, 1, 0)
	c.Close()
	open(0, 0, 0)
}

// An instance may close a connection it kept in the moment a call is sent on
// it. Nothing reports whether that call was run, so only one that changes
// nothing is sent again.
func TestOnlyACallThatChangesNothingIsRepeatedOnAStaleConnection(t *testing.T) {
	tests := []struct {
		tool, want string
		calls      int64
	}{
		{"get-tables", "get-tables", 3},
		{"mssql_schema_designer", `{"success":false,"reason":"internal_error","message":"The connection to the project's instance broke`, 2},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			w.early = true
			var calls atomic.Int64
			f := w.start(root, echo)
			serve := f.current()
			f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, wire.ToolsPath) && calls.Add(1) == 2 {
					_, _ = io.Copy(io.Discard, r.Body)
					conn, _, err := rw.(http.Hijacker).Hijack()
					if assert.NoError(t, err) {
						conn.Close()
					}
					return
				}
				serve.ServeHTTP(rw, r)
			}))
			c := w.client(nil)
			require.False(t, callTool(t, c, tt.tool, arguments(t, root)).IsError)
			result := callTool(t, c, tt.tool, arguments(t, root))
			assert.Contains(t, result.Content[0], tt.want)
			if tt.calls == 2 {
				assert.False(t, callTool(t, c, tt.tool, arguments(t, root)).IsError, "the next call is fine again")
				tt.calls++
			}
			assert.Equal(t, tt.calls, calls.Load())
		})
	}
}
