package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// VerifyBytes is the size of the largest database that Verify copies with its
// rows, 256 MiB.
const VerifyBytes = 256 << 20

// Verify implements [engine.Engine]. It publishes the plan to a copy of the
// database, in a folder that only this user can read, and removes that
// afterwards. Of a database larger than [VerifyBytes] the copy has no rows;
// where the plan passes there, the error is a [*designer.NotTriedError].
func (Engine) Verify(ctx context.Context, db *sql.DB, p designer.Plan, progress engine.Progress) error {
	return verify(ctx, db, p, VerifyBytes, progress)
}

func verify(ctx context.Context, db *sql.DB, p designer.Plan, most int64, progress engine.Progress) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect to verify: %w", err)
	}
	defer func() { _ = conn.Close() }() // it was read only
	size, err := sizeOf(ctx, conn)
	if err != nil {
		return err
	}
	if size <= most {
		return verifyOnCopy(ctx, conn, p, progress)
	}
	if err := verifyWithoutRows(ctx, conn, p, progress); err != nil {
		return err
	}
	return &designer.NotTriedError{Reason: fmt.Sprintf("The database has %d MiB, more than the %d MiB that are copied: "+
		"the plan was tried on its schema without rows, and a row may still stop it.", size>>20, most>>20)}
}

// VerifyNew implements [engine.Engine]. It publishes the plan to a database in
// memory.
func (Engine) VerifyNew(ctx context.Context, _ *sql.DB, p designer.Plan, progress engine.Progress) error {
	m, err := openMemory(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	return run(ctx, m.Conn, p, 0, progress)
}

// sizeOf is the size of what is in use in the file.
func sizeOf(ctx context.Context, conn *sql.Conn) (int64, error) {
	var pages, free, size int64
	for name, value := range map[string]*int64{"page_count": &pages, "freelist_count": &free, "page_size": &size} {
		if err := conn.QueryRowContext(ctx, "PRAGMA main."+name).Scan(value); err != nil {
			return 0, fmt.Errorf("measure the database: %w", err)
		}
	}
	return (pages - free) * size, nil
}

func verifyOnCopy(ctx context.Context, conn *sql.Conn, p designer.Plan, progress engine.Progress) (err error) {
	dir, err := copyFolder(ctx)
	if err != nil {
		return fmt.Errorf("make a folder for the copy: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "copy.db")
	if _, err := conn.ExecContext(ctx, "VACUUM INTO ?1", path); err != nil {
		return fmt.Errorf("copy the database to try the plan on: %w", err)
	}
	trust, err := trusts(ctx, conn)
	if err != nil {
		return err
	}
	// It need not survive anything: no sync, and the journal in memory.
	scratch, err := sql.Open("sqlite", fmt.Sprintf("%s?_pragma=synchronous(OFF)&_pragma=journal_mode(MEMORY)&_pragma=trusted_schema(%d)",
		fileURI(path), trust))
	if err != nil {
		return fmt.Errorf("open the copy: %w", err)
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	return Engine{}.Publish(ctx, scratch, p, 0, progress)
}

// trusts reports whether functions and virtual tables that reach outside may be
// used by views and triggers, which has to be the same where a plan is tried.
func trusts(ctx context.Context, conn *sql.Conn) (trust int, err error) {
	if err := conn.QueryRowContext(ctx, "PRAGMA trusted_schema").Scan(&trust); err != nil {
		return 0, fmt.Errorf("read pragma trusted_schema: %w", err)
	}
	return trust, nil
}

// fileURI writes path as a file: URI, in which any character is safe.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed}
	return u.String()
}

const schemaQuery = `SELECT s.sql FROM main.sqlite_schema s
LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name AND s.type = 'table'
WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND coalesce(l.type, '') <> 'shadow'
ORDER BY CASE s.type WHEN 'table' THEN 1 WHEN 'index' THEN 2 WHEN 'view' THEN 3 ELSE 4 END, s.rowid`

func verifyWithoutRows(ctx context.Context, conn *sql.Conn, p designer.Plan, progress engine.Progress) error {
	m, err := openMemory(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // nothing in it is wanted
	trust, err := trusts(ctx, conn)
	if err != nil {
		return err
	}
	if _, err := m.ExecContext(ctx, fmt.Sprintf("PRAGMA trusted_schema = %d", trust)); err != nil {
		return fmt.Errorf("set pragma trusted_schema: %w", err)
	}
	err = each(ctx, conn, schemaQuery, func(scan func(...any) error) error {
		var statement string
		if err := scan(&statement); err != nil {
			return err
		}
		_, err := m.ExecContext(ctx, statement)
		return err
	})
	if err != nil {
		return fmt.Errorf("copy the schema to try the plan on: %w", err)
	}
	return run(ctx, m.Conn, p, 0, progress)
}
