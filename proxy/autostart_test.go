package proxy_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
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
	near := "Running projects above or below that path: " + app + ". To use one, pass it as projectRoot."
	own := "The client works in a project that runs: pass projectRoot " + app
	tests := []struct {
		name, root string
		roots      func(context.Context) []string
		want       string
	}{
		{"a directory inside of it", inside, nil, near},
		{"a directory above it", above, nil, near},
		{"a neighbour whose name begins alike", apart, nil, ""},
		{"a project whose entry is stale", filepath.Join(w.dir, "projects", "dead"), nil, ""},
		{"the client works in it", apart, roots(app), own},
		{"the client works inside of it", apart, roots(inside, apart), own},
		{"the client works somewhere else", apart, roots(apart), ""},
		{"the client's roots are nonsense", apart, roots("", "x", "/none"), ""},
		{"the client does not say in time", apart, func(ctx context.Context) []string { <-ctx.Done(); return []string{app} }, ""},
	}
	c := w.client(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			line, err := c.Call(t.Context(), "get-tables", arguments(t, tt.root), proxy.CallOptions{Roots: tt.roots})
			assert.NoError(t, err)
			assert.Less(t, time.Since(start), 400*time.Millisecond)
			assertNotRunning(t, line.Result, tt.root)
			want := "Start it with: berth serve " + tt.root
			if tt.want != "" {
				want += "\n" + tt.want
			}
			assert.Equal(t, want, line.Result.Content[1])
		})
	}
	line, err := c.Call(t.Context(), "get-tables", nil, proxy.CallOptions{Roots: roots(app)})
	assert.NoError(t, err)
	assert.Equal(t, own, line.Result.Content[1], "also where projectRoot is missing")
}
