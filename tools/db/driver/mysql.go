package driver

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"
	"strings"
	"sync/atomic"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// mysqlDatabase is one database of a MySQL or MariaDB server.
type mysqlDatabase struct {
	serverDatabase
	connector driver.Connector
	counting  driver.Connector // see [dial.MySQLCounting]
	sessions  *sessionsMySQL
	words     readonly.MySQLWords
	memory    readonly.MySQLMemory
	tag       statementTag
	swept     atomic.Bool  // endOrphans was tried
	limit     atomic.Int64 // seconds that the last query had
	single    atomic.Bool  // the server makes no session as new
}

var _ Database = (*mysqlDatabase)(nil)

// OpenMySQL returns the database at a, and a [*dial.ConnectError] if a cannot be
// one. It does no I/O: the server is dialled with the first use.
func OpenMySQL(a dial.Address) (Database, error) {
	connector, err := dial.MySQLConnector(a)
	if err != nil {
		return nil, err
	}
	counting, err := dial.MySQLCounting(a)
	if err != nil {
		return nil, err
	}
	d := &mysqlDatabase{serverDatabase: newServerDatabase(sql.OpenDB(connector), mysql.Engine{}), connector: connector, counting: counting,
		words: readonly.NewMySQLWords(), tag: newStatementTag(os.Getpid())}
	d.sessions = &sessionsMySQL{dial: d.dial}
	return d, nil
}

func (d *mysqlDatabase) Close() error {
	d.sessions.close()
	return d.serverDatabase.Close()
}

func (d *mysqlDatabase) Kind() string { return "mysql2" }

func (d *mysqlDatabase) Version(ctx context.Context) (string, error) {
	var version string
	err := d.pool.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version)
	number, rest, _ := strings.Cut(version, "-")
	if strings.Contains(rest, "MariaDB") {
		return "MariaDB " + number, err
	}
	return "MySQL " + number, err
}

func (d *mysqlDatabase) Objects(ctx context.Context) (list []Object, err error) {
	err = mysql.WithRetry(ctx, func() error {
		list, err = listObjects(ctx, d.pool, `SELECT TABLE_NAME, TABLE_TYPE LIKE '%VIEW' FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_NAME`)
		return err
	})
	return list, err
}

// CreateText is the server's own text, which has the indexes in it.
func (d *mysqlDatabase) CreateText(ctx context.Context, name string) (text string, err error) {
	err = mysql.WithRetry(ctx, func() error {
		text, err = d.createTextOnce(ctx, name)
		return err
	})
	return text, err
}

func (d *mysqlDatabase) createTextOnce(ctx context.Context, name string) (string, error) {
	rows, err := d.pool.QueryContext(ctx, "SHOW CREATE TABLE `"+strings.ReplaceAll(name, "`", "``")+"`")
	var e *driversql.MySQLError
	if errors.As(err, &e) && (e.Number == 1146 || e.Number == 1051 || e.Number == 1103) {
		return "", ErrUnknownTable
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	values, pointers := make([]string, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	if !rows.Next() {
		return "", cmp.Or(rows.Err(), ErrUnknownTable)
	}
	if err := rows.Scan(pointers...); err != nil {
		return "", err
	}
	if len(values) < 2 {
		return "", dial.BadAnswer("it has %d columns, and two at least were asked for", len(values))
	}
	return values[1] + ";", nil
}

func (d *mysqlDatabase) Definition(ctx context.Context) (designer.Definition, error) {
	return d.designs.Inspect(ctx, d.pool)
}

func (d *mysqlDatabase) Check(query string, designerOpen bool) *readonly.Refusal {
	_, r := readonly.ParseMySQL(query, designerOpen)
	return r
}
