package instance

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/berth-dev/berth/proxy/wire"
)

// streams holds the requests that do not end by themselves: event streams and
// MCP's long-lived ones. They run no call, so shutdown cuts them off without
// waiting. Revoking a page key cuts off the streams opened with it.
type streams struct {
	ctx context.Context
	end context.CancelFunc
	max int

	mu   sync.Mutex
	open map[*stream]struct{}
}

type stream struct {
	key   string     // page key; empty: the token
	lease wire.Lease // without a name: the stream is no lease
	cut   context.CancelFunc
}

func newStreams(limit int) *streams {
	ctx, end := context.WithCancel(context.Background())
	return &streams{ctx: ctx, end: end, max: limit, open: map[*stream]struct{}{}}
}

// add registers a stream. The returned context is canceled with ctx, by
// shutdown and when the page key of st is revoked. The caller must call done. ok
// is false if too many streams are open.
func (s *streams) add(ctx context.Context, st stream) (inside context.Context, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= s.max {
		return nil, nil, false
	}
	inside, st.cut = context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, st.cut)
	s.open[&st] = struct{}{}
	return inside, func() {
		stop()
		st.cut()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, &st)
	}, true
}

// holders returns the leases, oldest first, and how many streams pages have.
func (s *streams) holders() (leases []wire.Lease, pages int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.open {
		if st.lease.Name != "" {
			leases = append(leases, st.lease)
		}
		if st.key != "" {
			pages++
		}
	}
	slices.SortFunc(leases, func(a, b wire.Lease) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Name, b.Name))
	})
	return leases, pages
}

// revoke ends the streams opened with key.
func (s *streams) revoke(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.open {
		if st.key == key {
			st.cut()
		}
	}
}
