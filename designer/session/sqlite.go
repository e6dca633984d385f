package session

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/berth-dev/berth/portmap/homefile"
	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a SQLite file as a berth state ("brth").
const applicationID = 0x62727468

// connect opens the database for writing and keeps one connection: SQLite
// has one writer anyway, and prepared statements belong to a connection.
func connect(path string) (*sql.DB, *sql.Conn, error) {
	db, err := sql.Open("sqlite", dataSource(path, url.Values{"_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"trusted_schema(OFF)",
	}}))
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(background)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, conn, nil
}

// makePrivate creates the file with mode 0600: SQLite gives its log and index
// the mode of the database. It must run before the file is opened: a reader of
// a read-only database leaves a read-only log and index, which stay so even
// when the database becomes writable. makePrivate also repairs those.
func makePrivate(path string) error {
	if err := homefile.Check(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return &StateError{Op: "open", Path: path, Kind: ErrReadOnly, Err: err,
			Hint: "check the permissions of the file and its folder"}
	}
	if err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		// An instance that ends removes them, and on Windows they are in use until they are gone.
		change := func() error { return os.Chmod(path+suffix, 0o600) }
		if e := homefile.WhileInUse(change); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return errors.Join(err, f.Close())
}

// dataSource returns path as a file: URI, in which any character is safe.
func dataSource(path string, query url.Values) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	return u.String()
}

// inspect returns an error for a database that must not be changed: one that is
// damaged, not berth's, or newer. It only reads, so that such a file stays as
// it is. A missing or empty file is fine.
func inspect(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open state: %w", err)
	}
	err = inspectAs("ro", path)
	if isInterrupted(err) {
		err = inspectAs("rw", path)
	}
	return err
}

// isInterrupted reports whether a process was killed while creating the
// database, before it had a log. SQLite must first roll that back, which only a
// writer can.
func isInterrupted(err error) bool {
	var cause *sqlite.Error
	return errors.As(err, &cause) && cause.Code() == sqlite3.SQLITE_READONLY_ROLLBACK
}

func inspectAs(mode, path string) error { return lookInto(mode, path, examine) }

// lookInto opens a database to read it.
func lookInto(mode, path string, look func(db *sql.DB, path string) error) error {
	db, err := sql.Open("sqlite", dataSource(path, url.Values{"mode": {mode},
		"_pragma": {"busy_timeout(5000)", "query_only(ON)"}}))
	if err != nil {
		return err
	}
	err = stateError("open", path, look(db, path))
	return errors.Join(err, stateError("close", path, db.Close()))
}

// Readable returns an error if this program could not open the state in dir
// once its holder releases it: because a newer berth wrote it, or it is not
// berth's. It reads while the holder has the file open and changes nothing. A
// successor calls it before it asks the holder to make room. It does not check
// the whole file for damage.
func Readable(dir string) error {
	path := filepath.Join(dir, dbName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open state: %w", err)
	}
	return lookInto("ro", path, checkOrigin)
}

func examine(db *sql.DB, path string) error {
	if err := checkOrigin(db, path); err != nil {
		return err
	}
	var verdict string
	if err := db.QueryRow("PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &StateError{Op: "open", Path: path, Kind: ErrDamaged,
			Err: errors.New(verdict), Hint: damagedHint}
	}
	return nil
}

// checkOrigin checks that berth wrote the database, and not a newer version of
// it.
func checkOrigin(db *sql.DB, path string) error {
	var app, version int
	if err := db.QueryRow("PRAGMA application_id").Scan(&app); err != nil {
		return err
	}
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > 0 && app != applicationID {
		return &StateError{Op: "open", Path: path, Kind: ErrDamaged, Hint: damagedHint,
			Err: fmt.Errorf("application id %#x, not %#x", app, applicationID)}
	}
	if version > schemaVersion() {
		return &StateError{Op: "open", Path: path, Kind: ErrNewer,
			Err:  fmt.Errorf("schema version %d, this program knows %d", version, schemaVersion()),
			Hint: "use the newer berth"}
	}
	return nil
}

// schemaVersion is the number of migrations there are.
func schemaVersion() int { return len(migrationNames()) }

// migrationNames lists the migrations in order: the first brings an empty
// database to version 1. A migration that has been released never changes.
func migrationNames() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql") // sorted
	if err != nil {
		panic(err) // only for a bad pattern
	}
	return names
}

// migrate brings the database to the current schema version, each step in
// its own transaction.
func migrate(conn *sql.Conn) error {
	var version int
	if err := conn.QueryRowContext(background, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for i, name := range migrationNames() {
		if i < version {
			continue
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		script := fmt.Sprintf("BEGIN IMMEDIATE;\n%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;\nCOMMIT;",
			text, applicationID, i+1)
		if _, err := conn.ExecContext(background, script); err != nil {
			_, _ = conn.ExecContext(background, "ROLLBACK") // err has the cause
			return fmt.Errorf("migrate to schema version %d: %w", i+1, err)
		}
	}
	return nil
}
