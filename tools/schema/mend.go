package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// mend adds to a refusal what is wrong with the form of the edits from an
// index on, all of it, and the edits as they were meant. A page makes no such
// mistakes.
func (t *Tool) mend(ctx context.Context, in *invocation, f *failure, from int) {
	if in.call.Origin == tools.OriginPage {
		return
	}
	var m edits.Mended
	refused := t.view(in, func(s *designer.Schema) *failure {
		m = edits.Mend(json.RawMessage(in.request.Payload.Edits), s, from)
		return nil
	})
	if refused != nil || len(m.Fields) == 0 {
		return
	}
	if f.Hints == nil {
		f.Hints = &hints{}
	}
	if len(m.Fields) > 1 {
		f.Hints.UnknownFields = m.Fields
	}
	if own := fmt.Sprintf("edits[%d].", *f.FailedEditIndex); f.Reason == designer.InvalidRequest && strings.HasPrefix(m.Fields[0], own) {
		near := f.Hints.NearestNames
		if f.Message = m.Fields[0]; len(near) > 0 && !strings.HasSuffix(f.Message, near[0]) {
			f.Hints.NearestNames = nil // by spelling, where the message goes by meaning
		}
	}
	if more := len(m.Fields) - 1; more > 0 {
		f.Message += fmt.Sprintf("; hints.unknownFields has %d more", more)
	}
	if len(m.Edits) == 0 {
		if f.Hints.none() {
			f.Hints = nil
		}
		return
	}
	f.Hints.CorrectedEdits, f.Hints.NearestNames = m.Edits, nil
	f.Message += ". Send hints.correctedEdits in place of the edits of their indexes"
	t.tryMended(ctx, in, f, m)
}

// tryMended says what the design would refuse next, once the mended edits are
// sent.
func (t *Tool) tryMended(ctx context.Context, in *invocation, f *failure, m edits.Mended) {
	var given, list []jsontext.Value
	if json.Unmarshal(in.request.Payload.Edits, &given) != nil {
		return
	}
	var at []int // the index of each in the caller's list
	for i := *f.AppliedEdits; i < len(given); i++ {
		meant := []jsontext.Value{given[i]}
		for _, c := range m.Edits {
			if c.Index == i {
				meant = c.Edits
			}
		}
		for _, e := range meant {
			list, at = append(list, e), append(at, i)
		}
	}
	decoded, err := edits.Decode(json.RawMessage(encode(list)))
	if err != nil {
		return
	}
	out, failed := in.designer.Apply(ctx, session.Batch{Edits: decoded, DryRun: true, Origin: string(in.call.Origin), ExpectedVersion: f.CurrentVersion})
	if failed != nil || out.Err == nil || out.FailedIndex < 0 || out.FailedIndex >= len(at) {
		return
	}
	f.Message += fmt.Sprintf("; edits[%d] would be refused next: %s", at[out.FailedIndex], out.Err.Message)
	if h := out.Err.Hints; h != nil {
		own := f.Hints
		f.Hints = &hints{Hints: *h, UnknownFields: own.UnknownFields, CorrectedEdits: own.CorrectedEdits}
	}
}
