package driver

import (
	"context"
	"database/sql"
	"errors"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Database is one opened database; what differs between dialects is behind
// it. Its methods may be called at once. An error of opening is a
// [dial.ConnectError].
type Database interface {
	// Kind is the documents' identifier of the dialect.
	Kind() string
	// Version names the server and its version, for people.
	Version(ctx context.Context) (string, error)
	// Objects lists tables and views by name, the dialect's own left out.
	Objects(ctx context.Context) ([]Object, error)
	// CreateText returns the statements that make a table or view with its
	// indexes. An unknown name is ErrUnknownTable.
	CreateText(ctx context.Context, name string) (string, error)
	// Check admits a query that is one statement that reads, and refuses any
	// other. designerOpen: a design is open, to which a refused change of the
	// schema can be pointed.
	Check(query string, designerOpen bool) *readonly.Refusal
	// Query runs a query that Check admitted, where it cannot write, and gives
	// its rows to into. SQLite may return [rosqlite.ErrChanged]: then what into
	// has is to be discarded, and the query may be tried again.
	Query(ctx context.Context, query string, into rowset.Sink) error
	// QueryBound is Query of a text of berth's own with values of int64, float64,
	// string and []byte beside it, for which it has the dialect's placeholders.
	// It checks the text itself: the error of one that does more than read, or
	// has another number of placeholders, is a [*readonly.Refusal].
	QueryBound(ctx context.Context, query string, values []any, into rowset.Sink) error
	// Privileges returns what the login may do beyond reading.
	Privileges(ctx context.Context) (Privileges, error)
	// Execute runs one statement that may write, in a session of its own, all
	// of it or nothing, and gives its rows, if it has any, to into. affected is
	// -1 if the server does not count. Every row is made, whatever into takes.
	// An error that is not [ErrUncertain] means that nothing was changed.
	Execute(ctx context.Context, statement string, into rowset.Sink) (affected int64, err error)
	// WriteRows runs statements of berth's own with their values in one
	// transaction, each of which must change exactly one row. The error of the
	// first that does not, or fails, is a [*RowError]. An error that is not
	// [ErrUncertain] means that nothing was changed.
	WriteRows(ctx context.Context, statements []Bound) error
	// Dialect and Definition serve the designer.
	Dialect() *designer.Dialect
	Definition(ctx context.Context) (designer.Definition, error)
	// Find returns the tables and views of Definition that wanted takes, at
	// least as deep as asked; see [engine.Finder].
	Find(ctx context.Context, depth Depth, wanted func(Named) bool) (designer.Definition, error)
	// Mark is another one once the schema has changed; see [engine.Engine].
	Mark(ctx context.Context) (string, error)
	// Engine plans and publishes designs, through the pool that Writer
	// returns. The pool is the database's own and closed with it.
	Engine() engine.Engine
	Writer() (*sql.DB, error)
	// Files is a pool for statements of berth's own that only read, with
	// arguments: what the file tools ask where files are rows. It is the
	// database's own and closed with it. Statements of a caller are for Query.
	Files() (*sql.DB, error)
	Close() error
}

// Depth, with its values, and Named are what [Database.Find] takes.
type (
	Depth = engine.Depth
	Named = engine.Named
)

// The depths; see [engine.Depth].
const (
	Names   = engine.Names
	Columns = engine.Columns
	Keys    = engine.Keys
)

// Object is a table or a view.
type Object struct {
	Name string
	View bool
}

// ErrUnknownTable says that a database has no table or view of a name.
var ErrUnknownTable = errors.New("unknown table")

// ErrClosed says that the project is being shut down.
var ErrClosed = errors.New("the project is closing")
