package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/e2e/bench/table"
)

// endless are queries that compute until they are stopped, and seen what
// counts those in progress in the database, without our own.
var (
	endless = map[string]string{
		sqlite:     "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d) SELECT count(*) FROM d WHERE n < 0",
		postgreSQL: "SELECT count(*) FROM generate_series(1, 1000000000000)",
		mariaDB:    "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 900) SELECT COUNT(*) FROM d a, d b, d c, d e WHERE a.n + b.n + c.n + e.n < 0",
	}
	seen = map[string]string{
		postgreSQL: "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE '%generate_series%'",
		mariaDB:    "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%RECURSIVE d%'",
	}
)

const stopLimit = 10 * time.Second

// runaways begins an endless query, cancels it as MCP has it, and watches the
// database: what matters is when the work ends, not when the client stops
// waiting.
func (r *turn) runaways() {
	for i := range r.databases {
		d := &r.databases[i]
		if d.tables != sizes[0] {
			continue
		}
		for _, s := range r.present() {
			if s.database == nil || r.ctx.Err() != nil {
				continue
			}
			r.say("a runaway query, %s, %s", d.kind, s.name)
			r.runaway(d, s)
		}
	}
}

func (r *turn) runaway(d *database, s server) {
	m := table.Measure{Section: "A runaway query", Name: d.kind + ": from notifications/cancelled to its end", Unit: "ms"}
	one, err := s.database(r.ctx, d)
	if errors.Is(err, errNotItsWork) {
		return
	}
	if err != nil {
		r.fail(m, s.name, err)
		return
	}
	defer r.killQueries(d)
	defer one.close()
	w, err := r.watch(d, one)
	if err != nil {
		r.fail(m, s.name, err)
		return
	}
	id, err := one.Begin(one.query(endless[d.kind]))
	if err == nil {
		err = w.begun(r.ctx)
	}
	if errors.Is(err, errNotYet) { // its answer says why
		var reply driver.Reply
		if reply, err = one.Wait(time.Second); err == nil {
			err = errors.New(reply.Text)
		}
	}
	if err != nil {
		r.fail(m, s.name, fmt.Errorf("the query was not seen in the database: %w", err))
		return
	}
	began := time.Now()
	if err := one.Cancel(id); err != nil {
		r.fail(m, s.name, err)
		return
	}
	switch ended, err := w.ended(r.ctx); {
	case errors.Is(err, errNotYet):
		r.table.Say(m, s.name, fmt.Sprintf("still computing after %v", stopLimit))
	case err != nil:
		r.fail(m, s.name, err)
	default:
		r.table.Add(m, s.name, r.n, millis(ended.Sub(began)))
	}
}

// watch looks whether the query of a session is in progress.
type watch struct {
	runs func() (bool, error)
	// quiet is how long runs must find nothing before the query has ended:
	// 0 where one look is certain.
	quiet time.Duration
}

// watch looks at a server's list of sessions. SQLite computes in the MCP
// server's own process, whose processor time is looked at instead; on a busy
// machine a process has none for a while that still computes.
func (r *turn) watch(d *database, s *session) (watch, error) {
	if query, ok := seen[d.kind]; ok {
		return watch{runs: func() (bool, error) {
			var n int
			err := d.db.QueryRowContext(r.ctx, query).Scan(&n)
			return n > 0, err
		}}, nil
	}
	pid := s.PID()
	if s.instance != 0 {
		pid = s.instance
	}
	if _, ok := processorTime(pid); !ok {
		return watch{}, errors.New("this system does not report the processor time of a process as Linux does")
	}
	return watch{quiet: 300 * time.Millisecond, runs: func() (bool, error) {
		before, _ := processorTime(pid)
		time.Sleep(10 * time.Millisecond)
		after, ok := processorTime(pid)
		return ok && after-before > 2*time.Millisecond, nil
	}}, nil
}

var errNotYet = errors.New("it did not happen in time")

// begun waits until the query has been in progress for a while.
func (w watch) begun(ctx context.Context) error {
	time.Sleep(500 * time.Millisecond) // what starts a session computes too
	for end := time.Now().Add(stopLimit); ; time.Sleep(5 * time.Millisecond) {
		if yes, err := w.runs(); yes || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(end) {
			return errNotYet
		}
	}
}

// ended waits until the query is no longer in progress, and returns when that
// was first seen.
func (w watch) ended(ctx context.Context) (time.Time, error) {
	var first time.Time // of the looks that found nothing, without a break
	for end := time.Now().Add(stopLimit); ; time.Sleep(time.Millisecond) {
		yes, err := w.runs()
		now := time.Now()
		switch {
		case err != nil:
			return first, err
		case ctx.Err() != nil:
			return first, ctx.Err()
		case yes:
			first = time.Time{}
		case first.IsZero():
			first = now
		}
		if !first.IsZero() && now.Sub(first) >= w.quiet {
			return first, nil
		}
		if now.After(end) {
			return first, errNotYet
		}
	}
}

// killQueries ends what a server left computing in the database.
func (r *turn) killQueries(d *database) {
	switch d.kind {
	case postgreSQL:
		_, _ = d.db.ExecContext(r.ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'")
	case mariaDB:
		rows, err := d.db.QueryContext(r.ctx, "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%RECURSIVE d%'")
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			if rows.Scan(&id) == nil {
				_, _ = d.db.ExecContext(r.ctx, fmt.Sprintf("KILL %d", id))
			}
		}
	}
}
