package db

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Bounds of what a page is shown and takes away.
const (
	maxPageRows  = 1000
	pageBytes    = 1 << 20
	pageText     = 4 << 10         // bytes of a value in a list of rows
	wholeText    = 4 << 20         // bytes of one that is asked for alone
	countTime    = 3 * time.Second // for counting
	maxSavedRows = 200_000         // rows of a saved file
	maxSaved     = int64(64 << 20) // bytes of one
)

// PageRows returns the rows that a page's request is for, as the JSON of
// run-query's replies. If single is true it is for one row, whose values are
// whole up to 4 MiB.
func (t *Tools) PageRows(ctx context.Context, connection string, r browse.Request, single bool) (json.RawMessage, error) {
	limit, text := r.Limit, pageText
	if single {
		limit, text = 1, wholeText
	}
	if limit < 1 || limit > maxPageRows {
		return nil, refused(pool.Usagef("limit is from 1 to %d", maxPageRows))
	}
	r.Limit = limit
	var reply *rowset.Reply
	took, err := t.readFor(ctx, connection, r.Rows, 0, func() rowset.Sink {
		reply = rowset.NewPage(limit, max(pageBytes, 2*text), text)
		return reply
	})
	if err != nil {
		return nil, err
	}
	return json.RawMessage(reply.JSON(took.Ran)), nil
}

// PageCount counts the rows that fulfil a request's filters. It gives up after
// 3 seconds.
func (t *Tools) PageCount(ctx context.Context, connection string, r browse.Request) (browse.Counted, error) {
	var n countSink
	start := time.Now()
	_, err := t.readFor(ctx, connection, r.Count, countTime, func() rowset.Sink { n = countSink{}; return &n })
	took := time.Since(start).Milliseconds()
	var told *routeError
	if errors.As(err, &told) && told.code == "timeout" && ctx.Err() == nil {
		return browse.Counted{ElapsedMs: took}, nil
	}
	if err != nil {
		return browse.Counted{}, err
	}
	return browse.Counted{Rows: &n.rows, ElapsedMs: took}, nil
}

// PageSave writes the rows of a request, at most 200,000 and 64 MiB, to w
// while they are read.
func (t *Tools) PageSave(ctx context.Context, connection string, r browse.Request, format browse.Format, w io.Writer) (browse.Saved, error) {
	as, ok := map[browse.Format]rowset.Format{browse.CSV: rowset.CSV, browse.JSON: rowset.Array}[format]
	if !ok {
		return browse.Saved{}, refused(pool.Usagef("the format is csv or json"))
	}
	r.Limit, r.Offset = maxSavedRows+1, 0
	limited := &fewer{left: maxSavedRows}
	_, err := t.readFor(ctx, connection, r.Rows, 0, func() rowset.Sink {
		limited.File = rowset.NewFile(w, as, maxSaved)
		return limited
	})
	if err != nil {
		return browse.Saved{}, err
	}
	if err := limited.Flush(); err != nil {
		return browse.Saved{}, err
	}
	all := limited.Written()
	saved := browse.Saved{Rows: all.Rows, Bytes: all.Bytes}
	switch {
	case all.Truncated:
		saved.Limit = fmt.Sprintf("%d MiB", maxSaved>>20)
	case limited.more:
		saved.Limit = fmt.Sprintf("%d rows", maxSavedRows)
	}
	return saved, nil
}

// readFor runs the statement that a request makes as run-query's are run, and
// under the same guards. limit 0 is the connection's own. What it returns as an
// error says how a route reports it.
func (t *Tools) readFor(ctx context.Context, connection string, statement func(*designer.Dialect) (browse.Statement, error), limit time.Duration, newSink func() rowset.Sink) (pool.Timing, error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return pool.Timing{}, refused(err)
	}
	s, err := statement(d.Dialect())
	if err != nil {
		return pool.Timing{}, refused(err)
	}
	longest := t.conns.Timeout(cfg)
	if limit > 0 {
		longest = min(longest, limit)
	}
	took, err := t.reading(ctx, cfg, d, s.Text, longest, newSink, func(ctx context.Context, into rowset.Sink) error {
		return d.QueryBound(ctx, s.Text, s.Values, into)
	})
	return took, refused(err)
}

// refused returns an error of a page's request as a route reports it.
func refused(err error) error {
	var request *browse.Error
	var guard *readonly.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &request):
		return &routeError{"invalid_request", replytext.Shown(request.Error())}
	case errors.As(err, &guard):
		return &routeError{"query_failed", replytext.Shown(guard.Error())}
	case errors.Is(err, context.Canceled):
		return err
	}
	return &routeError{pool.Reason(err), replytext.Shown(pool.Message(err))}
}

// countSink takes the one value of a count.
type countSink struct{ rows int64 }

func (c *countSink) Columns([]string, []string) error { return nil }

func (c *countSink) Row(values []any) (bool, error) {
	if n, ok := values[0].(int64); ok && len(values) == 1 {
		c.rows = n
		return true, nil
	}
	return false, errors.New("the database counted no rows")
}

// fewer is a file of a limited number of rows. What has been written stays
// written, so it cannot begin again.
type fewer struct {
	*rowset.File
	left  int
	more  bool // than are left
	begun bool
}

func (f *fewer) Columns(names, types []string) error {
	if f.begun {
		return errors.New("the database changed while it was read; save the rows again")
	}
	f.begun = true
	return f.File.Columns(names, types)
}

func (f *fewer) Row(values []any) (bool, error) {
	if f.more = f.left == 0; f.more {
		return false, nil
	}
	f.left--
	return f.File.Row(values)
}
