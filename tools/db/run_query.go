package db

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// runQuery handles run-query: one statement that reads.
func (t *Tools) runQuery(ctx context.Context, call tools.Call) tools.Reply {
	var query, connection string
	var file rowset.Format
	err := decode(call.Arguments,
		argument{name: "query", into: &query, required: true},
		argument{name: "connection", into: &connection},
		argument{name: "toFile", into: &file})
	if err != nil {
		return fail(err)
	}
	cfg, d, err := t.checked(ctx, connection, query)
	if err != nil {
		return fail(err)
	}
	if file != rowset.None {
		return t.queryToFile(ctx, cfg, d, query, file)
	}
	var r *rowset.Reply
	took, err := t.query(ctx, cfg, d, query, func() rowset.Sink {
		r = rowset.NewReply(t.maxRows(cfg), t.opts.MaxBytes)
		return r
	})
	if err != nil {
		return t.queryFailed(ctx, cfg, d, err)
	}
	return reply(r.JSON(took.Ran), r.Notes(took.Note()))
}

// checked picks the connection and has its dialect check the query.
func (t *Tools) checked(ctx context.Context, connection, query string) (pool.Config, *pool.Database, error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return cfg, nil, err
	}
	if r := d.Check(query, t.opts.DesignerOpen()); r != nil {
		return cfg, nil, r
	}
	return cfg, d, nil
}

// query runs a checked query. newSink may be called twice: where the file
// changed under the reader, what it read is void and it reads again. After an
// error the sink is not to be looked at: the query may still be running.
func (t *Tools) query(ctx context.Context, cfg pool.Config, d *pool.Database, query string, newSink func() rowset.Sink) (pool.Timing, error) {
	return t.reading(ctx, cfg, d, query, t.conns.Timeout(cfg), newSink, func(ctx context.Context, into rowset.Sink) error {
		return d.Query(ctx, query, into)
	})
}

// reading is query, for at most limit. ask runs the query once.
func (t *Tools) reading(ctx context.Context, cfg pool.Config, d *pool.Database, query string, limit time.Duration, newSink func() rowset.Sink, ask func(context.Context, rowset.Sink) error) (took pool.Timing, err error) {
	for range 2 {
		into := newSink()
		once, err := t.conns.ReadIn(ctx, cfg, d.Queries, query, limit, func(ctx context.Context) error { return ask(ctx, into) })
		took = took.Add(once)
		if !isChanged(err) {
			return took, cfg.Annotate(err)
		}
	}
	return took, rosqlite.ErrChanged
}

// isChanged tells that the file changed under the reader.
func isChanged(err error) bool { return errors.Is(err, rosqlite.ErrChanged) }

func (t *Tools) maxRows(cfg pool.Config) int {
	if cfg.MaxRows > 0 {
		return cfg.MaxRows
	}
	return t.opts.MaxRows
}

// encodeJSON is [json.Marshal] of a value that cannot fail.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}
