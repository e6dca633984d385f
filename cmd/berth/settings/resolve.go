package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// resolve fills the connection's address from its spelling. Relative paths
// are below dir, the directory that the settings file speaks for; an empty
// dir refuses them. It reports the variables it met, and of an error the key
// that it is about.
func (c *Connection) resolve(dir string, lookup func(string) (string, bool)) (key string, variables []string, err error) {
	v := &variableReader{lookup: lookup}
	switch g := &c.given; {
	case c.Design:
		key, err = c.fromDesign()
		return key, nil, err
	case g.url != "":
		key, err = c.fromURL(dir, v)
	case g.path != "":
		key, err = c.fromFile(dir, v)
	case g.dialect != "" || g.host != "" || g.database != "":
		key, err = c.fromFields(v)
	default:
		err = errors.New("a connection needs a path or a url, or a dialect with host and database")
	}
	if err == nil {
		key, err = c.credentials(dir, v)
	}
	if err == nil && c.Dialect != DialectSQLite {
		key, err = keyParams, c.Server.placeCertificates(c.Dialect, dir)
	}
	if err == nil && c.Server.DriverDefaults && c.Dialect != DialectPostgres {
		key, err = "driverDefaults", errors.New("only PostgreSQL's driver has any")
	}
	return key, v.seen, err
}

// fromDesign reads a connection that is a design without a database: it has a
// dialect and nothing of an address.
func (c *Connection) fromDesign() (key string, err error) {
	switch key = c.given.beside("dialect"); {
	case c.given.url != "":
		return "url", errors.New("url and design exclude each other: a design has no database")
	case key != "":
		return key, fmt.Errorf("%s and design exclude each other: a design has no database", key)
	case c.AllowWrites || c.Server.DriverDefaults:
		return "design", errors.New("a design has no database, and so neither allowWrites nor driverDefaults")
	case c.given.dialect == "":
		return "design", errors.New("a design needs a dialect: sqlite, postgres, mysql, mariadb or mssql")
	}
	c.Dialect, err = c.given.dialectWord()
	return "dialect", err
}

// variableReader expands text and keeps count of the variables.
type variableReader struct {
	lookup func(string) (string, bool)
	seen   []string
}

func (v *variableReader) expand(text string) (string, error) {
	out, seen, err := expand(text, v.lookup)
	v.seen = append(v.seen, seen...)
	return out, err
}

// fromURL reads the key url. A variable in it stands for exactly its value,
// whatever characters that has; only where an address begins with a variable
// is the value a part of the URL, to be decoded with it.
func (c *Connection) fromURL(dir string, v *variableReader) (string, error) {
	g := &c.given
	if key := g.beside("url", "dialect", "password", "passwordCommand", "sslmode"); key != "" {
		return key, fmt.Errorf("url and %s exclude each other", key)
	}
	dialect, err := g.dialectWord()
	if err != nil {
		return "dialect", err
	}
	if strings.ContainsRune(g.url, 0) {
		return "url", errNUL
	}
	text, values := g.url, []string(nil)
	if strings.HasPrefix(strings.TrimSpace(text), "${") {
		text, err = v.expand(text)
	} else {
		text, values, err = v.mark(text)
	}
	if err != nil {
		return "url", err
	}
	address, err := parseAddress(dialect, text, func(part string) string { return unmark(part, values) })
	if err != nil {
		return "url", err
	}
	if len(address.Unknown) > 0 {
		return "url", unknownParams(address)
	}
	c.Dialect, c.ReadOnly = address.Dialect, address.ReadOnly
	c.reach(address.Server)
	if c.Dialect == DialectSQLite {
		return "url", c.setPath(address.Path, dir)
	}
	return "url", nil
}

// reach sets the server, and keeps what the file says besides.
func (c *Connection) reach(v Server) {
	v.DriverDefaults, v.Below = c.Server.DriverDefaults, c.Server.Below
	c.Server = v
}

// unknownParams refuses parameters that mean nothing: one that is silently
// dropped may be the one that mattered.
func unknownParams(a Address) error {
	if a.Dialect == DialectSQLite {
		return errors.New("only the parameters mode=ro and mode=rw are supported")
	}
	return fmt.Errorf("the parameter %s is not known for %s", shown(a.Unknown[0]), a.Dialect)
}

// mark replaces the variables of text by marks that no text can have, and
// returns their values.
func (v *variableReader) mark(text string) (marked string, values []string, err error) {
	marked, seen, err := expand(text, func(name string) (string, bool) {
		value, ok := v.lookup(name)
		values = append(values, value)
		return "\x00" + strconv.Itoa(len(values)-1) + "\x00", ok
	})
	v.seen = append(v.seen, seen...)
	return marked, values, err
}

