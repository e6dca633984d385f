// Package pageapi is what the designer page reads and keeps beside the tools:
// whole designs in one answer, what forms offer, the past step by step, where
// tables lie. Its types are the bodies of the routes below /designs
// (docs/http.md); it knows nothing of HTTP. Edits, undo and publishing are no
// part of it: pages make them through the designer's tool like everyone.
//
//	page ──▶ proxy/instance: routes, keys ──▶ [API] ──▶ designer/session
//	                                             └────▶ tools/schema: plan, script, import
//
// Start with [New]. Invariant: nothing here changes a design but what the
// pipeline of designer/session does.
package pageapi

import (
	"context"
	"strconv"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/schema"
)

// Options are what an API works with. All are required but Announce; without
// Teams its two methods must not be called.
type Options struct {
	Manager     *session.Manager
	Connections schema.Connections
	Tool        *schema.Tool
	Teams       Teams
	// Announce sends every open page something that is no event of a design;
	// nil: nobody.
	Announce func(notice any)
}

// API answers pages. It is safe for concurrent use.
type API struct{ opts Options }

// New returns an API.
func New(opts Options) *API {
	if opts.Announce == nil {
		opts.Announce = func(any) {}
	}
	return &API{opts}
}

// Error is a refusal; Code is one of the wire's list.
type Error struct{ Code, Message string }

func (e *Error) Error() string { return e.Message }

// Refusal returns the code and the words for the caller.
func (e *Error) Refusal() (code, message string) { return e.Code, e.Message }

func invalid(message string) *Error { return &Error{"invalid_request", message} }

// design finds a design by its connection's id.
func (a *API) design(id string) (*session.Designer, error) {
	if d, ok := a.opts.Manager.ByID(id); ok {
		return d, nil
	}
	return nil, &Error{"not_found", "no design of that connection; show it first"}
}

// Listing is the body of GET /designs.
type Listing struct {
	Connections []Connection   `json:"connections"`
	Designs     []ListedDesign `json:"designs"`
	Seq         uint64         `json:"seq"`
}

// Connection is a connection of the project, as it is known without asking the
// server.
type Connection struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Dialect  string `json:"dialect"`
	Database string `json:"database"`
	Open     bool   `json:"open"` // it has a design
}

// ListedDesign is a design in the listing.
type ListedDesign struct {
	Entry
	Tables int           `json:"tables"`         // how many
	Team   *session.Team `json:"team,omitempty"` // nil: it is not shared
}

// Entry describes a design without its tables.
type Entry struct {
	Connection  string            `json:"connection"`
	Name        string            `json:"name"`
	Dialect     string            `json:"dialect"`
	Server      string            `json:"server"`
	Database    string            `json:"database"`
	Version     string            `json:"version"`
	UndoSteps   int               `json:"undoSteps"`
	RedoSteps   int               `json:"redoSteps"`
	Sync        session.SyncState `json:"sync"`
	Active      bool              `json:"active"`
	Interrupted bool              `json:"interrupted"`
	ReadError   string            `json:"readError,omitempty"`
}

func entryOf(i session.Info) Entry {
	e := Entry{Connection: i.ID, Name: i.Name, Dialect: i.Dialect, Server: i.Target.Server, Database: i.Target.Database,
		Version: i.Version, UndoSteps: i.UndoSteps, RedoSteps: i.RedoSteps,
		Sync: i.Sync, Active: i.Active, Interrupted: i.Interrupted}
	if i.ReadError != nil {
		// The driver's own words may hold an address or a login.
		e.ReadError = "the database could not be read when the design was last shown"
	}
	return e
}

// Designs lists the project's connections and designs.
func (a *API) Designs(ctx context.Context) (Listing, error) {
	known, err := a.opts.Connections.List(ctx)
	if err != nil {
		return Listing{}, err
	}
	// Before the designs: whoever follows the events after it misses none.
	body := Listing{Connections: []Connection{}, Designs: []ListedDesign{}, Seq: a.opts.Manager.LastEvent()}
	for _, info := range a.opts.Manager.List() {
		listed := ListedDesign{Entry: entryOf(info), Tables: info.Tables}
		if d, ok := a.opts.Manager.ByID(info.ID); ok {
			listed.Team = d.Shared()
		}
		body.Designs = append(body.Designs, listed)
	}
	for _, k := range known {
		_, open := a.opts.Manager.ByID(k.ID)
		body.Connections = append(body.Connections, Connection{k.ID, k.Name, k.Dialect, k.Database, open})
	}
	return body, nil
}

// Design is the body of GET /designs/{connection}.
type Design struct {
	Entry
	Seq           uint64                `json:"seq"`
	DefaultSchema string                `json:"defaultSchema"`
	Schemas       []string              `json:"schemas"`
	Views         []ViewName            `json:"views"`
	Tables        []*designer.Table     `json:"tables"`
	Types         []*designer.NamedType `json:"types"` // of the database's own, that edits make
}

