package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The dialects of a [Connection].
const (
	DialectSQLite   = "sqlite"
	DialectPostgres = "postgres"
	DialectMySQL    = "mysql" // MariaDB too
	DialectMSSQL    = "mssql"
)

// Server says which database on which server a connection means. SQLite has
// none: its databases are files.
type Server struct {
	Host     string // a name, an IP address or, where it begins with a slash, a Unix socket; "": 127.0.0.1
	Port     int    // 0: the dialect's own
	Instance string // SQL Server: of several on one host
	User     string
	Password Secret
	Database string
	SSLMode  string            // a word of sslModes; "": the driver's default
	Params   map[string]string // what else the driver is told, in its own words
	// DriverDefaults lets the driver take what the address leaves out from
	// places of its own: PG* variables, ~/.pgpass, a service file.
	DriverDefaults bool
	// Below is the folder that certificate files in it are not to lead out of;
	// "": they may lie anywhere.
	Below string
}

// sslModes are PostgreSQL's words, used for every dialect.
func sslModes() []string {
	return []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}
}

// dialectNames lists the words for a dialect: the name first, then what other
// programs call it.
func dialectNames() map[string][]string {
	return map[string][]string{
		DialectSQLite:   {"sqlite", "sqlite3", "file", "better-sqlite3", "better-sqlite", "pdo_sqlite", "pdo-sqlite", "spatialite"},
		DialectPostgres: {"postgres", "postgresql", "pgsql", "pg", "postgis", "psql", "pg-native", "pdo_pgsql", "pdo-pgsql"},
		DialectMySQL:    {"mysql", "mariadb", "mysql2", "trilogy", "mysqli", "mysqlgis", "mysql-connector", "pdo_mysql", "pdo-mysql", "myxql"},
		DialectMSSQL:    {"mssql", "sqlserver", "sqlsrv", "tedious", "mssqlms", "pdo_sqlsrv", "pdo-sqlsrv"},
	}
}

// DialectOf returns the dialect that a word of any common program means, in
// any case and with a driver's name behind a plus sign, as SQLAlchemy has it.
// "" means that none does.
func DialectOf(word string) string {
	word, _, _ = strings.Cut(strings.ToLower(word), "+")
	for dialect, words := range dialectNames() {
		if slices.Contains(words, word) {
			return dialect
		}
	}
	return ""
}

// check says what a server's address lacks.
func (s *Server) check(dialect string) error {
	switch {
	case s.Port < 0 || s.Port > 65535:
		return errors.New("the port must be from 1 to 65535")
	case s.Instance != "" && dialect != DialectMSSQL:
		return errors.New("only SQL Server has instances")
	case s.SSLMode != "" && !slices.Contains(sslModes(), s.SSLMode):
		return fmt.Errorf("sslmode must be one of %s", strings.Join(sslModes(), ", "))
	case strings.Contains(s.Host, ","):
		return errors.New("several hosts are not supported; name one")
	case s.Database == "" && dialect == DialectPostgres && s.User != "":
		s.Database = s.User // as PostgreSQL's own programs have it
	case s.Database == "":
		return errors.New("a database must be named")
	}
	for name, part := range map[string]string{"host": s.Host, "instance": s.Instance, "user": s.User, "database": s.Database} {
		if strings.ContainsRune(part, 0) {
			return fmt.Errorf("the %s has a NUL character", name)
		}
	}
	return nil
}
