package presence

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits on the list.
const (
	maxEntries = 64 // of each kind
	pageLife   = 90 * time.Second
	agentLife  = 5 * time.Minute
)

// Pauses of what is said to those who listen: a change is said after at most
// sayPause, and that an agent goes on as before every quiet.
const (
	sayPause = time.Second
	quiet    = 10 * time.Second
)

// Options are what a board works with. The zero value is fine.
type Options struct {
	Self Self
	// Designs reads the names of tables; nil: no design is known.
	Designs Designs
	// Changed is called when the list has changed, at most once a second and never
	// during a call of the board. nil: nobody listens.
	Changed func()
	Now     func() time.Time // nil: time.Now
}

// Designs reads the project's designs.
type Designs func(connection, table string) (name string, known bool)

// place writes into e which design and table it is about, as far as they exist.
func (d Designs) place(e *Entry, connection, table string) {
	if d == nil || connection == "" {
		return
	}
	name, known := d(connection, table)
	if !known {
		return
	}
	e.Connection = connection
	if name != "" {
		e.Table = &Table{ID: table, Name: name}
	}
}

// Board is the list of who is here. It is safe for concurrent use.
type Board struct {
	opts Options
	self Self

	mu         sync.Mutex
	pages      map[string]*pageEntry
	agents     map[string]*agentEntry
	conns      map[string]int // open connections by an agent's id
	programs   map[string]*programEntry
	lastListed int
	said       time.Time   // when Changed was called last
	saying     *time.Timer // nil: nothing is to be said
	expiry     *time.Timer // nil: nothing expires
	expires    time.Time   // when expiry wakes
	closed     bool
}

// New returns an empty board.
func New(opts Options) *Board {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Changed == nil {
		opts.Changed = func() {}
	}
	return &Board{opts: opts, self: opts.Self.cleaned(), pages: map[string]*pageEntry{}, agents: map[string]*agentEntry{},
		conns: map[string]int{}, programs: map[string]*programEntry{}}
}

// Close stops the board. It is empty then and stays so.
func (b *Board) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	clear(b.pages)
	clear(b.agents)
	clear(b.programs)
	for _, t := range []*time.Timer{b.saying, b.expiry} {
		if t != nil {
			t.Stop()
		}
	}
}

// Self returns whose instance it is.
func (b *Board) Self() Self { return b.self }

// List returns who is here: pages, agents, programs, each kind oldest first.
func (b *Board) List() []Entry {
	list := b.entries()
	for i := range list {
		list[i].Person, list[i].Project = b.self.Person, b.self.Project
		list[i].Machine = cmp.Or(list[i].Machine, b.self.Machine)
	}
	return list
}

// entries copies what is here. Designs are read without the lock: they may be
// busy.
func (b *Board) entries() []Entry {
	b.mu.Lock()
	var makers []func(*Board) Entry
	b.dropExpiredLocked()
	for _, p := range b.pages {
		makers = append(makers, (&pageEntry{p.Page, p.since, p.heard}).entry)
	}
	for _, a := range b.agents {
		copied := *a
		makers = append(makers, copied.entry)
	}
	for _, p := range b.programs {
		makers = append(makers, p.entry)
	}
	b.mu.Unlock()
	list := make([]Entry, 0, len(makers))
	for _, entry := range makers {
		list = append(list, entry(b).aged(b.opts.Now()))
	}
	order := []Kind{KindPage, KindAgent, KindProgram}
	slices.SortFunc(list, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(slices.Index(order, x.Kind), slices.Index(order, y.Kind)), x.since.Compare(y.since), strings.Compare(x.ID, y.ID))
	})
	return list
}

// Touch says that the list has changed, for what is listed beside the board.
func (b *Board) Touch() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changedLocked()
}

// changedLocked has Changed called soon.
func (b *Board) changedLocked() {
	if b.closed || b.saying != nil {
		return
	}
	b.saying = time.AfterFunc(max(0, sayPause-b.opts.Now().Sub(b.said)), func() {
		b.mu.Lock()
		b.saying, b.said = nil, b.opts.Now()
		closed := b.closed
		b.mu.Unlock()
		if !closed {
			b.opts.Changed()
		}
	})
}

// expireByLocked wakes the board at a moment at the latest, when an entry may
// have expired. What is heard of meanwhile does not move that moment, so that a
// busy agent costs nothing here.
func (b *Board) expireByLocked(at time.Time) {
	switch {
	case b.closed || b.expiry != nil && !at.Before(b.expires):
		return
	case b.expiry != nil:
		b.expiry.Stop()
	}
	b.expires = at
	b.expiry = time.AfterFunc(max(sayPause, at.Sub(b.opts.Now())), b.expire)
}

// expire forgets what has expired, and wakes again for what is left.
func (b *Board) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expiry = nil
	b.dropExpiredLocked()
	for _, p := range b.pages {
		b.expireByLocked(p.heard.Add(pageLife))
	}
	for _, a := range b.agents {
		b.expireByLocked(a.heard.Add(agentLife))
	}
}

// dropExpiredLocked forgets what was not heard of for too long.
func (b *Board) dropExpiredLocked() {
	now := b.opts.Now()
	for key, p := range b.pages {
		if now.Sub(p.heard) >= pageLife {
			delete(b.pages, key)
			b.changedLocked()
		}
	}
	for key, a := range b.agents {
		if a.running > 0 {
			a.heard = now // its call runs: it is here
		} else if now.Sub(a.heard) >= agentLife {
			delete(b.agents, key)
			b.changedLocked()
		}
	}
}

// dropOldest makes room for one more in a full map: it forgets the entry that was
// heard of longest ago, of those that may go.
func dropOldest[E any](entries map[string]*E, of func(*E) (heard time.Time, mayGo bool)) {
	if len(entries) < maxEntries {
		return
	}
	oldest, at := "", time.Time{}
	for key, e := range entries {
		if heard, mayGo := of(e); mayGo && (oldest == "" || heard.Before(at)) {
			oldest, at = key, heard
		}
	}
	if oldest != "" {
		delete(entries, oldest)
	}
}

// listedID is the id in the list of what brings none of its own.
func listedID(kind Kind, n int) string { return string(kind) + "-" + strconv.Itoa(n) }
