package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const dbName = "state.db"

// Store is the state of one project on disk: state.db, and the lock that makes
// one process its owner. It knows rows, not schemas; [Manager] interprets them.
// It is safe for concurrent use: there is one connection, guarded by mu.
type Store struct {
	path string // of state.db
	lock *dirLock

	mu    sync.Mutex
	db    *sql.DB   // nil: closed
	conn  *sql.Conn // the only connection of db
	stmts [numStatements]*sql.Stmt
	seq   uint64     // number of the last event written
	files stateFiles // as the last transaction left them
}

// OpenStore locks the state directory, creates it and its database if they are
// missing, and migrates an older database. It does not wait: if another process
// holds the directory, it returns a [*LockedError], so a successor polls until
// its predecessor has closed. For a database that is damaged or newer than this
// program it returns a [*StateError] of that kind and leaves the file
// unchanged; [SetAside] makes room for a new one.
func OpenStore(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make state directory %s: %w", dir, err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{path: filepath.Join(dir, dbName), lock: lock}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, lock.release())
	}
	return s, nil
}

func (s *Store) open() error {
	if err := makePrivate(s.path); err != nil {
		return err
	}
	if err := inspect(s.path); err != nil {
		return err
	}
	db, conn, err := connect(s.path)
	if err != nil {
		return stateError("open", s.path, err)
	}
	s.db, s.conn = db, conn
	err = s.prepare()
	if err == nil {
		err = s.note()
	}
	if err != nil {
		s.db = nil
		return errors.Join(stateError("open", s.path, err), db.Close())
	}
	return nil
}

// isSame reports whether path still names the file.
func isSame(path string, file os.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, file)
}

// prepare migrates the database and prepares the statements.
func (s *Store) prepare() error {
	if err := migrate(s.conn); err != nil {
		return err
	}
	for i, text := range statementText {
		stmt, err := s.conn.PrepareContext(background, text)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		s.stmts[i] = stmt
	}
	return s.stmts[selectSeq].QueryRowContext(background).Scan(&s.seq)
}

// Path returns the path of the database.
func (s *Store) Path() string { return s.path }

// Close writes the log back into state.db, closes it and releases the
// directory for the next process. Closing again does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	_, err := s.conn.ExecContext(background, "PRAGMA wal_checkpoint(TRUNCATE)")
	err = errors.Join(err, s.disconnect())
	return errors.Join(stateError("close", s.path, err), s.lock.release())
}

// disconnect closes the database, and keeps the directory.
func (s *Store) disconnect() (err error) {
	for _, stmt := range s.stmts { // SQLite removes its log only when none is left
		err = errors.Join(err, stmt.Close())
	}
	err = errors.Join(err, s.conn.Close(), s.db.Close())
	s.db, s.conn = nil, nil
	return err
}

// SetAside renames a database that cannot be used, and its log, so that the
// next [OpenStore] creates a new one; nothing is deleted. It returns the new
// name of state.db. Like OpenStore it locks the directory.
func SetAside(dir string) (string, error) {
	lock, err := lockDir(dir)
	if err != nil {
		return "", err
	}
	from := filepath.Join(dir, dbName)
	to := from + ".aside-" + time.Now().UTC().Format("20060102T150405.000000000")
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if e := os.Rename(from+suffix, to+suffix); e != nil && (suffix == "" || !os.IsNotExist(e)) {
			err = errors.Join(err, fmt.Errorf("set aside %s: %w", from+suffix, e))
		}
	}
	return to, errors.Join(err, lock.release())
}

// background is the context of every statement: a transaction that has begun is
// not cancelled, because its outcome would then be unknown. SQLite's busy
// timeout bounds the wait.
var background = context.Background()

// read runs fn on the connection.
func (s *Store) read(ctx context.Context, fn func(r reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	return stateError("read", s.path, fn(reader{s}))
}

// write runs fn in one transaction and calls then once that is on disk. Both
// run before any other write begins, so that events published by then are in
// the order of the commits. then may be nil. On error the transaction is rolled
// back.
func (s *Store) write(ctx context.Context, fn func(w *writer) error, then func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	if err := s.checkInPlace(); err != nil {
		return err
	}
	w := &writer{reader: reader{s}, seq: s.seq}
	if err := s.transact(w, fn); err != nil {
		return stateError("write", s.path, err)
	}
	if err := s.confirmInPlace(); err != nil {
		return err
	}
	s.seq = w.seq
	if then != nil {
		then()
	}
	return nil
}

func (s *Store) transact(w *writer, fn func(w *writer) error) error {
	if err := w.exec(beginImmediate); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			// SQLite rolls back by itself after some errors; ROLLBACK then
			// fails, which can be ignored.
			_ = w.exec(rollbackTransaction)
		}
	}()
	if err := fn(w); err != nil {
		return err
	}
	err := w.exec(commitTransaction)
	committed = err == nil
	return err
}
