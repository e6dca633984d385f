package cli

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/instance"
)

// eventSource gives the designer's events, and notices between them, to the
// instance's event streams, as JSON, and knows how many listen.
type eventSource struct {
	manager   *session.Manager
	notices   *notices
	listening atomic.Int32
}

func (s *eventSource) listeners() int { return int(s.listening.Load()) }

// Subscribe implements instance.EventSource. The goroutine that translates
// ends, and is waited for, in cancel.
func (s *eventSource) Subscribe(after uint64) (<-chan instance.Event, func()) {
	notes, unsubscribe := s.notices.subscribe()
	events, stop := s.manager.Subscribe(after)
	s.listening.Add(1)
	out := make(chan instance.Event)
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(out)
		for {
			e, ok := next(events, notes, ended)
			if !ok {
				return // the reader comes back, and resumes
			}
			select {
			case out <- e:
			case <-ended:
				return
			}
		}
	})
	return out, sync.OnceFunc(func() {
		s.listening.Add(-1)
		close(ended)
		stop()
		unsubscribe()
		all.Wait()
	})
}

// next is the next event or notice; not ok when there is none to come.
func next(events <-chan session.Event, notes <-chan json.RawMessage, ended <-chan struct{}) (instance.Event, bool) {
	select {
	case e, ok := <-events:
		if !ok {
			return instance.Event{}, false
		}
		data, err := json.Marshal(e)
		return instance.Event{Seq: e.Seq, Data: data}, err == nil
	case data, ok := <-notes:
		return instance.Event{Data: data}, ok
	case <-ended:
		return instance.Event{}, false
	}
}
