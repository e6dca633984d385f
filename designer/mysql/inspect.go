package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
)

// errNoDatabase is what every operation answers where the connection has no
// default database: the design would be of none.
var errNoDatabase = errors.New("the connection has no default database: name one")

// Inspect reads the schema of the connection's default database with a fixed
// number of queries. The server offers no consistent view of its catalogue: a
// table that others change meanwhile is an error that names it, or is read as
// it was before or after.
func Inspect(ctx context.Context, db *sql.DB) (designer.Definition, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return designer.Definition{}, fmt.Errorf("connect to read the schema: %w", err)
	}
	defer func() { _ = conn.Close() }() // gives it back
	return inspect(ctx, conn)
}

// inspect reads the connection's default database.
func inspect(ctx context.Context, conn *sql.Conn) (designer.Definition, error) {
	s, err := readServer(ctx, conn)
	if err != nil {
		return designer.Definition{}, err
	}
	restore, err := s.plainMode(ctx, conn)
	if err != nil {
		return designer.Definition{}, err
	}
	defer restore()
	c := newCatalog(s)
	if err := c.read(ctx, conn); err != nil {
		return designer.Definition{}, err
	}
	return c.definition()
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

// catalog is what the queries brought, by table name where there is one.
type catalog struct {
	server
	tables     []tableRow
	columns    map[string][]columnRow
	indexes    map[string][]indexRow
	keys       map[string][]keyRow
	rules      map[[2]string]ruleRow // by table and constraint
	checks     map[string][]checkRow
	partitions map[string][]partitionRow
	triggers   []triggerRow
	views      []viewRow
	routines   []routineRow
	parameters map[routineID][]parameterRow
	events     []eventRow
	sequences  []sequenceRow
	carried    map[string]bool            // names of tables, views and sequences
	types      map[string]designer.Column // what a COLUMN_TYPE says, by its text

	setsDefiner bool // the user may make views and triggers in another's name
}

func newCatalog(s server) *catalog {
	return &catalog{
		server: s, columns: map[string][]columnRow{}, indexes: map[string][]indexRow{}, keys: map[string][]keyRow{},
		rules: map[[2]string]ruleRow{}, checks: map[string][]checkRow{}, partitions: map[string][]partitionRow{},
		parameters: map[routineID][]parameterRow{}, carried: map[string]bool{},
		types: map[string]designer.Column{},
	}
}

// read runs the queries, each once; those about partitions and views only
// where there are any, because a server looks at every table to find none.
func (c *catalog) read(ctx context.Context, conn *sql.Conn) error {
	r := &reader{texts: map[string]string{}}
	for _, q := range c.queries() {
		if q.when != nil && !q.when() {
			continue
		}
		if err := r.each(ctx, conn, q.text, q.row); err != nil {
			return fmt.Errorf("read %s of the schema: %w", q.what, err)
		}
	}
	for _, t := range c.tables {
		c.carried[t.name] = true
	}
	if c.hasForeign() {
		if err := r.each(ctx, conn, "SHOW GRANTS", c.readGrant); err != nil {
			return fmt.Errorf("read what the user may: %w", err)
		}
	}
	if query := c.sequenceQuery(); query != "" {
		if err := r.each(ctx, conn, query, c.readSequence); err != nil && !denied(err) {
			return fmt.Errorf("read sequences of the schema: %w", err)
		}
	}
	return nil
}

// denied reports whether the user may not read a table.
func denied(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1142 || refused.Number == 1143)
}
