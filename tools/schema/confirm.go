package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
)

// The values of the setting designer.confirm; one that is not known counts
// as always.
const (
	confirmNever       = "never"
	confirmDestructive = "destructive"
	confirmAlways      = "always"
)

// How long a person may think, and how many lines they are given to read.
const (
	consentTime = 10 * time.Minute
	maxLines    = 20
)

// question is the one key of the input requests and their responses.
const question = "confirm"

// input is MCP's input request for a form.
type input struct {
	Method string      `json:"method"`
	Params inputParams `json:"params"`
}

type inputParams struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

// confirms tells whether the setting wants a person to allow edits. A person
// at the page is that person.
func (t *Tool) confirms(w *work) bool {
	return w.call.Origin != tools.OriginPage && t.cfg.Confirm != "" && t.cfg.Confirm != confirmNever
}

// concerning returns those of the edits that a person has to allow.
func (t *Tool) concerning(edits []designer.Edit) []designer.Edit {
	if t.cfg.Confirm != confirmDestructive {
		return edits
	}
	return slices.DeleteFunc(slices.Clone(edits), func(e designer.Edit) bool { return !destructive(e) })
}

// destructive tells whether an edit, once published, can lose data or rules:
// it drops something or changes a column's type.
func destructive(e designer.Edit) bool {
	switch e.Op {
	case designer.DropTable, designer.DropColumn, designer.DropForeignKey, designer.DropIndex, designer.DropCheck:
		return true
	case designer.SetColumn:
		set := e.SetColumn
		return set.DataType != nil || set.MaxLength != nil || set.Precision != nil || set.Scale != nil || set.IsComputed != nil
	}
	return false
}

// ask puts the lines to a person. The call is over until it comes back with
// the answer; version is what the person decides about.
func (t *Tool) ask(w *work, version string, lines []string, others int) (any, *failure) {
	if !w.call.Client.Elicitation {
		return nil, w.here(invalid("a person must allow this change (setting designer.confirm is %s) and this client cannot ask one; "+
			"nothing was changed: the change can be made on the designer page", quote(t.cfg.Confirm)))
	}
	request := map[string]input{question: {Method: "elicitation/create", Params: inputParams{
		Mode: "form", Message: w.wording(lines, others), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}}}
	state := t.sealer.seal(consent{Digest: w.digest(), Version: version, Expires: t.cfg.Now().Add(consentTime)})
	return &tools.Ask{Requests: encode(request), State: state}, nil
}

// wording is the question: what would be done, and to which design.
func (w *work) wording(lines []string, others int) string {
	var b strings.Builder
	who := "An agent"
	if name := w.call.Client.Name; name != "" {
		who = clip(name)
	}
	shown := shownTarget(w.target)
	fmt.Fprintf(&b, "%s wants to change the design of %s on %s. The database itself is not touched.", who, shown.Database, shown.Server)
	for _, line := range lines[:min(len(lines), maxLines)] {
		b.WriteString("\n- " + line)
	}
	if more := max(0, len(lines)-maxLines) + others; more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", more)
	}
	return b.String()
}

// digest binds a consent to the design and the very arguments, in whatever
// order a client repeats them.
func (w *work) digest() string {
	arguments := jsontext.Value(slices.Clone(w.call.Arguments))
	_ = arguments.Canonicalize() // strict JSON, or the call would not be here
	sum := sha256.Sum256(append([]byte(w.ID()+"\x00"), arguments...))
	return hex.EncodeToString(sum[:])
}

// answered returns the version a person allowed the change of. Any other
// answer than a plain yes is a refusal; nothing was done either way.
func (t *Tool) answered(w *work) (string, *failure) {
	c, err := t.sealer.open(w.call.State, w.digest())
	if err != nil {
		return "", w.here(invalid("the confirmation has expired, was used before or belongs to another call; " +
			"nothing was changed: repeat the call without requestState to be asked again"))
	}
	var answers map[string]struct {
		Action string `json:"action"`
	}
	if json.Unmarshal(w.call.Answers, &answers) != nil {
		answers = nil
	}
	switch answers[question].Action {
	case "accept":
		return c.Version, nil
	case "decline":
		return "", w.here(invalid("a person declined this change; nothing was changed: ask them how to go on"))
	}
	return "", w.here(invalid("a person gave no answer to the confirmation; nothing was changed: ask them how to go on"))
}
