package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/rowset"
	"github.com/berth-dev/berth/tools/lane"
)

// executeSQL handles execute-sql: one statement that may change the database,
// after a person approved it or where the connection's settings say so.
func (c *Connections) executeSQL(ctx context.Context, call tools.Call) tools.Reply {
	var statement, connection, planID string
	err := decode(call.Arguments,
		argument{name: "statement", into: &statement, required: true},
		argument{name: "connection", into: &connection},
		argument{name: planArgument, into: &planID})
	if err != nil {
		return fail(err)
	}
	cfg, d, err := c.pickDatabase(ctx, connection)
	if err != nil {
		return fail(err)
	}
	if r := checkExecute(d.dialect().Name, statement); r != nil {
		return fail(r)
	}
	if cfg.ReadOnly {
		return fail(usage("connection %s is opened with mode=ro; nothing is written to it", replytext.Quote(cfg.Name)))
	}
	// First of all, so that a yes is not used up on a statement that then finds
	// no place.
	place, err := c.enter(ctx, cfg, d.writes, statement)
	if err != nil {
		return fail(err)
	}
	if !cfg.AllowWrites {
		if refused := c.approve(cfg, call, statement, planID); refused != nil {
			place.Leave()
			return *refused
		}
	}
	return c.executed(ctx, cfg, d, statement, place)
}

// planArgument is the argument that names a filed plan.
const planArgument = "plan_id"

// approve has a person allow a statement. nil: go on.
func (c *Connections) approve(cfg Config, call tools.Call, statement, planID string) *tools.Reply {
	bound, err := c.bound(cfg, call)
	if err != nil {
		r := fail(err)
		return &r
	}
	decision, err := c.ledger.Decide(call, approval.Plan{
		Kind:   approval.KindQuery,
		Title:  fmt.Sprintf("Run this on the %s of connection %s?", c.where(cfg), replytext.Quote(cfg.Name)),
		Detail: strings.TrimSpace(statement),
		Format: approval.FormatSQL,
		About:  c.about(cfg, statement),
		Bound:  bound,
		ID:     planID, Argument: planArgument,
	})
	r := fail(usage("Error: the arguments cannot be read"))
	switch {
	case err != nil:
	case decision.Allowed:
		return nil
	case decision.Ask != nil:
		r = tools.Reply{Ask: decision.Ask}
	default:
		r = decision.Refused.Reply()
	}
	return &r
}

// about is a statement for programs that show it.
func (c *Connections) about(cfg Config, statement string) approval.About {
	server, database := c.place(cfg)
	return approval.About{Connection: cfg.Name, Server: server, Database: database, Statements: []string{strings.TrimSpace(statement)}}
}

// bound is what a yes is good for: this statement, on the database that the
// connection reaches now.
func (c *Connections) bound(cfg Config, call tools.Call) ([]byte, error) {
	_, reach, err := c.reach(cfg)
	if err != nil {
		return nil, err
	}
	arguments, err := approval.Arguments(call.Arguments, planArgument)
	if err != nil {
		return nil, usage("Error: the arguments cannot be read")
	}
	return fmt.Appendf(nil, "%q %s", reach, arguments), nil
}

