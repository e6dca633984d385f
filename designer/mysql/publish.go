package mysql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Publish implements [engine.Engine]. It makes the steps one by one on one
// connection. The step that an interrupted plan resumes with may have been
// made when the interruption came: it is asked for first, and passed over if
// it is there.
//
// A caller that gives up gets the error when the server has ended the
// statement: the step is then made or not, and StepError.Applied says which
// as far as is known.
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	if from < 0 || from > len(p.Steps) {
		return fmt.Errorf("publish from step %d of %d: there is none", from+1, len(p.Steps))
	}
	if progress == nil {
		progress = func(int, bool) error { return nil }
	}
	s, err := newSession(ctx, db)
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	defer func() {
		if ctx.Err() != nil {
			s.end(ctx)
		}
		s.close()
	}()
	if _, err := readServer(ctx, s.Conn); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := s.waitForLocks(ctx, engine.LockWait); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock(ctx)
	if err := engine.Ready(ctx); err != nil {
		return err
	}
	for _, step := range p.Steps[:from] { // what is of the session is gone with it
		if strings.HasPrefix(step.Statement, "SET SESSION ") {
			if _, err := s.ExecContext(ctx, step.Statement); err != nil {
				return fmt.Errorf("publish: resume with %q: %w", step.Statement, err)
			}
		}
	}
	if from == 0 {
		if err := s.lockOnce(ctx, p.Steps); err != nil {
			return err
		}
	}
	for i := from; i < len(p.Steps); i++ {
		if err := makeStep(ctx, s, p.Steps, i, i == from, progress); err != nil {
			return err
		}
	}
	return nil
}

// lockOnce locks the tables of a plan of several steps and unlocks them again,
// before any of them is changed: a plan that finds one in use for long then
// stops with nothing made rather than halfway. Who may not lock tables goes on
// without. The error is a [*designer.StepError] of the first step.
func (s *session) lockOnce(ctx context.Context, steps []designer.Step) error {
	if len(steps) < 2 {
		return nil // it is made or not
	}
	tables, err := s.tablesOf(ctx, steps)
	if err != nil || len(tables) == 0 {
		return err
	}
	statement := "LOCK TABLES " + strings.Join(tables, " WRITE, ") + " WRITE"
	if err := runStep(ctx, s, statement); err != nil {
		if isLocked(err) || ctx.Err() != nil {
			return &designer.StepError{Index: 0, Step: steps[0], Err: err}
		}
		return nil // such as: no right to do so
	}
	if _, err := s.ExecContext(ctx, "UNLOCK TABLES"); err != nil {
		return fmt.Errorf("publish: unlock the tables: %w", err)
	}
	return nil
}

