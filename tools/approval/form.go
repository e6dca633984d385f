package approval

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools"
)

// The size of a form's message that all known clients show in full. Clients cut
// longer ones to their first lines, and a person would then approve what they
// did not see (Claude Code 2.1.329 shows three lines of more than six).
const (
	formLines   = 5
	formColumns = 80 // bytes; a longer line counts as several
	tabWidth    = 8
)

// MaxQuestion bounds a question asked by berth's own page or command line, in
// bytes. They show all of it.
const MaxQuestion = 8 << 10

// fits reports whether the client shows the whole question. It trusts the
// client's name: a client that lies about it deceives only its own user.
func (s presentation) fits(c tools.Client) bool {
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
// that approving is an explicit choice: clients accept a form without fields
// with one key press. enum with enumNames is supported by every version of the
// protocol.
const choice = "decision"

// The choices, in the words of POST /approvals.
const (
	choiceApprove = "approve"
	choiceReject  = "reject"
)

const form = `{"type":"object","properties":{"` + choice + `":{"type":"string","title":"Your decision",` +
	`"enum":["` + choiceApprove + `","` + choiceReject + `"],"enumNames":["Approve: do it now, once","Reject: change nothing"]}},"required":["` + choice + `"]}`

// ask returns the Decision that asks the person to choose.
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

// answered evaluates an answer: it returns the person's choice, or a message
// why there is none. Opening the state uses it up, whatever the answer.
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
