package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/approval"
)

// A terminal asks a person. Questions go to stderr, so that stdout stays
// what a program can read.
type terminal struct {
	in  io.Reader
	out io.Writer
}

// present reports whether there is a person to ask.
func (t terminal) present() bool { return isTerminal(t.in) && isTerminal(t.out) }

// confirm asks a yes-or-no question; anything but a yes is a no.
func (t terminal) confirm(question string) bool {
	answer := strings.ToLower(t.ask(question + " [y/N] "))
	return answer == "y" || answer == "yes"
}

// maxAnswerBytes bounds a line that a person types.
const maxAnswerBytes = 4096

// ask reads one line. It takes no byte beyond it: the next question reads on.
func (t terminal) ask(question string) string { return strings.TrimSpace(t.askSecret(question)) }

// askSecret is ask that keeps the spaces which a password may begin or end with.
func (t terminal) askSecret(question string) string {
	fmt.Fprint(t.out, question)
	var line []byte
	for b := make([]byte, 1); len(line) < maxAnswerBytes; {
		n, err := t.in.Read(b)
		if n > 0 && b[0] == '\n' || err != nil {
			break
		}
		line = append(line, b[:n]...)
	}
	return strings.TrimSuffix(string(line), "\r")
}

// An inputRequest is one of MCP's input requests, as far as a terminal can
// answer it: a form of a choice between approve and reject and, where data is
// lost, a field for the database's name.
type inputRequest struct {
	Method string `json:"method"`
	Params struct {
		Message         string `json:"message"`
		RequestedSchema struct {
			Properties map[string]struct {
				Enum []string `json:"enum"`
			} `json:"properties"`
		} `json:"requestedSchema"`
		Meta map[string]string `json:"_meta"`
	} `json:"params"`
}

// nameToType is what a person types to approve; "": one press suffices.
func (r inputRequest) nameToType() string { return r.Params.Meta[approval.NameMeta] }

// An inputResponse answers one: accept with a choice, or decline.
type inputResponse struct {
	Action  string            `json:"action"`
	Content map[string]string `json:"content,omitempty"`
}

// The choices of a form, in the words of POST /approvals.
const (
	choiceApprove = "approve"
	choiceReject  = "reject"
)

// choose fills every field of the form: with one choice, and with the name that
// a person has typed. A form that does not offer the choice is declined.
func (r inputRequest) choose(choice string) inputResponse {
	content := map[string]string{}
	for name, property := range r.Params.RequestedSchema.Properties {
		if property.Enum == nil && r.nameToType() != "" {
			content[name] = r.nameToType()
			continue
		}
		if !slices.Contains(property.Enum, choice) {
			return inputResponse{Action: actionDecline}
		}
		content[name] = choice
	}
	if r.Method != "elicitation/create" || len(content) == 0 {
		return inputResponse{Action: actionDecline}
	}
	return inputResponse{Action: actionAccept, Content: content}
}

// inputResponses are MCP's, by the ids of the requests.
type inputResponses map[string]inputResponse

// declined reports whether the person said no to any of them.
func (r inputResponses) declined() bool {
	for _, one := range r {
		if one.Action != actionAccept || slices.Contains(slices.Collect(maps.Values(one.Content)), choiceReject) {
			return true
		}
	}
	return false
}

// What a person may do about a request, in MCP's words.
const (
	actionAccept  = "accept"
	actionDecline = "decline"
)

// answer puts MCP's input requests to the person. What a terminal cannot ask
// is declined.
func (t terminal) answer(requests json.RawMessage) (inputResponses, error) {
	return answerEach(requests, t.answerOne)
}

// answerEach answers every request of the instance, in the order of their ids.
func answerEach(requests json.RawMessage, answer func(inputRequest) inputResponse) (inputResponses, error) {
	var asked map[string]inputRequest
	if err := wire.Decode(requests, wire.MaxDepth, wire.MaxLineBytes, &asked); err != nil {
		return nil, fmt.Errorf("read what the instance asks: %w", err)
	}
	answers := inputResponses{}
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		answers[id] = answer(asked[id])
	}
	return answers, nil
}

func (t terminal) answerOne(r inputRequest) inputResponse {
	yes := r.choose(choiceApprove)
	if yes.Action == actionDecline || !t.present() {
		return inputResponse{Action: actionDecline}
	}
	for _, line := range strings.Split(r.Params.Message, "\n") {
		fmt.Fprintln(t.out, printable(line))
	}
	if !t.approves(r.nameToType()) {
		return r.choose(choiceReject)
	}
	return yes
}

// approves asks a person to approve what they were just shown: by a yes, or
// where data is lost by the name of the database.
func (t terminal) approves(name string) bool {
	if name == "" {
		return t.confirm("Approve?")
	}
	return approval.Typed(name, t.ask(printable("Data is lost. Type "+name+" to approve: ")))
}
