package settings

import (
	"errors"
	"net/url"
	"strings"
)

// parseServerURL reads what stands behind the scheme of a URL:
//
//	//user:password@host:port/database?name=value
//	//host:port;name=value            SQL Server, as JDBC and Prisma have it
//
// Nothing begins at a number sign: a URL of a database has no fragment.
func parseServerURL(dialect, rest string, microsofts bool) (parts, error) {
	p := parts{dialect: dialect}
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		if rest == "" || dialect != DialectPostgres || strings.ContainsAny(rest, "/@") {
			return p, errors.New("needs // behind its scheme")
		}
		rest = "/" + rest // jdbc:postgresql:database
	}
	if dialect == DialectMySQL && dsnNetwork().MatchString(rest) {
		return parseDSN(rest) // as golang-migrate has it
	}
	if semicolon := strings.IndexByte(rest, ';'); dialect == DialectMSSQL && semicolon >= 0 && !strings.ContainsAny(rest[:semicolon], "@?") {
		return p, p.withPairs(rest[:semicolon], rest[semicolon+1:])
	}
	authority, path, query := splitURL(rest)
	if strings.Contains(path, "@") {
		return p, errors.New("has an @ behind a slash; " + escapes)
	}
	if err := p.authority(authority); err != nil {
		return p, err
	}
	path, err := unescape(strings.TrimPrefix(path, "/"))
	if err != nil {
		return p, err
	}
	p.database = path
	if err := p.query(query); err != nil {
		return p, err
	}
	if dialect == DialectMSSQL && microsofts {
		p.instanceInPath()
	}
	return p, nil
}

func splitURL(rest string) (authority, path, query string) {
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		return rest, "", ""
	}
	authority, path = rest[:end], rest[end:]
	path, query, _ = strings.Cut(path, "?")
	return authority, path, query
}

// authority reads user:password@host:port. The last @ ends the password, and
// its first colon the user: a password may hold both.
func (p *parts) authority(text string) error {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		user, password, _ := strings.Cut(text[:at], ":")
		var err, err2 error
		p.user, err = unescape(user)
		p.password, err2 = unescape(password)
		if err = errors.Join(err, err2); err != nil {
			return errEscape
		}
		text = text[at+1:]
	}
	return p.hostPort(text)
}

// hostPort reads host:port, [::1]:port and, on SQL Server, host\instance:port.
func (p *parts) hostPort(text string) error {
	host, port := text, ""
	if bracket := strings.LastIndexByte(text, ']'); strings.HasPrefix(text, "[") && bracket > 0 {
		host, port = text[1:bracket], strings.TrimPrefix(text[bracket+1:], ":")
	} else if colon := strings.LastIndexByte(text, ':'); colon >= 0 {
		host, port = text[:colon], text[colon+1:]
	}
	host, err := unescape(host)
	if err != nil {
		return err
	}
	p.port = port
	p.host = host
	if p.dialect == DialectMSSQL {
		p.host, p.instance, _ = strings.Cut(host, `\`)
	}
	return nil
}

// query reads name=value&…. A plus sign is a plus sign: the databases' own
// programs do not take it for a space.
func (p *parts) query(text string) error {
	for pair := range strings.SplitSeq(text, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := unescape(name)
		value, err2 := unescape(value)
		if err = errors.Join(err, err2); err != nil {
			return errEscape
		}
		p.params = append(p.params, param{name, value})
	}
	return nil
}

// withPairs reads host:port followed by name=value;….
func (p *parts) withPairs(authority, pairs string) error {
	if err := p.hostPort(strings.TrimSuffix(authority, "/")); err != nil {
		return err
	}
	list, err := adoPairs(pairs)
	if err != nil {
		return err
	}
	p.params = list
	return nil
}

// instanceInPath follows Microsoft's driver, which has the instance in the
// path and the database among the parameters. Others have the database there:
// it is one where no parameter names it and a port makes an instance moot.
func (p *parts) instanceInPath() {
	named := false
	for _, q := range p.params {
		named = named || strings.EqualFold(q.name, "database")
	}
	if p.database != "" && (named || p.port == "") && p.instance == "" {
		p.instance, p.database = p.database, ""
	}
}

var errEscape = errors.New("holds a broken % escape; " + escapes)

// unescape decodes %XX and nothing else.
func unescape(text string) (string, error) {
	out, err := url.PathUnescape(text)
	if err != nil {
		return "", errEscape
	}
	return out, nil
}

// parseSQLiteURL reads what stands behind sqlite: or file:.
func parseSQLiteURL(rest string) (Address, error) {
	a := Address{Dialect: DialectSQLite}
	rest, query, _ := strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok { // //host/path, the host empty or localhost
		host, path, slash := strings.Cut(after, "/")
		if !slash || (host != "" && !strings.EqualFold(host, "localhost")) {
			return a, errors.New("must have three slashes before an absolute path, as in sqlite:///absolute/path")
		}
		rest = "/" + strings.TrimLeft(path, "/")
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return a, errors.New("holds a broken % escape")
	}
	if drive := strings.TrimPrefix(path, "/"); len(drive) > 1 && drive[1] == ':' {
		path = drive // sqlite:///C:/data/app.db
	}
	a.Path = path
	return a, a.sqliteMode(query)
}

// sqliteMode takes mode=ro and mode=rw.
func (a *Address) sqliteMode(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("holds broken parameters after the question mark")
	}
	for name, v := range values {
		if name != "mode" || len(v) != 1 || (v[0] != "ro" && v[0] != "rw") {
			a.Unknown = append(a.Unknown, name)
			continue
		}
		a.ReadOnly = v[0] == "ro"
	}
	return nil
}
