package settings

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// judge settles what a connection of a project's file asks: Asks, Withheld,
// Outside and AllowWrites.
func (f *ownFile) judge(c *Connection, key string) {
	if c.Design {
		return // it reaches nothing
	}
	bound := append([]string{f.dir}, c.given.bound()...)
	take := func(r request) bool {
		r.bound = append(slices.Clone(bound), r.bound...)
		a := f.s.ask(r, key, f.file, c.Line)
		c.Asks = append(c.Asks, a)
		return a.Trusted
	}
	spelled := c.spelled(f.dir)
	for _, r := range spelled.requests(f.s.root, f.dir) {
		if !take(r) {
			c.Withheld = true
		}
	}
	// A link in the project that leads out of it is not what was trusted.
	c.Outside = !c.Withheld && spelled.known && spelled.Dialect == DialectSQLite && !inside(f.s.root, spelled.Path)
	if c.AllowWrites {
		c.AllowWrites = take(request{kind: kindWrites, words: "lets agents run statements that write in the database of " + spelled.named() +
			" without asking you (allowWrites)"})
	}
}

// bound is all of an address as the file spells it, to which an ask is bound.
// A password in a field of its own is not: it is the file's, and whatever it
// is, it sends nothing of the user's.
func (g *rawAddress) bound() []string {
	password := ""
	if len(variablesIn(g.password)) > 0 {
		password = g.password
	}
	list := []string{g.url, g.path, g.dialect, g.host, g.port, g.instance, g.user, g.database, g.sslMode, password, g.passwordCommand}
	for _, p := range g.params {
		list = append(list, p.name, p.value)
	}
	return list
}

// rawConnection is a connection in which variables stand for themselves.
type rawConnection struct {
	Connection
	known     bool // its address could be read without them
	variables []string
}

// spelled reads the address with each variable standing for itself, or for a
// one where a number or a word of a list is wanted.
func (c *Connection) spelled(dir string) rawConnection {
	s := rawConnection{Connection: *c, variables: c.given.variables()}
	values := map[string]string{}
	for _, name := range s.variables {
		values[name] = "${" + name + "}"
	}
	read := func() bool {
		s.Connection = *c
		_, _, err := s.resolve(dir, func(name string) (string, bool) { return values[name], true })
		return err == nil
	}
	s.known = read()
	for _, name := range s.variables[:min(len(s.variables), maxTried)] {
		if !s.known {
			values[name] = "1"
			s.known = read()
		}
	}
	if strings.HasPrefix(strings.TrimSpace(c.given.url), "${") {
		s.known = false // the variable is the address
	}
	if !s.known {
		s.Connection = *c
	}
	if s.Server.Port == 1 && len(s.variables) > 0 {
		s.Server.Port = 0 // it stands for a variable
	}
	return s
}

// maxTried bounds the variables of one address for which other values are
// tried: each try reads all of it.
const maxTried = 16

