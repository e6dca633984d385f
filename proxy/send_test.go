package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An instance says with its proof whether it takes calls without HTTP. An
// answer is the same either way.
func TestACallIsTheSameOverHTTP(t *testing.T) {
	for _, early := range []bool{false, true} {
		w := newWorld(t)
		w.early = early
		root := w.project("a")
		f := w.start(root, func(_ context.Context, tool string, req wire.Request, reply *wire.LineWriter) {
			_ = reply.Write(wire.Line{Progress: &wire.Progress{Progress: 1, Total: 2, Message: "half"}})
			_ = reply.Write(wire.Line{Result: &wire.Result{Content: []string{tool, string(req.Arguments), req.RequestState}}})
		})
		var posts atomic.Int64
		serve := f.current()
		f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, wire.ToolsPath) {
				posts.Add(1)
			}
			serve.ServeHTTP(rw, r)
		}))
		c := w.client(nil)
		args := json.RawMessage(strings.Replace(string(arguments(t, root, `,"query":"line\nbreak <&> é"`)), ",", ",\n", 1))
		for range 3 {
			var heard []wire.Progress
			line, err := c.Call(t.Context(), "run-query", args, proxy.CallOptions{RequestState: "sealed",
				Progress: func(p wire.Progress) { heard = append(heard, p) }})
			require.NoError(t, err)
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, args))
			assert.Equal(t, []string{"run-query", compact.String(), "sealed"}, line.Result.Content)
			assert.Equal(t, []wire.Progress{{Progress: 1, Total: 2, Message: "half"}}, heard)
		}
		want := int64(0)
		if early {
			want = 3
		}
		assert.Equal(t, want, posts.Load())
		assert.Equal(t, int64(1), f.conns.Load(), "one connection carried all of them")
	}
}

// Nothing reports whether a call ran whose connection broke before the answer,
// so only one that changes nothing is sent again.
func TestACallWhoseConnectionBrokeIsRepeatedOnlyIfItChangesNothing(t *testing.T) {
	for tool, want := range map[string]struct {
		text  string
		calls int64
	}{
		"get-tables":            {"get-tables", 4},
		"mssql_schema_designer": {`{"success":false,"reason":"internal_error","message":"The connection to the project's instance broke`, 3},
	} {
		w := newWorld(t)
		root := w.project("a")
		var calls atomic.Int64
		var f *fake
		f = w.start(root, func(ctx context.Context, tool string, req wire.Request, reply *wire.LineWriter) {
			if calls.Add(1) == 2 {
				f.drop()
				return
			}
			echo(ctx, tool, req, reply)
		})
		c := w.client(nil)
		require.False(t, callTool(t, c, tool, arguments(t, root)).IsError)
		assert.Contains(t, callTool(t, c, tool, arguments(t, root)).Content[0], want.text)
		assert.False(t, callTool(t, c, tool, arguments(t, root)).IsError, "the next call is fine again")
		assert.Equal(t, want.calls, calls.Load(), tool)
	}
}

// A refusal comes as a line: the same error as a status and a body.
func TestARefusalWithoutHTTP(t *testing.T) {
	refuse := func(code wire.Code) toolFunc {
		return func(_ context.Context, _ string, _ wire.Request, reply *wire.LineWriter) {
			_ = reply.Write(wire.Line{Failure: &wire.Failure{Error: string(code), Message: "the cause"}})
		}
	}
	w := newWorld(t)
	busy, ending, odd := w.project("busy"), w.project("ending"), w.project("odd")
	w.start(busy, refuse(wire.CodeOverloaded))
	w.start(ending, refuse(wire.CodeShuttingDown))
	w.start(odd, refuse(wire.CodeInternal))
	c := w.client(nil)
	assert.Contains(t, call(t, c, busy).Content[1], "too many calls at once. Nothing was done")
	assertNotRunning(t, call(t, c, ending), ending)
	assert.Contains(t, call(t, c, odd).Content[1], "answered 500 (internal): the cause")
}

// An instance that ends closes connections that were kept: a request that only
// reads is sent once more, on another one.
func TestARequestWhoseConnectionBrokeIsRepeatedOnlyIfItReads(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	var breaks, seen atomic.Int64
	serve := f.current()
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == wire.HealthPath {
			serve.ServeHTTP(rw, r)
			return
		}
		seen.Add(1)
		if breaks.Add(-1) >= 0 {
			panic(http.ErrAbortHandler)
		}
		_, _ = rw.Write([]byte(`"` + r.Header.Get(wire.ShownPortHeader) + `"`))
	}))
	client := w.client(nil)
	bySend := func(method string) error {
		r := proxy.Request{Method: method, Path: "/designs", Header: http.Header{wire.ShownPortHeader: {"1"}}, ShownPort: 40123}
		resp, err := client.Here().Send(t.Context(), root, r)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, `"40123"`, string(text), "and not what the sender's header says")
		return nil
	}
	byDo := func(method string) error {
		var text string
		return client.Do(t.Context(), root, method, "/designs", nil, &text)
	}
	for name, send := range map[string]func(method string) error{"Send": bySend, "Do": byDo} {
		for _, c := range []struct {
			method      string
			breaks, all int64
			fails       bool
		}{{"GET", 0, 1, false}, {"GET", 1, 2, false}, {"GET", 2, 2, true}, {"POST", 1, 1, true}} {
			breaks.Store(c.breaks)
			seen.Store(0)
			err := send(c.method)
			assert.Equal(t, c.all, seen.Load(), "%s %v", name, c)
			if c.fails {
				require.ErrorIs(t, err, proxy.ErrUnanswered, "%s %v", name, c)
			} else {
				require.NoError(t, err, "%s %v", name, c)
			}
		}
	}
}

// A lease on an instance that is killed meanwhile is no other failure than that.
func TestALeaseWhoseConnectionBreaksIsUnanswered(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	serve := f.current()
	f.replace(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case wire.EventsPath:
			panic(http.ErrAbortHandler)
		case "/designs":
			_, _ = rw.Write([]byte(`{"seq":1}`))
		default:
			serve.ServeHTTP(rw, r)
		}
	}))
	_, err := w.client(nil).Hold(t.Context(), root, "a window")
	require.ErrorIs(t, err, proxy.ErrUnanswered)
}
