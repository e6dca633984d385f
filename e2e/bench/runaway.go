package main

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	m := table.Measure{Section: "A runaway query", Name: d.kind + ": it ends after notifications/cancelled, after", Unit: "ms"}
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
	runs, err := r.watch(d, one)
	if err != nil {
		r.fail(m, s.name, err)
		return
	}
	id, err := one.Begin(one.query(endless[d.kind]))
	if err == nil {
		err = await(r.ctx, stopLimit, runs)
	}
	if err != nil {
		r.fail(m, s.name, fmt.Errorf("the query did not begin: %w", err))
		return
	}
	began := time.Now()
	if err := one.Cancel(id); err != nil {
		r.fail(m, s.name, err)
		return
	}
	var quiet time.Time // when it was first found ended
	err = await(r.ctx, stopLimit, func() (bool, error) {
		quiet = time.Now()
		running, err := runs()
		return !running, err
	})
	switch {
	case errors.Is(err, errNotYet):
		r.table.Say(m, s.name, fmt.Sprintf("still computing after %v", stopLimit))
	case err != nil:
		r.fail(m, s.name, err)
	default:
		r.table.Add(m, s.name, r.n, millis(quiet.Sub(began)))
	}
}

// watch returns what reports whether the query of a session is in progress.
// SQLite computes in the server's own process, whose processor time is looked
// at instead.
func (r *turn) watch(d *database, s *session) (func() (bool, error), error) {
	if query, ok := seen[d.kind]; ok {
		return func() (bool, error) {
			var n int
			err := d.db.QueryRowContext(r.ctx, query).Scan(&n)
			return n > 0, err
		}, nil
	}
	pid := s.PID()
	if s.instance != 0 {
		pid = s.instance
	}
	if _, ok := processorTime(pid); !ok {
		return nil, errors.New("this system does not report the processor time of a process as Linux does")
	}
	return func() (bool, error) {
		before, _ := processorTime(pid)
		time.Sleep(250 * time.Millisecond)
		after, ok := processorTime(pid)
		return ok && after-before > 2, nil // a busy machine gives it little
	}, nil
}

var errNotYet = errors.New("it did not happen in time")

// await asks until the answer is yes.
func await(ctx context.Context, limit time.Duration, ask func() (bool, error)) error {
	for end := time.Now().Add(limit); ; time.Sleep(5 * time.Millisecond) {
		if yes, err := ask(); yes || err != nil {
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
