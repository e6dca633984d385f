package approval

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools"
)

// What every client is known to show whole of a form's message. Clients cut
// longer ones to their first lines, and a person who presses on has then said
// yes to what they did not see (Claude Code 2.1.329: three lines of more than
// six).
const (
	formLines   = 5
	formColumns = 80 // bytes; a longer line counts as several
	tabWidth    = 8
)

// MaxQuestion bounds a question that berth's own page or command line puts,
// in bytes. They show all of it.
const MaxQuestion = 8 << 10

// fits reports whether the client shows the question whole. What a client
// calls itself decides nothing else: one that lies asks its own user.
func (s shown) fits(c tools.Client) bool {
	if c.Name == "berth" || strings.HasPrefix(c.Name, "berth ") { // the command line and the page
		return len(s.question) <= MaxQuestion
	}
	lines := 0
	for line := range strings.Lines(s.question) {
		width := len(line) + (tabWidth-1)*strings.Count(line, "\t")
		lines += 1 + max(0, width-1)/formColumns
	}
	return s.whole && lines <= formLines
}

// question is the key of the one input request.
const question = "confirm"

// choice is the one field of the form. It is required and has no default, so
// that a yes is chosen: clients accept a form without fields at one press.
// enum with enumNames is the form of an enumeration that every version of the
// protocol knows.
const choice = "decision"

// The choices, in the words of POST /approvals.
const (
	choiceApprove = "approve"
	choiceReject  = "reject"
)

const form = `{"type":"object","properties":{"` + choice + `":{"type":"string","title":"Your decision",` +
	`"enum":["` + choiceApprove + `","` + choiceReject + `"],"enumNames":["Approve: do it now, once","Reject: change nothing"]}},"required":["` + choice + `"]}`

// ask returns the question, to be answered with a choice.
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
		Message: message, RequestedSchema: jsontext.Value(form)}}})
	if err != nil {
		return Decision{}, fmt.Errorf("write the question: %w", err)
	}
	return Decision{Ask: &tools.Ask{Requests: requests, State: state}}, nil
}

// answered is what an answer comes to: approval or rejection where the person
// chose one, and else in words why it is neither. The state is spent by being
// opened, whatever the answer.
func (l *Ledger) answered(call tools.Call, b binding) (chosen, why string) {
	if !call.Client.Elicitation {
		return "", "An answer counts only from a client that can ask a person, and this one cannot"
	}
	if err := l.seals.open(call.State, b); err != nil {
		return "", "The answer cannot be used: " + err.Error()
	}
	var answers map[string]struct {
		Action  string                    `json:"action"`
		Content map[string]jsontext.Value `json:"content"`
	}
	if len(call.Answers) > 0 && jsonv2.Unmarshal(call.Answers, &answers) != nil {
		return "", "The answer cannot be read"
	}
	a := answers[question]
	switch a.Action {
	case "accept":
		var word string
		if jsonv2.Unmarshal(a.Content[choice], &word) == nil && (word == choiceApprove || word == choiceReject) {
			return word, ""
		}
		return "", "To the question the client answered accept without a choice"
	case "decline", "cancel", "error":
		return "", "To the question the client answered " + a.Action
	}
	return "", "The client did not answer the question"
}
