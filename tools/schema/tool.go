package schema

import (
	"context"
	"log/slog"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// Info names one connection of the project.
type Info struct{ ID, Name string }

// Connections are the database connections the project knows.
type Connections interface {
	// List returns them in the project's order.
	List(ctx context.Context) ([]Info, error)
	// Source opens the one with this id, which List has returned.
	Source(ctx context.Context, id string) (session.Source, error)
}

// Config is what a [Tool] works with. Manager and Connections are required.
type Config struct {
	Manager     *session.Manager
	Connections Connections
	// URL returns the address of the designer page. nil: show names none.
	URL func() string
	// OpenPage opens or reveals the page on the desktop. nil: it is not
	// opened. Its failure is logged and never fails show.
	OpenPage func(ctx context.Context) error
	// Confirm is the setting designer.confirm: which of an agent's changes a
	// person has to allow. "" and "never": none.
	Confirm string
	Now     func() time.Time // nil: time.Now
	Logger  *slog.Logger     // nil: nothing is logged
}

// Tool answers calls of the schema designer. Safe for concurrent use.
type Tool struct {
	cfg    Config
	sealer *sealer
}

// New returns the tool.
func New(cfg Config) *Tool {
	if cfg.URL == nil {
		cfg.URL = func() string { return "" }
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Tool{cfg: cfg, sealer: newSealer(cfg.Now)}
}

// Handle answers one call. It is a [tools.Handler].
func (t *Tool) Handle(ctx context.Context, call tools.Call) tools.Reply {
	r, refused := decodeRequest(call.Arguments)
	if refused != nil {
		return t.refuse(refused)
	}
	if r.ProjectRoot == "" && call.Origin == tools.OriginAgent {
		return t.refuse(invalid("projectRoot is required: the absolute path of the project"))
	}
	if r.Operation == opShow {
		return t.answer(t.show(ctx, r))
	}
	d, refused := t.designer(ctx, r)
	if refused != nil {
		return t.refuse(refused)
	}
	return t.operate(ctx, &work{call: call, request: r, Designer: d, target: d.Target()})
}

// operate runs an operation on an open design.
func (t *Tool) operate(ctx context.Context, w *work) tools.Reply {
	switch w.request.Operation {
	case opOverview:
		return t.answer(t.overview(w))
	case opGetTable:
		return t.answer(t.getTable(w))
	case opApply:
		return t.answer(t.apply(ctx, w))
	case opUndo, opRedo:
		return t.answer(t.travel(ctx, w))
	case opMetadata:
		return t.answer(t.metadata(w))
	case opRelationships:
		return t.answer(t.relationships(w))
	}
	return t.refuse(unknownOperation(w.request.Operation))
}
