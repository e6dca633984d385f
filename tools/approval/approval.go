// Package approval has a person allow a call before anything is done. One
// [Ledger] serves all tools of an instance: file edits, statements that
// write, publishing, and the designer's confirmations.
//
//	call ─▶ handler ─Decide─▶ Ledger
//	                            ├─ the client can ask ──▶ Ask ─▶ person ─▶ same call, answer and state
//	                            └─ it cannot, or did not get a choice ──▶ filed, Refused ─▶ page, berth approvals ─▶ same call, plan id
//
// It knows nothing of files, databases or HTTP: a tool describes what it
// would do as a [Plan], and does it only where the [Decision] says Allowed.
//
// Start from [New] and [Ledger.Decide]. Invariants: nothing is allowed
// without a person's yes to exactly what they were shown, chosen by them; a
// yes is good once, for ten minutes, in this process; when in doubt, refuse;
// what is refused reads the same from every tool.
package approval

import (
	"sync"
	"time"

	"github.com/berth-dev/berth/tools"
)

// Life is how long a person has to decide, and then how long the yes is good
// for.
const Life = 10 * time.Minute

// Kind says what a plan changes.
type Kind string

// The kinds.
const (
	KindFile    Kind = "file"    // a file of the project
	KindQuery   Kind = "query"   // a statement that writes to a database
	KindPublish Kind = "publish" // a design's way into its database
	KindDesign  Kind = "design"  // edits of a design
)

// Format says how Detail is written, so that a page can colour it.
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
	Detail string // what is changed, whole; shown to the person
	Format Format // of Detail; "": text
	// Question is what a client's form says beneath Title in place of Detail,
	// for a tool that has shorter words. The substance stands first: clients
	// show the first lines. Partial: it leaves something out, so that only
	// berth's own page and command line, which show Detail, ask it.
	Question string
	Partial  bool
	About    About
	// Bound is everything that a yes is good for: the arguments, but for the
	// plan's id, the resolved effect and what it presumes. See [Arguments].
	Bound []byte
	ID    string // the call's plan id; "": none
	// Argument is the name under which the tool takes the plan's id.
	Argument string
}

// Decision is what becomes of a call. Unless Allowed nothing may be done;
// exactly one of Allowed, Ask and Refused is set.
type Decision struct {
	Allowed bool       // a person said yes to exactly this: do it now, once
	Ask     *tools.Ask // to be put to the person by the client
	Refused *Refusal   // what the caller is told
}

// Options of a [Ledger]. The zero value is good.
type Options struct {
	URL     string           // of the page where a person decides; "": none is named
	Project func() string    // names the project in questions; nil: they name none
	Life    time.Duration    // shortens [Life]; 0 or longer: Life
	Changed func()           // the list of waiting plans changed; nil: nobody is told
	Now     func() time.Time // nil: time.Now
}

// Ledger decides, and keeps the plans that wait for a person. It is safe for
// concurrent use. What it knows ends with the process: a restart forgets
// every question and every yes that was not used.
type Ledger struct {
	url     string
	project func() string
	life    time.Duration
	changed func()
	now     func() time.Time
	seals   *sealer

	mu      sync.Mutex
	entries []*entry // oldest first
}

// New returns an empty ledger with a key of its own.
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
	if o.Life <= 0 || o.Life > Life {
		o.Life = Life
	}
	seals, err := newSealer(o.Now, o.Life)
	if err != nil {
		return nil, err
	}
	return &Ledger{url: o.URL, project: o.Project, life: o.Life, changed: o.Changed, now: o.Now, seals: seals}, nil
}

// Decide says what becomes of a call that would do p. In this order: a state
// that came with the call is opened, and its answer counts where the person
// chose; a plan id is looked up and used; a client that can ask, and shows the
// question whole, is given it; else the plan is filed. The error is a plan
// that cannot be written down; nothing may be done then either.
func (l *Ledger) Decide(call tools.Call, p Plan) (Decision, error) {
	shown := present(p, l.project())
	b, err := bind(call, p, shown)
	if err != nil {
		return Decision{}, err
	}
	switch {
	case call.State != "":
		switch chosen, why := l.answered(call, b); chosen {
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
		return l.ask(b, shown.question)
	}
}
