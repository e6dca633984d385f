package settings

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// adoPairs reads name=value;… as ADO, ODBC and JDBC have it. A value may be
// quoted by ', " or {}, with the closing quote doubled inside; else the space
// around it does not count.
func adoPairs(text string) ([]param, error) {
	var list []param
	for {
		text = strings.TrimLeft(text, "; \t\r\n")
		if text == "" {
			return list, nil
		}
		name, rest, ok := strings.Cut(text, "=")
		if !ok || strings.Contains(name, ";") {
			return nil, errors.New("has a part without an equals sign; a value with a ; in it stands in quotes")
		}
		value, after, err := adoValue(strings.TrimLeft(rest, " \t"))
		if err != nil {
			return nil, err
		}
		list = append(list, param{strings.TrimSpace(name), value})
		text = after
	}
}

// adoValue reads one value and returns what follows it.
func adoValue(text string) (value, after string, err error) {
	closing := byte(0)
	if text != "" {
		closing = map[byte]byte{'"': '"', '\'': '\'', '{': '}'}[text[0]]
	}
	if closing == 0 {
		value, after, _ = strings.Cut(text, ";")
		return strings.TrimSpace(value), after, nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != closing {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == closing {
			b.WriteByte(closing)
			i++
			continue
		}
		after = strings.TrimLeft(text[i+1:], " \t\r\n")
		if after != "" && after[0] != ';' {
			break
		}
		return b.String(), after, nil
	}
	return "", "", errors.New("has a quoted value that does not end")
}

// parseADO reads an ADO connection string of SQL Server, of Npgsql or of
// MySQL's connector.
func parseADO(text, dialect string) (parts, error) {
	pairs, err := adoPairs(text)
	if err != nil {
		return parts{}, err
	}
	if dialect == "" {
		dialect = adoDialect(pairs)
	}
	p := parts{dialect: dialect}
	for _, q := range pairs {
		switch strings.ToLower(q.name) {
		case "server", "data source", "host", "addr", "address", "network address":
			if err := p.adoServer(q.value); err != nil {
				return parts{}, err
			}
		default:
			p.params = append(p.params, q)
		}
	}
	return p, nil
}

// adoServer reads the value of Server. SQL Server's has its port behind a
// comma, the others' behind a colon.
func (p *parts) adoServer(value string) error {
	if p.dialect != DialectMSSQL {
		return p.hostPort(strings.TrimPrefix(value, "tcp://"))
	}
	value, _ = cutPrefixFold(value, "tcp:")
	host, port, _ := strings.Cut(value, ",")
	host = strings.TrimSpace(host)
	p.port = strings.TrimSpace(port)
	p.host, p.instance, _ = strings.Cut(host, `\`)
	switch strings.ToLower(p.host) {
	case ".", "(local)":
		p.host = "localhost"
	case "(localdb)":
		return errors.New("names LocalDB, which only Windows programs reach; name a server")
	}
	return nil
}

// adoDialect tells the dialect by words that only one of them has. Without
// any it is SQL Server's, whose form this is.
func adoDialect(pairs []param) string {
	values := map[string]string{}
	for _, q := range pairs {
		values[strings.ToLower(q.name)] = q.value
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, ok := values[n]; return ok })
	}
	switch {
	case has("initial catalog", "trusted_connection", "integrated security", "trustservercertificate", "trust server certificate",
		"encrypt", "multipleactiveresultsets", "attachdbfilename"):
		return DialectMSSQL
	case has("host", "username", "search path", "include error detail") || values["port"] == "5432":
		return DialectPostgres
	case has("port", "charset", "sslmode", "ssl mode", "allowuservariables", "allow user variables", "convert zero datetime") ||
		values["uid"] == "root" || values["user"] == "root" || values["user id"] == "root":
		return DialectMySQL
	}
	return DialectMSSQL
}

// adoFile reports whether an ADO connection string names a SQLite file, and
// which.
func adoFile(text, dialect string) (string, bool) {
	if dialect != "" && dialect != DialectSQLite {
		return "", false
	}
	pairs, err := adoPairs(text)
	if err != nil {
		return "", false
	}
	for _, q := range pairs {
		switch strings.ToLower(q.name) {
		case "filename", "data source":
			ending := strings.ToLower(path.Ext(q.value))
			if dialect == DialectSQLite || slices.Contains([]string{".db", ".db3", ".sqlite", ".sqlite3", ".s3db"}, ending) {
				return q.value, true
			}
		}
	}
	return "", false
}

// parseDSN reads user:password@tcp(host:port)/database?name=value as Go's
// MySQL driver has it. The password stands as it is.
func parseDSN(text string) (parts, error) {
	p := parts{dialect: DialectMySQL}
	slash := strings.LastIndexByte(text, '/')
	if slash < 0 || strings.LastIndexByte(text, ')') > slash {
		return p, errors.New("needs a slash before the database's name")
	}
	before, after := text[:slash], text[slash+1:]
	if at := strings.LastIndexByte(before, '@'); at >= 0 {
		p.user, p.password, _ = strings.Cut(before[:at], ":")
		before = before[at+1:]
	}
	network, address, ok := strings.Cut(strings.TrimSuffix(before, ")"), "(")
	if !ok {
		return p, errors.New("needs its host in tcp(…)")
	}
	database, query, _ := strings.Cut(after, "?")
	p.database = database
	if err := p.query(query); err != nil {
		return p, err
	}
	if network == "unix" {
		p.host = address
		return p, nil
	}
	return p, p.hostPort(address)
}
