// Package approval has a person allow a call, through the client that made it:
// the handler does nothing and returns a question (MCP input requests), the
// client puts it to the person and repeats the call with the answer. It keeps
// no list of what was approved and knows nothing of what is asked.
//
//	call ─▶ handler ─Ask─▶ client ─▶ person
//	         ▲                          │
//	         └─Check◀─ same call, answer and state ◀┘
//
// Start from [New]. Invariants: an answer is good for exactly what was asked
// about, by this process, once, for ten minutes.
package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools"
)

// Asker asks, and checks answers. It is safe for concurrent use.
type Asker struct{ seals *sealer }

// New returns an asker. now is nil for time.Now.
func New(now func() time.Time) (*Asker, error) {
	if now == nil {
		now = time.Now
	}
	seals, err := newSealer(now)
	if err != nil {
		return nil, err
	}
	return &Asker{seals}, nil
}

// question is the key of the one input request.
const question = "confirm"

// Ask returns the question message, to be answered with yes or no. bound is
// everything that the answer is to be good for.
func (a *Asker) Ask(bound []byte, message string) (*tools.Ask, error) {
	state, err := a.seals.seal(bound)
	if err != nil {
		return nil, err
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
		return nil, fmt.Errorf("write the question: %w", err)
	}
	return &tools.Ask{Requests: requests, State: state}, nil
}

// Check tells whether a repeated call, whose State is not empty, carries a
// person's yes to bound. The error says in words why it does not.
func (a *Asker) Check(call tools.Call, bound []byte) error {
	if err := a.seals.open(call.State, bound); err != nil {
		return fmt.Errorf("the answer cannot be used: %w; call again to ask anew", err)
	}
	var answers map[string]struct {
		Action string `json:"action"`
	}
	if len(call.Answers) > 0 && jsonv2.Unmarshal(call.Answers, &answers) != nil {
		return errors.New("the answer cannot be read; call again to ask anew")
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
