package db

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// mssqlAdapter answers mssql-query: live, or with the document's stub.
type mssqlAdapter interface {
	execute(ctx context.Context, q mssqlRequest) (recordset, error)
}

// mssqlRequest is what an adapter is asked.
type mssqlRequest struct {
	database, query string
	maxRows         int // 0: the adapter's own default
}

// recordset is one result in the envelope's form.
type recordset struct {
	Columns []recordColumn    `json:"columns"`
	Rows    []json.RawMessage `json:"rows"` // an array a row
	notes   string            // what the reader has to know of the rows
}

type recordColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// envelope is the document's "Tool Response Envelope".
type envelope struct {
	CorrelationID string      `json:"correlationId"`
	Database      string      `json:"database"`
	Recordset     []recordset `json:"recordset"`
	StartedAt     string      `json:"startedAt"` // RFC 3339
	CompletedAt   string      `json:"completedAt"`
	Note          string      `json:"note,omitempty"` // what the reader has to know of the rows: clients show a model one of the two forms
}

// mssqlQuery handles mssql-query. It is the one tool with structured output,
// so its text repeats it.
func (t *Tools) mssqlQuery(ctx context.Context, call tools.Call) tools.Reply {
	var q mssqlRequest
	err := decode(call.Arguments,
		argument{name: "database", into: &q.database, required: true},
		argument{name: "query", into: &q.query, required: true},
		argument{name: "maxRows", into: &q.maxRows})
	if err == nil && q.maxRows < 1 && givesMaxRows(call.Arguments) {
		err = pool.Usagef("Error: the argument maxRows must be at least 1")
	}
	if err != nil {
		return mssqlFail(err)
	}
	e := envelope{CorrelationID: uuid.NewString(), Database: q.database, StartedAt: stamp()}
	set, err := t.mssqlAdapter(ctx).execute(ctx, q)
	e.CompletedAt = stamp()
	if err != nil {
		t.logger().Warn("mssql-query failed", "correlationId", e.CorrelationID, "reason", reasonWord(err))
		return mssqlFail(err)
	}
	e.Recordset, e.Note = []recordset{set}, set.notes
	text, err := json.Marshal(e)
	if err != nil {
		return mssqlFail(err)
	}
	r := reply(string(text), "")
	r.Structured = text
	return r
}

// mssqlFail is the reply of an error. The guard's refusals are those of
// run-query; here they are this tool's.
func mssqlFail(err error) tools.Reply {
	r := fail(err)
	var refused *readonly.Refusal
	if errors.As(err, &refused) {
		r.Content[0] = strings.ReplaceAll(r.Content[0], catalog.RunQuery, catalog.MSSQLQuery)
	}
	return r
}

// givesMaxRows reports whether a call says how many rows it wants: 0 is not the
// default.
func givesMaxRows(arguments json.RawMessage) bool {
	var given struct {
		MaxRows *int `json:"maxRows"`
	}
	return json.Unmarshal(arguments, &given) == nil && given.MaxRows != nil
}

func stamp() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// reasonWord says of an error what a log may: never what a query held.
func reasonWord(err error) string {
	if r, ok := err.(*readonly.Refusal); ok {
		return r.Rule
	}
	return "the adapter failed"
}

func (t *Tools) logger() *slog.Logger {
	if t.opts.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return t.opts.Logger
}

// mssqlAdapter is live where the project has a SQL Server connection.
func (t *Tools) mssqlAdapter(ctx context.Context) mssqlAdapter {
	var servers []pool.Config
	for _, cfg := range t.conns.Known(ctx) {
		if cfg.Dialect == dial.SQLServer {
			servers = append(servers, cfg)
		}
	}
	if len(servers) == 0 {
		return mssqlStub{maxRows: t.opts.MaxRows, maxBytes: t.opts.MaxBytes}
	}
	return mssqlLive{tools: t, servers: servers}
}

// mssqlLive runs the query as run-query does.
type mssqlLive struct {
	tools   *Tools
	servers []pool.Config
}

func (l mssqlLive) execute(ctx context.Context, q mssqlRequest) (recordset, error) {
	t := l.tools
	cfg, ok := l.pick(q.database)
	if !ok {
		return recordset{}, pool.Usagef("no SQL Server connection is of database %s; known: %s", replytext.Quote(q.database), pool.Names(l.servers))
	}
	cfg, d, err := t.checked(ctx, cfg.Name, q.query)
	if err != nil {
		return recordset{}, err
	}
	limit := t.maxRows(cfg)
	if q.maxRows > 0 {
		limit = min(limit, q.maxRows)
	}
	var r *rowset.Reply
	took, err := t.query(ctx, cfg, d, q.query, func() rowset.Sink {
		r = newRecords(limit, t.opts.MaxBytes)
		if q.maxRows == limit {
			r.Asked = limit
		}
		return r
	})
	if err != nil {
		return recordset{}, err
	}
	return recordsetOf(r, took), nil
}

// newRecords returns what takes the rows of a reply that has them twice, as
// structured output and as text, in which each quote is escaped: a third of the
// bytes is for the rows, so that the message stays within the bound, whichever
// of the two a client counts.
func newRecords(maxRows, maxBytes int) *rowset.Reply {
	r := rowset.NewReply(maxRows, maxBytes/3)
	r.Elsewhere = true
	return r
}

// pick finds a connection by its database, else by its own name.
func (l mssqlLive) pick(database string) (pool.Config, bool) {
	for _, cfg := range l.servers {
		if strings.EqualFold(cfg.Address.Database, database) {
			return cfg, true
		}
	}
	return pool.ByName(l.servers, database)
}

// recordsetOf is a reply in the envelope's form.
func recordsetOf(r *rowset.Reply, took pool.Timing) recordset {
	set := recordset{Columns: []recordColumn{}, Rows: r.Rows(), notes: r.Notes(took.Note())}
	for _, c := range r.Header() {
		set.Columns = append(set.Columns, recordColumn(c))
	}
	return set
}
