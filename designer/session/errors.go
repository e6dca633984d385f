package session

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors of the stored state. A [*StateError] wraps one of them if the cause is
// known.
var (
	// ErrClosed is the error of every operation after Close.
	ErrClosed = errors.New("the project's state is closed")
	// ErrDamaged means that state.db is not what berth wrote.
	ErrDamaged = errors.New("the file is damaged")
	// ErrNewer means that a newer version of berth wrote state.db.
	ErrNewer = errors.New("the file was written by a newer berth")
	// ErrFull means that the disk has no space for the change.
	ErrFull = errors.New("the disk is full")
	// ErrReadOnly means that state.db cannot be written.
	ErrReadOnly = errors.New("the file cannot be written")
	// ErrDocumentTooLarge means that a page stores more with a design than it
	// may.
	ErrDocumentTooLarge = errors.New("too large to keep")
	// ErrBusy means that another program has locked state.db.
	ErrBusy = errors.New("the file is locked")
	// ErrGone means that state.db or its lock was removed or replaced while
	// this process held them: no successor would read what it writes.
	ErrGone = errors.New("the file was removed or replaced while in use")
)

// StateError reports a failed operation on a state file and what to do about
// it. After it, memory and file both hold the last acknowledged state.
type StateError struct {
	Op   string // "open", "read", "write", …
	Path string
	Kind error  // ErrDamaged, ErrNewer, ErrFull, ErrReadOnly, ErrBusy, ErrGone; nil: see Err
	Err  error  // the cause; nil where Kind says all
	Hint string // what to do next; "": nothing known
}

func (e *StateError) Error() string {
	msg := e.Op + " " + e.Path
	if e.Kind != nil {
		msg += ": " + e.Kind.Error()
	}
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		msg += " (" + e.Hint + ")"
	}
	return msg
}

// Unwrap returns the kind and the cause.
func (e *StateError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

const damagedHint = "it was left as it is; berth doctor --fix moves it aside, and the next start begins with .berth/designs and the databases"

const busyHint = "another program has it open and writes: end that one, or repeat once it is done; nothing was changed"

// stateError wraps what SQLite reports; nil stays nil.
func stateError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var already *StateError
	if errors.As(err, &already) || errors.Is(err, ErrClosed) {
		return err
	}
	e := &StateError{Op: op, Path: path, Err: err}
	var cause *sqlite.Error
	if !errors.As(err, &cause) {
		if isForeign(err) {
			e.Kind, e.Hint = ErrDamaged, damagedHint
		}
		return e
	}
	switch cause.Code() & 0xff { // the primary code of an extended one
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		e.Kind, e.Hint = ErrDamaged, damagedHint
	case sqlite3.SQLITE_ERROR: // a statement that berth's own schema takes
		if op == "open" {
			e.Kind, e.Hint = ErrDamaged, damagedHint
		}
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind, e.Hint = ErrBusy, busyHint
	case sqlite3.SQLITE_FULL:
		e.Kind, e.Hint = ErrFull, "free some space and repeat; nothing acknowledged is lost"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		e.Kind, e.Hint = ErrReadOnly, "check the permissions of the file and its folder"
	case sqlite3.SQLITE_CANTOPEN: // SQLite does not say why
		e.Kind, e.Hint = ErrReadOnly, "check the permissions of the file and its folder, and the limit of open files (ulimit -n)"
	}
	return e
}

// isForeign reports whether a row was missing or had values that berth never
// writes. Package database/sql has no error value for the latter.
func isForeign(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || strings.Contains(err.Error(), "sql: Scan error")
}

// damaged returns the error for content that SQLite accepts and berth does not.
func damaged(path string, format string, args ...any) error {
	return &StateError{Op: "read", Path: path, Kind: ErrDamaged,
		Err: fmt.Errorf(format, args...), Hint: damagedHint}
}
