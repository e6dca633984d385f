package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
)

// Connections are the databases of the project.
type Connections interface {
	// List returns every known connection, the default one first.
	List(ctx context.Context) ([]ConnectionInfo, error)
	// Source returns the connection with this id for a designer to read.
	Source(ctx context.Context, id string) (session.Source, error)
}

// ConnectionInfo names a connection. None of it is secret.
type ConnectionInfo struct {
	ID       string // durable
	Name     string // as the project's config has it
	Origin   string // where it was found: a file of the project
	Dialect  string // its name, "sqlite"
	Database string // as a design's target has it
}

// The values of the setting designer.confirm.
const (
	ConfirmNever       = "never"
	ConfirmDestructive = "destructive"
	ConfirmAlways      = "always"
)

// Options say what the tool works with. Manager, Connections and URL are
// required.
type Options struct {
	Manager     *session.Manager
	Connections Connections
	URL         func() string                   // address of the designer page
	OpenPage    func(ctx context.Context) error // opens or reveals the page; nil: show does not
	Confirm     string                          // when a person is asked before an agent's edits; "": never
	// Root is the project's folder, which exports and imports stay below;
	// "": there are none.
	Root string
	// Script makes a design's whole script in the design's own dialect. nil:
	// export writes none.
	Script func(s *designer.Schema) (designer.Plan, error)
	// Dialect finds a dialect to export for by its name, nil if there is
	// none. nil: exports are for the design's own.
	Dialect func(name string) *designer.Dialect
	// Lint says which rules of designer/lint are checked. nil: those that are on
	// by default.
	Lint   func() lint.Options
	Ledger *approval.Ledger        // asks a person to approve what needs it; nil: one of the tool's own
	Noted  func(connection string) // a call of an agent's got a person's notes; nil: nobody is told
	// Accepted is called when a person has accepted edits in a chat, with how often
	// anything was accepted; nil: nobody is told.
	Accepted func(connection string, counter int64)
	Logger   *slog.Logger     // nil: nothing is logged
	Now      func() time.Time // nil: time.Now
}

// Tool handles calls of the schema designer tool. It is safe for concurrent
// use.
type Tool struct {
	opts   Options
	ledger *approval.Ledger
	told   noticeLog
	cards  cards
}

