package team

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/presence"
)

// Times of what instances say of themselves. One where nobody is says nothing;
// one where somebody is says so again every refresh, and is forgotten after
// memory.
const (
	refresh   = 50 * time.Second
	memory    = 2 * time.Minute
	maxOthers = 500
)

// crowd is who is at the instances of one shared design: at this one, of which
// the others are told, and at the others.
//
//	a page is opened ──▶ ask: all answer once, and know that changes are wanted here
//	somebody comes, goes, looks at another table ──▶ announce, if anybody wants it
//	every refresh, while somebody is here ──▶ announce, and forget who was silent
type crowd struct {
	k     *Keeper
	d     *session.Designer
	name  string // of the team's design
	since time.Time
	stop  func()         // answering
	send  sync.Mutex     // held while something is announced
	jobs  sync.WaitGroup // what asks and announces; begun with mu held, until ended

	mu       sync.Mutex
	others   map[string]other // by the run of their instance
	watching bool             // a page of the design is seen here
	told     string           // what was announced last, without times; "": that nobody is here
	toldAt   time.Time
	timer    *time.Timer // nil: nothing is due
	ended    bool
}

// other is another instance as it was last heard of.
type other struct {
	stream.Present
	here  []presence.Entry
	heard time.Time
}

// own returns what this instance says of itself: all of it, and who is here
// without times, as text.
func (c *crowd) own() (p stream.Present, text string, here int) {
	k := c.k
	p = stream.Present{Person: k.person, Machine: k.machine, Project: k.opts.Project, Pages: k.opts.Pages(), Since: c.since, Instance: k.instance}
	if shared := c.d.Shared(); shared != nil {
		p.Person, p.Seq = shared.Author, shared.Seq
	}
	if k.opts.Board == nil {
		return p, "", 0
	}
	list, watched := k.opts.Board.Shared(c.d.ID())
	p.Watching, p.Here = watched, presence.Encode(list)
	for i := range list {
		list[i].SinceMs, list[i].HeardMs = 0, 0
	}
	return p, string(presence.Encode(list)), len(list)
}

// update does what is due: ask, announce, forget, and wake again later.
func (c *crowd) update() {
	p, text, here := c.own()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.k.ctx.Err() != nil {
		return
	}
	now := time.Now()
	forgot := c.forgetLocked(now)
	asks := p.Watching && !c.watching
	c.watching = p.Watching
	wanted := c.wantedLocked()
	switch {
	case asks:
		c.toldLocked(text, now)
		c.jobs.Go(func() { c.ask(c.k.ctx); c.k.opts.Board.Touch() })
	case text == c.told && (here == 0 || now.Sub(c.toldAt) < refresh):
	case here == 0, wanted, p.Watching && now.Sub(c.toldAt) >= refresh:
		c.toldLocked(text, now)
		c.jobs.Go(c.announce)
	}
	if forgot {
		c.k.opts.Board.Touch()
	}
	c.wakeLocked(here > 0 && (wanted || p.Watching))
}

func (c *crowd) toldLocked(text string, now time.Time) { c.told, c.toldAt = text, now }

// wakeLocked has update called again after a refresh, while there is a reason to.
func (c *crowd) wakeLocked(reason bool) {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if reason {
		c.timer = time.AfterFunc(refresh, c.update)
	}
}

// wantedLocked reports whether another instance wants to hear of changes.
func (c *crowd) wantedLocked() bool {
	for _, o := range c.others {
		if o.Watching && time.Since(o.heard) < memory {
			return true
		}
	}
	return false
}

// forgetLocked forgets instances that were silent for too long.
func (c *crowd) forgetLocked(now time.Time) (forgot bool) {
	for id, o := range c.others {
		if now.Sub(o.heard) >= memory {
			delete(c.others, id)
			forgot = true
		}
	}
	return forgot
}

// announce says to the others how it is here now.
func (c *crowd) announce() {
	c.send.Lock()
	defer c.send.Unlock()
	c.k.mu.Lock()
	t := c.k.team
	c.k.mu.Unlock()
	if t == nil {
		return
	}
	p, _, _ := c.own()
	if err := t.Announce(c.name, p); err != nil { // the next refresh says it
		c.k.opts.Logger.Debug("team is not told who is here", "cause", err)
	}
}

// ask asks the others who is at them.
func (c *crowd) ask(ctx context.Context) {
	if shared := c.d.Shared(); shared == nil || !shared.Connected {
		return
	}
	t, err := c.k.dial(ctx)
	if err != nil {
		return
	}
	p, _, _ := c.own()
	list, err := t.Who(ctx, c.name, &p)
	if err != nil {
		c.k.opts.Logger.Debug("team is not asked who is there", "cause", err)
	}
	for _, p := range list {
		c.take(p)
	}
}

// heard takes what another instance says of itself.
func (c *crowd) heard(p stream.Present) {
	if changed, wants := c.take(p); changed || wants {
		c.update()
		if changed {
			c.k.opts.Board.Touch()
		}
	}
}

// take keeps what another instance says of itself. It reports whether that
// differs from what was known of it, and whether it has begun to want changes.
func (c *crowd) take(p stream.Present) (changed, wants bool) {
	if p.Instance == "" || len(p.Instance) > 64 || p.Instance == c.k.instance || c.k.opts.Board == nil {
		return false, false
	}
	here, err := presence.Decode(p.Here)
	if err != nil {
		c.k.opts.Logger.Debug("what a member says of itself cannot be read", "cause", err)
		return false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	was, known := c.others[p.Instance]
	wants = p.Watching && (!known || !was.Watching)
	if len(here) == 0 && !p.Watching {
		delete(c.others, p.Instance)
		return known && len(was.here) > 0, false
	}
	if !known && len(c.others) >= maxOthers {
		return false, false
	}
	c.others[p.Instance] = other{Present: p, here: here, heard: time.Now()}
	return string(was.Here) != string(p.Here), wants
}

// entries lists who is at the others, by person, machine and project, so that the
// order stays as it is.
func (c *crowd) entries() (list []presence.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.others {
		if time.Since(o.heard) >= memory {
			continue
		}
		of := presence.Self{Person: o.Person, Machine: o.Machine, Project: o.Project}
		for _, e := range o.here {
			list = append(list, e.Place(c.k.opts.Designs, of, c.name, c.d.ID(), time.Since(o.heard)))
		}
	}
	slices.SortFunc(list, func(x, y presence.Entry) int {
		return cmp.Or(strings.Compare(x.Person, y.Person), strings.Compare(x.Machine, y.Machine), strings.Compare(x.Project, y.Project),
			-strings.Compare(string(x.Kind), string(y.Kind)), strings.Compare(x.ID, y.ID))
	})
	return list
}

// end says that nobody is here any longer, if the others were told that somebody
// is.
func (c *crowd) end() {
	c.stop()
	c.mu.Lock()
	told := c.told
	c.ended = true
	c.wakeLocked(false)
	c.mu.Unlock()
	c.jobs.Wait()
	c.k.mu.Lock()
	t := c.k.team
	c.k.mu.Unlock()
	if told == "" || t == nil {
		return
	}
	p, _, _ := c.own()
	p.Watching, p.Here = false, json.RawMessage(nil)
	c.send.Lock()
	defer c.send.Unlock()
	if err := t.Announce(c.name, p); err != nil {
		c.k.opts.Logger.Debug("team is not told that nobody is here", "cause", err)
	}
}
