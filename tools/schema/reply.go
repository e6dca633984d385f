package schema

import (
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
)

// Limits on replies, in bytes.
const (
	maxReply   = catalog.MaxDesignerReplyBytes - len(catalog.MarkDesign) - maxNotice
	maxReceipt = 4<<10 - maxNotice // a mutation's reply, and any error without an overview
	maxMessage = 600
	maxTarget  = 256 // server and database each
)

// databaseIdentity is the database a reply speaks of, part of every reply about one.
type databaseIdentity struct {
	Server   string `json:"server,omitempty"`
	Database string `json:"database,omitempty"`
}

// failure is an error reply. Its fields are in the contract's order.
type failure struct {
	Success            bool             `json:"success"` // always false
	Reason             designer.Reason  `json:"reason"`
	Message            string           `json:"message"`
	FailedEditIndex    *int             `json:"failedEditIndex,omitzero"`
	Field              string           `json:"field,omitempty"` // of that edit; for the page, whose forms show it there
	AppliedEdits       *int             `json:"appliedEdits,omitzero"`
	approval.FiledPlan                  // what waits for a person
	CurrentVersion     string           `json:"currentVersion,omitempty"`
	ActiveTarget       *designer.Target `json:"activeTarget,omitzero"`
	TargetHint         *targetHint      `json:"targetHint,omitzero"`
	databaseIdentity
	FailedStep        *stepFailure   `json:"failedStep,omitzero"`
	Place             *textPlace     `json:"place,omitzero"`
	DryRun            bool           `json:"dryRun,omitzero"`
	Hints             *hints         `json:"hints,omitzero"`
	CurrentOverview   *overview      `json:"currentOverview,omitzero"`
	SuggestedNextCall jsontext.Value `json:"suggestedNextCall,omitzero"`
}

// hints are what saves the caller of a refused call another one.
type hints struct {
	designer.Hints
	UnknownFields  []string          `json:"unknownFields,omitempty"` // each with what to use in its place
	CorrectedEdits []edits.Corrected `json:"correctedEdits,omitempty"`
	NotShown       int               `json:"correctedEditsNotShown,omitzero"` // for want of room
}

// none reports whether there is nothing in the hints.
func (h *hints) none() bool { return len(encode(h)) == len("{}") }

// stepFailure names the statement that a database refused.
type stepFailure struct {
	Step      int    `json:"step"`         // from 1
	Applied   int    `json:"appliedSteps"` // that are in force nevertheless
	Statement string `json:"statement"`    // bounded
}

// textPlace is where a text that was to be read cannot be.
type textPlace struct {
	Line    int    `json:"line,omitzero"`    // from 1
	Column  int    `json:"column,omitzero"`  // from 1, in characters
	Excerpt string `json:"excerpt,omitzero"` // the line's text and, below it, a caret
}

// invalid words an invalid_request.
func invalid(format string, args ...any) *failure {
	return &failure{Reason: designer.InvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// fromDesigner words a refusal of the designer.
func fromDesigner(err *designer.Error) *failure {
	return &failure{Reason: err.Reason, Message: err.Message, Hints: hintsOf(err.Hints)}
}

func hintsOf(h *designer.Hints) *hints {
	if h == nil {
		return nil
	}
	return &hints{Hints: *h}
}

// near adds names that the caller may have meant.
func (f *failure) near(names ...string) *failure {
	f.Hints = &hints{Hints: designer.Hints{NearestNames: bounded(names)}}
	return f
}

// bounded cuts a list of hints to its limit.
func bounded(names []string) []string {
	out := make([]string, 0, min(len(names), designer.MaxHints))
	for _, n := range names[:min(len(names), designer.MaxHints)] {
		out = append(out, shortName(n))
	}
	return out
}

// text encodes the failure within its limit. Corrected edits go first, the
// last ones first, then all hints, before the message is cut, since the message
// says what to do.
func (f *failure) text() string {
	f.Message = clip.Text(f.Message, maxMessage)
	text := encode(f)
	for f.CurrentOverview == nil && len(text) > maxReceipt && f.Hints != nil {
		if n := len(f.Hints.CorrectedEdits); n > 0 {
			f.Hints.CorrectedEdits = f.Hints.CorrectedEdits[:n-1]
			f.Hints.NotShown++
		} else {
			f.Hints = nil
		}
		text = encode(f)
	}
	return string(text)
}

// encode writes a value as compact JSON in the order of its fields. HTML is
// not escaped; characters that a reader would not see are (see reveal).
func encode(v any) jsontext.Value {
	text, err := jsonv2.Marshal(v, jsontext.AllowInvalidUTF8(true), jsonv2.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // our own types always encode; tools.Set answers for the rest
	}
	return reveal(text)
}
