package approval

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/visible"
)

// Limits on filed plans.
const (
	maxWaiting = 32 // that wait for a person
	maxOfOne   = 8  // of them, by one front-end
	maxSettled = 32 // that are kept for the list after that
)

// State is the state of a filed plan.
type State string

// The states. Only pending ones can be decided.
const (
	Pending  State = "pending"
	Approved State = "approved" // but not used yet
	Rejected State = "rejected"
	Used     State = "used"    // a call used it, whether it matched or not
	Expired  State = "expired" // nobody decided in time, or no call used it
	// Evicted means that newer plans pushed it out before anyone decided.
	Evicted State = "displaced"
)

// Entry is a filed plan as listed. The client's name is the client's own claim.
type Entry struct {
	ID      string    `json:"id"`
	Kind    Kind      `json:"kind"`
	Title   string    `json:"title"`
	Detail  string    `json:"detail"`
	Format  Format    `json:"format"`
	Cut     bool      `json:"cut"` // Detail is not all of it: it cannot be approved
	Client  string    `json:"client"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	State   State     `json:"state"`
	// NameToType is what a person types to approve it; "": one press suffices.
	NameToType string `json:"nameToType,omitempty"`
	About
}

type entry struct {
	Entry
	bound binding
	about About // with the texts
}

// ErrUnknown means that no plan has that id: it expired long ago, or the
// instance was restarted.
var ErrUnknown = errors.New("no plan waits under that id: it expired, or berth was restarted; the list has what waits now")

// NotOpenError reports that the plan cannot be decided.
type NotOpenError struct{ Why string }

func (e *NotOpenError) Error() string { return e.Why }

// List returns the filed plans, oldest first: the open ones and those settled
// last.
func (l *Ledger) List() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	list := make([]Entry, 0, len(l.entries))
	for _, e := range l.entries {
		list = append(list, e.Entry)
	}
	return list
}

// Find returns a filed plan with the texts of its files, which [Ledger.List]
// leaves out. The error is [ErrUnknown].
func (l *Ledger) Find(id string) (Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	e := l.findLocked(id)
	if e == nil {
		return Entry{}, ErrUnknown
	}
	whole := e.Entry
	whole.About = e.about
	return whole, nil
}

// Pending returns the number of plans that nobody has decided yet.
func (l *Ledger) Pending() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	return l.countLocked(Pending)
}

// Settle records a person's decision. Only the page, the editor and the terminal
// of that person may call it. typed is what they typed to approve it, if it has
// a NameToType. The error is [ErrUnknown], a [*NotOpenError] or a
// [*NotTypedError].
func (l *Ledger) Settle(id string, approve bool, typed string) (Entry, error) {
	e, err := l.settle(id, approve, typed)
	if err == nil {
		l.changed()
	}
	return e, err
}

func (l *Ledger) settle(id string, approve bool, typed string) (Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	e := l.findLocked(id)
	switch {
	case e == nil:
		return Entry{}, ErrUnknown
	case e.State != Pending:
		return e.Entry, &NotOpenError{fmt.Sprintf("plan %s is %s and cannot be decided any more", e.ID, e.State)}
	case approve && e.Cut:
		return e.Entry, &NotOpenError{fmt.Sprintf("plan %s is longer than what is shown of it (%d bytes), so it cannot be approved here; have it made in smaller parts", e.ID, MaxDetail)}
	case approve && e.NameToType != "" && !Typed(e.NameToType, typed):
		return e.Entry, &NotTypedError{e.NameToType}
	case approve:
		e.State, e.Expires = Approved, l.now().Add(l.lifetime)
	default:
		e.end(Rejected)
	}
	return e.Entry, nil
}

// Record adds a plan that a person has just made themselves, so that the list
// shows it among what was approved and used. client is whose work it concerns,
// as in [Entry].
func (l *Ledger) Record(client string, p Plan) Entry {
	l.mu.Lock()
	now, shown := l.now(), present(p, l.project())
	e := &entry{Entry: Entry{ID: newID(), Kind: p.Kind, Title: shown.title, Detail: shown.detail, Format: p.Format, Cut: shown.cut,
		Client: client, Created: now, Expires: now, State: Used, About: p.About.short()}}
	e.about = e.About
	l.entries = append(l.entries, e)
	l.expireLocked()
	l.mu.Unlock()
	l.changed()
	return e.Entry
}

// file adds a plan to the list unless it is already there. why is part of the
// message for the caller.
func (l *Ledger) file(call tools.Call, p Plan, s presentation, b binding, why string) Decision {
	l.mu.Lock()
	e, fresh := l.fileLocked(call, p, s, b)
	d := l.waiting(e, p.Argument, why)
	l.mu.Unlock()
	if fresh {
		l.changed()
	}
	return d
}

func (l *Ledger) fileLocked(call tools.Call, p Plan, s presentation, b binding) (e *entry, fresh bool) {
	l.expireLocked()
	for _, e := range l.entries {
		if e.State == Pending && e.bound.changed(b) == nil {
			return e, false
		}
	}
	l.makeRoomLocked(b.Client)
	if p.Format == "" {
		p.Format = FormatText
	}
	now := l.now()
	if s.cut {
		p.About.Statements = nil // it cannot be approved, and this keeps the list small
	}
	e = &entry{bound: b, about: p.About.Bounded(), Entry: Entry{
		ID: newID(), Kind: p.Kind, Title: s.title, Detail: s.detail, Format: p.Format, Cut: s.cut,
		Client: ClientOf(call.Client), Created: now, Expires: now.Add(l.lifetime), State: Pending, NameToType: NameToType(p), About: p.About.short(),
	}}
	l.entries = append(l.entries, e)
	return e, true
}

// makeRoomLocked displaces the oldest waiting plan of a front-end that has
// reached its limit or, if the whole queue is full, of the front-end with the
// most plans. So no front-end can block the queue for others.
func (l *Ledger) makeRoomLocked(client digest) {
	byClient := map[digest]int{}
	for _, e := range l.entries {
		if e.State == Pending {
			byClient[e.bound.Client]++
		}
	}
	switch {
	case byClient[client] >= maxOfOne:
		l.evictLocked(func(e *entry) bool { return e.bound.Client == client })
	case l.countLocked(Pending) >= maxWaiting:
		most := slices.Max(slices.Collect(maps.Values(byClient)))
		l.evictLocked(func(e *entry) bool { return byClient[e.bound.Client] == most })
	}
}

// evictLocked evicts the oldest waiting plan for which is returns true.
func (l *Ledger) evictLocked(is func(e *entry) bool) {
	for _, e := range l.entries {
		if e.State == Pending && is(e) {
			e.end(Evicted)
			return
		}
	}
}

// end moves a plan to a final state and drops its texts.
func (e *entry) end(s State) { e.State, e.about = s, e.About }

// redeem uses the approval with the id p.ID if it matches b. An approved plan
// is used up even if it does not match.
func (l *Ledger) redeem(p Plan, b binding) Decision {
	l.mu.Lock()
	d, used := l.redeemLocked(p, b)
	l.mu.Unlock()
	if used {
		l.changed()
	}
	return d
}

func (l *Ledger) redeemLocked(p Plan, b binding) (d Decision, used bool) {
	l.expireLocked()
	e := l.findLocked(p.ID)
	if e == nil {
		return required("no plan waits under this id: it expired, berth was restarted, or the id is not one; nothing was changed. %s", again(p)), false
	}
	differs := e.bound.changed(b)
	switch {
	case e.State == Pending && differs != nil:
		return required("plan %s is not for this call: %v; nothing was changed. %s", e.ID, differs, again(p)), false
	case e.State == Pending:
		return l.waiting(e, p.Argument, ""), false
	case e.State == Rejected:
		return declined("a person rejected this"), false
	case e.State == Approved:
		e.end(Used)
		if differs != nil {
			return required("plan %s was approved, but %v; nothing was changed. %s", e.ID, differs, again(p)), true
		}
		return Decision{Allowed: true}, true
	default:
		state := string(e.State)
		if e.State == Evicted {
			state += " by newer plans, before anyone decided it"
		}
		return required("plan %s is %s; this call changed nothing. %s", e.ID, state, again(p)), false
	}
}

// again returns the sentence that says how to repeat a call whose plan is not
// valid.
func again(p Plan) string {
	return "Call again without " + p.Argument + " to have a person asked again"
}

func (l *Ledger) findLocked(id string) *entry {
	for _, e := range l.entries {
		if e.ID == id {
			return e
		}
	}
	return nil
}

func (l *Ledger) countLocked(states ...State) int {
	n := 0
	for _, e := range l.entries {
		if slices.Contains(states, e.State) {
			n++
		}
	}
	return n
}

// expireLocked expires plans whose time is over and removes the oldest settled
// ones.
func (l *Ledger) expireLocked() {
	now := l.now()
	for _, e := range l.entries {
		if (e.State == Pending || e.State == Approved) && now.After(e.Expires) {
			e.end(Expired)
		}
	}
	excess := l.countLocked(Rejected, Used, Expired, Evicted) - maxSettled
	l.entries = slices.DeleteFunc(l.entries, func(e *entry) bool {
		over := e.State != Pending && e.State != Approved
		if over && excess > 0 {
			excess--
			return true
		}
		return false
	})
}

// newID returns an id that is short enough to be typed. It is not secret: it is
// useless without a person's approval.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

// ClientOf returns a client's name for itself, in one bounded line.
func ClientOf(c tools.Client) string {
	return clip.Prefix(visible.Line(c.Name+" "+c.Version), maxClient)
}
