package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// Connection is one database that the project may use.
type Connection struct {
	Name    string
	Dialect string // one of the Dialect constants
	// Path is a SQLite file: absolute, cleaned, native separators. It need not
	// exist.
	Path string
	// ReadOnly: the address itself says mode=ro.
	ReadOnly    bool
	Design      bool          // there is a design only, and no database: it has a dialect and no address
	Server      Server        // where the dialect is another
	AllowWrites bool          // execute-sql may run without asking; default false
	MaxRows     int           // rows of a reply; query.maxRows unless set here
	Timeout     time.Duration // of a statement; query.timeout unless set here
	Level       Level         // of the file that defines it
	File        string        // that file
	Line        int           // the line of its name there
	// Asks are what it may not do, or be, before the user trusts it. Withheld:
	// one of them is about its address, so that it may not be contacted; the
	// address is the part that is not secret then, for people.
	Asks     []Ask
	Withheld bool
	// Outside: a SQLite file may lie outside of the project.
	Outside bool

	given     rawAddress
	variables []string // that were put in
}

// rawAddress is an address as a file has it, variables not expanded.
type rawAddress struct {
	url, path, dialect, host, port, instance, user, database, sslMode string
	password                                                          string
	hasPassword                                                       bool // also an empty one
	passwordCommand                                                   string
	params                                                            []param
}

// Given is the address as the file spells it, variables not expanded and
// passwords masked. "" where it is spelled in fields.
func (c Connection) Given() string {
	switch {
	case c.given.url == "":
		return c.given.path
	case c.Dialect == DialectSQLite: // an at sign belongs to the path
		return secretParam().ReplaceAllString(c.given.url, "${1}"+hiddenSecret)
	}
	return masked(c.given.url)
}

// Spells reports whether the file has this very address for it, variables not
// expanded, and the same command for its password if n names one.
func (c Connection) Spells(n NewConnection) bool {
	if c.Design || n.Design != "" {
		return c.Design && c.Dialect == DialectOf(n.Design)
	}
	return c.given.url == n.URL && c.given.path == n.Path && (n.PasswordCommand == "" || n.PasswordCommand == c.given.passwordCommand)
}

// PasswordCommand is the command that prints its password, as the file has it;
// "": none.
func (c Connection) PasswordCommand() string { return c.given.passwordCommand }

// masked hides what may be a password in an address, rather too much than too
// little.
func masked(address string) string {
	address = secretParam().ReplaceAllString(address, "${1}"+hiddenSecret)
	if strings.Contains(address, "://") {
		return urlPassword().ReplaceAllString(address, "${1}"+hiddenSecret+"@")
	}
	return dsnPassword().ReplaceAllString(address, "${1}"+hiddenSecret+"@")
}

var (
	// What stands between the user's name and the last at sign, in a URL and
	// in a data source name.
	urlPassword = lazyregexp.New(`(?s)(://[^/:@]*:).*@`)
	dsnPassword = lazyregexp.New(`(?s)^([^/:@]*:).*@`)
	// secretParam is the value of a parameter that is secret by its name. A
	// quoted one is taken to the end of the text: what ends it is a long story.
	secretParam = lazyregexp.New(`(?is)([?&;{ ]?\b(?:password|pwd|sslpassword|secret|token)\s*=\s*)(?:["'{].*|[^&;]*)`)
)

// connectionName is what a connection may be called: it names files too.
var connectionName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckName refuses what no connection may be called.
func CheckName(name string) error { return checkConnectionName(name) }

func checkConnectionName(name string) error {
	if !connectionName().MatchString(name) {
		return fmt.Errorf("connection name %s must be 1 to 64 letters, digits, dots, dashes or underscores", shown(name))
	}
	return nil
}
