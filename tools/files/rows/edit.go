package rows

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
)

// lockTime is how long an edit waits for another client's lock.
const lockTime = "5s"

// Replace implements [store.Store]. The row is locked and compared with what
// was read; nothing else decides, its time least of all.
func (s *Store) Replace(ctx context.Context, was *store.File, content []byte) (disk.Method, error) {
	if o, ok := was.Origin.(origin); !ok || o.store.place() != s.place() {
		return "", refuse(disk.Stale, "%s was read from another place; read it again", was.Path)
	}
	if err := s.Writable(was); err != nil {
		return "", err
	}
	if err := checkSize(was.Path, content); err != nil {
		return "", err
	}
	return Transaction, s.write(ctx, was.Path, content, func(ctx context.Context, tx *sql.Tx, sh *shape) error {
		now, err := s.locked(ctx, tx, sh, was.Path)
		switch {
		case err != nil:
			return err
		case !now.Whole || !bytes.Equal(now.Content, was.Content):
			return staleError(was.Path)
		}
		return sh.update(ctx, tx, now, content)
	})
}

func staleError(path string) error {
	return refuse(disk.Stale, "%s was changed by another client meanwhile; read it again", clip.Text(path, 300))
}

func checkSize(path string, content []byte) error {
	if len(content) > disk.MaxFile {
		return refuse(disk.TooLarge, "%s would have %d bytes; the most is %d", path, len(content), disk.MaxFile)
	}
	return nil
}

// locked reads a row and keeps others from changing it until tx ends.
func (s *Store) locked(ctx context.Context, tx *sql.Tx, sh *shape, path string) (*store.File, error) {
	if sh.dialect == dialectSQLite { // the transaction has the whole file
		f, err := s.file(ctx, tx, sh, path, "")
		return f, goneError(path, err)
	}
	if _, err := tx.ExecContext(ctx, "SELECT set_config('lock_timeout', '"+lockTime+"', true)"); err != nil {
		return nil, err
	}
	f, err := s.file(ctx, tx, sh, path, " FOR UPDATE")
	if !isReason(err, disk.NotFound) {
		return f, err
	}
	// A policy may show a row that it keeps from being changed.
	if _, seen := s.file(ctx, tx, sh, path, ""); seen == nil {
		return nil, s.policyError(path)
	}
	return nil, goneError(path, err)
}

func (s *Store) policyError(path string) error {
	return refuse(disk.Forbidden, "%s may be read and not changed by the login of connection %s: a row-level security policy, or a trigger, of table %s keeps the row as it is",
		clip.Text(path, 300), s.opts.Connection, s.opts.Table)
}

// goneError says of a row that was there when it was read that it is stale.
func goneError(path string, err error) error {
	if isReason(err, disk.NotFound) {
		return staleError(path)
	}
	return err
}

func isReason(err error, reason disk.Reason) bool {
	var known *disk.Error
	return errors.As(err, &known) && known.Reason == reason
}

// update writes the content of a row, and reads back that it is there.
func (sh *shape) update(ctx context.Context, tx *sql.Tx, f *store.File, text []byte) error {
	was := f.Origin.(origin)
	where, args := sh.rows()
	n := len(args)
	set := fmt.Sprintf("%s = $%d", sh.column(sh.opts.Columns.Content), n+2)
	if sh.opts.Columns.UpdatedAt != "" && !sh.generated[sh.opts.Columns.UpdatedAt] {
		set += ", " + sh.column(sh.opts.Columns.UpdatedAt) + " = " + sh.now()
	}
	query := fmt.Sprintf("UPDATE %s SET %s WHERE %s AND %s = $%d", sh.table, set, where, sh.column(sh.opts.Columns.Path), n+1)
	result, err := tx.ExecContext(ctx, query, append(args, was.spelled, argument(text, was.blob))...)
	if err != nil {
		return err
	}
	rows, err := result.RowsAffected()
	if err == nil && rows != 1 {
		_, err = readShape(ctx, tx, Description{Dialect: sh.dialect}, was.store.opts) // a view, by now
		err = cmp.Or(err, error(was.store.policyError(f.Path)))
	}
	return err
}

// written reads back, before the transaction ends, that a row is what was
// written to it and that it is a table's. Triggers may change a row after its
// statement has returned what it wrote, or at the end of the transaction, and a
// view's may write nothing.
func (s *Store) written(ctx context.Context, tx *sql.Tx, sh *shape, path string, text []byte) error {
	if sh.dialect == dialectPostgres {
		if _, err := tx.ExecContext(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
			return err
		}
	}
	if _, err := readShape(ctx, tx, Description{Dialect: sh.dialect}, s.opts); err != nil {
		s.forget()
		return err
	}
	f, err := s.file(ctx, tx, sh, path, "")
	if isReason(err, disk.NotFound) || err == nil && !bytes.Equal(f.Content, text) {
		return changedError(path)
	}
	return err
}

func changedError(path string) error {
	return refuse(disk.Unavailable, "%s was not written: a trigger of the table changes what is written to it", clip.Text(path, 300))
}

