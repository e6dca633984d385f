package serve

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

func newEventSource(m *session.Manager, n *notices) *eventSource {
	return &eventSource{manager: m, notices: n}
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
	order := eventSequence{events: events, notes: notes, ended: ended}
	var all sync.WaitGroup
	all.Go(func() {
		defer close(out)
		for {
			e, ok := order.next()
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

// eventSequence merges events and notices into one sequence in which no notice overtakes
// an event from before it, so that its reader knows what a notice is about.
type eventSequence struct {
	events <-chan session.Event
	notes  <-chan json.RawMessage
	ended  <-chan struct{}
	note   json.RawMessage // taken, and let past by the events before it; nil: none
}

// next returns the next event or notice; not ok when none will come.
func (l *eventSequence) next() (instance.Event, bool) {
	if l.note == nil {
		select {
		case e, ok := <-l.events:
			return event(e, ok)
		case data, ok := <-l.notes:
			if !ok {
				return instance.Event{}, false
			}
			l.note = data
		case <-l.ended:
			return instance.Event{}, false
		}
	}
	select {
	case e, ok := <-l.events: // it may have been here before the notice was
		return event(e, ok)
	default:
	}
	e := instance.Event{Data: l.note}
	l.note = nil
	return e, true
}

// event is one of the designer's; not ok where its channel was closed.
func event(e session.Event, ok bool) (instance.Event, bool) {
	if !ok {
		return instance.Event{}, false
	}
	data, err := json.Marshal(e)
	return instance.Event{Seq: e.Seq, Data: data}, err == nil
}
