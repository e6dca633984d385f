package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

// PageReview returns the statements with which a person's changes of rows would
// be made. Nothing is written.
func (t *Tools) PageReview(ctx context.Context, connection string, c rowedit.Changes) (rowedit.Reviewed, error) {
	p, err := t.planRows(ctx, connection, c)
	if err != nil {
		return rowedit.Reviewed{}, refusedChange(err)
	}
	server, database := t.conns.Place(p.cfg)
	reviewed := rowedit.Reviewed{Seal: p.seal(), Server: server, Database: database}
	if p.cfg.IsSQLite() {
		reviewed.Server = "" // a file has none
	}
	for _, s := range p.statements {
		reviewed.Statements = append(reviewed.Statements, rowedit.Shown{SQL: s.Shown, NotCompared: s.NotCompared})
	}
	return reviewed, nil
}

// PageRun makes the changes that a person reviewed and confirmed, all or none,
// and enters them in the ledger of approvals.
func (t *Tools) PageRun(ctx context.Context, connection string, r rowedit.Run) (rowedit.Outcome, error) {
	p, err := t.planRows(ctx, connection, r.Changes)
	if err != nil {
		return rowedit.Outcome{}, refusedChange(err)
	}
	if r.Seal != p.seal() {
		return rowedit.Outcome{}, refused(pool.Usagef("these are not the statements that were reviewed: the changes, the table or the connection are others now; review them again"))
	}
	place, err := t.conns.Enter(ctx, p.cfg, p.database.Writes, "changes of rows")
	if err != nil {
		return rowedit.Outcome{}, refused(err)
	}
	bound := make([]driver.Bound, len(p.statements))
	for i, s := range p.statements {
		bound[i] = driver.Bound{Text: s.Text, Values: s.Values}
	}
	start := time.Now()
	err = t.conns.Settle(ctx, t.conns.Timeout(p.cfg), func(ctx context.Context) error {
		defer place.Leave()
		return p.database.WriteRows(ctx, bound)
	})
	return t.outcome(ctx, p, err, time.Since(start))
}

// rowPlan is what changes of rows come to on a database.
type rowPlan struct {
	cfg        pool.Config
	database   *pool.Database
	reach      string
	table      string
	statements []rowedit.Statement
}

// planRows reads the table as it is now, so that names, types and the key are
// the database's own.
func (t *Tools) planRows(ctx context.Context, connection string, c rowedit.Changes) (*rowPlan, error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return nil, err
	}
	if cfg.ReadOnly {
		return nil, pool.Usagef("connection %s is opened with mode=ro; nothing is written to it", replytext.Quote(cfg.Name))
	}
	_, reach, err := t.conns.Reach(cfg)
	if err != nil {
		return nil, err
	}
	var def designer.Definition
	err = t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) (err error) {
		def, err = d.Find(ctx, driver.Keys, func(n driver.Named) bool {
			schema := c.Table.Schema == n.Schema || c.Table.Schema == "" || n.Schema == "" && c.Table.Schema == cfg.DefaultSchema()
			return schema && n.Name == c.Table.Name
		})
		return err
	})
	if err != nil {
		return nil, cfg.Annotate(err)
	}
	if len(def.Tables)+len(def.Views) > 1 {
		return nil, pool.Usagef("several schemas have a %s; name the schema", replytext.Quote(c.Table.Name))
	}
	statements, err := rowedit.Plan(d.Dialect(), def, c)
	return &rowPlan{cfg, d, reach, c.Table.Name, statements}, err
}

// seal names the statements and what they run on.
func (p *rowPlan) seal() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", p.reach)
	for _, s := range p.statements {
		fmt.Fprintf(h, "%q %q\n", s.Text, s.Shown)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// outcome reports what became of changes, and records those that were made.
func (t *Tools) outcome(ctx context.Context, p *rowPlan, err error, took time.Duration) (rowedit.Outcome, error) {
	out := rowedit.Outcome{ElapsedMs: took.Milliseconds()}
	var row *driver.RowError
	switch reason := pool.Reason(err); {
	case err == nil:
		out.Done = len(p.statements)
		t.record(p, "")
		t.logger().Info("a person changed rows", "connection", p.cfg.Name, "rows", out.Done, "durationMs", out.ElapsedMs)
	case errors.Is(err, driver.ErrUncertain), reason == "outcome_unknown":
		out.Unknown = replytext.Shown(pool.Message(err))
		t.record(p, "; whether they were made is not known")
		t.logger().Warn("whether a person's changes of rows were made is not known", "connection", p.cfg.Name, "rows", len(p.statements))
	case errors.As(err, &row):
		out.Refused = t.refusedRow(ctx, p, row)
	case reason == "query_failed": // at the end: a constraint that is checked then
		out.Refused = &rowedit.Refused{Change: -1, Why: replytext.Shown(pool.Message(p.cfg.Annotate(err)))}
	default:
		return rowedit.Outcome{}, refused(p.cfg.Annotate(err))
	}
	return out, nil
}

// refusedRow says why a row was not changed, and what it has now.
func (t *Tools) refusedRow(ctx context.Context, p *rowPlan, row *driver.RowError) *rowedit.Refused {
	said := &rowedit.Refused{Change: row.Index}
	switch {
	case row.Err != nil:
		said.Why = replytext.Shown(pool.Message(row.Err))
	case row.Rows == 0:
		said.Why = "the row is not as it was read any more: another program changed or deleted it (or a trigger keeps it as it is)"
	default:
		said.Why = fmt.Sprintf("%d rows would have been changed instead of one", row.Rows)
	}
	if now := p.statements[row.Index].Now; now != nil {
		// Without it the refusal is as true.
		said.Now, _ = t.PageRows(ctx, p.cfg.Name, *now, false)
	}
	return said
}

// record enters changes in the ledger, as an agent's that a person approved.
func (t *Tools) record(p *rowPlan, doubt string) {
	texts := make([]string, len(p.statements))
	for i, s := range p.statements {
		texts[i] = s.Shown
	}
	detail := strings.Join(texts, ";\n") + ";"
	about := t.about(p.cfg, detail)
	about.Statements = texts
	t.opts.Ledger.Record(byPerson, approval.Plan{
		Kind:   approval.KindQuery,
		Title:  fmt.Sprintf("Change %s of %s on the %s of connection %s%s", rowCount(len(texts)), replytext.Quote(p.table), t.where(p.cfg), replytext.Quote(p.cfg.Name), doubt),
		Detail: detail,
		Format: approval.FormatSQL,
		About:  about,
	})
}

// byPerson is whose a recorded change is, where an agent's client has a name.
const byPerson = "a person at the page"

func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// refusedChange is refused, for a request that has changes.
func refusedChange(err error) error {
	var change *rowedit.Error
	if errors.As(err, &change) {
		message := change.Error()
		if change.Change >= 0 {
			message = fmt.Sprintf("change %d: %s", change.Change+1, message)
		}
		return &routeError{"invalid_request", replytext.Shown(message)}
	}
	return refused(err)
}