// argument returns a content for a column of text or bytes.
func argument(text []byte, blob bool) any {
	switch {
	case !blob:
		return string(text)
	case text == nil:
		return []byte{}
	}
	return text
}

// now returns the expression for the present time, as the column has times.
func (sh *shape) now() string {
	if sh.dialect == dialectPostgres {
		return "now()"
	}
	c := sh.column(sh.opts.Columns.UpdatedAt)
	return "CASE WHEN typeof(" + c + ") = 'integer' AND " + c + " > 100000000000 THEN 1000 * unixepoch() WHEN typeof(" + c + ") = 'integer' THEN unixepoch() ELSE CURRENT_TIMESTAMP END"
}

// Free implements [store.Store].
func (s *Store) Free(ctx context.Context, path string) error {
	return s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		if sh.unchangeable != "" {
			return refuse(disk.ReadOnly, "%s is not created: %s", path, sh.unchangeable)
		}
		return sh.free(ctx, db, path)
	})
}

// free returns an error if the path is a file or a folder, or below a file.
func (sh *shape) free(ctx context.Context, db querier, path string) error {
	above := []string{path}
	for i := range len(path) {
		if path[i] == '/' {
			above = append(above, path[:i])
		}
	}
	one := func(where string, args []any) (spelled string, err error) {
		query := "SELECT " + sh.column(sh.opts.Columns.Path) + " FROM " + sh.table + " WHERE " + where + " LIMIT 1"
		err = db.QueryRowContext(ctx, query, args...).Scan(&spelled)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return strings.TrimPrefix(spelled, "/"), err
	}
	there, err := one(sh.rowsOf(above...))
	if err != nil {
		return err
	}
	if there != "" && there != path && slices.Contains(above, there) {
		return refuse(disk.NotFound, "%s is not a folder", clip.Text(there, 300))
	}
	if there == "" {
		if there, err = one(sh.rowsBelow(path + "/")); err != nil {
			return err
		}
	}
	if there != "" {
		return existsError(path)
	}
	return nil
}

func existsError(path string) error {
	return refuse(disk.Exists, `%s exists; read it and edit it with its version ("none" is for a new file)`, clip.Text(path, 300))
}

// Make implements [store.Store].
func (s *Store) Make(ctx context.Context, path string, content []byte) (disk.Method, error) {
	if err := checkSize(path, content); err != nil {
		return "", err
	}
	return disk.Create, s.write(ctx, path, content, func(ctx context.Context, tx *sql.Tx, sh *shape) error {
		if err := sh.free(ctx, tx, path); err != nil {
			return err
		}
		return sh.insert(ctx, tx, path, content)
	})
}

func (sh *shape) insert(ctx context.Context, tx *sql.Tx, path string, text []byte) error {
	spelled := "/" + path
	if sh.spelledBare {
		spelled = path
	}
	_, args := sh.rows()
	var columns, values []string
	if len(args) > 0 {
		value := "$1"
		if sh.dialect == dialectPostgres {
			value = "CAST($1::text AS " + sh.types[sh.opts.Columns.Project] + ")"
		}
		columns, values = append(columns, sh.column(sh.opts.Columns.Project)), append(values, value)
	}
	n := len(args)
	columns = append(columns, sh.column(sh.opts.Columns.Path), sh.column(sh.opts.Columns.Content))
	values = append(values, fmt.Sprintf("$%d", n+1), fmt.Sprintf("$%d", n+2))
	if at := sh.opts.Columns.UpdatedAt; at != "" && !sh.generated[at] {
		now := "CURRENT_TIMESTAMP"
		if sh.dialect == dialectSQLite && strings.Contains(sh.columns[at], "int") {
			now = "unixepoch()"
		}
		columns, values = append(columns, sh.column(at)), append(values, now)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO "+sh.table+" ("+strings.Join(columns, ", ")+") VALUES ("+strings.Join(values, ", ")+")",
		append(args, spelled, argument(text, sh.isBytes()))...)
	return err
}

// write runs work, which writes a row, in one transaction.
func (s *Store) write(ctx context.Context, path string, text []byte, work func(context.Context, *sql.Tx, *shape) error) error {
	var known *shape // of the reading before: it said what is not written
	if err := s.read(ctx, func(_ context.Context, _ *sql.DB, sh *shape) error { known = sh; return nil }); err != nil {
		return err
	}
	return s.conn.Write(ctx, func(ctx context.Context, db *sql.DB) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return s.worded(ctx, err)
		}
		err = work(ctx, tx, known)
		if err == nil {
			err = s.written(ctx, tx, known, path, text)
		}
		if err != nil {
			_ = tx.Rollback() // err says what went wrong
			return s.worded(ctx, err)
		}
		if err := tx.Commit(); err != nil {
			if stateOf(err) == "" {
				return refuse(disk.Unavailable, "the connection was lost while the edit was made, and it is not known whether it was: read the file again")
			}
			return s.worded(ctx, err)
		}
		return nil
	})
}
