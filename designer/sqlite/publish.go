package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// restoreTimeout bounds what has to be done after the caller has gone.
const restoreTimeout = 5 * time.Second

// Publish implements [engine.Engine]. The steps run in one transaction, with
// foreign keys off, since a table that is dropped to be made again would take
// rows of others with it. Before the commit it is checked that no foreign key
// has more violations than before, and that no view or trigger has lost what
// it mentions; what was wrong before stays so.
func (Engine) Publish(ctx context.Context, db *sql.DB, p designer.Plan, from int, progress engine.Progress) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect to publish: %w", err)
	}
	err = run(ctx, conn, p, from, progress)
	return errors.Join(err, conn.Close())
}

// run makes the plan on conn, which is left as it was found.
func run(ctx context.Context, conn *sql.Conn, p designer.Plan, from int, progress engine.Progress) error {
	if progress == nil {
		progress = func(int, bool) error { return nil }
	}
	restore, err := set(ctx, conn)
	if err == nil {
		err = transact(ctx, conn, p, from, progress)
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreTimeout)
	defer cancel()
	if restore(late) != nil {
		discard(conn) // and with it all its settings
	}
	return err
}

// settings are the pragmas that the steps need.
var settings = [...]struct {
	name  string
	value int64
}{
	{"busy_timeout", BusyTimeout.Milliseconds()},
	{"foreign_keys", 0},
	{"legacy_alter_table", 0},
	{"ignore_check_constraints", 0},
}

// set makes the settings and returns what takes them back.
func set(ctx context.Context, conn *sql.Conn) (restore func(context.Context) error, err error) {
	before := make([]int64, 0, len(settings))
	restore = func(ctx context.Context) error {
		for i, value := range before {
			if err := pragma(ctx, conn, settings[i].name, value); err != nil {
				return err
			}
		}
		return nil
	}
	for _, s := range settings {
		var value int64
		if err := conn.QueryRowContext(ctx, "PRAGMA "+s.name).Scan(&value); err != nil {
			return restore, fmt.Errorf("read pragma %s: %w", s.name, err)
		}
		before = append(before, value)
		if err := pragma(ctx, conn, s.name, s.value); err != nil {
			return restore, err
		}
	}
	return restore, nil
}

func pragma(ctx context.Context, conn *sql.Conn, name string, value int64) error {
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA %s = %d", name, value)); err != nil {
		return fmt.Errorf("set pragma %s: %w", name, err)
	}
	var now int64
	if err := conn.QueryRowContext(ctx, "PRAGMA "+name).Scan(&now); err != nil {
		return fmt.Errorf("read pragma %s: %w", name, err)
	}
	if now != value { // as foreign_keys within a transaction
		return fmt.Errorf("set pragma %s to %d: it is still %d", name, value, now)
	}
	return nil
}

// discard closes a connection instead of giving it back to its pool.
func discard(conn *sql.Conn) { _ = conn.Raw(func(any) error { return driver.ErrBadConn }) }

// transact runs the steps from one on and commits, or leaves nothing.
func transact(ctx context.Context, conn *sql.Conn, p designer.Plan, from int, progress engine.Progress) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin to publish: %w%s", explain(err), whoHas(ctx, conn, err))
	}
	err := engine.Ready(ctx) // the transaction is the lock
	if err == nil {
		err = runSteps(ctx, conn, p, from, progress)
	}
	if err == nil {
		if _, err = conn.ExecContext(ctx, "COMMIT"); err == nil {
			return nil
		}
		err = atEnd(p, "commit", explain(err))
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreTimeout)
	defer cancel()
	var open *sqlite.Error
	_, failed := conn.ExecContext(late, "ROLLBACK")
	if failed != nil && !(errors.As(failed, &open) && open.Code() == sqlite3.SQLITE_ERROR) { // which says that SQLite has rolled back already
		discard(conn)
	}
	return err
}

func runSteps(ctx context.Context, conn *sql.Conn, p designer.Plan, from int, progress engine.Progress) error {
	check := newCheck(p)
	if err := check.before(ctx, conn); err != nil {
		return fmt.Errorf("look for what is wrong before: %w", err)
	}
	for i := from; i < len(p.Steps); i++ {
		if err := progress(i, false); err != nil {
			return fmt.Errorf("stopped before step %d: %w", i+1, err)
		}
		if _, err := conn.ExecContext(ctx, p.Steps[i].Statement); err != nil {
			return &designer.StepError{Index: i, Step: p.Steps[i], Err: explain(err)}
		}
		if err := progress(i, true); err != nil {
			return fmt.Errorf("stopped after step %d: %w", i+1, err)
		}
	}
	return check.after(ctx, conn)
}

// atEnd is the refusal of the whole, for which no step stands alone.
func atEnd(p designer.Plan, what string, err error) error {
	return &designer.StepError{Index: len(p.Steps), Step: designer.Step{Comment: what}, Err: err}
}
