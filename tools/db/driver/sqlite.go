package driver

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
	"github.com/berth-dev/berth/tools/db/readonly"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// sqliteDatabase is one SQLite file.
type sqliteDatabase struct {
	pool    *sql.DB       // reads the catalogue, guarded
	queries sqliteReaders // the same for an agent's queries
	write   *sqliteWriter
	files   *sqliteWriter // which only reads
}

var _ Database = (*sqliteDatabase)(nil)

// OpenSQLite returns the database in a file, to which nothing is written if it
// is read-only. It does no I/O: the file is opened with the first use. Queries
// take turns with those of every other file that was opened with the same turns.
func OpenSQLite(path string, readOnly bool, turns *rosqlite.Turns) Database {
	return &sqliteDatabase{
		pool:    sqlitePool(path, CataloguePlaces),
		queries: newSQLiteReaders(path, turns),
		write:   &sqliteWriter{path: path, readOnly: readOnly, name: writable, places: WritePlaces + FilePlaces + designerConns},
		files:   &sqliteWriter{path: path, name: readable, places: fileSessions * FilePlaces},
	}
}

func sqlitePool(path string, conns int) *sql.DB {
	pool := sql.OpenDB(rosqlite.NewConnector(path, rosqlite.Options{}))
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns) // making one reads the whole schema
	pool.SetConnMaxIdleTime(poolIdle)
	return pool
}

func (d *sqliteDatabase) Close() error {
	return errors.Join(d.pool.Close(), d.queries.Close(), d.write.close(), d.files.close())
}

func (d *sqliteDatabase) Engine() engine.Engine { return sqlite.Engine{} }

func (d *sqliteDatabase) Writer() (*sql.DB, error) { return d.write.open() }

func (d *sqliteDatabase) Files() (*sql.DB, error) { return d.files.open() }

func (d *sqliteDatabase) Kind() string { return "sqlite" }

func (d *sqliteDatabase) Dialect() *designer.Dialect { return sqlite.Dialect() }

func (d *sqliteDatabase) Version(ctx context.Context) (string, error) {
	var version string
	err := d.with(ctx, func(conn *sql.Conn) error {
		return conn.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version)
	})
	return "SQLite " + version, err
}

// Definition also has the file rolled back where a program ended in the
// middle of writing, berth's own publish not least: every program that may
// write does so when it opens such a file, and what was committed stays.
func (d *sqliteDatabase) Definition(ctx context.Context) (def designer.Definition, err error) {
	read := func() error {
		return d.with(ctx, func(conn *sql.Conn) error {
			def, err = sqlite.Inspect(ctx, conn)
			return err
		})
	}
	err = read()
	var e *rosqlite.Error
	if errors.As(err, &e) && e.Unfinished() && d.rollBack(ctx) == nil {
		err = read()
	}
	return def, err
}

// Find reads the whole: most of it is text that has to be parsed to be found in.
func (d *sqliteDatabase) Find(ctx context.Context, _ engine.Depth, wanted func(engine.Named) bool) (designer.Definition, error) {
	def, err := d.Definition(ctx)
	return engine.Found(def, wanted), err
}

// rollBack reads once on a connection that may write: SQLite then finishes
// or takes back what was begun.
func (d *sqliteDatabase) rollBack(ctx context.Context) error {
	pool, err := d.Writer()
	if err != nil {
		return err
	}
	var n int
	return pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
}

// with runs f on a connection. Where the file changed under a reader that
// relied on its standing still, it runs f once more on a new one.
func (d *sqliteDatabase) with(ctx context.Context, f func(*sql.Conn) error) error {
	err := once(ctx, d.pool, f)
	if errors.Is(err, rosqlite.ErrChanged) {
		err = once(ctx, d.pool, f)
	}
	return err
}

func once(ctx context.Context, pool *sql.DB, f func(*sql.Conn) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return connectError(ctx, err)
	}
	return errors.Join(f(conn), conn.Close())
}

func connectError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var e *rosqlite.Error
	if errors.As(err, &e) {
		return &dial.ConnectError{Cause: e.Explanation(), Fix: e.Advice(), Err: e}
	}
	return &dial.ConnectError{Cause: err.Error()}
}

// Privileges are the file's permissions: SQLite has no logins.
func (d *sqliteDatabase) Privileges(context.Context) (p Privileges, _ error) {
	p.because(!d.write.readOnly && writableFile(d.write.path), "the file is writable")
	return p, nil
}

func (d *sqliteDatabase) Objects(ctx context.Context) ([]Object, error) {
	const list = `SELECT name, type = 'view' FROM pragma_table_list
WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`
	var all []Object
	err := d.with(ctx, func(conn *sql.Conn) error {
		all = nil
		return scanAll(ctx, conn, list, func(scan func(...any) error) error {
			var o Object
			err := scan(&o.Name, &o.View)
			all = append(all, o)
			return err
		})
	})
	return all, err
}

func scanAll(ctx context.Context, conn *sql.Conn, query string, row func(scan func(...any) error) error) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (d *sqliteDatabase) CreateText(ctx context.Context, name string) (string, error) {
	name = strings.ReplaceAll(name, "'", "''")
	text := `SELECT sql FROM main.sqlite_schema WHERE tbl_name = '` + name + `' COLLATE NOCASE AND type IN ('table', 'view', 'index')
AND sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type = 'index', name`
	var statements []string
	err := d.with(ctx, func(conn *sql.Conn) error {
		statements = nil
		return scanAll(ctx, conn, text, func(scan func(...any) error) error {
			var statement string
			err := scan(&statement)
			statements = append(statements, statement)
			return err
		})
	})
	if err == nil && len(statements) == 0 {
		return "", ErrUnknownTable
	}
	return strings.Join(statements, ";\n") + ";", err
}

// Query may return [rosqlite.ErrChanged]: then what into has is void, and the
// caller may ask once more with a new sink.
func (d *sqliteDatabase) Query(ctx context.Context, query string, into rowset.Sink) error {
	return d.queries.with(ctx, func(conn *sql.Conn) error {
		return rosqlite.Pour(ctx, conn, query, upperTypes{into})
	})
}

// QueryBound implements [Database].
func (d *sqliteDatabase) QueryBound(ctx context.Context, query string, values []any, into rowset.Sink) error {
	if r := readonly.CheckBoundSQLite(query, len(values)); r != nil {
		return r
	}
	return d.queries.with(ctx, func(conn *sql.Conn) error {
		return rosqlite.Pour(ctx, conn, query, upperTypes{into}, values...)
	})
}

// upperTypes writes the columns' types in capitals.
type upperTypes struct{ rowset.Sink }

func (u upperTypes) Columns(names, types []string) error {
	upper := make([]string, len(types))
	for i, t := range types {
		upper[i] = strings.ToUpper(t)
	}
	return u.Sink.Columns(names, upper)
}

func (d *sqliteDatabase) Check(query string, designerOpen bool) *readonly.Refusal {
	return readonly.CheckSQLite(query, designerOpen)
}

func (d *sqliteDatabase) Mark(ctx context.Context) (mark string, err error) {
	err = d.with(ctx, func(conn *sql.Conn) error {
		mark, err = sqlite.Mark(ctx, conn)
		return err
	})
	return mark, err
}
