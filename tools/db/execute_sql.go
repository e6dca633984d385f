package db

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
	"github.com/berth-dev/berth/tools/lane"
)

// executeSQL handles execute-sql: one statement that may change the database,
// after a person approved it or where the connection's settings say so.
func (t *Tools) executeSQL(ctx context.Context, call tools.Call) tools.Reply {
	var statement, connection, planID string
	err := decode(call.Arguments,
		argument{name: "statement", into: &statement, required: true},
		argument{name: "connection", into: &connection},
		argument{name: planArgument, into: &planID})
	if err != nil {
		return fail(err)
	}
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return fail(err)
	}
	if r := checkExecute(d.Dialect().Name, statement); r != nil {
		return fail(r)
	}
	if cfg.ReadOnly {
		return fail(pool.Usagef("connection %s is opened with mode=ro; nothing is written to it", replytext.Quote(cfg.Name)))
	}
	// First of all, so that a yes is not used up on a statement that then finds
	// no place.
	place, err := t.conns.Enter(ctx, cfg, d.Writes, statement)
	if err != nil {
		return fail(err)
	}
	if !cfg.AllowWrites {
		if refused := t.approve(cfg, d.Dialect().Name, call, statement, planID); refused != nil {
			place.Leave()
			return *refused
		}
	}
	return t.executed(ctx, cfg, d, statement, place)
}

// planArgument is the argument that names a filed plan.
const planArgument = "plan_id"

// approve asks a person to approve a statement. nil: go on.
func (t *Tools) approve(cfg pool.Config, dialect string, call tools.Call, statement, planID string) *tools.Reply {
	bound, err := t.bound(cfg, call)
	if err != nil {
		r := fail(err)
		return &r
	}
	decision, err := t.opts.Ledger.Decide(call, approval.Plan{
		Kind:   approval.KindQuery,
		Title:  fmt.Sprintf("Run this on the %s of connection %s?", t.where(cfg), replytext.Quote(cfg.Name)),
		Detail: strings.TrimSpace(statement),
		Format: approval.FormatSQL,
		About:  t.about(cfg, statement),
		Bound:  bound,
		ID:     planID, Argument: planArgument,
	})
	r := fail(pool.Usagef("Error: the arguments cannot be read"))
	switch {
	case err != nil:
	case decision.Allowed:
		return nil
	case decision.Ask != nil:
		r = tools.Reply{Ask: decision.Ask}
	default:
		if decision.Refused.PlanID != "" && driver.BeginsWith(dialect, statement, "SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN", "DESCRIBE", "DESC") {
			decision.Refused.Message += ". If it only reads, run-query answers it and asks nobody"
		}
		r = decision.Refused.Reply()
	}
	return &r
}

// about is a statement for programs that show it.
func (t *Tools) about(cfg pool.Config, statement string) approval.About {
	server, database := t.conns.Place(cfg)
	return approval.About{Connection: cfg.Name, Server: server, Database: database, Statements: []string{strings.TrimSpace(statement)}}
}

// bound is what a yes is good for: this statement, on the database that the
// connection reaches now.
func (t *Tools) bound(cfg pool.Config, call tools.Call) ([]byte, error) {
	_, reach, err := t.conns.Reach(cfg)
	if err != nil {
		return nil, err
	}
	arguments, err := approval.Arguments(call.Arguments, planArgument)
	if err != nil {
		return nil, pool.Usagef("Error: the arguments cannot be read")
	}
	return fmt.Appendf(nil, "%q %s", reach, arguments), nil
}

// executed runs a statement that was allowed.
func (t *Tools) executed(ctx context.Context, cfg pool.Config, d *pool.Database, statement string, place *lane.Place) tools.Reply {
	start := time.Now()
	r := rowset.NewReply(t.maxRows(cfg), t.opts.MaxBytes)
	r.Elsewhere = true
	into := &openSink{Sink: r}
	affected := int64(-1)
	err := t.conns.Settle(ctx, t.conns.Timeout(cfg), func(ctx context.Context) (err error) {
		defer place.Leave()
		affected, err = d.Execute(ctx, statement, into)
		return err
	})
	if err != nil {
		return fail(cfg.Annotate(err))
	}
	took := pool.Timing{Waited: place.Waited, Ran: time.Since(start)}
	notes := []string{took.Note()}
	first := fmt.Sprintf(`{"rowsAffected":%s,"elapsedMs":%d}`, affectedJSON(affected), took.Ran.Milliseconds())
	if into.opened {
		first = r.JSON(took.Ran)
		if affected >= 0 {
			first = strings.TrimSuffix(first, "}") + `,"rowsAffected":` + affectedJSON(affected) + "}"
		}
		notes = append(notes, r.Notes())
	}
	if t.opts.DesignerOpen() && changesSchema(statement, d.Dialect().Name) {
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
	for _, t := range driver.Tokens(dialect, statement) {
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
	rowset.Sink
	opened, full bool
}

// Columns implements [rowset.Sink].
func (s *openSink) Columns(names, types []string) error {
	s.opened = true
	return s.Sink.Columns(names, types)
}

func (s *openSink) Row(values []any) (bool, error) {
	if s.full {
		return true, nil
	}
	more, err := s.Sink.Row(values)
	s.full = !more
	return true, err
}
