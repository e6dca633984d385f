// Package approval has a person allow a call before anything is done. One
// [Ledger] serves all tools of an instance: file edits, statements that
// write, publishing, and the designer's confirmations.
//
//	call ─▶ handler ─Decide─▶ Ledger
//	                            ├─ the client can ask ──▶ Ask ─▶ person ─▶ same call, answer and state
//	                            └─ it cannot ──▶ filed, PlanID ─▶ page, berth approvals ─▶ same call, plan id
//
// It knows nothing of files, databases or HTTP: a tool describes what it
// would do as a [Plan], and does it only where the [Decision] says Allowed.
//
// Start from [New] and [Ledger.Decide]. Invariants: nothing is allowed
// without a person's yes to exactly what they were shown; a yes is good once,
// for ten minutes, in this process; whatever is unclear is a no.
package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	// Question is what a client's form says in place of Title and Detail, for
	// a tool that has shorter words. "": both, where they fit [MaxQuestion].
	Question string
	// Bound is everything that a yes is good for: the arguments, but for the
	// plan's id, the resolved effect and what it presumes. See [Arguments].
	Bound []byte
	ID    string // the call's plan id; "": none
}

// Decision is what becomes of a call. Unless Allowed nothing may be done;
// exactly one of Allowed, Ask, PlanID and Denied is set.
type Decision struct {
	Allowed bool       // a person said yes to exactly this: do it now, once
	Ask     *tools.Ask // to be put to the person by the client
	PlanID  string     // waits for a person at the page or berth approvals
	Expires time.Time  // of PlanID
	Denied  string     // why not, in words for the caller
}

// Options of a [Ledger]. The zero value is good.
type Options struct {
	URL     string           // of the page where a person decides; "": none is named
	Life    time.Duration    // shortens [Life]; 0 or longer: Life
	Changed func()           // the list of waiting plans changed; nil: nobody is told
	Now     func() time.Time // nil: time.Now
}

// Ledger decides, and keeps the plans that wait for a person. It is safe for
// concurrent use. What it knows ends with the process: a restart forgets
// every question and every yes that was not used.
type Ledger struct {
	url     string
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
	if o.Life <= 0 || o.Life > Life {
		o.Life = Life
	}
	seals, err := newSealer(o.Now, o.Life)
	if err != nil {
		return nil, err
	}
	return &Ledger{url: o.URL, life: o.Life, changed: o.Changed, now: o.Now, seals: seals}, nil
}

// Decide says what becomes of a call that would do p. In this order: a state
// that came with the call is opened and its answer counts; a plan id is
// looked up and used; a client that can ask is given the question; else the
// plan is filed. The error is a plan that cannot be written down; nothing may
// be done then either.
func (l *Ledger) Decide(call tools.Call, p Plan) (Decision, error) {
	shown := present(p)
	b, err := bind(call, p, shown)
	if err != nil {
		return Decision{}, err
	}
	switch {
	case call.State != "":
		if err := l.answered(call, b); err != nil {
			return Decision{Denied: err.Error()}, nil
		}
		return Decision{Allowed: true}, nil
	case p.ID != "":
		return l.redeem(p.ID, b), nil
	case call.Client.Elicitation && shown.question != "":
		return l.ask(b, shown.question)
	default:
		return l.file(call, p, shown, b), nil
	}
}

// question is the key of the one input request.
const question = "confirm"

// ask returns the question, to be answered with yes or no.
func (l *Ledger) ask(b binding, message string) (Decision, error) {
	state, err := l.seals.seal(b)
	if err != nil {
		return Decision{}, err
	}
	type params struct {
		Mode            string         `json:"mode"`
		Message         string         `json:"message"`
		RequestedSchema jsontext.Value `json:"requestedSchema"`
	}
	type request struct {
		Method string `json:"method"`
		Params params `json:"params"`
	}
	requests, err := json.Marshal(map[string]request{question: {Method: "elicitation/create", Params: params{Mode: "form",
		Message: message, RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)}}})
	if err != nil {
		return Decision{}, fmt.Errorf("write the question: %w", err)
	}
	return Decision{Ask: &tools.Ask{Requests: requests, State: state}}, nil
}

// answered tells whether a repeated call carries a person's yes to what b
// binds. The error says in words why it does not. The state is spent by being
// opened, whatever the answer.
func (l *Ledger) answered(call tools.Call, b binding) error {
	if !call.Client.Elicitation {
		return errors.New("an answer counts only from a client that can ask a person, and this one cannot; nothing was changed. Call again without an answer")
	}
	if err := l.seals.open(call.State, b); err != nil {
		return fmt.Errorf("the answer cannot be used: %w; this call changed nothing. Call again to ask anew", err)
	}
	var answers map[string]struct {
		Action string `json:"action"`
	}
	if len(call.Answers) > 0 && jsonv2.Unmarshal(call.Answers, &answers) != nil {
		return errors.New("the answer cannot be read; nothing was changed. Call again to ask anew")
	}
	switch answers[question].Action {
	case "accept":
		return nil
	case "decline":
		return errors.New("a person declined this; nothing was changed. Do not repeat it without being asked to")
	default:
		return errors.New("the question was not answered; nothing was changed. Ask the person before calling again")
	}
}

// Waiting words a Decision with a PlanID for the caller: what waits, where a
// person decides, and the next call. argument is the name under which the
// tool takes the plan's id.
func (l *Ledger) Waiting(d Decision, argument string) string {
	where := "with berth approvals at a terminal in the project"
	if l.url != "" {
		where = "on the page " + l.url + " or " + where
	}
	return fmt.Sprintf("approval_required: a person has to allow this; nothing was changed. It waits for them as plan %s until %s, %s. "+
		"Once they approved it, repeat this call with %s: %q", d.PlanID, d.Expires.Local().Format("15:04:05"), where, argument, d.PlanID)
}
