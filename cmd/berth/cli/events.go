package cli

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/instance"
)

// eventSource gives the designer's events to the instance's event streams,
// as JSON, and knows how many listen.
type eventSource struct {
	manager   *session.Manager
	listening atomic.Int32
}

func (s *eventSource) listeners() int { return int(s.listening.Load()) }

// Subscribe implements instance.EventSource. The goroutine that translates
// ends, and is waited for, in cancel.
func (s *eventSource) Subscribe(after uint64) (<-chan instance.Event, func()) {
	events, stop := s.manager.Subscribe(after)
	s.listening.Add(1)
	out := make(chan instance.Event)
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(out)
		for e := range events {
			data, err := json.Marshal(e)
			if err != nil {
				return // the reader comes back, and resumes
			}
			select {
			case out <- instance.Event{Seq: e.Seq, Data: data}:
			case <-ended:
				return
			}
		}
	})
	return out, sync.OnceFunc(func() {
		s.listening.Add(-1)
		close(ended)
		stop()
		all.Wait()
	})
}
