package proxy_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
)

func TestAutostartStartsAProjectOnce(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	var starts atomic.Int64
	c := w.client(func(o *proxy.Options) {
		o.Autostart = func(_ context.Context, got string) error {
			starts.Add(1)
			assert.Equal(t, root, got)
			go w.start(root, say("started")) // returns before it is ready
			return nil
		}
	})
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() { assert.Equal(t, []string{"started"}, call(t, c, root).Content) })
	}
	calls.Wait()
	assert.EqualValues(t, 1, starts.Load())
}

func TestAutostartReplacesAnInstanceThatCrashed(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, echo).crash()
	c := w.client(func(o *proxy.Options) {
		o.Autostart = func(context.Context, string) error {
			w.start(root, say("started"))
			return nil
		}
	})
	assert.Equal(t, []string{"started"}, call(t, c, root).Content)
}

func TestAutostartThatFailsIsTold(t *testing.T) {
	tests := []struct {
		name  string
		start func(context.Context, string) error
		want  string
	}{
		{"cannot start", func(context.Context, string) error { return errors.New("no such program") }, "It could not be started: no such program."},
		{"never gets ready", func(context.Context, string) error { return nil }, "It could not be started: not ready after 50ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			c := w.client(func(o *proxy.Options) {
				o.Autostart, o.AutostartTimeout = tt.start, 50*time.Millisecond
			})
			result := call(t, c, root)
			assertNotRunning(t, result, root)
			assert.Contains(t, result.Content[1], tt.want)
		})
	}
}

func TestHintNamesTheRunningProjectThatWasMeant(t *testing.T) {
	w := newWorld(t)
	app := w.project("app")
	inside, above, apart := w.project("app/sub/deep"), filepath.Dir(app), w.project("app2")
	w.start(app, echo)
	w.start(w.project("dead/x"), echo).crash()
	roots := func(paths ...string) func(context.Context) []string {
		return func(context.Context) []string { return paths }
	}
	lies := "That path lies in the running project " + app + ": pass that as projectRoot."
	runs := "One project runs; to use it, pass it as projectRoot: " + app
	own := "The client works in a project that runs: pass projectRoot " + app
	tests := []struct {
		name, root string
		roots      func(context.Context) []string
		want       string
	}{
		{"a directory inside of it", inside, nil, lies},
		{"a directory above it", above, nil, runs},
		{"a neighbour whose name begins alike", apart, nil, runs},
		{"the client works in it", apart, roots(app), own},
		{"the client works inside of it", apart, roots(inside, apart), own},
		{"the client works somewhere else", apart, roots(apart), runs},
		{"the client's roots are nonsense", apart, roots("", "x", "/none"), runs},
		{"the client does not say in time", apart, func(ctx context.Context) []string { <-ctx.Done(); return []string{app} }, runs},
		{"a project that crashed, whatever the client works in", filepath.Join(w.dir, "projects", "dead", "x"), roots(app), ""},
	}
	c, brief := w.client(nil), w.client(nil)
	proxy.AskRootsBriefly(brief)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := c
			if strings.Contains(tt.name, "does not say in time") {
				c = brief
			}
			line, err := c.Call(t.Context(), "get-tables", arguments(t, tt.root), proxy.CallOptions{Roots: tt.roots})
			assert.NoError(t, err)
			assert.True(t, line.Result.IsError)
			assert.Len(t, line.Result.Content, 2)
			assert.Equal(t, wire.TextNotRunning+tt.root, line.Result.Content[0])
			want := tt.want
			switch want {
			case "":
				want = "Start it with: berth serve " + tt.root
			case lies:
			default:
				want += "\nIf that folder is the project that is meant, start it with: berth serve " + tt.root
			}
			assert.Equal(t, want, line.Result.Content[1])
		})
	}
	line, err := c.Call(t.Context(), "get-tables", nil, proxy.CallOptions{Roots: roots(app)})
	assert.NoError(t, err)
	assert.Equal(t, own, line.Result.Content[1], "also where projectRoot is missing")
}
