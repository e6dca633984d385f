package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// Publish implements [engine.Engine]. It makes the steps one by one on one
// connection. The step that an interrupted plan goes on with may have been
// made when the interruption came: it is asked for first, and passed over if
// it is there.
//
// A caller that gives up gets the error when the server has ended the
// statement: the step is then made or not, and StepError.Applied says which
// as far as it can be told.
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
	for _, step := range p.Steps[:from] { // what is of the session is gone with it
		if strings.HasPrefix(step.Statement, "SET SESSION ") {
			if _, err := s.ExecContext(ctx, step.Statement); err != nil {
				return fmt.Errorf("publish: go on with %q: %w", step.Statement, err)
			}
		}
	}
	for i := from; i < len(p.Steps); i++ {
		if err := makeStep(ctx, s, p.Steps, i, i == from, progress); err != nil {
			return err
		}
	}
	return nil
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

// runStep runs a statement. MariaDB 10.11 refuses now and then to rename a
// column that a formula computes with, by the copy of the table that it has
// open: it does not know the old name in the formula, or the new one. Nothing
// is changed then, and the copy is given up, so that it is asked once more.
func runStep(ctx context.Context, s *session, statement string) error {
	_, err := s.ExecContext(ctx, statement)
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && refused.Number == unknownColumn && strings.Contains(statement, "RENAME COLUMN ") {
		_, err = s.ExecContext(ctx, statement)
	}
	return err
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
