package rosqlite

import (
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

const codeCantOpen = sqlite3.SQLITE_CANTOPEN

// Error is what SQLite says went wrong.
type Error struct {
	Code    int // extended result code; see [Error.Primary]
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (sqlite %d)", e.Message, e.Code) }

// Primary returns the result code without its extension.
func (e *Error) Primary() int { return e.Code & 0xff }

// Unavailable reports whether the database as such cannot be read just now: it
// is missing, locked, unreadable or not a database.
func (e *Error) Unavailable() bool {
	switch e.Primary() {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return e.Unfinished()
}

// Unfinished reports whether a program that wrote ended in the middle, and the
// file has to be rolled back before it can be read: only one that may write
// can do that.
func (e *Error) Unfinished() bool {
	return e.Code == sqlite3.SQLITE_READONLY_ROLLBACK || e.Code == sqlite3.SQLITE_READONLY_RECOVERY
}

// Explanation says in words what an unavailable database needs.
func (e *Error) Explanation() string {
	switch {
	case e.Primary() == sqlite3.SQLITE_BUSY:
		return "another program has the database locked; try again when it is done"
	case e.Primary() == sqlite3.SQLITE_NOTADB:
		return "the file is not a SQLite database, or it is encrypted"
	case e.Primary() == sqlite3.SQLITE_CORRUPT:
		return "the database is corrupt: " + e.Message
	case e.Unfinished():
		return "a program that wrote to the database did not finish; open it once with a program that may write, as berth diff does"
	}
	return e.Message
}

// Advice is what to do about an unavailable database; "": the explanation says
// so, or nothing helps.
func (e *Error) Advice() string {
	switch e.Primary() {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return "put a backup of it in its place, or move it away; a connection in .berth/config.yaml can name another file"
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return "check whether the file and its folder can be read"
	}
	return ""
}

// TooBig reports a value beyond [Options.MaxLength].
func (e *Error) TooBig() bool { return e.Primary() == sqlite3.SQLITE_TOOBIG }

// errorOf makes an error of a result code and the connection's last message.
func errorOf(tls *libc.TLS, db uintptr, rc int32) *Error {
	e := &Error{Code: int(rc), Message: libc.GoString(sqlite3.Xsqlite3_errstr(tls, rc))}
	if db == 0 {
		return e
	}
	if ext := sqlite3.Xsqlite3_extended_errcode(tls, db); ext&0xff == rc&0xff {
		e.Code = int(ext)
		e.Message = libc.GoString(sqlite3.Xsqlite3_errmsg(tls, db))
	}
	return e
}
