package proxy_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Calls continue while the real instance is stopped and started again and again.
// Each is answered or told that nothing runs; none is told anything else, or
// waits for ever, and the first after a start succeeds.
func TestCallsWhileTheInstanceRestarts(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	c := w.client(nil)
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				text := strings.Join(call(t, c, root).Content, "\n")
				assert.True(t, text == `["orders","people"]` || strings.HasPrefix(text, wire.TextNotRunning), "%s", text)
			}
		})
	}
	for range 10 {
		end := runReal(w, root)
		require.Eventually(t, func() bool { return !call(t, c, root).IsError }, time.Minute, time.Millisecond)
		for range 50 { // long enough that no call meets two ends
			require.False(t, call(t, c, root).IsError)
		}
		end()
	}
	close(stop)
	callers.Wait()
}

// A successor takes over through the authenticated route that berth serve
// uses.
func TestHandoverThroughDo(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	c := w.client(nil)
	end := runReal(w, root)
	defer end()
	require.Eventually(t, func() bool { return !call(t, c, root).IsError }, time.Minute, time.Millisecond)
	require.NoError(t, c.Do(t.Context(), root, "POST", "/handover", nil, nil))
	assertNotRunning(t, call(t, c, root), root)
	require.ErrorIs(t, c.Do(t.Context(), root, "POST", "/handover", nil, nil), proxy.ErrNotRunning)
	again := runReal(w, root)
	defer again()
	require.Eventually(t, func() bool { return !call(t, c, root).IsError }, time.Minute, time.Millisecond)
}

// runReal starts a real instance; end stops it and waits.
func runReal(w *world, root string) (end func()) {
	w.t.Helper()
	claim, err := w.store.Claim(context.Background(), root)
	require.NoError(w.t, err)
	_, err = wire.EnsurePersonKey(w.home.PersonKeyFile())
	require.NoError(w.t, err)
	server, err := instance.New(instance.Config{
		Root: root, Version: "test", Listener: claim.Listener, InstanceFile: w.home.InstanceFile(claim.Port),
		Tools: toolset{}, DrainTimeout: time.Minute, PersonKeyFile: w.home.PersonKeyFile(),
	})
	require.NoError(w.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := server.Serve(ctx)
		assert.NoError(w.t, err)
	}()
	return func() { cancel(); <-done }
}
