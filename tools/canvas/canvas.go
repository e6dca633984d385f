// Package canvas is what the designer page reads and keeps beside the tools:
// whole designs in one answer, what forms offer, the past step by step, where
// tables lie. It makes the bodies of the routes below /designs (docs/http.md)
// and knows nothing of HTTP. Edits, undo and publishing are no part of it:
// pages make them through the designer's tool like everyone.
//
// Start with [New]. Invariant: nothing here changes a design but what the
// pipeline of designer/session does.
package canvas

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/schema"
)

// Options are what a canvas works with. All are required but Announce.
type Options struct {
	Manager     *session.Manager
	Connections schema.Connections
	Tool        *schema.Tool
	// Announce tells every open page something that is no event of a design;
	// nil: nobody.
	Announce func(notice any)
}

// Canvas answers pages. It is safe for concurrent use.
type Canvas struct{ opts Options }

// New returns a canvas.
func New(opts Options) *Canvas {
	if opts.Announce == nil {
		opts.Announce = func(any) {}
	}
	return &Canvas{opts}
}

// Error is a refusal; Code is one of the wire's list.
type Error struct{ Code, Message string }

func (e *Error) Error() string { return e.Message }

// Refusal returns the code and the words for the caller.
func (e *Error) Refusal() (code, message string) { return e.Code, e.Message }

func invalid(message string) *Error { return &Error{"invalid_request", message} }

// design finds a design by its connection's id.
func (c *Canvas) design(id string) (*session.Designer, error) {
	if d, ok := c.opts.Manager.ByID(id); ok {
		return d, nil
	}
	return nil, &Error{"not_found", "no design of that connection; show it first"}
}

// listing is the body of GET /designs.
type listing struct {
	Connections []connection `json:"connections"`
	Designs     []listed     `json:"designs"`
	Seq         uint64       `json:"seq"`
}

type connection struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Open bool   `json:"open"` // it has a design
}

type listed struct {
	entry
	Tables int `json:"tables"` // how many
}

// entry describes a design without its tables.
type entry struct {
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

func entryOf(i session.Info) entry {
	e := entry{Connection: i.ID, Name: i.Name, Dialect: i.Dialect, Server: i.Target.Server, Database: i.Target.Database,
		Version: i.Version, UndoSteps: i.UndoSteps, RedoSteps: i.RedoSteps,
		Sync: i.Sync, Active: i.Active, Interrupted: i.Interrupted}
	if i.ReadError != nil {
		// The driver's own words may hold an address or a login.
		e.ReadError = "the database could not be read when the design was last shown"
	}
	return e
}

// Designs lists the project's connections and designs.
func (c *Canvas) Designs(ctx context.Context) (any, error) {
	known, err := c.opts.Connections.List(ctx)
	if err != nil {
		return nil, err
	}
	// Before the designs: whoever follows the events after it misses none.
	body := listing{Connections: []connection{}, Designs: []listed{}, Seq: c.opts.Manager.LastEvent()}
	for _, info := range c.opts.Manager.List() {
		body.Designs = append(body.Designs, listed{entryOf(info), info.Tables})
	}
	for _, k := range known {
		_, open := c.opts.Manager.ByID(k.ID)
		body.Connections = append(body.Connections, connection{k.ID, k.Name, open})
	}
	return body, nil
}

// whole is the body of GET /designs/{connection}.
type whole struct {
	entry
	Seq           uint64            `json:"seq"`
	DefaultSchema string            `json:"defaultSchema"`
	Schemas       []string          `json:"schemas"`
	Views         []viewName        `json:"views"`
	Tables        []*designer.Table `json:"tables"`
}

type viewName struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`
}

// Design is a whole design. tag names this state of it: the same tag, the same
// body.
func (c *Canvas) Design(_ context.Context, id string) (body any, tag string, err error) {
	d, err := c.design(id)
	if err != nil {
		return nil, "", err
	}
	m, err := d.Moment()
	if err != nil {
		return nil, "", err
	}
	w := whole{entry: entryOf(m.Info), Seq: m.Seq, DefaultSchema: m.DefaultSchema, Schemas: m.Schemas,
		Views: []viewName{}, Tables: m.Tables}
	for _, v := range m.Views {
		w.Views = append(w.Views, viewName{v.Schema, v.Name})
	}
	return w, strconv.FormatUint(m.Seq, 10) + "-" + m.Version, nil
}

// Changes lists what a design proposes, from the database as it was last read.
func (c *Canvas) Changes(ctx context.Context, id string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	now, err := d.Snapshot()
	if err != nil {
		return nil, err
	}
	base, err := d.Base(ctx)
	if err != nil {
		return nil, err
	}
	const most = 2000
	items := designer.DiffOf(base, now).Items()
	body := struct {
		Version string              `json:"version"`
		Sync    session.SyncState   `json:"sync"`
		Count   int                 `json:"count"`
		Changes []designer.DiffItem `json:"changes"`
	}{now.Version(), d.Info().Sync, len(items), items[:min(len(items), most)]}
	if body.Changes == nil {
		body.Changes = []designer.DiffItem{}
	}
	return body, nil
}

// Plan is what publishing would run.
func (c *Canvas) Plan(ctx context.Context, id string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	return c.opts.Tool.PagePlan(ctx, d), nil
}

// Look finds out whether the database is still as it was read, and says since
// when that is known; body is {"whole": bool}.
func (c *Canvas) Look(ctx context.Context, id string, body json.RawMessage) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var asked struct {
		Whole bool `json:"whole"`
	}
	if err := decode(body, &asked); err != nil {
		return nil, err
	}
	return c.opts.Tool.PageLook(ctx, d, asked.Whole), nil
}

// Script is the design as text.
func (c *Canvas) Script(ctx context.Context, id, format, dialect string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	return c.opts.Tool.PageScript(ctx, d, format, dialect), nil
}

// Import takes a text into the design; body is a [schema.TextImport].
func (c *Canvas) Import(ctx context.Context, id string, body json.RawMessage) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var im schema.TextImport
	if err := decode(body, &im); err != nil {
		return nil, err
	}
	return c.opts.Tool.PageImport(ctx, d, im), nil
}

// Revert takes undo steps out of the design.
func (c *Canvas) Revert(ctx context.Context, id string, body json.RawMessage) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var asked struct {
		Steps           []int64 `json:"steps"`
		ExpectedVersion string  `json:"expectedVersion"`
	}
	if err := decode(body, &asked); err != nil {
		return nil, err
	}
	return c.opts.Tool.PageRevert(ctx, d, asked.Steps, asked.ExpectedVersion), nil
}

// decode reads a body that is known to be strict JSON.
func decode(body json.RawMessage, out any) error {
	var typed *json.UnmarshalTypeError
	if err := json.Unmarshal(body, out); errors.As(err, &typed) && typed.Field != "" {
		return invalid(typed.Field + " has a value of the wrong type")
	} else if err != nil {
		return invalid("the body is not of the right shape")
	}
	return nil
}
