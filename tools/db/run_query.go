package db

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// runQuery handles run-query: one statement that reads.
func (c *Connections) runQuery(ctx context.Context, call tools.Call) tools.Reply {
	var query, connection string
	var file rowset.Format
	err := decode(call.Arguments,
		argument{name: "query", into: &query, required: true},
		argument{name: "connection", into: &connection},
		argument{name: "toFile", into: &file})
	if err != nil {
		return fail(err)
	}
	cfg, d, err := c.checked(ctx, connection, query)
	if err != nil {
		return fail(err)
	}
	if file != rowset.None {
		return c.queryToFile(ctx, cfg, d, query, file)
	}
	var r *rowset.Reply
	took, err := c.query(ctx, cfg, d, query, func() rowset.Sink {
		r = rowset.NewReply(c.maxRows(cfg), c.opts.MaxBytes)
		return r
	})
	if err != nil {
		return fail(err)
	}
	return reply(r.JSON(took.ran), r.Notes(took.note()))
}

// reply is a reply of a first item and, where it says anything, a second.
func reply(first, second string) tools.Reply {
	if second == "" {
		return tools.Reply{Content: []string{first}}
	}
	return tools.Reply{Content: []string{first, second}}
}

// checked picks the connection and has its dialect check the query.
func (c *Connections) checked(ctx context.Context, connection, query string) (Config, *opened, error) {
	cfg, d, err := c.pickDatabase(ctx, connection)
	if err != nil {
		return cfg, nil, err
	}
	if r := d.Check(query, c.opts.DesignerOpen()); r != nil {
		return cfg, nil, r
	}
	return cfg, d, nil
}

func (c *Connections) pickDatabase(ctx context.Context, connection string) (Config, *opened, error) {
	cfg, err := c.pick(ctx, connection)
	if err != nil {
		return cfg, nil, err
	}
	d, err := c.database(cfg)
	return cfg, d, err
}

// query runs a checked query. newSink may be called twice: where the file
// changed under the reader, what it read is void and it reads again. After an
// error the sink is not to be looked at: the query may still be running.
func (c *Connections) query(ctx context.Context, cfg Config, d *opened, query string, newSink func() rowset.Sink) (took spent, err error) {
	for range 2 {
		into := newSink()
		once, err := c.readIn(ctx, cfg, d.queries, query, c.timeout(cfg), func(ctx context.Context) error { return d.Query(ctx, query, into) })
		took = took.add(once)
		if !isChanged(err) {
			return took, named(cfg, err)
		}
	}
	return took, rosqlite.ErrChanged
}

// isChanged tells that the file changed under the reader.
func isChanged(err error) bool { return errors.Is(err, rosqlite.ErrChanged) }

// named puts the connection's name into an error of opening it.
func named(cfg Config, err error) error {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return &dial.ConnectError{Connection: cfg.Name, Cause: connect.Cause, Fix: connect.Fix}
	}
	return err
}

func (c *Connections) maxRows(cfg Config) int {
	if cfg.MaxRows > 0 {
		return cfg.MaxRows
	}
	return c.opts.MaxRows
}

func (c *Connections) timeout(cfg Config) time.Duration {
	if cfg.Timeout > 0 {
		return cfg.Timeout
	}
	return c.opts.Timeout
}

// encodeJSON is [json.Marshal] of a value that cannot fail.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}