// executed runs a statement that was allowed.
func (c *Connections) executed(ctx context.Context, cfg Config, d *opened, statement string, place *lane.Place) tools.Reply {
	start := time.Now()
	r := rowset.NewReply(c.maxRows(cfg), c.opts.MaxBytes)
	r.Elsewhere = true
	into := &openSink{sink: r}
	affected := int64(-1)
	err := c.settle(ctx, c.timeout(cfg), func(ctx context.Context) (err error) {
		defer place.Leave()
		affected, err = d.execute(ctx, statement, into)
		return err
	})
	if err != nil {
		return fail(named(cfg, err))
	}
	took := spent{place.Waited, time.Since(start)}
	notes := []string{took.note()}
	first := fmt.Sprintf(`{"rowsAffected":%s,"elapsedMs":%d}`, affectedJSON(affected), took.ran.Milliseconds())
	if into.opened {
		first = r.JSON(took.ran)
		if affected >= 0 {
			first = strings.TrimSuffix(first, "}") + `,"rowsAffected":` + affectedJSON(affected) + "}"
		}
		notes = append(notes, r.Notes())
	}
	if c.opts.DesignerOpen() && changesSchema(statement, d.dialect().Name) {
		notes = append(notes, "A schema design is open and does not know of this change: call show to have the database read again. apply_edits changes the design.")
	}
	return reply(first, strings.TrimSpace(strings.Join(notes, "\n")))
}

// affectedJSON is a count, null where there is none.
func affectedJSON(n int64) string {
	if n < 0 {
		return "null"
	}
	return strconv.FormatInt(n, 10)
}

// changesSchema goes by the first word.
func changesSchema(statement, dialect string) bool {
	for _, t := range tokensOf(dialect, statement) {
		switch {
		case t.Is("CREATE"), t.Is("ALTER"), t.Is("DROP"), t.Is("RENAME"), t.Is("COMMENT"):
			return true
		case t.Name != "":
			return false
		}
	}
	return false
}

// openSink reports whether there were columns at all, and takes every row: what
// the sink behind it does not want is dropped, so that the statement is made
// whole.
type openSink struct {
	sink
	opened, full bool
}

// Columns implements sink.
func (s *openSink) Columns(names, types []string) error {
	s.opened = true
	return s.sink.Columns(names, types)
}

func (s *openSink) Row(values []any) (bool, error) {
	if s.full {
		return true, nil
	}
	more, err := s.sink.Row(values)
	s.full = !more
	return true, err
}

// settleWait is how long a statement that may change something has to end
// after its time: its outcome is worth waiting for.
const settleWait = 5 * time.Second

// unsettledError says that nobody knows whether a statement was made.
type unsettledError struct{ cause error }

func (e *unsettledError) Error() string {
	return fmt.Sprintf("%s; it did not end within %v after that, so look into the database whether it was made", message(e.cause), settleWait)
}

func (e *unsettledError) Unwrap() error { return e.cause }

// settle runs work that may change the database. Unlike await it waits for
// the work to end after ctx did.
func (c *Connections) settle(ctx context.Context, limit time.Duration, work func(ctx context.Context) error) error {
	ctx, done, err := c.begin(ctx)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	ended := make(chan error, 1)
	go func() {
		defer done()
		defer stop()
		ended <- undone(ctx, containedWrite(c.contained(work)(ctx)))
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(settleWait):
		return &unsettledError{context.Cause(ctx)}
	}
}

// containedWrite says of a statement whose answer could not be read that it
// may have been made.
func containedWrite(err error) error {
	if isContained(err) {
		return fmt.Errorf("%w; %w: look into the database", err, errUncertain)
	}
	return err
}

// undone says of a statement that was ended that nothing of it was made: a
// server takes back what a single statement had begun.
func undone(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if errors.Is(err, errUncertain) {
		return &unmadeError{errUncertain}
	}
	return &unmadeError{context.Cause(ctx)}
}

// unmadeError says what became of a statement that was ended.
type unmadeError struct{ cause error }

func (e *unmadeError) Error() string {
	if errors.Is(e.cause, errUncertain) {
		return "the statement was ended, and " + e.cause.Error() + ": look into the database"
	}
	return message(e.cause) + "; nothing was changed"
}

func (e *unmadeError) Unwrap() error { return e.cause }

// errUncertain marks an error after which the change may have been made.
var errUncertain = errors.New("it is not known whether the change was made")

// uncertain says that a connection broke before the server had answered.
func uncertain() error {
	return fmt.Errorf("the connection to the server was lost, and %w: look into the database", errUncertain)
}
