package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

const (
	sqlite     = "SQLite"
	postgreSQL = "PostgreSQL"
	mariaDB    = "MariaDB"
)

// database is a scratch database that all servers work on.
type database struct {
	kind    string
	tables  int    // beside item and victim
	version string // of its server
	path    string // of SQLite's file; its folder holds nothing else
	url     *url.URL
	db      *sql.DB      // our own connections
	drop    func() error // drops it and closes db
}

// title names the database in headings.
func (d *database) title() string { return fmt.Sprintf("%s, %s tables", d.kind, thousands(d.tables+2)) }

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// sizes are the numbers of tables; a table of item's rows and one that is
// written to come beside them.
var sizes = []int{13, 998}

// makeDatabases makes a database of each kind in each size. missing says why a
// kind is not measured; the error is that of an interrupted run.
func (b *bench) makeDatabases(ctx context.Context) (missing map[string]string, err error) {
	missing = map[string]string{}
	for _, kind := range []struct {
		name string
		make func(ctx context.Context, n int) (database, error)
	}{{sqlite, b.sqliteFile}, {postgreSQL, postgresDatabase}, {mariaDB, mysqlDatabase}} {
		for _, n := range sizes {
			b.say("making a database: %s, %d tables", kind.name, n+2)
			d, err := kind.make(ctx, n)
			if d.drop != nil {
				b.databases = append(b.databases, d)
			}
			if err == nil {
				err = fill(ctx, d)
			}
			if err != nil {
				missing[kind.name] = err.Error()
				b.databases = without(b.databases, kind.name)
				break
			}
		}
	}
	return missing, ctx.Err()
}

// without drops the databases of a kind and returns the others.
func without(all []database, kind string) []database {
	var others []database
	for _, d := range all {
		if d.kind != kind {
			others = append(others, d)
		} else {
			_ = d.drop()
		}
	}
	return others
}

func (b *bench) dropDatabases() error {
	var all error
	for _, d := range b.databases {
		all = errors.Join(all, d.drop())
	}
	return all
}

func (b *bench) sqliteFile(_ context.Context, n int) (database, error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("sqlite%d", n))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return database{}, err
	}
	d := database{kind: sqlite, tables: n, path: filepath.Join(dir, "app.db")}
	var err error
	d.db, err = sql.Open("sqlite", d.path)
	d.drop = func() error { return d.db.Close() } // the file goes with the folder
	return d, err
}

// scratchName is one that no other run has.
func scratchName(n int) string {
	return fmt.Sprintf("berth_bench_%d_%d_%d", os.Getpid(), time.Now().UnixNano()%1e6, n)
}

func postgresDatabase(ctx context.Context, n int) (database, error) {
	server := os.Getenv("BERTH_TEST_POSTGRES")
	if server == "" {
		server = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	}
	u, err := url.Parse(server)
	if err != nil {
		return database{}, errors.New("BERTH_TEST_POSTGRES is no URL") // which may have a password in it
	}
	name := scratchName(n)
	drop := "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"
	u.Path = "/" + name
	return serverDatabase(ctx, database{kind: postgreSQL, tables: n, url: u}, "pgx", server, u.String(), "CREATE DATABASE "+name+" TEMPLATE template0", drop)
}

func mysqlDatabase(ctx context.Context, n int) (database, error) {
	server := os.Getenv("BERTH_TEST_MYSQL")
	if server == "" {
		server = "root@tcp(127.0.0.1:3306)/"
	}
	c, err := mysql.ParseDSN(server)
	if err != nil {
		return database{}, errors.New("BERTH_TEST_MYSQL is no DSN of go-sql-driver")
	}
	c.DBName = scratchName(n)
	user := url.User(c.User)
	if c.Passwd != "" {
		user = url.UserPassword(c.User, c.Passwd)
	}
	d := database{kind: mariaDB, tables: n, url: &url.URL{Scheme: "mysql", User: user, Host: c.Addr, Path: "/" + c.DBName}}
	return serverDatabase(ctx, d, "mysql", server, c.FormatDSN(), "CREATE DATABASE "+c.DBName+" CHARACTER SET utf8mb4", "DROP DATABASE IF EXISTS "+c.DBName)
}

// serverDatabase creates d on a server. Its drop is set from before the
// creation, which an interrupt may outrun.
func serverDatabase(ctx context.Context, d database, driver, server, scratch, create, drop string) (database, error) {
	admin, err := sql.Open(driver, server)
	if err != nil {
		return d, err
	}
	query := "SELECT version()"
	if d.kind == postgreSQL {
		query = "SHOW server_version"
	}
	if err := admin.QueryRowContext(ctx, query).Scan(&d.version); err != nil {
		return d, errors.Join(err, admin.Close())
	}
	if d.db, err = sql.Open(driver, scratch); err != nil {
		return d, errors.Join(err, admin.Close())
	}
	d.drop = func() error {
		_ = d.db.Close()                                                        // its connections would be in the way
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // 10,000 tables take MariaDB one
		defer cancel()
		_, err := admin.ExecContext(ctx, drop)
		return errors.Join(err, admin.Close())
	}
	_, err = admin.ExecContext(ctx, create)
	return d, err
}

// fill makes the tables: item with 1,500 rows, victim, and the others.
func fill(ctx context.Context, d database) error {
	if d.kind == sqlite {
		if err := d.db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(new(string)); err != nil {
			return err
		}
	}
	statements := []string{
		"CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, amount DECIMAL(10,2), made_at TIMESTAMP, note VARCHAR(200), kind INT)",
		insertItems(1500), makeVictim,
	}
	for i := range d.tables {
		refers := ""
		if i > 0 {
			refers = fmt.Sprintf(", FOREIGN KEY (other_id) REFERENCES t%03d (id)", i/2)
		}
		statements = append(statements, fmt.Sprintf("CREATE TABLE t%03d (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, amount DECIMAL(10,2), "+
			"made_at TIMESTAMP, note VARCHAR(200), other_id INT, kind INT%s)", i, refers))
	}
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// A transaction holds a lock on each table it makes, of which PostgreSQL has
	// room for some thousands.
	for some := range slices.Chunk(statements, 500) {
		if err := runTogether(ctx, conn, some); err != nil {
			return err
		}
	}
	return nil
}

// runTogether runs statements in one transaction, which is quicker.
func runTogether(ctx context.Context, conn *sql.Conn, statements []string) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing, once it is committed
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s…: %w", s, err)
		}
	}
	return tx.Commit()
}

// makeVictim makes the table that the queries which write are aimed at.
const makeVictim = "CREATE TABLE victim (id INT PRIMARY KEY)"

func insertItems(n int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO item (id, name, amount, made_at, note, kind) VALUES ")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "(%d,'item number %d',%d.25,'2026-01-02 03:04:05','some words about item %d',%d)", i+1, i+1, i, i+1, i%7)
	}
	return b.String()
}
