package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// maxAsked bounds the edits a question lists.
const maxAsked = 20

// needsConfirming applies the setting to a batch.
func (t *Tool) needsConfirming(edits []designer.Edit) bool {
	switch t.opts.Confirm {
	case ConfirmAlways:
		return len(edits) > 0
	case ConfirmDestructive:
		return slices.ContainsFunc(edits, destructive)
	}
	return false
}

// allowEdits has a person allow a batch where the setting asks for it. They
// are asked about edits that would be made, so a trial comes before the
// question: what is stale or invalid is refused without bothering anyone.
func (t *Tool) allowEdits(ctx context.Context, in *invocation, batch session.Batch) (*tools.Ask, *failure) {
	if batch.DryRun || !t.asks(in) || !t.needsConfirming(batch.Edits) {
		return nil, nil
	}
	made := batch.Edits
	if in.call.State == "" {
		trial := batch
		trial.DryRun = true
		out, err := in.designer.Apply(ctx, trial)
		if err != nil {
			return nil, t.internal(in, err)
		}
		made = batch.Edits[:out.Applied]
		if !t.needsConfirming(made) {
			return nil, nil // applying says why the others are refused
		}
	}
	return t.confirm(in, t.describeEdits(in, made))
}

// asks tells whether this call may need a person's leave. At the page a
// person is at work already.
func (t *Tool) asks(in *invocation) bool {
	return t.opts.Confirm != ConfirmNever && in.call.Origin != tools.OriginPage
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

// confirm has a person allow a mutation described by words. Both results nil:
// go on. The handler has done nothing yet; the client puts the question and
// repeats the call with the answer and the state, which binds the answer to
// these arguments and this version.
func (t *Tool) confirm(in *invocation, words []string) (*tools.Ask, *failure) {
	bound := binding(in)
	if in.call.State != "" {
		return nil, t.checkAnswer(in, bound)
	}
	if !in.call.Client.Elicitation {
		return nil, invalid("a person has to allow this (setting designer.confirm: %s), and this client cannot ask one; "+
			"make the change on the designer page or relax the setting in .berth/config.yaml", t.opts.Confirm)
	}
	target := in.identity()
	title := fmt.Sprintf("Allow %d change(s) of the schema design of %s on %s?", len(words), target.Database, target.Server)
	return t.ask(in, bound, title, words)
}

// ask puts a question about words.
func (t *Tool) ask(in *invocation, bound []byte, title string, words []string) (*tools.Ask, *failure) {
	ask, err := t.asker.Ask(bound, questionFor(title, words))
	if err != nil {
		return nil, t.internal(in, err)
	}
	return ask, nil
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

// questionFor is a title, and what it is about, bounded.
func questionFor(title string, words []string) string {
	var message strings.Builder
	message.WriteString(title)
	for i, w := range words {
		if i == maxAsked {
			fmt.Fprintf(&message, "\n… and %d more", len(words)-maxAsked)
			break
		}
		message.WriteString("\n• " + clipTo(w, maxTarget))
	}
	return message.String()
}

// checkAnswer lets a call go on after a person accepted exactly it.
func (t *Tool) checkAnswer(in *invocation, bound []byte) *failure {
	if err := t.asker.Check(in.call, bound); err != nil {
		return invalid("%v", err)
	}
	return nil
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