// variables lists those that an address names, each once.
func (g *rawAddress) variables() (list []string) {
	for _, text := range g.texts() {
		for _, name := range variablesIn(text) {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// texts are the parts of a spelling in which variables are put.
func (g *rawAddress) texts() []string {
	list := []string{g.url, g.path, g.host, g.port, g.instance, g.user, g.password, g.database}
	for _, p := range g.params {
		list = append(list, p.value)
	}
	return list
}

// variablesIn lists the variables that a text names.
func variablesIn(text string) (names []string) {
	_, names, _ = expand(text, func(string) (string, bool) { return "", true })
	return names
}

// named is the connection, and where it leads, for people.
func (s *rawConnection) named() string {
	return "the connection " + plain(s.Name) + " (" + s.to() + ")"
}

// to says where a connection leads: the server and database, or the file.
func (s *rawConnection) to() string {
	switch {
	case s.known && s.Dialect == DialectSQLite:
		return plain(s.Path)
	case s.known:
		return serverWords(s.Dialect, s.Server)
	case strings.HasPrefix(strings.TrimSpace(s.given.url), "${"):
		return "wherever " + plain(s.given.url) + " leads"
	}
	return "its address cannot be read"
}

// serverWords names a server and the database on it.
func serverWords(dialect string, s Server) string {
	host := s.Host
	if host == "" {
		host = "127.0.0.1"
	}
	switch {
	case s.Instance != "":
		host += `\` + s.Instance
	case s.Port != 0 && !isSocket(host):
		host = net.JoinHostPort(host, strconv.Itoa(s.Port))
	}
	words := plain(host)
	if s.User != "" {
		words = plain(s.User) + " at " + words
	}
	return fmt.Sprintf("%s, database %s on %s", dialect, plain(s.Database), words)
}

// requests are what an address wants beyond what a project's file may.
func (s *rawConnection) requests(root, dir string) []request {
	var list []request
	for _, name := range s.variables {
		list = append(list, request{kind: "variable", bound: []string{name},
			words: "puts your variable " + plain(name) + " into the address of " + s.named()})
	}
	if command := s.given.passwordCommand; command != "" {
		program, _, _ := strings.Cut(command, " ") // its arguments may be secret
		list = append(list, request{kind: "command", words: fmt.Sprintf("runs a command, %s …, for the password of %s", plain(program), s.named()),
			detail: fmt.Sprintf("in %s: %s", plain(dir), strconv.QuoteToASCII(command))})
	}
	switch {
	case !s.known:
		return list
	case s.Dialect == DialectSQLite:
		if !inside(root, s.Path) {
			list = append(list, request{kind: "file", words: "opens a database file outside of the project: " + s.named()})
		}
		return list
	}
	return append(list, s.Server.requests(s.Dialect, root, dir, s.named())...)
}

// requests are what a server's address wants beyond a server of this machine
// that is signed in to with nothing from outside of the file.
func (s *Server) requests(dialect, root, dir, named string) []request {
	var list []request
	want := func(kind, words string, bound ...string) {
		list = append(list, request{kind: kind, bound: bound, words: words})
	}
	switch {
	case isSocket(s.Host):
		want("identity", "signs in as you, your user account of this system, over a socket: "+named)
	case !isLoopback(s.Host):
		want("host", "connects to another machine: "+named)
	}
	if s.User == "" && dialect == DialectMSSQL {
		want("identity", "signs in as you, your user account of this system: "+named)
	}
	if partner := s.Params["failoverpartner"]; partner != "" && !isLoopback(partner) {
		want("host", "connects to another machine, "+plain(partner)+", where the server of this does not answer: "+named, partner)
	}
	if word, on := s.Params["allowCleartextPasswords"]; on && word != "false" && word != "0" {
		want("cleartext", "sends the password in clear text where the server asks for that: "+named)
	}
	for _, name := range CertificateParams(dialect) {
		file := s.Params[name]
		if file != "" && file != SystemCertificates && !inside(root, below(dir, file)) {
			want("certificate", "reads "+plain(file)+", a file outside of the project, as "+name+" of "+named, name, file)
		}
	}
	if s.DriverDefaults {
		want("driver", "takes what its address leaves out from your PG* variables, ~/.pgpass and service file (driverDefaults): "+named)
	}
	return list
}

// isSocket reports whether a host is a Unix socket, or its folder.
func isSocket(host string) bool {
	return strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || filepath.IsAbs(host)
}

// isLoopback reports whether a host is this machine, reached by its loopback
// alone. A name is only localhost: what another name means, others decide.
func isLoopback(host string) bool {
	if host == "" || strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	a = a.Unmap()
	return err == nil && (a.IsLoopback() || a.IsUnspecified()) && a.Zone() == ""
}

// below is a file, below dir where it is relative.
func below(dir, file string) string {
	if filepath.IsAbs(file) || dir == "" {
		return filepath.Clean(file)
	}
	return filepath.Join(dir, file)
}

// withhold gives the connection of its address what is no secret and may be
// shown: where it would lead.
func (c *Connection) withhold(dir string) (key string, err error) {
	s := c.spelled(dir)
	if !s.known && len(s.variables) == 0 {
		key, _, err = s.resolve(dir, nil) // no variable is to blame
		return key, err
	}
	c.Dialect, c.Path, c.Server = s.Dialect, s.Path, s.Server
	c.Server.Password = Secret{}
	if !s.known {
		c.Dialect, c.Server.Host = s.guess(), s.to()
	}
	return "", nil
}

// guess is the dialect that an address seems to have.
func (s *rawConnection) guess() string {
	if word := DialectOf(s.given.dialect); word != "" {
		return word
	}
	if m := scheme().FindStringSubmatch(strings.TrimSpace(s.given.url)); m != nil && DialectOf(m[1]) != "" {
		return DialectOf(m[1])
	}
	return DialectPostgres
}
