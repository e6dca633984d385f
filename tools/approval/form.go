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

// typed is the field for the name that a plan which loses data wants typed. It
// is not required: who rejects types nothing.
const typed = "database"

// NameMeta is the member of a question's _meta with the name to type, for
// berth's own page and command line, which compare it before they answer.
const NameMeta = "berth.dev/nameToType"

type elicitation struct {
	Mode            string            `json:"mode"`
	Message         string            `json:"message"`
	RequestedSchema schema            `json:"requestedSchema"`
	Meta            map[string]string `json:"_meta,omitempty"`
}

type schema struct {
	Type       string   `json:"type"`
	Properties fields   `json:"properties"`
	Required   []string `json:"required"`
}

// fields are the form's, in the order in which clients show them.
type fields struct {
	Decision field  `json:"decision"`           // choice
	Database *field `json:"database,omitempty"` // typed
}

type field struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	EnumNames   []string `json:"enumNames,omitempty"`
}

// formFor returns the form that asks message, with a field for name unless that
// is "".
func formFor(message, name string) elicitation {
	f := elicitation{Mode: "form", Message: message, RequestedSchema: schema{Type: "object", Required: []string{choice}, Properties: fields{
		Decision: field{Type: "string", Title: "Your decision", Enum: []string{choiceApprove, choiceReject},
			EnumNames: []string{"Approve: do it now, once", "Reject: change nothing"}},
	}}}
	if name != "" {
		f.RequestedSchema.Properties.Database = &field{Type: "string", Title: "Data is lost: type the database's name",
			Description: "To approve, type " + name}
		f.Meta = map[string]string{NameMeta: name}
	}
	return f
}

// ask returns the Decision that asks the person to choose.
func (l *Ledger) ask(b binding, message, name string) (Decision, error) {
	state, err := l.seals.seal(b)
	if err != nil {
		return Decision{}, err
	}
	type request struct {
		Method string      `json:"method"`
		Params elicitation `json:"params"`
	}
	requests, err := json.Marshal(map[string]request{question: {Method: "elicitation/create", Params: formFor(message, name)}})
	if err != nil {
		return Decision{}, fmt.Errorf("write the question: %w", err)
	}
	return Decision{Ask: &tools.Ask{Requests: requests, State: state}}, nil
}

// answered evaluates an answer: it returns the person's choice, or a message
// why there is none. Opening the state uses it up, whatever the answer. An
// approval counts only with the name, unless that is "".
func (l *Ledger) answered(call tools.Call, b binding, name string) (chosen, why string) {
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
		return chosenIn(a.Content, name)
	case "decline", "cancel", "error":
		return "", "To the question the client answered " + a.Action
	}
	return "", "The client did not answer the question"
}

// chosenIn returns the choice of a form that was accepted.
func chosenIn(content map[string]jsontext.Value, name string) (chosen, why string) {
	var word, given string
	switch err := jsonv2.Unmarshal(content[choice], &word); {
	case err != nil, word != choiceApprove && word != choiceReject:
		return "", "To the question the client answered accept without a choice"
	case word == choiceReject || name == "":
		return word, ""
	case jsonv2.Unmarshal(content[typed], &given) != nil || !Typed(name, given):
		return "", "To the question the client answered approve without the database's name, which is typed where data is lost"
	}
	return word, ""
}