// New returns the tool. The error says which option is missing or invalid.
func New(opts Options) (*Tool, error) {
	if opts.Manager == nil || opts.Connections == nil || opts.URL == nil {
		return nil, errors.New("the schema tool needs a manager, connections and a url")
	}
	switch opts.Confirm {
	case "":
		opts.Confirm = ConfirmNever
	case ConfirmNever, ConfirmDestructive, ConfirmAlways:
	default:
		return nil, fmt.Errorf("designer.confirm is %q: it takes never, destructive or always", opts.Confirm)
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Lint == nil {
		opts.Lint = func() lint.Options { return lint.Options{} }
	}
	if opts.Ledger == nil {
		var err error
		if opts.Ledger, err = approval.New(approval.Options{Now: opts.Now}); err != nil {
			return nil, err
		}
	}
	return &Tool{opts: opts, ledger: opts.Ledger}, nil
}

// invocation is one call on its way through the tool.
type invocation struct {
	call     tools.Call
	request  *request
	designer *session.Designer // nil only in show
	text     *string           // what to import in place of a file; nil: the call names one
	view     json.RawMessage   // what a view shows a person; nil: nothing
}

// progress reports how far a plan is; it is the call's [session.Progress].
func (in *invocation) progress(done, total int, step string) {
	in.call.Progress(float64(done), float64(total), clip.Text(step, maxMessage))
}

// reads reports whether the call is one of [catalog.SchemaReader].
func (in *invocation) reads() bool { return in.call.Tool == catalog.SchemaReader }

// databaseIdentity is the database a reply speaks of.
func (in *invocation) identity() databaseIdentity {
	t := in.designer.Target()
	return databaseIdentity{Server: clip.Text(t.Server, maxTarget), Database: clip.Text(t.Database, maxTarget)}
}

// Handle answers one call; it is the [tools.Handler] of the tool and of
// [catalog.SchemaReader], its reading half.
func (t *Tool) Handle(ctx context.Context, call tools.Call) tools.Reply {
	in := &invocation{call: call}
	result, refused := t.run(ctx, in)
	if refused != nil {
		return tools.Reply{Content: []string{t.noticed(ctx, in, refused.text(), refused.Reason)}, IsError: true, View: in.view}
	}
	if ask, ok := result.(*tools.Ask); ok {
		return tools.Reply{Ask: ask}
	}
	return tools.Reply{Content: marked(in.request.Operation, t.noticed(ctx, in, string(encode(result)), "")), View: in.view}
}

// marked are the items of a reply: the contract's one, and for what reads the
// design an item that says what was read.
func marked(operation, text string) []string {
	switch operation {
	case opOverview, opGetTable, opMetadata, opRelationships, opChanges:
		return []string{text, catalog.MarkDesign}
	}
	return []string{text}
}

func (t *Tool) run(ctx context.Context, in *invocation) (any, *failure) {
	var refused *failure
	if in.request, refused = decodeRequest(in.call.Arguments, in.reads()); refused != nil {
		if d, ok := t.opts.Manager.Active(); ok {
			refused.databaseIdentity = (&invocation{designer: d}).identity()
		}
		t.mendMisplaced(in, refused)
		return nil, refused
	}
	if in.request.Operation == opShow {
		return t.show(ctx, in)
	}
	find := t.designerFor
	if in.reads() {
		find = t.designerToRead
	}
	if in.designer, refused = find(ctx, in.request); refused != nil {
		return nil, refused
	}
	result, refused := t.operate(ctx, in)
	if refused != nil && refused.ActiveTarget == nil {
		refused.databaseIdentity = in.identity()
	}
	return result, refused
}

func (t *Tool) operate(ctx context.Context, in *invocation) (any, *failure) {
	if in.request.Operation == opApply {
		return t.applyEdits(ctx, in) // compares the target in its place among its checks
	}
	if refused := checkTarget(in); refused != nil {
		return nil, refused
	}
	switch in.request.Operation {
	case opUndo, opRedo:
		return t.step(ctx, in)
	case opOverview, opGetTable, opMetadata, opRelationships:
		t.glance(ctx, in)
		return t.describe(in)
	default:
		return t.reach(ctx, in)
	}
}

// describe are the operations that say what is in the design.
func (t *Tool) describe(in *invocation) (any, *failure) {
	switch in.request.Operation {
	case opOverview:
		return t.getOverview(in)
	case opGetTable:
		return t.getTable(in)
	case opMetadata:
		return t.getMetadata(in)
	default:
		return t.getRelationships(in)
	}
}

// reach are the operations that read the database, or reach beyond the
// design.
func (t *Tool) reach(ctx context.Context, in *invocation) (any, *failure) {
	switch in.request.Operation {
	case opChanges:
		return t.getChanges(ctx, in)
	case opVerify:
		return t.verify(ctx, in)
	case opPublish:
		return t.publish(ctx, in)
	case opRebase:
		return t.rebase(ctx, in)
	case opExport:
		return t.export(ctx, in)
	default:
		return t.importFile(ctx, in)
	}
}

// view runs fn with the design as last committed.
func (t *Tool) view(in *invocation, fn func(s *designer.Schema) *failure) *failure {
	var refused *failure
	if err := in.designer.View(func(s *designer.Schema) { refused = fn(s) }); err != nil {
		return t.internal(in, err)
	}
	return refused
}

// unexpected is said where nothing more can be said safely.
const unexpected = "unexpected failure; the instance's log has the cause"

// internal words an unexpected failure. The cause goes to the log; what can
// be said of it safely is said.
func (t *Tool) internal(in *invocation, err error) *failure {
	t.opts.Logger.Error("schema designer failed", "operation", in.operation(), "error", err)
	message := unexpected
	var state *session.StateError
	switch {
	case errors.Is(err, context.Canceled):
		message = "the call was cancelled; nothing was changed"
	case errors.Is(err, context.DeadlineExceeded):
		message = "the call took longer than its deadline; nothing was changed"
	case errors.Is(err, session.ErrClosed):
		message = "the instance is shutting down; call again in a moment"
	case errors.As(err, &state) && state.Kind != nil:
		message = "the design could not be stored: " + state.Kind.Error()
		if state.Hint != "" {
			message += "; " + state.Hint
		}
	}
	return &failure{Reason: designer.InternalError, Message: message}
}

func (in *invocation) operation() string {
	if in.request == nil {
		return ""
	}
	return in.request.Operation
}
