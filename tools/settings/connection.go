package settings

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// DialectSQLite is the dialect of a [Connection] to a SQLite file.
const DialectSQLite = "sqlite"

// Connection is one database that the project may use.
type Connection struct {
	Name    string
	Dialect string // DialectSQLite
	// Path is the database file: absolute, cleaned, native separators. It
	// need not exist.
	Path string
	// ReadOnly: the address itself says mode=ro.
	ReadOnly    bool
	AllowWrites bool          // execute-sql may run without asking; default false
	MaxRows     int           // rows of a reply; query.maxRows unless set here
	Timeout     time.Duration // of a statement; query.timeout unless set here
	Level       Level         // of the file that defines it
	File        string        // that file
	Line        int           // the line of its name there

	url, path string // as the file spells them; one of the two is set
}

// Given is the address as the file spells it, variables not expanded and a
// password masked.
func (c Connection) Given() string {
	if c.url != "" {
		return masked(c.url)
	}
	return c.path
}

// resolve fills Dialect and Path from the address. Relative paths are below
// dir, the directory that the settings file speaks for; an empty dir refuses
// them. It reports the variables it met.
func (c *Connection) resolve(dir string, lookup func(string) (string, bool)) (key string, variables []string, err error) {
	switch {
	case c.url != "" && c.path != "":
		return "path", nil, fmt.Errorf("url and path exclude each other")
	case c.url != "":
		expanded, seen, err := expand(c.url, lookup)
		if err != nil {
			return "url", seen, err
		}
		return "url", seen, c.fromURL(expanded, dir)
	case c.path != "":
		expanded, seen, err := expand(c.path, lookup)
		if err != nil {
			return "path", seen, err
		}
		return "path", seen, c.fromPath(expanded, dir)
	default:
		return "", nil, fmt.Errorf("a connection needs a path or a url")
	}
}

// scheme is what stands before the first colon of a URL. Two letters at
// least, so that a Windows drive is not one.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// fromURL reads sqlite: and file: addresses. Everything after the scheme may
// be secret, so no message repeats it.
func (c *Connection) fromURL(address, dir string) error {
	m := scheme.FindStringSubmatch(address)
	if m == nil {
		return c.fromPath(address, dir)
	}
	switch s := strings.ToLower(m[1]); s {
	case "sqlite", "sqlite3", "file":
		return c.fromSQLite(address[len(m[0]):], dir)
	default:
		return fmt.Errorf("%s is not served by this version, which serves sqlite: "+
			"a path, sqlite:///absolute/path or file:relative/path", dialectWord(s))
	}
}

// dialectWord names a scheme in an error. Only well-known ones are repeated:
// the address may come from a variable, and a secret may stand where a scheme
// should.
func dialectWord(scheme string) string {
	switch scheme {
	case "postgres", "postgresql", "mysql", "mysql2", "mariadb", "mssql", "sqlserver", "oracle", "mongodb", "http", "https":
		return "dialect " + scheme
	default:
		return "this dialect"
	}
}

func (c *Connection) fromSQLite(rest, dir string) error {
	rest, query, _ := strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok { // //host/path, the host empty or localhost
		host, path, slash := strings.Cut(after, "/")
		if !slash || (host != "" && !strings.EqualFold(host, "localhost")) {
			return fmt.Errorf("must have three slashes before an absolute path, as in sqlite:///absolute/path")
		}
		rest = "/" + strings.TrimLeft(path, "/")
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return fmt.Errorf("holds a broken %% escape")
	}
	if err := c.readMode(query); err != nil {
		return err
	}
	if drive := strings.TrimPrefix(path, "/"); len(drive) > 1 && drive[1] == ':' {
		path = drive // sqlite:///C:/data/app.db
	}
	return c.fromPath(path, dir)
}

// readMode takes mode=ro and mode=rw, and refuses what it does not know:
// a parameter that is silently dropped may be the one that mattered.
func (c *Connection) readMode(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("holds broken parameters after the question mark")
	}
	for name, v := range values {
		if name != "mode" || len(v) != 1 || (v[0] != "ro" && v[0] != "rw") {
			return fmt.Errorf("only the parameters mode=ro and mode=rw are supported")
		}
		c.ReadOnly = v[0] == "ro"
	}
	return nil
}

func (c *Connection) fromPath(path, dir string) error {
	switch {
	case path == "" || strings.ContainsRune(path, 0):
		return fmt.Errorf("must name a database file")
	case strings.EqualFold(path, ":memory:"):
		return fmt.Errorf("must name a database file: an in-memory database has nothing to share")
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		if dir == "" {
			return fmt.Errorf("must be absolute in a file that is not a project's")
		}
		path = filepath.Join(dir, path)
	}
	c.Dialect, c.Path = DialectSQLite, filepath.Clean(path)
	return nil
}

// password is the part of a URL between the user's name and the at sign.
var password = regexp.MustCompile(`(://[^/@:]*:)[^@]*@`)

// masked hides a password that stands in an address.
func masked(address string) string { return password.ReplaceAllString(address, "${1}****@") }

// connectionName is what a connection may be called: it names files too.
var connectionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func checkConnectionName(name string) error {
	if !connectionName.MatchString(name) {
		return fmt.Errorf("connection name %s must be 1 to 64 letters, digits, dots, dashes or underscores", shown(name))
	}
	return nil
}