// ViewName names a view.
type ViewName struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`
}

// Design is a whole design. tag names this state of it: the same tag, the same
// body.
func (a *API) Design(_ context.Context, id string) (body Design, tag string, err error) {
	d, err := a.design(id)
	if err != nil {
		return Design{}, "", err
	}
	m, err := d.Contents()
	if err != nil {
		return Design{}, "", err
	}
	w := Design{Entry: entryOf(m.Info), Seq: m.Seq, DefaultSchema: m.DefaultSchema, Schemas: m.Schemas,
		Views: []ViewName{}, Tables: m.Tables, Types: m.Types}
	for _, v := range m.Views {
		w.Views = append(w.Views, ViewName{v.Schema, v.Name})
	}
	return w, strconv.FormatUint(m.Seq, 10) + "-" + m.Version, nil
}

// maxChanges bounds the list of changes.
const maxChanges = 2000

// Changes is the body of GET /designs/{connection}/changes.
type Changes struct {
	Version string              `json:"version"`
	Sync    session.SyncState   `json:"sync"`
	Count   int                 `json:"count"` // of all changes, however many are listed
	Changes []designer.DiffLine `json:"changes"`
}

// Changes lists what a design proposes, from the database as it was last read.
func (a *API) Changes(ctx context.Context, id string) (Changes, error) {
	d, err := a.design(id)
	if err != nil {
		return Changes{}, err
	}
	now, err := d.Snapshot()
	if err != nil {
		return Changes{}, err
	}
	base, err := d.Base(ctx)
	if err != nil {
		return Changes{}, err
	}
	lines := designer.DiffOf(base, now).Lines()
	body := Changes{now.Version(), d.Info().Sync, len(lines), lines[:min(len(lines), maxChanges)]}
	if body.Changes == nil {
		body.Changes = []designer.DiffLine{}
	}
	return body, nil
}

// Lint is what the rules find in a design. rules are those to check; none:
// those that the settings say.
func (a *API) Lint(ctx context.Context, id string, rules []string) (schema.LintReport, error) {
	d, err := a.design(id)
	if err != nil {
		return schema.LintReport{}, err
	}
	var only []rule.ID
	for _, name := range rules {
		if !rule.Known(name) {
			return schema.LintReport{}, invalid("no rule is called " + clip.Quote(name) + "; docs/lint.md lists them")
		}
		only = append(only, rule.ID(name))
	}
	return a.opts.Tool.PageLint(ctx, d, only)
}

// Plan is what publishing would run.
func (a *API) Plan(ctx context.Context, id string) (schema.PageReply[schema.PublishPlan], error) {
	d, err := a.design(id)
	if err != nil {
		return schema.PageReply[schema.PublishPlan]{}, err
	}
	return a.opts.Tool.PagePlan(ctx, d), nil
}

// LookRequest is the body of POST /designs/{connection}/look.
type LookRequest struct {
	Whole bool `json:"whole"` // read all of it, however long ago it was read
}

// Look reports whether the database is still as it was read, and since when
// that is known.
func (a *API) Look(ctx context.Context, id string, r LookRequest) (schema.PageDatabaseState, error) {
	d, err := a.design(id)
	if err != nil {
		return schema.PageDatabaseState{}, err
	}
	return a.opts.Tool.PageLook(ctx, d, r.Whole), nil
}

// Script is the design as text.
func (a *API) Script(ctx context.Context, id string, form schema.TextForm) (schema.PageReply[schema.DesignText], error) {
	d, err := a.design(id)
	if err != nil {
		return schema.PageReply[schema.DesignText]{}, err
	}
	return a.opts.Tool.PageScript(ctx, d, form), nil
}

// Import adds the tables of a text to the design.
func (a *API) Import(ctx context.Context, id string, im schema.TextImport) (schema.PageReply[schema.ToolReply], error) {
	d, err := a.design(id)
	if err != nil {
		return schema.PageReply[schema.ToolReply]{}, err
	}
	return a.opts.Tool.PageImport(ctx, d, im), nil
}

// RevertRequest is the body of POST /designs/{connection}/revert.
type RevertRequest struct {
	Steps           []int64 `json:"steps"`
	ExpectedVersion string  `json:"expectedVersion"`
}

// Revert takes undo steps out of the design.
func (a *API) Revert(ctx context.Context, id string, r RevertRequest) (schema.PageReply[schema.ToolReply], error) {
	d, err := a.design(id)
	if err != nil {
		return schema.PageReply[schema.ToolReply]{}, err
	}
	return a.opts.Tool.PageRevert(ctx, d, r.Steps, r.ExpectedVersion), nil
}
