package db

import (
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
	spare     *spare
	words     readonly.MySQLWords
	tag       statementTag
	swept     atomic.Bool  // endOrphans was tried
	limit     atomic.Int64 // seconds that the last query had
}

var _ database = (*mysqlDatabase)(nil)

// openMySQL does no I/O; the server is dialled with the first use.
func openMySQL(cfg Config) (database, error) {
	connector, err := dial.MySQLConnector(cfg.Address)
	if err != nil {
		return nil, err
	}
	d := &mysqlDatabase{serverDatabase: newServerDatabase(sql.OpenDB(connector), mysql.Engine{}), connector: connector,
		words: readonly.NewMySQLWords(), tag: newStatementTag(os.Getpid())}
	d.spare = &spare{dial: d.dial}
	return d, nil
}

func (d *mysqlDatabase) close() error {
	d.spare.close()
	return d.serverDatabase.close()
}

func (d *mysqlDatabase) kind() string { return "mysql2" }

func (d *mysqlDatabase) version(ctx context.Context) (string, error) {
	var version string
	err := d.pool.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version)
	number, rest, _ := strings.Cut(version, "-")
	if strings.Contains(rest, "MariaDB") {
		return "MariaDB " + number, err
	}
	return "MySQL " + number, err
}

func (d *mysqlDatabase) objects(ctx context.Context) ([]object, error) {
	return listObjects(ctx, d.pool, `SELECT TABLE_NAME, TABLE_TYPE LIKE '%VIEW' FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_NAME`)
}

// createText is the server's own text, which has the indexes in it.
func (d *mysqlDatabase) createText(ctx context.Context, name string) (string, error) {
	rows, err := d.pool.QueryContext(ctx, "SHOW CREATE TABLE `"+strings.ReplaceAll(name, "`", "``")+"`")
	var e *driversql.MySQLError
	if errors.As(err, &e) && (e.Number == 1146 || e.Number == 1051 || e.Number == 1103) {
		return "", errUnknownTable
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
		return "", errors.Join(errUnknownTable, rows.Err())
	}
	if err := rows.Scan(pointers...); err != nil {
		return "", err
	}
	if len(values) < 2 {
		return "", dial.BadAnswer("it has %d columns, and two at least were asked for", len(values))
	}
	return values[1] + ";", nil
}

func (d *mysqlDatabase) definition(ctx context.Context) (designer.Definition, error) {
	return d.designs.Inspect(ctx, d.pool)
}

func (d *mysqlDatabase) check(query string, designerOpen bool) *readonly.Refusal {
	_, r := readonly.ParseMySQL(query, designerOpen)
	return r
}
