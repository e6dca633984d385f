package session

import (
	"sync"

	"github.com/berth-dev/berth/designer"
)

// EventType is the type of an [Event].
type EventType string

// The event types.
const (
	Committed EventType = "committed" // edits
	Undone    EventType = "undone"
	Redone    EventType = "redone"
	Shown     EventType = "shown" // opened or made active
	// PublishedDesign means that the design was published to its database, as
	// far as the database accepted it.
	PublishedDesign EventType = "published"
	Refreshed       EventType = "refreshed" // the database was read again and the design changed
	// Reset means that events were missed: read everything again.
	Reset EventType = "reset"
)

// Event is one change, sent to every open page after the commit: a reader that
// has seen it finds the design at that version or a later one.
type Event struct {
	Seq          uint64            `json:"seq"` // grows by one with each event, restarts included
	Type         EventType         `json:"type"`
	ConnectionID string            `json:"connectionId,omitempty"` // "" only for a reset
	Version      string            `json:"version,omitempty"`
	Origin       string            `json:"origin,omitempty"`
	Client       string            `json:"client,omitempty"` // the program that asked for it, as it calls itself
	Author       string            `json:"author,omitempty"` // who it is from, in a team
	BatchID      string            `json:"batchId,omitempty"`
	Changes      *designer.Changes `json:"changes,omitempty"` // nil: the tables did not change, or all may have
	// Previous is the version before. Tables and Dropped made of a design at
	// that version are the design at Version; both nil beside Changes: more
	// than 256 tables were touched.
	Previous string            `json:"previous,omitempty"`
	Tables   []*designer.Table `json:"tables,omitempty"` // as they are now
	Dropped  []designer.ID     `json:"dropped,omitempty"`
	// FileRevert is set if the design's file was imported and reverted edits.
	FileRevert *FileRevert `json:"tookBack,omitempty"`
	*Status
}

// Status is the state of a design after an event.
type Status struct {
	Sync      SyncState `json:"sync"`
	UndoSteps int       `json:"undoSteps"`
	RedoSteps int       `json:"redoSteps"`
}

// maxEventTables bounds the tables that an event carries.
const maxEventTables = 256

// carry adds to the event the tables changed by changes, as they are in s.
func (e *Event) carry(s *designer.Schema, changes []designer.Change) {
	ids := touched(changes)
	if len(ids) > maxEventTables {
		return
	}
	for _, id := range ids {
		if t := s.ByID(id); t != nil {
			e.Tables = append(e.Tables, t)
		} else {
			e.Dropped = append(e.Dropped, id)
		}
	}
}

const (
	// keptEvents is how far back a subscriber can resume.
	keptEvents = 1024
	// pendingEvents is how far a subscriber may fall behind before it gets a
	// reset in place of what it missed.
	pendingEvents = 256
)

// hub sends events to subscribers. It never blocks on one.
type hub struct {
	mu     sync.Mutex
	last   uint64  // number of the newest event
	ring   []Event // the newest ones, consecutive, at most keptEvents
	subs   map[chan Event]bool
	closed bool
}

func newHub(last uint64) *hub {
	return &hub{last: last, subs: make(map[chan Event]bool)}
}

// publish hands e to every subscriber. Numbers arrive without gaps.
func (h *hub) publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = e.Seq
	if len(h.ring) == keptEvents {
		h.ring = append(h.ring[:0], h.ring[1:]...)
	}
	h.ring = append(h.ring, e)
	for ch := range h.subs {
		select {
		case ch <- e:
		default:
			h.resetLocked(ch)
		}
	}
}

// resetLocked replaces the events a subscriber has not read with one reset.
// Nobody else sends, so the space stays free.
func (h *hub) resetLocked(ch chan Event) {
	for {
		select {
		case <-ch:
			continue
		default:
		}
		break
	}
	ch <- Event{Seq: h.last, Type: Reset}
}

// subscribe returns the events after the one numbered after. It begins with a
// reset if not all of them are kept or that number is in the future. The
// channel is closed by cancel, which may be called more than once, and by
// close.
func (h *hub) subscribe(after uint64) (<-chan Event, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	missed := h.last - after // wraps to a large number for the future
	resume := missed <= uint64(len(h.ring))
	ch := make(chan Event, pendingEvents+keptEvents)
	switch {
	case h.closed:
		close(ch)
		return ch, func() {}
	case !resume:
		ch <- Event{Seq: h.last, Type: Reset}
	default:
		for _, e := range h.ring[uint64(len(h.ring))-missed:] {
			ch <- e
		}
	}
	h.subs[ch] = true
	return ch, func() { h.cancel(ch) }
}

func (h *hub) cancel(ch chan Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs[ch] {
		delete(h.subs, ch)
		close(ch)
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for ch := range h.subs {
		delete(h.subs, ch)
		close(ch)
	}
}
