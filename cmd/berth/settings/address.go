package settings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// Address is where a database is, however it was written.
type Address struct {
	Dialect  string // one of the Dialect constants
	Path     string // SQLite: the file as written, decoded
	ReadOnly bool   // SQLite: the address says mode=ro
	Server   Server // the others
	// Unknown names, sorted, the parameters that mean nothing here.
	Unknown []string
}

// ParseAddress reads an address as programs write them: a URL (also JDBC's,
// SQLAlchemy's and Prisma's), an ADO connection string (Server=…;Database=…)
// or the data source name of Go's MySQL driver (user@tcp(host)/db). dialect,
// one that [DialectOf] returns, decides where the text does not; "" leaves it
// to the text. Only URLs are percent-decoded. An error repeats nothing of the
// text.
func ParseAddress(dialect, text string) (Address, error) {
	if strings.ContainsRune(text, 0) {
		return Address{}, errNUL
	}
	return parseAddress(dialect, text, func(part string) string { return part })
}

// HoldsPassword reports whether an address has a password, or another secret,
// in plain text: one that is a ${VARIABLE} whole is none. An address that
// cannot be read holds one when in doubt.
func HoldsPassword(text string) bool {
	bare := variableMark().ReplaceAllString(text, "v")
	if strings.HasPrefix(strings.TrimSpace(text), "${") || DialectOf(schemeOf(text)) == DialectSQLite || formOf(text) == formPath {
		return false
	}
	const mark = "berthVariable"
	a, err := ParseAddress("", variableMark().ReplaceAllString(text, mark))
	if err != nil {
		return masked(bare) != bare
	}
	password, _ := a.Server.Password.Reveal(context.Background()) // it is text, which no command prints
	if password != "" && password != mark {
		return true
	}
	for _, m := range namedSecret().FindAllStringSubmatch(variableMark().ReplaceAllString(text, mark), -1) {
		if value := strings.Trim(m[1], `"'{} `); value != "" && value != mark {
			return true
		}
	}
	return false
}

// schemeOf is the word before the first colon of a URL, "" if it is none.
func schemeOf(text string) string {
	if m := scheme().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return m[1]
	}
	return ""
}

var (
	variableMark = lazyregexp.New(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
	// namedSecret is a parameter that is secret by its name.
	namedSecret = lazyregexp.New(`(?i)[?&;{ ](?:password|pwd|sslpassword|secret|token)\s*=\s*([^&;]*)`)
)

var errNUL = errors.New("has a NUL character")

// parts are those of a server's address as it is written: decoded, but with
// the marks of variables still in them.
type parts struct {
	dialect                                        string
	host, port, instance, user, password, database string
	params                                         []param
}

type param struct{ name, value string }

// scheme is what stands before the first colon of a URL. Two letters at
// least, so that a Windows drive is not one.
var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// parseAddress takes text apart and then has fill put variables in, so that
// no character of a value is taken for a separator or decoded.
func parseAddress(dialect, text string, fill func(string) string) (Address, error) {
	text = strings.TrimSpace(text)
	if rest, ok := cutPrefixFold(text, "jdbc:"); ok {
		text = rest
	}
	var p parts
	var err error
	switch form := formOf(text); {
	case form == formDSN && (dialect == "" || dialect == DialectMySQL):
		p, err = parseDSN(text)
	case form == formADO:
		if file, ok := adoFile(text, dialect); ok {
			return Address{Dialect: DialectSQLite, Path: fill(file)}, nil
		}
		p, err = parseADO(text, dialect)
	case form == formURL:
		m := scheme().FindStringSubmatch(text)
		found := DialectOf(m[1])
		if found == DialectSQLite || found == "" && dialect == DialectSQLite {
			return parseSQLiteURL(fill(text[len(m[0]):]))
		}
		if found == "" || dialect != "" && dialect != found {
			return Address{}, unservedScheme(m[1], dialect)
		}
		p, err = parseServerURL(found, text[len(m[0]):], strings.EqualFold(m[1], "sqlserver"))
	case dialect == "" || dialect == DialectSQLite:
		return Address{Dialect: DialectSQLite, Path: fill(text)}, nil
	default:
		return Address{}, errors.New("is no address: write dialect://user:password@host:port/database")
	}
	if err != nil {
		return Address{}, err
	}
	p.fill(fill)
	return p.address()
}

// The forms of an address.
const (
	formPath = iota
	formURL
	formADO
	formDSN
)

var (
	dsnNetwork = lazyregexp.New(`^(.*@)?(tcp|tcp4|tcp6|unix)\(`)
	adoKey     = lazyregexp.New(`(?i)(^|;)\s*(server|data source|host|addr|address|network address|filename)\s*=`)
)

func formOf(text string) int {
	switch before, _, hasAuthority := strings.Cut(text, "://"); {
	case !hasAuthority && dsnNetwork().MatchString(text):
		return formDSN
	case adoKey().MatchString(text) && !(hasAuthority && scheme().MatchString(before+":")):
		return formADO
	case scheme().MatchString(text):
		return formURL
	}
	return formPath
}

func cutPrefixFold(text, prefix string) (string, bool) {
	if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
		return text[len(prefix):], true
	}
	return text, false
}

