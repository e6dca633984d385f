package approval

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/tools"
)

// Limits on filed plans.
const (
	maxOpen    = 32 // that wait for a person, or for their yes to be used
	maxSettled = 32 // that are kept for the list after that
)

// State is where a filed plan stands.
type State string

// The states. Only pending ones can be decided.
const (
	Pending  State = "pending"
	Approved State = "approved" // and not used yet
	Rejected State = "rejected"
	Used     State = "used"    // a call came for it, whether it fitted or not
	Expired  State = "expired" // nobody decided, or nobody came
)

// Entry is a filed plan as it is listed. What it says of the client is the
// client's own claim.
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
}

type entry struct {
	Entry
	bound binding
}

// ErrUnknown: no plan is filed under that id; it expired long ago, or the
// instance was started again.
var ErrUnknown = errors.New("no plan waits under that id: it expired, or berth was restarted; the list has what waits now")

// NotOpenError: the plan cannot be decided.
type NotOpenError struct{ Why string }

func (e *NotOpenError) Error() string { return e.Why }

// List returns the filed plans, oldest first: those that are open, and the
// last ones that are not any more.
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

// Pending counts the plans that nobody has decided yet.
func (l *Ledger) Pending() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	return l.countLocked(Pending)
}

// Settle writes down what a person decided: only their page and their
// terminal may call it. The error is [ErrUnknown] or a [*NotOpenError].
func (l *Ledger) Settle(id string, approve bool) (Entry, error) {
	e, err := l.settle(id, approve)
	if err == nil {
		l.changed()
	}
	return e, err
}

func (l *Ledger) settle(id string, approve bool) (Entry, error) {
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
	case approve:
		e.State, e.Expires = Approved, l.now().Add(l.life)
	default:
		e.State = Rejected
	}
	return e.Entry, nil
}

// file puts a plan on the list, or finds it there.
func (l *Ledger) file(call tools.Call, p Plan, s shown, b binding) Decision {
	l.mu.Lock()
	d, fresh := l.fileLocked(call, p, s, b)
	l.mu.Unlock()
	if fresh {
		l.changed()
	}
	return d
}

func (l *Ledger) fileLocked(call tools.Call, p Plan, s shown, b binding) (d Decision, fresh bool) {
	l.expireLocked()
	for _, e := range l.entries {
		if e.State == Pending && e.bound.changed(b) == nil {
			return Decision{PlanID: e.ID, Expires: e.Expires}, false
		}
	}
	if l.countLocked(Pending, Approved) >= maxOpen {
		return Decision{Denied: fmt.Sprintf("approval_required: a person has to allow this, and %d plans wait for one already, which is the limit; "+
			"nothing was changed. Have them decide first, on the page or with berth approvals", maxOpen)}, false
	}
	if p.Format == "" {
		p.Format = FormatText
	}
	now := l.now()
	e := &entry{bound: b, Entry: Entry{
		ID: newID(), Kind: p.Kind, Title: s.title, Detail: s.detail, Format: p.Format, Cut: s.cut,
		Client: clientOf(call.Client), Created: now, Expires: now.Add(l.life), State: Pending,
	}}
	l.entries = append(l.entries, e)
	return Decision{PlanID: e.ID, Expires: e.Expires}, true
}

// redeem uses the yes under id, if it is one to what b binds. An approved
// plan is used up by it, also where it does not fit.
func (l *Ledger) redeem(id string, b binding) Decision {
	l.mu.Lock()
	d, used := l.redeemLocked(id, b)
	l.mu.Unlock()
	if used {
		l.changed()
	}
	return d
}

func (l *Ledger) redeemLocked(id string, b binding) (d Decision, used bool) {
	l.expireLocked()
	e := l.findLocked(id)
	if e == nil {
		return Decision{Denied: "no plan waits under this id: it expired, berth was restarted, or the id is not one; nothing was changed. " +
			"Call again without a plan id to have a person asked anew"}, false
	}
	differs := e.bound.changed(b)
	switch e.State {
	case Pending:
		if differs != nil {
			return Decision{Denied: fmt.Sprintf("plan %s is not for this call: %v; nothing was changed", e.ID, differs)}, false
		}
		return Decision{PlanID: e.ID, Expires: e.Expires}, false
	case Approved:
		e.State = Used
		if differs != nil {
			return Decision{Denied: fmt.Sprintf("plan %s was approved, but %v; nothing was changed. Call again without a plan id to have a person asked anew", e.ID, differs)}, true
		}
		return Decision{Allowed: true}, true
	case Rejected:
		return Decision{Denied: "a person rejected this; nothing was changed. Do not repeat it without being asked to"}, false
	default:
		return Decision{Denied: fmt.Sprintf("plan %s is %s; this call changed nothing. Call again without a plan id to have a person asked anew", e.ID, e.State)}, false
	}
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

// expireLocked moves plans on whose time is over, and forgets the oldest of
// those that are over.
func (l *Ledger) expireLocked() {
	now := l.now()
	for _, e := range l.entries {
		if (e.State == Pending || e.State == Approved) && now.After(e.Expires) {
			e.State = Expired
		}
	}
	excess := l.countLocked(Rejected, Used, Expired) - maxSettled
	l.entries = slices.DeleteFunc(l.entries, func(e *entry) bool {
		over := e.State != Pending && e.State != Approved
		if over && excess > 0 {
			excess--
			return true
		}
		return false
	})
}

// newID is short enough to be typed. It is no secret: it opens nothing
// without a person's yes.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

// clientOf is what a client calls itself.
func clientOf(c tools.Client) string {
	return clip(line(c.Name+" "+c.Version), maxClient)
}