// unmark puts the values in.
func unmark(part string, values []string) string {
	pieces := strings.Split(part, "\x00")
	for i := 1; i < len(pieces); i += 2 {
		if n, err := strconv.Atoi(pieces[i]); err == nil && n < len(values) {
			pieces[i] = values[n]
		}
	}
	return strings.Join(pieces, "")
}

// fromFile reads the key path.
func (c *Connection) fromFile(dir string, v *variableReader) (string, error) {
	if key := c.given.beside("path", "dialect"); key != "" {
		return key, fmt.Errorf("path and %s exclude each other", key)
	}
	dialect, err := c.given.dialectWord()
	switch {
	case err != nil:
		return "dialect", err
	case dialect != "" && dialect != DialectSQLite:
		return "dialect", errors.New("a path is a SQLite file; other dialects have a host")
	}
	path, err := v.expand(c.given.path)
	if err != nil {
		return "path", err
	}
	return "path", c.setPath(path, dir)
}

func (c *Connection) setPath(path, dir string) error {
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

// fromFields reads an address that is spelled in fields. Each value is taken
// as it stands.
func (c *Connection) fromFields(v *variableReader) (string, error) {
	g := &c.given
	dialect, err := g.dialectWord()
	switch {
	case err != nil:
		return "dialect", err
	case dialect == "":
		return "", errors.New("a connection with a host needs a dialect: postgres, mysql or mssql")
	case dialect == DialectSQLite:
		return "", errors.New("a connection of dialect sqlite needs a path")
	}
	p := parts{dialect: dialect}
	for _, field := range []struct {
		key, text string
		into      *string
	}{
		{"host", g.host, &p.host}, {"port", g.port, &p.port}, {"instance", g.instance, &p.instance},
		{"user", g.user, &p.user}, {"database", g.database, &p.database},
	} {
		if *field.into, err = v.expand(field.text); err != nil {
			return field.key, err
		}
	}
	for _, q := range g.params {
		value, err := v.expand(q.value)
		if err != nil {
			return "params." + q.name, err
		}
		p.params = append(p.params, param{q.name, value})
	}
	if dialect == DialectMSSQL && p.instance == "" {
		p.host, p.instance, _ = strings.Cut(p.host, `\`)
	}
	address, err := p.address()
	if err != nil {
		return "", err
	}
	if len(address.Unknown) > 0 {
		return "params", unknownParams(address)
	}
	c.Dialect = dialect
	c.reach(address.Server)
	return "", nil
}

// credentials adds what stands beside the address.
func (c *Connection) credentials(dir string, v *variableReader) (string, error) {
	g := &c.given
	if g.sslMode != "" {
		c.Server.SSLMode = g.sslMode
	}
	if !g.hasPassword && g.passwordCommand == "" {
		return "", nil
	}
	switch {
	case c.Dialect == DialectSQLite:
		return "password", errors.New("a SQLite file has no password here")
	case g.hasPassword && g.passwordCommand != "":
		return "passwordCommand", errors.New("password and passwordCommand exclude each other")
	case !c.Server.Password.IsZero():
		return "url", errors.New("has a password already; keep one")
	case g.passwordCommand != "":
		c.Server.Password = Secret{command: g.passwordCommand, dir: dir}
		return "", nil
	}
	password, err := v.expand(g.password)
	if err != nil {
		return "password", err
	}
	c.Server.Password = NewSecret(password)
	return "", nil
}

// dialectWord is the dialect that the key names, "" where it is not there.
func (g *rawAddress) dialectWord() (string, error) {
	if g.dialect == "" {
		return "", nil
	}
	if d := DialectOf(g.dialect); d != "" {
		return d, nil
	}
	return "", fmt.Errorf("must be one of sqlite, postgres, mysql, mariadb, mssql, not %s", shown(g.dialect))
}

// beside names the first key that is set and is neither main nor one of
// those allowed beside it.
func (g *rawAddress) beside(main string, allowed ...string) string {
	set := []struct {
		key string
		on  bool
	}{
		{"path", g.path != ""}, {"dialect", g.dialect != ""}, {"host", g.host != ""}, {"port", g.port != ""},
		{"instance", g.instance != ""}, {"user", g.user != ""}, {"password", g.hasPassword},
		{"passwordCommand", g.passwordCommand != ""}, {"database", g.database != ""}, {"sslmode", g.sslMode != ""},
		{"params", len(g.params) > 0},
	}
	for _, s := range set {
		if s.on && s.key != main && !slices.Contains(allowed, s.key) {
			return s.key
		}
	}
	return ""
}