// unservedScheme names a scheme in an error. Only well-known ones are
// repeated: the address may come from a variable, and a secret may stand
// where a scheme should.
func unservedScheme(scheme, dialect string) error {
	word := "this scheme"
	switch s := strings.ToLower(scheme); {
	case s == "oracle" || s == "mongodb" || s == "redis" || s == "http" || s == "https" || s == "mongodb+srv" || s == "clickhouse":
		word = "the scheme " + s
	case DialectOf(s) != "" && dialect != "":
		return fmt.Errorf("is an address of dialect %s, and dialect says %s", DialectOf(s), dialect)
	}
	return fmt.Errorf("%s is not served; postgres, mysql, mariadb, sqlserver and sqlite are", word)
}

func (p *parts) fill(fill func(string) string) {
	for _, part := range []*string{&p.host, &p.port, &p.instance, &p.user, &p.password, &p.database} {
		*part = fill(*part)
	}
	for i := range p.params {
		p.params[i].value = fill(p.params[i].value)
	}
}

// address gives the parameters their meaning and checks the whole.
func (p *parts) address() (Address, error) {
	a := Address{Dialect: p.dialect}
	params := map[string]string{}
	for _, q := range p.params {
		known, err := p.take(q.name, q.value, params)
		if err != nil {
			return Address{}, err
		}
		if !known {
			a.Unknown = append(a.Unknown, q.name)
		}
	}
	port, err := portOf(p.port)
	if err != nil {
		return Address{}, err
	}
	a.Server = Server{Host: p.host, Port: port, Instance: p.instance, User: p.user,
		Password: NewSecret(p.password), Database: p.database, Params: params}
	if mode, ok := params[paramSSLMode]; ok {
		delete(params, paramSSLMode)
		a.Server.SSLMode = mode
	}
	if len(params) == 0 {
		a.Server.Params = nil
	}
	return a, a.Server.check(a.Dialect)
}

// portOf reads a port, 0 where there is none.
func portOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return 0, errors.New("the port is not a number from 1 to 65535; " + escapes)
	}
	return port, nil
}

// escapes says how a password is written in a URL.
const escapes = "in a URL the characters / ? @ : % of a password are written %2F %3F %40 %3A %25"

// Fields are an address that is written in parts, as they stand.
type Fields struct {
	Host, Port, Instance, User, Password, Database string
	Params                                         map[string]string // as in a URL of the dialect
}

// FieldAddress reads an address that is written in parts.
func FieldAddress(dialect string, f Fields) (Address, error) {
	p := parts{dialect: dialect, host: f.Host, port: f.Port, instance: f.Instance,
		user: f.User, password: f.Password, database: f.Database}
	for _, name := range slices.Sorted(maps.Keys(f.Params)) {
		p.params = append(p.params, param{name, f.Params[name]})
	}
	if dialect == DialectMSSQL && p.instance == "" {
		p.host, p.instance, _ = strings.Cut(p.host, `\`)
	}
	return p.address()
}
