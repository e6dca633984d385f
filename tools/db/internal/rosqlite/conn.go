package rosqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// conn is one connection. database/sql gives it to one goroutine at a time;
// only interrupt is called from another.
type conn struct {
	access access
	tls    *libc.TLS
	broken bool // was interrupted: not to be used again
	turn   *turn

	mu sync.Mutex // guards db against interrupt while it is closed
	db uintptr
}

var (
	_ driver.QueryerContext  = (*conn)(nil)
	_ driver.ConnBeginTx     = (*conn)(nil)
	_ driver.SessionResetter = (*conn)(nil)
	_ driver.Validator       = (*conn)(nil)
)

func open(a access, opts Options) (*conn, error) {
	c := &conn{access: a, tls: libc.NewTLS()}
	if err := c.openFile(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if err := c.guard(opts); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.turn = opts.Turns.watch(c)
	return c, nil
}

func (c *conn) openFile() error {
	name, err := libc.CString(c.access.uri())
	if err != nil {
		return errNoMemory
	}
	defer libc.Xfree(c.tls, name)
	handle, err := newCell(c.tls)
	if err != nil {
		return err
	}
	defer handle.free()
	flags := int32(sqlite3.SQLITE_OPEN_READONLY | sqlite3.SQLITE_OPEN_URI | sqlite3.SQLITE_OPEN_FULLMUTEX | sqlite3.SQLITE_OPEN_NOFOLLOW)
	rc := sqlite3.Xsqlite3_open_v2(c.tls, name, handle.at, flags, 0)
	c.db = handle.pointer() // SQLite gives a handle even where it fails
	if rc != sqlite3.SQLITE_OK {
		return errorOf(c.tls, c.db, rc)
	}
	return nil
}

// guard limits the connection, reads from the file once and then puts the
// authorizer in place.
func (c *conn) guard(opts Options) error {
	sqlite3.Xsqlite3_extended_result_codes(c.tls, c.db, 1)
	sqlite3.Xsqlite3_busy_timeout(c.tls, c.db, int32(opts.BusyTimeout.Milliseconds()))
	for id, limit := range map[int32]int{
		sqlite3.SQLITE_LIMIT_LENGTH:              opts.MaxLength,
		sqlite3.SQLITE_LIMIT_SQL_LENGTH:          1 << 20,
		sqlite3.SQLITE_LIMIT_ATTACHED:            0,
		sqlite3.SQLITE_LIMIT_EXPR_DEPTH:          200,
		sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 5000,
		sqlite3.SQLITE_LIMIT_WORKER_THREADS:      0,
	} {
		sqlite3.Xsqlite3_limit(c.tls, c.db, id, int32(limit))
	}
	for option, on := range map[int32]int32{
		sqlite3.SQLITE_DBCONFIG_DEFENSIVE:             1,
		sqlite3.SQLITE_DBCONFIG_TRUSTED_SCHEMA:        0,
		sqlite3.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: 0,
		sqlite3.SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER: 0,
		sqlite3.SQLITE_DBCONFIG_WRITABLE_SCHEMA:       0,
		sqlite3.SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE:  0,
		sqlite3.SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE:   0,
	} {
		if err := c.configure(option, on); err != nil {
			return err
		}
	}
	for _, pragma := range []string{"PRAGMA query_only=1", "PRAGMA mmap_size=0", "PRAGMA cell_size_check=1", "PRAGMA schema_version"} {
		if err := c.order(pragma); err != nil {
			return err
		}
	}
	return c.authorizeBy(functionPointer(authorize))
}

func (c *conn) configure(option, on int32) error {
	args := libc.NewVaList(on, uintptr(0))
	defer libc.Xfree(c.tls, args)
	if rc := sqlite3.Xsqlite3_db_config(c.tls, c.db, option, args); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("set option %d: %w", option, errorOf(c.tls, c.db, rc))
	}
	return nil
}

func (c *conn) authorizeBy(callback uintptr) error {
	if rc := sqlite3.Xsqlite3_set_authorizer(c.tls, c.db, callback, 0); rc != sqlite3.SQLITE_OK {
		return errorOf(c.tls, c.db, rc)
	}
	return nil
}

// order runs a statement of this package itself.
func (c *conn) order(sql string) error {
	text, err := libc.CString(sql)
	if err != nil {
		return errNoMemory
	}
	defer libc.Xfree(c.tls, text)
	c.turn.begin(context.Background())
	defer c.turn.pause()
	if rc := sqlite3.Xsqlite3_exec(c.tls, c.db, text, 0, 0, 0); rc != sqlite3.SQLITE_OK {
		return errorOf(c.tls, c.db, rc)
	}
	return nil
}

// orderFreely is order without the authorizer.
func (c *conn) orderFreely(sql string) error {
	if err := c.authorizeBy(0); err != nil {
		return err
	}
	return errors.Join(c.order(sql), c.authorizeBy(functionPointer(authorize)))
}

// interrupt ends the running statement, as soon as SQLite looks.
func (c *conn) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == 0 {
		return
	}
	tls := libc.NewTLS() // c.tls is in use by the statement
	defer tls.Close()
	sqlite3.Xsqlite3_interrupt(tls, c.db)
}

// Close implements [driver.Conn].
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tls == nil {
		return nil
	}
	rc := int32(sqlite3.SQLITE_OK)
	if c.db != 0 {
		rc = sqlite3.Xsqlite3_close_v2(c.tls, c.db)
	}
	c.db = 0
	c.turn.forget()
	c.tls.Close()
	c.tls = nil
	if rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("close the database: sqlite %d", rc)
	}
	return nil
}

// ResetSession implements [driver.SessionResetter].
func (c *conn) ResetSession(context.Context) error {
	if !c.IsValid() || c.access.outdated() {
		return driver.ErrBadConn
	}
	return nil
}

// IsValid implements [driver.Validator].
func (c *conn) IsValid() bool { return !c.broken && c.db != 0 }

// Prepare implements [driver.Conn]; statements are not kept.
func (c *conn) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("rosqlite keeps no prepared statements")
}

// Begin implements [driver.Conn].
func (c *conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx begins a read transaction: what is read within is of one state.
func (c *conn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	if err := c.orderFreely("BEGIN"); err != nil {
		return nil, err
	}
	return tx{c}, nil
}

type tx struct{ c *conn }

func (t tx) Commit() error   { return t.c.orderFreely("COMMIT") }
func (t tx) Rollback() error { return t.c.orderFreely("ROLLBACK") }
