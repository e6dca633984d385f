package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// errNoDatabase is what every operation answers where the connection has no
// default database: the design would be of none.
var errNoDatabase = errors.New("the connection has no default database: name one")

// Inspect reads the schema of the connection's default database with a fixed
// number of queries, and some for views and what acts by itself, see
// [catalog.showStatements]. The server offers no consistent view of its catalogue: a
// table that others change meanwhile is an error that names it, or is read as
// it was before or after.
func Inspect(ctx context.Context, db *sql.DB) (def designer.Definition, err error) {
	err = WithRetry(ctx, func() error {
		def, err = inspectOnce(ctx, db)
		return err
	})
	return def, err
}

// WithRetry runs what only reads the catalogue, from a pool, and runs it again
// where the server has ended the connection: MariaDB now and then ends one that
// reads the information schema while others drop databases, in the middle of
// its answer and without an error to the client ("Sort aborted" in its log).
func WithRetry(ctx context.Context, read func() error) error {
	err := read()
	if errors.Is(err, mysql.ErrInvalidConn) && ctx.Err() == nil {
		return read()
	}
	return err
}

func inspectOnce(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return designer.Definition{}, fmt.Errorf("connect to read the schema: %w", err)
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	return inspect(ctx, conn)
}

// Inspect implements [engine.Engine].
func (Engine) Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	return Inspect(ctx, db)
}

// inspect reads the connection's default database.
func inspect(ctx context.Context, conn *sql.Conn) (def designer.Definition, err error) {
	err = plainly(ctx, conn, func(c *catalog) error {
		err := c.read(ctx, conn)
		if err == nil {
			def, err = c.definition()
		}
		return err
	})
	return def, err
}

// plainly gives read an empty catalogue of the default database, while the
// server writes names and strings the usual way.
func plainly(ctx context.Context, conn *sql.Conn, read func(*catalog) error) error {
	s, err := readServer(ctx, conn)
	if err != nil {
		return err
	}
	restore, err := s.plainMode(ctx, conn)
	if err != nil {
		return err
	}
	defer restore()
	return read(newCatalog(s))
}

// Find implements [engine.Finder].
func (Engine) Find(ctx context.Context, db *sql.DB, depth engine.Depth, wanted func(engine.Named) bool) (def designer.Definition, err error) {
	err = WithRetry(ctx, func() error {
		conn, err := db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("connect to read the schema: %w", err)
		}
		defer func() { _ = conn.Close() }() // returns it to the pool
		return plainly(ctx, conn, func(c *catalog) error {
			def, err = c.find(ctx, conn, depth, wanted)
			return err
		})
	})
	return def, err
}

func (c *catalog) find(ctx context.Context, conn *sql.Conn, depth engine.Depth, wanted func(engine.Named) bool) (designer.Definition, error) {
	all, err := c.readNames(ctx, conn)
	if err != nil {
		return designer.Definition{}, err
	}
	found := slices.DeleteFunc(all, func(n engine.Named) bool { return !wanted(n) })
	def := engine.NamesOf(found)
	slices.SortFunc(def.Tables, func(a, b designer.TableDefinition) int { return cmp.Compare(a.Name, b.Name) })
	if depth == engine.Names || len(def.Tables) == 0 {
		return def, nil
	}
	names := make([]string, len(def.Tables))
	for i, t := range def.Tables {
		names[i] = quoteString(t.Name)
	}
	r := &reader{texts: map[string]string{}}
	// by bytes: else the server takes names that differ in case for one, and gives one of the tables
	for _, q := range c.queries(" AND CAST(TABLE_NAME AS BINARY) IN (" + strings.Join(names, ", ") + ")") {
		if q.depth == engine.Names || q.depth > depth {
			continue
		}
		if err := r.each(ctx, conn, q.text, q.row); err != nil {
			return designer.Definition{}, fmt.Errorf("read %s of the schema: %w", q.what, err)
		}
	}
	read, err := c.definition()
	def.Tables = read.Tables
	return def, err
}

// readNames lists the tables and views.
func (c *catalog) readNames(ctx context.Context, conn *sql.Conn) (all []engine.Named, err error) {
	r := &reader{texts: map[string]string{}}
	tables, columns := c.nameQueries()
	at := map[string]int{}
	err = r.each(ctx, conn, tables, func(scan func(...any) error) error {
		var name, kind string
		err := scan(&name, &kind)
		c.carried[name] = true
		if kind == "BASE TABLE" || kind == "SYSTEM VERSIONED" || kind == "VIEW" {
			at[name] = len(all)
			all = append(all, engine.Named{Name: name, View: kind == "VIEW"})
		}
		return err
	})
	if err == nil {
		err = r.each(ctx, conn, columns, func(scan func(...any) error) error {
			var table, name string
			err := scan(&table, &name)
			if i, known := at[table]; known && !all[i].View {
				all[i].Columns = append(all[i].Columns, name)
			}
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read names of the schema: %w", err)
	}
	return all, nil
}

// server is what has to be known of the server and the database to read it.
type server struct {
	version    string
	maria      bool
	database   string
	charset    string // of the database
	collation  string // of the database
	mode       string // sql_mode of the session
	globalMode string // sql_mode that new sessions get
	user       string // who the server takes the session for
}

func readServer(ctx context.Context, conn *sql.Conn) (server, error) {
	var s server
	var database sql.NullString
	row := conn.QueryRowContext(ctx, "SELECT VERSION(), DATABASE(), @@character_set_database, @@collation_database, "+
		"@@SESSION.sql_mode, @@GLOBAL.sql_mode, CURRENT_USER()")
	if err := row.Scan(&s.version, &database, &s.charset, &s.collation, &s.mode, &s.globalMode, &s.user); err != nil {
		return s, fmt.Errorf("ask the server for its version: %w", err)
	}
	if !database.Valid || database.String == "" {
		return s, errNoDatabase
	}
	s.database, s.maria = database.String, strings.Contains(s.version, "MariaDB")
	return s, nil
}

// atLeast compares the leading numbers of the version.
func (s server) atLeast(major, minor int) bool {
	var x, y int
	if _, err := fmt.Sscanf(s.version, "%d.%d", &x, &y); err != nil {
		return false
	}
	return x > major || x == major && y >= minor
}

// plainMode sees to it that the session writes names and strings the usual
// way. The result puts its mode back.
func (s server) plainMode(ctx context.Context, conn *sql.Conn) (restore func(), err error) {
	if !strings.Contains(s.mode, "ANSI_QUOTES") && !strings.Contains(s.mode, "NO_BACKSLASH_ESCAPES") {
		return func() {}, nil
	}
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_mode = ''"); err != nil {
		return nil, fmt.Errorf("set the sql_mode to read the schema: %w", err)
	}
	return func() {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "SET SESSION sql_mode = "+quoteString(s.mode))
		_ = err // a connection that is gone has no mode to put back
	}, nil
}

// refused reports whether the server answered with an error.
func refused(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer)
}

// denied reports whether the user may not read a table.
func denied(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1142 || refused.Number == 1143)
}
