package instance

import (
	"context"
	"sync"
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
	key string // page key; empty: the token
	cut context.CancelFunc
}

func newStreams(limit int) *streams {
	ctx, end := context.WithCancel(context.Background())
	return &streams{ctx: ctx, end: end, max: limit, open: map[*stream]struct{}{}}
}

// add registers a stream for the holder of key. The returned context is
// canceled with ctx, by shutdown and when the key is revoked. The caller must
// call done. ok is false if too many streams are open.
func (s *streams) add(ctx context.Context, key string) (inside context.Context, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= s.max {
		return nil, nil, false
	}
	inside, cut := context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, cut)
	st := &stream{key: key, cut: cut}
	s.open[st] = struct{}{}
	return inside, func() {
		stop()
		cut()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, st)
	}, true
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
