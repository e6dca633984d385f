package approval

import (
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/berth-dev/berth/tools"
)

// Reason is the reason why a call was not allowed, as agents see it.
type Reason string

// The reasons. A refusal does not mean that the call is wrong: it waits for a
// person or was rejected by one.
const (
	ApprovalRequired Reason = "approval_required" // not approved yet
	Declined         Reason = "declined"          // a person rejected it
)

// Refusal is the reply of every tool, with isError set, to a call that was not
// allowed. Tools with more details embed it.
type Refusal struct {
	Success bool   `json:"success"` // false
	Reason  Reason `json:"reason"`
	Message string `json:"message"` // what happened and what to do next
	FiledPlan
}

// FiledPlan names a plan that waits for a person. It is zero in a refusal that
// filed none.
type FiledPlan struct {
	PlanID string `json:"planId,omitzero"`
	// PlanArgument is the argument that takes PlanID when the call is repeated.
	PlanArgument string    `json:"planArgument,omitzero"`
	URL          string    `json:"url,omitzero"` // of the page where a person decides
	ExpiresAt    time.Time `json:"expiresAt,omitzero"`
}

// Reply returns the refusal as a tool's reply.
func (r *Refusal) Reply() tools.Reply { return Reply(r) }

func (r Refusal) reason() Reason { return r.Reason }

// Reply encodes a refusal, or a struct that embeds one, as a tool's reply.
func Reply(v any) tools.Reply {
	text, err := jsonv2.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // cannot happen with our own types; tools.Set recovers
	}
	reply := tools.Reply{Content: []string{string(text)}, IsError: true}
	if r, ok := v.(interface{ reason() Reason }); ok {
		reply.Reason = string(r.reason())
	}
	return reply
}

// dateTime is a time for an agent, which may be in another zone or ask tomorrow.
const dateTime = "2006-01-02 15:04:05 -07:00"

// required refuses a call for which no plan is filed.
func required(format string, args ...any) Decision {
	return Decision{Refused: &Refusal{Reason: ApprovalRequired, Message: fmt.Sprintf(format, args...)}}
}

// declined refuses a call that a person rejected.
func declined(who string) Decision {
	return Decision{Refused: &Refusal{Reason: Declined, Message: who + "; nothing was changed. Do not repeat it without being asked to"}}
}

// waiting refuses a call whose plan waits for a person. The message says what
// waits, where to decide and how to repeat the call. why, if not empty, says
// why the plan was filed.
func (l *Ledger) waiting(e *entry, argument, why string) Decision {
	where := "with berth approvals at a terminal in the project"
	if l.url != "" {
		where = "on the page " + l.url + " or " + where
	}
	if why != "" {
		why += ". "
	}
	until := e.Expires.Local().Truncate(time.Second)
	return Decision{Refused: &Refusal{Reason: ApprovalRequired,
		Message: fmt.Sprintf("%sA person must approve this; nothing was changed. It waits for them as plan %s until %s, %s. "+
			"After they approve it, repeat this call with %s: %q", why, e.ID, until.Format(dateTime), where, argument, e.ID),
		FiledPlan: FiledPlan{PlanID: e.ID, PlanArgument: argument, URL: l.url, ExpiresAt: until}}}
}
