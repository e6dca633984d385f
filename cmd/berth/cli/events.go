package cli

import (
	"encoding/json"
	"sync"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/instance"
)

// eventSource gives the designer's events to the instance's event streams,
// as JSON.
type eventSource struct{ manager *session.Manager }

// Subscribe implements instance.EventSource. The goroutine that translates
// ends, and is waited for, in cancel.
func (s eventSource) Subscribe(after uint64) (<-chan instance.Event, func()) {
	events, stop := s.manager.Subscribe(after)
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
		close(ended)
		stop()
		all.Wait()
	})
}
