package dial

import (
	"context"
	"net"
	"strconv"
	"strings"
)

// Address says how a database server is reached. SQLite has none: its
// databases are files.
type Address struct {
	Host     string // a name or an IP address, or the directory of a Unix socket; "": 127.0.0.1
	Port     int    // 0: the dialect's own
	Instance string // SQL Server: of several on one host; "": none
	User     string
	// Password is asked for at each new connection and never kept. nil: none.
	Password func(ctx context.Context) (string, error)
	Database string
	// SSLMode is "disable", "prefer", "require", "verify-ca" or
	// "verify-full", as PostgreSQL has them; "": the driver's default.
	SSLMode string
	// Params are further parameters in the driver's own words. Files that they
	// name are absolute.
	Params map[string]string
	// DriverDefaults lets PostgreSQL's driver take what is left out from PG*
	// variables, ~/.pgpass and a service file.
	DriverDefaults bool
	// Below is the folder that certificate files in it are not followed out
	// of. "": none.
	Below string
}

// ports are the dialects' own.
var ports = map[string]int{PostgreSQL: 5432, MySQL: 3306, SQLServer: 1433}

// The dialects, by their names in settings and in a schema's model.
const (
	SQLite     = "sqlite"
	PostgreSQL = "postgres"
	MySQL      = "mysql"
	SQLServer  = "mssql"
)

func (a Address) port(dialect string) int {
	if a.Port != 0 {
		return a.Port
	}
	return ports[dialect]
}

func (a Address) host() string {
	if a.Host == "" {
		return "127.0.0.1"
	}
	return a.Host
}

// Local reports whether the server is on this machine, as far as its host says.
func (a Address) Local() bool {
	ip := net.ParseIP(a.Host)
	return a.Host == "" || a.Host == "localhost" || strings.HasPrefix(a.Host, "/") || ip != nil && ip.IsLoopback()
}

// Server names the server for people and targets: host:port, or host\instance.
func (a Address) Server(dialect string) string {
	if a.Instance != "" {
		return a.host() + `\` + a.Instance
	}
	return net.JoinHostPort(a.host(), strconv.Itoa(a.port(dialect)))
}

// password returns "" where there is none. Its error is a [*ConnectError].
func (a Address) password(ctx context.Context) (string, error) {
	if a.Password == nil {
		return "", nil
	}
	password, err := a.Password(ctx)
	if err != nil {
		return "", &ConnectError{Cause: "its password cannot be had: " + err.Error()}
	}
	return password, nil
}
