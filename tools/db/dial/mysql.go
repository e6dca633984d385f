package dial

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// MySQLConnector returns what dials the MySQL or MariaDB server at a.
func MySQLConnector(a Address) (driver.Connector, error) { return mysqlConnector(a, false) }

// MySQLCounting is MySQLConnector, for connections on which an UPDATE counts
// the rows that it finds, and not only those that it makes different.
func MySQLCounting(a Address) (driver.Connector, error) { return mysqlConnector(a, true) }

func mysqlConnector(a Address, countFound bool) (driver.Connector, error) {
	config, err := mysqlConfig(a)
	if err != nil {
		return nil, err
	}
	config.ClientFoundRows = countFound
	connector, err := driversql.NewConnector(config)
	if err != nil {
		return nil, mysqlParameters()
	}
	return boundedConnector{safedriver.Connector{Connector: connector}, a.Server(MySQL), mysqlRefusal}, nil
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
	config.Net, config.Addr = "tcp", a.Server(MySQL)
	if strings.HasPrefix(a.Host, "/") {
		config.Net, config.Addr = "unix", a.Host
	}
	config.User, config.DBName = a.User, a.Database
	config.MultiStatements, config.AllowAllFiles, config.ParseTime, config.InterpolateParams = false, false, false, false
	config.Logger = &driversql.NopLogger{}
	config.ConnectionAttributes = "program_name:berth"
	dial, set := (&net.Dialer{}).DialContext, mysqlSettings(config.Params)
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		packets := newPacketConn(meter(ctx, conn))
		if ahead, ok := ctx.Value(aheadKey{}).(*MySQLAhead); ok {
			ahead.conn, ahead.set = packets, set
		}
		return packets, nil
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

// mysqlSettings is the statement with which the driver sets what the
// connection's parameters say; "": they say nothing.
func mysqlSettings(params map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		all = append(all, name+" = "+params[name])
	}
	if len(all) == 0 {
		return ""
	}
	return "SET " + strings.Join(all, ", ")
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
