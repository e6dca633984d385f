package db

import (
	"cmp"
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
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
	connector, err := mysqlConnector(cfg.Address)
	if err != nil {
		return nil, err
	}
	d := &mysqlDatabase{serverDatabase: newServerDatabase(sql.OpenDB(connector), mysql.Engine{}), connector: connector,
		words: readonly.NewMySQLWords(), tag: newStatementTag(os.Getpid())}
	d.spare = &spare{dial: d.dial}
	return d, nil
}

// mysqlConnector dials a.
func mysqlConnector(a Address) (driver.Connector, error) {
	config, err := mysqlConfig(a)
	if err != nil {
		return nil, err
	}
	connector, err := driversql.NewConnector(config)
	if err != nil {
		return nil, mysqlParameters()
	}
	return boundedConnector{safedriver.Connector{Connector: connector}, a.server(dialectMySQL), mysqlRefusal}, nil
}

func mysqlParameters() error {
	// The driver's error has the settings in it.
	return &ConnectError{Cause: "the connection's parameters are not those of MySQL", Fix: "check sslmode and the parameters of the connection"}
}

func mysqlConfig(a Address) (*driversql.Config, error) {
	params := url.Values{}
	for name, value := range a.Params {
		if name != "charset" && name != "collation" { // the guard reads UTF-8
			params.Set(name, value)
		}
	}
	config, err := driversql.ParseDSN("tcp(unknown)/?" + params.Encode())
	if err != nil {
		return nil, mysqlParameters()
	}
	config.Net, config.Addr = "tcp", a.server(dialectMySQL)
	if strings.HasPrefix(a.Host, "/") {
		config.Net, config.Addr = "unix", a.Host
	}
	config.User, config.DBName = a.User, a.Database
	config.MultiStatements, config.AllowAllFiles, config.ParseTime, config.InterpolateParams = false, false, false, false
	config.Logger = &driversql.NopLogger{}
	config.ConnectionAttributes = "program_name:berth"
	dial := (&net.Dialer{}).DialContext
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return newPacketConn(meter(ctx, conn)), nil
	}
	if err := mysqlTLS(config, a.SSLMode); err != nil {
		return nil, err
	}
	options := []driversql.Option{driversql.Charset("utf8mb4", ""), driversql.EnableCompression(false)}
	if a.Password != nil {
		options = append(options, driversql.BeforeConnect(func(ctx context.Context, c *driversql.Config) error {
			var err error
			c.Passwd, err = a.password(ctx)
			return err
		}))
	}
	if err := config.Apply(options...); err != nil {
		return nil, mysqlParameters()
	}
	return config, nil
}

// mysqlTLS translates the modes; the driver's default is none.
func mysqlTLS(config *driversql.Config, mode string) error {
	switch mode {
	case "", "disable":
	case "allow", "prefer":
		config.TLSConfig = "preferred"
	case "require":
		config.TLSConfig = "skip-verify"
	case "verify-ca":
		config.TLS = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, VerifyConnection: verifyChain(nil)} // the name alone is not verified
	case "verify-full":
		config.TLSConfig = "true"
	default:
		return mysqlParameters()
	}
	return nil
}

// mysqlRefusal is the server's reason not to let a login in.
func mysqlRefusal(err error) string {
	var e *driversql.MySQLError
	if errors.As(err, &e) {
		return e.Message
	}
	return ""
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

func (d *mysqlDatabase) objects(ctx context.Context) (list []object, err error) {
	err = mysql.OnceMore(ctx, func() error {
		list, err = listObjects(ctx, d.pool, `SELECT TABLE_NAME, TABLE_TYPE LIKE '%VIEW' FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_NAME`)
		return err
	})
	return list, err
}

// createText is the server's own text, which has the indexes in it.
func (d *mysqlDatabase) createText(ctx context.Context, name string) (text string, err error) {
	err = mysql.OnceMore(ctx, func() error {
		text, err = d.createTextOnce(ctx, name)
		return err
	})
	return text, err
}

func (d *mysqlDatabase) createTextOnce(ctx context.Context, name string) (string, error) {
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
		return "", cmp.Or(rows.Err(), errUnknownTable)
	}
	if err := rows.Scan(pointers...); err != nil {
		return "", err
	}
	if len(values) < 2 {
		return "", oddAnswer("it has %d columns, and two at least were asked for", len(values))
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
