package schema

import (
	"context"
	"encoding/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/go-json-experiment/json/jsontext"
)

// applyEdits checks in the contract's order: version present, edits present,
// well-formed, target, staleness; then it applies. The last two are the
// session's, under its lock.
func (t *Tool) applyEdits(ctx context.Context, in *invocation) (any, *failure) {
	list, refused := t.readEdits(ctx, in)
	if refused != nil {
		return nil, refused
	}
	if refused := checkTarget(in); refused != nil {
		return nil, refused
	}
	p, o := in.request.Payload, in.request.Options
	batch := session.Batch{Edits: list, ExpectedVersion: p.ExpectedVersion,
		Atomic: o.Atomic, DryRun: o.DryRun, Origin: string(in.call.Origin), Client: clientName(in.call)}
	if ask, refused := t.allowEdits(ctx, in, batch); ask != nil || refused != nil {
		return ask, refused
	}
	before := t.before(in, batch.DryRun)
	out, err := in.designer.Apply(ctx, batch)
	if err != nil {
		return nil, t.internal(in, err)
	}
	t.card(ctx, in, before, out, out.Warnings)
	if out.Err != nil {
		f := t.editRefused(in, out)
		if f.FailedEditIndex != nil {
			t.mend(ctx, in, f, *f.FailedEditIndex)
		}
		return nil, f
	}
	reply := receiptFor(in, out)
	reply.Receipt.AppliedEdits = &out.Applied
	return reply.fit(), nil
}

func (t *Tool) readEdits(ctx context.Context, in *invocation) ([]designer.Edit, *failure) {
	p := in.request.Payload
	if p.ExpectedVersion == "" {
		f := invalid("payload.expectedVersion is required: the version in your last reply")
		mendBeside(in.designer, f, json.RawMessage(p.Edits))
		return nil, f
	}
	if kind := p.Edits.Kind(); kind == 0 || kind == 'n' || isEmptyArray(p.Edits) {
		return nil, invalid("payload.edits is required: at least one edit")
	}
	list, err := edits.Decode(json.RawMessage(p.Edits))
	if err == nil {
		return list, nil
	}
	f := fromDesigner(err.Error)
	if err.Index >= 0 {
		none := 0
		f.FailedEditIndex, f.AppliedEdits, f.CurrentVersion = &err.Index, &none, in.designer.Version()
		f.Field = in.field(err.Error)
		t.mend(ctx, in, f, 0)
	}
	return nil, f
}

func isEmptyArray(v jsontext.Value) bool {
	var items []jsontext.Value
	return v.Kind() == '[' && json.Unmarshal(v, &items) == nil && len(items) == 0
}

// editRefused words a batch that was not, or not wholly, applied.
func (t *Tool) editRefused(in *invocation, out session.Outcome) *failure {
	f := fromDesigner(out.Err)
	f.CurrentVersion = out.Version
	if out.Err.Reason == designer.StaleState {
		return t.stale(in, f)
	}
	if out.FailedIndex >= 0 {
		applied := out.Applied
		if out.DryRun {
			applied, f.DryRun = 0, true // nothing stays of a trial
		}
		f.FailedEditIndex, f.AppliedEdits = &out.FailedIndex, &applied
		f.Field = in.field(out.Err)
	}
	return f
}

// field is what a refusal blames, for a page. An agent reads the message,
// which says it too, and pays for every word.
func (in *invocation) field(err *designer.Error) string {
	if in.call.Origin != tools.OriginPage {
		return ""
	}
	return err.Field
}

// stale adds what a caller needs to take up again: the version and an
// overview of the same moment, within the overview's own limits.
func (t *Tool) stale(in *invocation, f *failure) *failure {
	f.Message = "Schema changed since last read"
	f.SuggestedNextCall = jsontext.Value(`{"operation":"get_overview","options":{"includeColumns":"namesAndTypes"}}`)
	f.databaseIdentity = in.identity()
	refused := t.view(in, func(s *designer.Schema) *failure {
		f.CurrentVersion = s.Version()
		f.CurrentOverview = buildOverview(s, overviewQuery{columns: columnsTypes}, roomIn(catalog.MaxFailureBytes-maxNotice, f))
		return nil
	})
	if refused != nil {
		return refused
	}
	return f
}
