package serve

import (
	"encoding/json"
	"sync"
)

// noticeRoom is how many notices a reader may be behind.
const noticeRoom = 64

// notices passes on what open pages should know at once and nobody needs
// later: that a list changed, that a file was edited. They are not kept. A
// reader that is too far behind is cut off: it comes back and reads the lists
// again, which a gap would not make it do.
type notices struct {
	mu   sync.Mutex
	subs map[chan json.RawMessage]bool
}

func newNotices() *notices { return &notices{subs: map[chan json.RawMessage]bool{}} }

// Announce sends every open page v, an object with a type.
func (n *notices) Announce(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		return // our own types always encode
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for sub := range n.subs {
		select {
		case sub <- data:
		default:
			delete(n.subs, sub)
			close(sub)
		}
	}
}

// teamChanged announces that the part of a design in a team changed.
func (n *notices) teamChanged() { n.Announce(notice{"team"}) }

// subscribe returns the notices from now on, until cancel; the channel is
// closed for a reader that is too slow.
func (n *notices) subscribe() (from <-chan json.RawMessage, cancel func()) {
	sub := make(chan json.RawMessage, noticeRoom)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.subs[sub] = true
	return sub, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.subs, sub)
	}
}

// notice is one without more to say than its type.
type notice struct {
	Type string `json:"type"`
}

// noticeApprovals: the list of plans that wait for a person changed.
const noticeApprovals = "approvals"
