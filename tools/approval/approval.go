// Package approval asks a person to approve a call before it is executed. One
// [Ledger] serves all tools of an instance: file edits, statements that write,
// publishing, and the designer's confirmations.
//
//	call ─▶ handler ─Decide─▶ Ledger
//	                            ├─ the client can ask ──▶ Ask ─▶ person ─▶ same call, answer and state
//	                            └─ it cannot, or did not get a choice ──▶ filed, Refused ─▶ page, berth approvals ─▶ same call, plan id
//
// It knows nothing about files, databases or HTTP: a tool describes what it
// would do as a [Plan], and does it only if the [Decision] is Allowed.
//
// Start with [New] and [Ledger.Decide]. Invariants: nothing is allowed unless a
// person explicitly approved exactly what they were shown; an approval is valid
// once, for ten minutes, in this process; when in doubt, refuse; refusals have
// the same form from every tool.
package approval

import (
	"sync"
	"time"

	"github.com/berth-dev/berth/tools"
)

// MaxLifetime is how long a person has to decide, and then how long the approval is
// valid.
const MaxLifetime = 10 * time.Minute

// Kind is the kind of thing that a plan changes.
type Kind string

// The kinds.
const (
	KindFile    Kind = "file"    // a file of the project
	KindQuery   Kind = "query"   // a statement that writes to a database
	KindPublish Kind = "publish" // publishing a design to its database
	KindDesign  Kind = "design"  // edits of a design
)

// Format is the format of Detail, for syntax highlighting.
type Format = string

// The formats.
const (
	FormatDiff Format = "diff" // unified
	FormatSQL  Format = "sql"
	FormatText Format = "text"
)

// Plan is what a call would do once a person allows it.
type Plan struct {
	Kind   Kind
	Title  string // one line: `Edit src/a.go (+3 -1)`
	Detail string // the whole change; shown to the person
	Format Format // of Detail; "": text
	// Question replaces Detail in a client's form, for a tool with a shorter
	// text. It starts with the essential part, since clients show the first
	// lines. Partial means that it leaves something out, so that only berth's
	// own page and command line, which show Detail, may ask it.
	Question string
	Partial  bool
	About    About
	// LosesData means that rows or parts of values are gone afterwards. To
	// approve such a plan a person types the database's name, see [NameToType].
	LosesData bool
	// Bound identifies exactly what is approved: the arguments without the
	// plan's id, the resolved effect and its preconditions. See [Arguments].
	Bound []byte
	ID    string // the call's plan id; "": none
	// Argument is the name under which the tool takes the plan's id.
	Argument string
}

// Decision is the result of [Ledger.Decide]. Unless Allowed is set nothing may
// be done; exactly one of Allowed, Ask and Refused is set.
type Decision struct {
	Allowed bool       // a person approved exactly this: do it now, once
	Ask     *tools.Ask // to be put to the person by the client
	Refused *Refusal   // the answer for the caller
}

// Options configures a [Ledger]. The zero value is ready to use.
type Options struct {
	URL      string           // of the page where a person decides; "": not mentioned
	Project  func() string    // returns the project's name for questions; nil: no name
	Lifetime time.Duration    // shortens [MaxLifetime]; 0 or longer: that
	Changed  func()           // called when the list of waiting plans changed; may be nil
	Now      func() time.Time // nil: time.Now
}

// Ledger decides about calls and keeps the plans that wait for a person. It is
// safe for concurrent use. It keeps everything in memory: a restart discards
// all questions and unused approvals.
type Ledger struct {
	url      string
	project  func() string
	lifetime time.Duration
	changed  func()
	now      func() time.Time
	seals    *sealer

	mu      sync.Mutex
	entries []*entry // oldest first
}

// New returns an empty ledger with a new key.
func New(o Options) (*Ledger, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Project == nil {
		o.Project = func() string { return "" }
	}
	if o.Lifetime <= 0 || o.Lifetime > MaxLifetime {
		o.Lifetime = MaxLifetime
	}
	seals, err := newSealer(o.Now, o.Lifetime)
	if err != nil {
		return nil, err
	}
	return &Ledger{url: o.URL, project: o.Project, lifetime: o.Lifetime, changed: o.Changed, now: o.Now, seals: seals}, nil
}

// Decide decides about a call that would do p. If the call carries a state,
// Decide opens it and uses the person's answer, if they chose one. Otherwise,
// if the call carries a plan id, it looks the plan up and uses it. Otherwise it
// asks through the client, if that can show the whole question, and else files
// the plan. It returns an error if the plan cannot be encoded; nothing may be
// done then either.
func (l *Ledger) Decide(call tools.Call, p Plan) (Decision, error) {
	shown := present(p, l.project())
	b, err := bind(call, p, shown)
	if err != nil {
		return Decision{}, err
	}
	switch {
	case call.State != "":
		switch chosen, why := l.answered(call, b, NameToType(p)); chosen {
		case choiceApprove:
			return Decision{Allowed: true}, nil
		case choiceReject:
			return declined("to the question the client answered reject"), nil
		default:
			return l.file(call, p, shown, b, why), nil
		}
	case p.ID != "":
		return l.redeem(p, b), nil
	case !call.Client.Elicitation:
		return l.file(call, p, shown, b, ""), nil
	case !shown.fits(call.Client):
		return l.file(call, p, shown, b, "This is more than a client's form shows whole, so the client was not asked"), nil
	default:
		return l.ask(b, shown.question, NameToType(p))
	}
}
