package schema

import (
	"context"
	"encoding/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// The designer page has room for what a model's context has not: whole plans
// and scripts, and texts instead of files. What it asks for here is made by
// the tool's operations and refused in their words, as their JSON.

// PageReply is what an operation of the tool answers a page: a result or, in
// its place, a refusal. It marshals as the one that it holds.
type PageReply[T any] struct {
	Result  T
	Refusal ToolReply // nil: there is a result
}

// ToolReply is a reply in the tool's own JSON and within its bounds.
type ToolReply = json.RawMessage

// MarshalJSON writes the result as the tool writes its replies.
func (r PageReply[T]) MarshalJSON() ([]byte, error) {
	if r.Refusal != nil {
		return r.Refusal, nil
	}
	return encode(r.Result), nil
}

// PublishPlan is what publishing would do, statement by statement.
type PublishPlan struct {
	Version       string              `json:"version"`
	Sync          session.SyncState   `json:"sync"`
	Plan          string              `json:"plan,omitempty"` // names exactly this plan
	Transactional bool                `json:"transactional"`
	From          int                 `json:"from"` // steps that an interrupted publish has made
	Changes       []designer.DiffLine `json:"changes"`
	Conflicts     []merge.Conflict    `json:"conflicts,omitempty"`
	Steps         []designer.Step     `json:"steps"`
	Notes         []string            `json:"notes,omitempty"`
	Script        string              `json:"script"`
}

// PagePlan reads the database and plans what publish would run. It runs
// nothing.
func (t *Tool) PagePlan(ctx context.Context, d *session.Designer) PageReply[PublishPlan] {
	in := pageCall(d, opChanges)
	_, p, refused := t.propose(ctx, in)
	if refused != nil {
		return PageReply[PublishPlan]{Refusal: t.refusedAs(in, refused)}
	}
	reply := PublishPlan{Version: p.Version, Sync: p.Sync, Transactional: p.Plan.Transactional, From: p.From,
		Changes: p.Lines(), Conflicts: p.Conflicts, Steps: p.Plan.Steps, Notes: p.Notes()}
	if len(p.Plan.Steps) > 0 {
		rest := p.Plan // exactly what publish would run
		rest.Steps = rest.Steps[p.From:]
		reply.Plan, reply.Script = p.Digest(), rest.Script()
	}
	return PageReply[PublishPlan]{Result: reply}
}

// DesignText is a design as text.
type DesignText struct {
	Version string   `json:"version"`
	Format  string   `json:"format"`
	Text    string   `json:"text"`
	Notes   []string `json:"notes,omitempty"`
}

// TextForm says how a design is to be written.
type TextForm struct {
	Format  string // one of export's: "sql", "plan", "dbml", "mermaid", "json"
	Dialect string // of "sql"; "": the design's own
	Owners  bool   // "sql" of a PostgreSQL database has owners and GRANTs too
}

// PageScript writes the design in the given form, as export does.
func (t *Tool) PageScript(ctx context.Context, d *session.Designer, form TextForm) PageReply[DesignText] {
	in := pageCall(d, opExport)
	in.request.Payload.Format, in.request.Payload.Dialect, in.request.Options.Owners = form.Format, form.Dialect, form.Owners
	refused := checkFormat(in.request.Payload, in.request.Options)
	var reply DesignText
	if refused == nil {
		reply.Format = form.Format
		reply.Text, reply.Version, reply.Notes, refused = t.exported(ctx, in)
	}
	if refused != nil {
		return PageReply[DesignText]{Refusal: t.refusedAs(in, refused)}
	}
	return PageReply[DesignText]{Result: reply}
}

// TextImport is a text whose tables are added to a design.
type TextImport struct {
	Text            string `json:"text"`
	Format          string `json:"format"`  // "sql", "dbml" or "json"
	Dialect         string `json:"dialect"` // of a design in JSON; "": the design's own
	ExpectedVersion string `json:"expectedVersion"`
	DryRun          bool   `json:"dryRun"`
}

// PageImport adds the tables that a text defines to the design, as import does
// with a file.
func (t *Tool) PageImport(ctx context.Context, d *session.Designer, im TextImport) PageReply[ToolReply] {
	in := pageCall(d, opImport)
	p := &in.request.Payload
	p.Format, p.Dialect, p.ExpectedVersion = im.Format, im.Dialect, im.ExpectedVersion
	in.request.Options.DryRun, in.text = im.DryRun, &im.Text
	result, refused := t.importFile(ctx, in)
	if refused != nil {
		return PageReply[ToolReply]{Refusal: t.refusedAs(in, refused)}
	}
	return PageReply[ToolReply]{Result: ToolReply(encode(result))}
}

// PageRevert takes undo steps out of the design, wherever they are in the
// stack. A refusal lists the conflicts there are.
func (t *Tool) PageRevert(ctx context.Context, d *session.Designer, steps []int64, expectedVersion string) PageReply[ToolReply] {
	in := pageCall(d, opUndo)
	if expectedVersion == "" {
		return PageReply[ToolReply]{Refusal: t.refusedAs(in, invalid("expectedVersion is required: the version in your last reply"))}
	}
	out, conflicts, err := d.Revert(ctx, session.Revert{Steps: steps, ExpectedVersion: expectedVersion, Origin: string(tools.OriginPage)})
	if err != nil {
		return PageReply[ToolReply]{Refusal: t.refusedAs(in, t.internal(in, err))}
	}
	if out.Err != nil {
		f := fromDesigner(out.Err)
		f.CurrentVersion = out.Version
		f.databaseIdentity = in.identity()
		return PageReply[ToolReply]{Refusal: ToolReply(encode(struct {
			failure
			Conflicts []pageConflict `json:"conflicts,omitempty"`
		}{*f, conflictsOf(conflicts)}))}
	}
	reply := receiptFor(in, out)
	reply.Receipt.UndoneEdits = &out.Applied
	return PageReply[ToolReply]{Result: ToolReply(encode(reply.fit()))}
}

// pageConflict is a thing that later steps changed too. The sides that a
// [designer.Conflict] names are not those of a revert.
type pageConflict struct {
	Table designer.TableName `json:"table"`
	Part  string             `json:"part,omitempty"`
}

func conflictsOf(all []merge.Conflict) []pageConflict {
	var list []pageConflict
	for _, c := range all {
		list = append(list, pageConflict{c.Table, c.Part})
	}
	return list
}

// pageCall is a call of the page's own.
func pageCall(d *session.Designer, operation string) *invocation {
	return &invocation{call: tools.Call{Origin: tools.OriginPage, Progress: func(float64, float64, string) {}},
		request: &request{Operation: operation}, designer: d}
}

func (t *Tool) refusedAs(in *invocation, f *failure) ToolReply {
	f.databaseIdentity = in.identity()
	return ToolReply(f.text())
}
