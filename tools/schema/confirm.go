package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
)

// maxAsked bounds the edits a question lists.
const maxAsked = 20

// question is the key of our one input request.
const question = "confirm"

// needsConfirming applies the setting to a batch.
func (t *Tool) needsConfirming(edits []designer.Edit) bool {
	switch t.opts.Confirm {
	case ConfirmAlways:
		return true
	case ConfirmDestructive:
		for _, e := range edits {
			if destructive(e) {
				return true
			}
		}
	}
	return false
}

// destructive tells whether an edit takes something away, or changes a type
// so that published data may be lost.
func destructive(e designer.Edit) bool {
	switch e.Op {
	case designer.DropTable, designer.DropColumn, designer.DropForeignKey, designer.DropIndex, designer.DropCheck:
		return true
	case designer.SetColumn:
		c := e.SetColumn
		return c.DataType != nil || c.MaxLength != nil || c.Precision != nil || c.Scale != nil
	}
	return false
}

// confirm has a person allow an agent's mutation, described by words, where
// the setting asks for it. Both results nil: go on. The handler has done nothing yet; the client
// puts the question and repeats the call with the answer and the state, which
// binds the answer to these arguments and this version.
func (t *Tool) confirm(in *invocation, words []string) (*tools.Ask, *failure) {
	if in.call.Origin == tools.OriginPage {
		return nil, nil // at the page a person is at work
	}
	bound := binding(in)
	if in.call.State != "" {
		return nil, t.checkAnswer(in, bound)
	}
	if !in.call.Client.Elicitation {
		return nil, invalid("a person has to allow this (setting designer.confirm: %s), and this client cannot ask one; "+
			"make the change on the designer page or relax the setting in .berth/config.yaml", t.opts.Confirm)
	}
	state, err := t.seals.seal(bound)
	if err != nil {
		return nil, t.internal(in, err)
	}
	return &tools.Ask{Requests: askFor(in, words), State: state}, nil
}

// binding is what an answer is good for: this design, at this version, by
// this call, whatever the order of its members.
func binding(in *invocation) []byte {
	arguments := jsontext.Value(in.call.Arguments).Clone()
	if err := arguments.Canonicalize(); err != nil {
		arguments = jsontext.Value(in.call.Arguments)
	}
	return fmt.Appendf(nil, "%d:%s%d:%s%s", len(in.designer.ID()), in.designer.ID(),
		len(in.designer.Version()), in.designer.Version(), arguments)
}

func askFor(in *invocation, words []string) json.RawMessage {
	target := in.identity()
	var message strings.Builder
	fmt.Fprintf(&message, "Allow %d change(s) of the schema design of %s on %s?", len(words), target.Database, target.Server)
	for i, w := range words {
		if i == maxAsked {
			fmt.Fprintf(&message, "\n… and %d more", len(words)-maxAsked)
			break
		}
		message.WriteString("\n• " + clipTo(w, maxTarget))
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
	var requests object
	requests.add(question, request{Method: "elicitation/create", Params: params{Mode: "form",
		Message: message.String(), RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)}})
	return json.RawMessage(requests.value())
}

// checkAnswer lets a call go on after a person accepted exactly it.
func (t *Tool) checkAnswer(in *invocation, bound []byte) *failure {
	if err := t.seals.open(in.call.State, bound); err != nil {
		return invalid("the answer cannot be used: %v; call again to ask anew", err)
	}
	var answers map[string]struct {
		Action string `json:"action"`
	}
	if len(in.call.Answers) > 0 && jsonv2.Unmarshal(in.call.Answers, &answers) != nil {
		return invalid("the answer cannot be read; call again to ask anew")
	}
	switch answers[question].Action {
	case "accept":
		return nil
	case "decline":
		return invalid("a person declined this; nothing was changed. Do not repeat it without being asked to")
	default:
		return invalid("the question was not answered; nothing was changed. Ask the person before calling again")
	}
}

// describeEdits words a batch for the question, with the schemas that names
// without one mean.
func (t *Tool) describeEdits(in *invocation, edits []designer.Edit) []string {
	var schema string
	_ = t.view(in, func(s *designer.Schema) *failure { // without it the words lack the schema
		schema = s.DefaultSchema()
		return nil
	})
	words := make([]string, len(edits))
	for i, e := range edits {
		if e.Table.Schema == "" && e.Table.ID == "" {
			e.Table.Schema = schema
		}
		words[i] = designer.Describe(e)
	}
	return words
}
