package instance

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheRoutesAreSortedAndTheirPathsPlain(t *testing.T) {
	s := &Server{mcp: &mcpEndpoint{}}
	s.cfg.Rest, s.cfg.Events, s.cfg.Keys = struct{ Database }{}, struct{ EventSource }{}, struct{ KeyStore }{}
	routes := s.routeTable()
	require.Len(t, routes, 20)
	for i, rt := range routes {
		assert.True(t, plainPath(rt.path), rt)
		assert.LessOrEqual(t, strings.Count(rt.path, "{"), 1, "%s: request.param holds one", rt)
		if i > 0 {
			before := routes[i-1]
			assert.Negative(t, strings.Compare(before.path+" "+before.method, rt.path+" "+rt.method), "%s after %s", rt, before)
		}
	}
}

func TestIdleness(t *testing.T) {
	const after = time.Minute
	var times atomic.Int32
	newIdle := func(after time.Duration) *idleTimer {
		times.Store(0)
		return &idleTimer{after: after, then: func() { times.Add(1) }}
	}
	expired := func(*idleTimer) bool { return times.Load() == 1 }
	t.Run("comes after a full silence", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newIdle(after)
			i.start()
			time.Sleep(after - time.Nanosecond)
			synctest.Wait()
			assert.False(t, expired(i))
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			assert.True(t, expired(i))
		})
	})
	t.Run("is put off by use for as long as it lasts", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newIdle(after)
			i.start()
			one, other := i.use(), i.use()
			one()
			time.Sleep(3 * after)
			synctest.Wait()
			assert.False(t, expired(i))
			other()
			time.Sleep(after)
			synctest.Wait()
			assert.True(t, expired(i))
		})
	})
	t.Run("never comes without a limit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newIdle(0)
			i.start()
			i.use()()
			time.Sleep(1000 * after)
			synctest.Wait()
			assert.False(t, expired(i))
		})
	})
	t.Run("does not come after the end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newIdle(after)
			i.start()
			done := i.use()
			i.stop()
			done()
			time.Sleep(2 * after)
			synctest.Wait()
			assert.False(t, expired(i))
		})
	})
}

func TestTheGate(t *testing.T) {
	const limit = 4 * time.Second
	t.Run("waits for who is inside and lets nobody else in", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			ctx, leave, err := g.enter(t.Context())
			require.NoError(t, err)
			go func() {
				time.Sleep(time.Second)
				assert.NoError(t, ctx.Err(), "there is patience at first")
				_, _, err := g.enter(t.Context())
				assert.ErrorIs(t, err, errShuttingDown)
				leave()
				leave() // once is enough
			}()
			start := time.Now()
			require.NoError(t, g.drain(limit))
			assert.Equal(t, time.Second, time.Since(start))
			require.NoError(t, g.drain(limit), "a second drain finds it empty")
		})
	})
	t.Run("cuts off who takes too long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			ctx, leave, err := g.enter(t.Context())
			require.NoError(t, err)
			go func() {
				<-ctx.Done()
				assert.Equal(t, errShuttingDown, context.Cause(ctx))
				leave()
			}()
			require.NoError(t, g.drain(limit))
		})
	})
	t.Run("gives up on who does not end, and opens again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			_, leave, err := g.enter(t.Context())
			require.NoError(t, err)
			require.ErrorContains(t, g.drain(limit), "1 calls did not end within 4s")
			g.open()
			ctx, again, err := g.enter(t.Context())
			require.NoError(t, err)
			assert.NoError(t, ctx.Err())
			leave()
			again()
			require.NoError(t, g.drain(limit))
		})
	})
}

func FuzzMatchPath(f *testing.F) {
	for _, path := range []string{"/tables/a%2Fb/schema", "/tables/../schema", "/tables//schema", "/tools/x", "/", "//", "/%", "/tables/%zz/schema", "/tables/a/schema/"} {
		f.Add(path)
	}
	patterns := []string{"/tables/{table}/schema", "/tools/{name}", "/tables"}
	f.Fuzz(func(t *testing.T, path string) {
		if !plainPath(path) {
			return
		}
		for _, pattern := range patterns {
			param, ok := matchPath(pattern, path)
			if !ok {
				continue
			}
			got, err := url.PathUnescape(path)
			require.NoError(t, err)
			before, after, _ := strings.Cut(pattern, "{")
			if _, rest, found := strings.Cut(after, "}"); found {
				assert.Equal(t, before+param+rest, got)
			} else {
				assert.Equal(t, pattern, got)
			}
		}
	})
}