// tablesOf lists those tables of the steps that there are, quoted.
func (s *session) tablesOf(ctx context.Context, steps []designer.Step) ([]string, error) {
	named := map[string]bool{}
	for _, step := range steps {
		for _, t := range step.Tables {
			named[t.Name] = true
		}
	}
	rows, err := s.QueryContext(ctx, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1")
	if err != nil {
		return nil, fmt.Errorf("publish: list the tables: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("publish: list the tables: %w", err)
		}
		if named[name] {
			out = append(out, quoteName(name))
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("publish: list the tables: %w", err)
	}
	return out, nil
}

// makeStep makes one step; resumed says that it may have been made before.
func makeStep(ctx context.Context, s *session, steps []designer.Step, i int, resumed bool, progress engine.Progress) error {
	step := steps[i]
	fail := func(applied int, err error) error {
		return &designer.StepError{Index: i, Step: step, Applied: applied, Err: err}
	}
	if err := progress(i, false); err != nil {
		return fail(i, err)
	}
	done := false
	if resumed && step.Made != "" {
		var err error
		if done, err = finds(ctx, s, step.Made); err != nil {
			return fail(i, fmt.Errorf("ask whether the step was made: %w", err))
		}
	}
	if !done {
		if err := runStep(ctx, s, step.Statement); err != nil {
			return fail(i+made(ctx, s, step), err)
		}
	}
	if err := progress(i, true); err != nil {
		return fail(i+1, err)
	}
	return nil
}

// unknownColumn is the server's ER_BAD_FIELD_ERROR.
const unknownColumn = 1054

// runStep runs a statement. It waits for other users of its table as
// [engine.PastLocks] says.
//
// MariaDB 10.11 refuses now and then to rename a column that a formula
// computes with, by the copy of the table that it has open: it does not know
// the old name in the formula, or the new one. Nothing is changed then, and the
// copy is given up, so that it is asked once more.
func runStep(ctx context.Context, s *session, statement string) error {
	wait := engine.LockWait // at a time, as the session has it
	err := engine.PastLocks(ctx, isLocked, func(worked time.Duration) error {
		if worked >= engine.LongWork {
			wait = engine.LongLockWait
			if err := s.waitForLocks(ctx, wait); err != nil {
				return err
			}
		}
		_, err := s.ExecContext(ctx, statement)
		if refusedWith(err, unknownColumn) && strings.Contains(statement, "RENAME COLUMN ") {
			_, err = s.ExecContext(ctx, statement)
		}
		return err
	})
	if wait != engine.LockWait {
		_ = s.waitForLocks(ctx, engine.LockWait) // should it fail, the next statement waits longer
	}
	return err
}

// The server's ER_LOCK_WAIT_TIMEOUT and ER_LOCK_DEADLOCK. After either of them
// a statement that defines has changed nothing.
const (
	lockTimeout  = 1205
	lockDeadlock = 1213
)

func isLocked(err error) bool { return refusedWith(err, lockTimeout) || refusedWith(err, lockDeadlock) }

// refusedWith reports whether the server refused with the error.
func refusedWith(err error, number uint16) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && refused.Number == number
}

// made is 1 where a step whose statement did not come back is there
// nevertheless.
func made(ctx context.Context, s *session, step designer.Step) int {
	if ctx.Err() == nil || step.Made == "" {
		return 0 // the server refused it
	}
	s.end(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if there, err := finds(ctx, s.db, step.Made); err != nil || !there {
		return 0
	}
	return 1
}

// scratchWait bounds how long a statement in a scratch database waits for
// others that use what it reads. Nobody waits behind it.
const scratchWait = time.Minute

// settleTime bounds what is done after a caller has given up.
const settleTime = 30 * time.Second

// strictMode is the sql_mode of plans: values that do not fit are refused
// rather than cut, and a zero in an identity column stays one.
const strictMode = "STRICT_ALL_TABLES,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO"

// session is one connection with the settings of a plan. It never goes back
// to its pool.
type session struct {
	*sql.Conn
	db *sql.DB
	id int64 // of the server's thread
}

func newSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	s := &session{Conn: conn, db: db}
	err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&s.id)
	for _, set := range []string{
		"SET NAMES utf8mb4",
		"SET SESSION sql_mode = '" + strictMode + "'",
		"SET SESSION foreign_key_checks = 1",
		"SET SESSION unique_checks = 1",
		"SET SESSION lock_wait_timeout = " + itoa(int(scratchWait.Seconds())),
	} {
		if err == nil {
			_, err = conn.ExecContext(ctx, set)
		}
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("prepare the connection: %w", err)
	}
	return s, nil
}

// waitForLocks sets how long a statement waits for others.
func (s *session) waitForLocks(ctx context.Context, wait time.Duration) error {
	_, err := s.ExecContext(ctx, "SET SESSION lock_wait_timeout = "+itoa(int(wait.Seconds())))
	return err
}

// close ends the connection rather than giving it back with its settings.
func (s *session) close() {
	_ = s.Raw(func(any) error { return driver.ErrBadConn }) // that is how a connection is given up
	_ = s.Conn.Close()
}

// end sees to it that the server works on the connection no more: a statement
// continues after its client has gone, and what it does then would come after
// the caller has looked.
func (s *session) end(ctx context.Context) {
	s.close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	_, _ = s.db.ExecContext(ctx, fmt.Sprintf("KILL %d", s.id)) // it may be gone already
	for ctx.Err() == nil {
		var there bool
		err := s.db.QueryRowContext(ctx, "SELECT COUNT(*) > 0 FROM information_schema.PROCESSLIST WHERE ID = ?", s.id).Scan(&there)
		if err != nil || !there {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// finds reports whether a query has a row.
func finds(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, query string) (bool, error) {
	var one any
	switch err := q.QueryRowContext(ctx, query).Scan(&one); err {
	case nil:
		return true, nil
	case sql.ErrNoRows:
		return false, nil
	default:
		return false, err
	}
}
