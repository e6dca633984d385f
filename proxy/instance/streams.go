package instance

import (
	"context"
	"sync"
)

// streams are the requests that have no end of their own: event streams and
// MCP's standing ones. They hold no call, so the end cuts them off without
// waiting; and revoking a page key cuts off the streams it opened.
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

// add opens a stream for the holder of key. Its context ends with ctx, with
// the instance and with the key; done must be called. ok is false when too
// many are open.
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

// revoke ends the streams that key opened.
func (s *streams) revoke(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.open {
		if st.key == key {
			st.cut()
		}
	}
}
