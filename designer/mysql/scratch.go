package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer/engine"
)

// scratch is an empty database of the same server, the default one of the
// session.
type scratch struct {
	*session
	name string
}

// scratchError reports that the user may make no scratch database.
type scratchError struct{ err error }

func (e *scratchError) Error() string { return e.Plain() + ": " + e.err.Error() }

func (e *scratchError) Unwrap() error { return e.err }

// Plain is what may be said to anyone.
func (e *scratchError) Plain() string {
	return "a scratch database is needed to try a plan or read a script, and this user may make none: " +
		"grant it all rights on `" + engine.ScratchPrefix + "%`.*"
}

// newScratch makes a database with the character set and collation given.
// What is done there is kept out of the server's binary log where the user
// may say so.
func newScratch(ctx context.Context, db *sql.DB, charset, collation string) (*scratch, error) {
	s, err := newSession(ctx, db)
	if err != nil {
		return nil, err
	}
	_, _ = s.ExecContext(ctx, "SET SESSION sql_log_bin = 0") // needs a right that few have
	s.sweep(ctx, time.Now())
	name, err := engine.BeginScratch(ctx)
	if err != nil {
		s.close()
		return nil, err
	}
	x := &scratch{session: s, name: name}
	if _, err := s.ExecContext(ctx, "CREATE DATABASE "+quoteName(x.name)+" CHARACTER SET "+charset+" COLLATE "+collation); err != nil {
		if refused := (*mysql.MySQLError)(nil); !errors.As(err, &refused) {
			return nil, errors.Join(notMade(err), x.drop(ctx)) // it may have been made nevertheless
		}
		s.close()
		engine.EndScratch(ctx, name, nil)
		return nil, notMade(err)
	}
	if _, err := s.ExecContext(ctx, "USE "+quoteName(x.name)); err != nil {
		return nil, errors.Join(fmt.Errorf("use the scratch database: %w", err), x.drop(ctx))
	}
	return x, nil
}

// notMade explains why there is no scratch database.
func notMade(err error) error {
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && (refused.Number == 1044 || refused.Number == 1045 || refused.Number == 1227) {
		return &scratchError{err}
	}
	return fmt.Errorf("make a scratch database: %w", err)
}

// sweep drops what killed processes have left and nobody owns. It may not be
// this user's to drop; then it is somebody else's to.
func (s *session) sweep(ctx context.Context, now time.Time) {
	names, err := engine.ScratchNames(ctx, s, scratchQuery())
	if err != nil {
		return
	}
	for _, name := range names {
		if engine.ScratchStale(name, now) {
			_, _ = s.ExecContext(ctx, "DROP DATABASE IF EXISTS "+quoteName(name))
		}
	}
}

// Scratches implements [engine.Engine]: those that this user sees.
func (Engine) Scratches(ctx context.Context, db *sql.DB) ([]string, error) {
	return engine.ScratchNames(ctx, db, scratchQuery())
}

func scratchQuery() string {
	return "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE '" +
		strings.ReplaceAll(engine.ScratchPrefix, "_", `\_`) + "%'"
}

// drop ends what runs there and drops the database, whatever became of the
// caller.
func (x *scratch) drop(ctx context.Context) (err error) {
	defer func() { engine.EndScratch(ctx, x.name, err) }()
	x.end(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return Engine{}.DropScratch(ctx, x.db, x.name)
}

// DropScratch implements [engine.Engine].
func (Engine) DropScratch(ctx context.Context, db *sql.DB, name string) error {
	s, err := newSession(ctx, db)
	if err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", name, err)
	}
	defer s.close()
	_, _ = s.ExecContext(ctx, "SET SESSION sql_log_bin = 0")
	s.endThose(ctx, name)
	if _, err := s.ExecContext(ctx, "DROP DATABASE IF EXISTS "+quoteName(name)); err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", name, err)
	}
	return nil
}

// endThose ends the connections whose default database is the one named: the
// server works on for a client that is gone, and the drop would wait for it.
func (s *session) endThose(ctx context.Context, database string) {
	rows, err := s.QueryContext(ctx, "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = "+quoteString(database))
	if err != nil {
		return
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if rows.Scan(&id) == nil {
			ids = append(ids, id)
		}
	}
	_ = rows.Close() // what was read is enough
	for _, id := range ids {
		_, _ = s.ExecContext(ctx, fmt.Sprintf("KILL %d", id)) // it may be gone already
	}
}
