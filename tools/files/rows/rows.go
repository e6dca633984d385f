// Package rows is a store of files that are the rows of a table, in PostgreSQL
// or SQLite. It knows no tools and no settings, and reaches the database through
// a [Connection] that its caller gives it.
//
//	path ─▶ shape of the table ─▶ SELECT ─▶ store.File
//	                                            │
//	store.File, new content ─▶ one transaction: ◀┘
//	                           row locked, compared, UPDATE, read back
//
// Start with [New]. Invariants: a row is replaced only if its content is what
// was read, byte by byte; a path is one row, so a table in which tenant and path
// are not unique is refused; an index only narrows a search, and what finds hits
// is package search; text of a caller reaches SQL as an argument, never as SQL.
package rows

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Options says which rows are the files. Connection and Table are required.
type Options struct {
	Connection string // its name, for people
	Table      string // of the schema that is searched first, or with its schema: app.files
	Project    string // of the rows that are the files; "": all rows
	Columns    Columns
}

// Columns names the columns. The zero value is the default shape.
type Columns struct {
	Path      string // "": path
	Content   string // "": content
	UpdatedAt string // "": updated_at, if there is one
	Project   string // "": project_id; used only with Options.Project
}

// Description is what a [Connection] is at the moment.
type Description struct {
	Dialect     string // "sqlite", "postgres", …
	AllowWrites bool   // edits need no approval in fast mode
	ReadOnly    bool   // nothing is ever written
}

// Connection reaches the database. Its errors are for the caller, or are those
// of work.
type Connection interface {
	Describe(ctx context.Context) (Description, error)
	// Read runs work on a pool that only reads, Write on one that writes and
	// whose transactions are begun for writing.
	Read(ctx context.Context, work func(context.Context, *sql.DB) error) error
	Write(ctx context.Context, work func(context.Context, *sql.DB) error) error
}

// Transaction means that the row was locked, compared and updated in one
// transaction: no write of another client is lost.
const Transaction disk.Method = "transaction"

// Store is the files of a table. It is safe for concurrent use.
type Store struct {
	opts Options
	conn Connection

	reads prepared // how a file is read

	mu     sync.Mutex
	shape  *shape // nil: to be read
	shaped time.Time
}

var _ store.Store = (*Store)(nil)

// New returns the files of a table. The database is first asked when a file is.
func New(conn Connection, opts Options) *Store {
	columns := &opts.Columns
	for _, c := range []struct {
		name  *string
		value string
	}{{&columns.Path, "path"}, {&columns.Content, "content"}, {&columns.Project, "project_id"}} {
		if *c.name == "" {
			*c.name = c.value
		}
	}
	return &Store{opts: opts, conn: conn}
}

// place names the table for people.
func (s *Store) place() string {
	place := fmt.Sprintf("table %s of connection %s", s.opts.Table, s.opts.Connection)
	if s.opts.Project != "" {
		place += ", " + s.opts.Columns.Project + " " + s.opts.Project
	}
	return place
}

// Where implements [store.Store].
func (s *Store) Where(ctx context.Context, _ string) (store.Where, error) {
	d, err := s.conn.Describe(ctx)
	return store.Where{Place: s.place(), MustAsk: !d.AllowWrites}, err
}

// inside returns the path of a row within the store; false: no tool names it.
func inside(spelled string) (string, bool) {
	path := strings.TrimPrefix(spelled, "/")
	if strings.HasPrefix(path, "/") {
		return "", false
	}
	_, err := disk.ParsePath(path)
	return path, err == nil
}

// pathCheck parses the paths of rows. Those of one folder that come one after the
// other are cheap.
type pathCheck struct {
	folder string // the one before, with a trailing slash
	ok     bool
}

// inside is like the function of that name.
func (p *pathCheck) inside(spelled string) (string, bool) {
	path := strings.TrimPrefix(spelled, "/")
	at := strings.LastIndexByte(path, '/') + 1
	// The limit of length, and drives, are about whole paths.
	if at < 2 || at == len(path) || len(path) > 500 || strings.IndexByte(path[at:], ':') == 1 {
		return inside(spelled)
	}
	if path[:at] != p.folder {
		p.folder = path[:at]
		_, p.ok = inside(spelled[:len(spelled)-len(path)+at-1])
	}
	if !p.ok {
		return "", false
	}
	_, err := disk.ParsePath(path[at:])
	return path, err == nil
}

// Hidden implements [store.Store]: the rows' own ignore files count.
func (s *Store) Hidden(ctx context.Context, path string) (verdict tree.Verdict, err error) {
	err = s.read(ctx, func(ctx context.Context, db *sql.DB, sh *shape) error {
		ignore := tree.NewIgnore()
		if err := sh.addIgnoreFiles(ctx, db, ignore, tree.IgnoreFiles(path)); err != nil {
			return err
		}
		verdict = ignore.Check(path)
		return nil
	})
	return verdict, err
}

// shapeAge is how long the shape of a table is taken to be what it was.
const shapeAge = time.Minute

// read runs work that reads, with the shape of the table. An error of the
// database is worded.
func (s *Store) read(ctx context.Context, work func(context.Context, *sql.DB, *shape) error) error {
	d, err := s.conn.Describe(ctx)
	if err != nil {
		return err
	}
	if d.Dialect != dialectPostgres && d.Dialect != dialectSQLite {
		return refuse(disk.Unavailable, "connection %s is %s; files are kept in PostgreSQL or SQLite", s.opts.Connection, d.Dialect)
	}
	return s.conn.Read(ctx, func(ctx context.Context, db *sql.DB) error {
		sh, err := s.known(ctx, db, d)
		if err == nil {
			err = work(ctx, db, sh)
		}
		return s.worded(ctx, err)
	})
}

// known returns the shape, reading it if that was long ago.
func (s *Store) known(ctx context.Context, db *sql.DB, d Description) (*shape, error) {
	s.mu.Lock()
	sh := s.shape
	if time.Since(s.shaped) > shapeAge || sh != nil && sh.dialect != d.Dialect {
		sh = nil
	}
	s.mu.Unlock()
	if sh != nil {
		return sh, nil
	}
	sh, err := readShape(ctx, db, d, s.opts)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shape, s.shaped = sh, time.Now()
	return sh, nil
}

func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shape = nil
}

func refuse(reason disk.Reason, format string, args ...any) *disk.Error {
	return &disk.Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}
