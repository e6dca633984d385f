package settings

import (
	"errors"
	"slices"
	"strings"
)

// paramSSLMode carries the mode from a parameter to [Server.SSLMode]; no
// driver has a parameter of this name.
const paramSSLMode = "\x00sslmode"

// take gives one parameter its meaning: a field of the address, a parameter
// of the driver in into, or nothing where it is another program's own
// business. False: it is not known.
func (p *parts) take(name, value string, into map[string]string) (known bool, err error) {
	word := strings.ToLower(strings.TrimSpace(name))
	if p.takeField(word, value) {
		return true, nil
	}
	if isSSLWord(word) && p.dialect != DialectMSSQL {
		mode, err := sslModeOf(word, value)
		if err != nil || mode == "" {
			return err == nil, err
		}
		into[paramSSLMode] = mode
		return true, nil
	}
	if driver, ok := driverParams(p.dialect)[word]; ok {
		if driver == "" {
			return true, nil
		}
		into[driver] = value
		return true, nil
	}
	return slices.Contains(foreignParams(), word), nil
}

// takeField sets a part of the address that stands among the parameters. What
// stands in its own place already is kept.
func (p *parts) takeField(word, value string) bool {
	var into *string
	switch word {
	case "host", "socket", "unix_socket", "servername":
		into = &p.host
	case "port", "portnumber":
		into = &p.port
	case "user", "username", "user id", "uid":
		into = &p.user
	case "password", "pwd":
		into = &p.password
	case "database", "dbname", "databasename", "initial catalog":
		into = &p.database
	case "instance", "instancename":
		if p.dialect != DialectMSSQL {
			return false
		}
		into = &p.instance
	default:
		return false
	}
	if *into == "" {
		*into = value
	}
	return true
}

func isSSLWord(word string) bool {
	return slices.Contains([]string{"sslmode", "ssl-mode", "ssl mode", "ssl_mode", "tls", "ssl", "usessl", "sslaccept"}, word)
}

// sslModeOf translates what programs write about encryption into the words of
// [Server.SSLMode].
func sslModeOf(word, value string) (string, error) {
	v := strings.ToLower(strings.NewReplacer("_", "-", " ", "-").Replace(value))
	switch {
	case slices.Contains(sslModes(), v):
		return v, nil
	case word == "sslaccept": // Prisma's, beside sslmode
		return "", nil
	}
	switch v {
	case "disabled", "false", "0", "none", "no":
		return "disable", nil
	case "preferred":
		return "prefer", nil
	case "required", "skip-verify", "no-verify":
		return "require", nil
	case "verifyca":
		return "verify-ca", nil
	case "verify-identity", "verifyfull":
		return "verify-full", nil
	case "true", "1", "yes":
		if word == "tls" { // Go's MySQL driver verifies
			return "verify-full", nil
		}
		return "require", nil
	}
	return "", errors.New("the parameter " + word + " must be one of " + strings.Join(sslModes(), ", "))
}

// driverParams maps the parameters that a dialect's driver is told, in lower
// case, to the driver's spelling; "" drops one that the driver need not hear.
// What could read files or run more than one statement is not among them.
func driverParams(dialect string) map[string]string {
	switch dialect {
	case DialectPostgres:
		return map[string]string{
			"application_name": "application_name", "applicationname": "application_name", "application name": "application_name",
			"search_path": "search_path", "schema": "search_path", "currentschema": "search_path", "search path": "search_path",
			"connect_timeout": "connect_timeout", "target_session_attrs": "target_session_attrs",
			"sslrootcert": "sslrootcert", "sslcert": "sslcert", "sslkey": "sslkey", "sslsni": "sslsni",
			"options": "options", "timezone": "timezone", "role": "role", "channel_binding": "", "gssencmode": "",
		}
	case DialectMySQL:
		return map[string]string{
			"charset": "charset", "collation": "collation", "timeout": "timeout", "readtimeout": "readTimeout",
			"writetimeout": "writeTimeout", "allowcleartextpasswords": "allowCleartextPasswords",
			"allownativepasswords": "allowNativePasswords", "connectionattributes": "connectionAttributes",
			"parsetime": "", "loc": "", "interpolateparams": "", "allowpublickeyretrieval": "", "servertimezone": "",
		}
	case DialectMSSQL:
		return map[string]string{
			"encrypt": "encrypt", "trustservercertificate": "TrustServerCertificate", "trust server certificate": "TrustServerCertificate",
			"app name": "app name", "application name": "app name", "applicationname": "app name",
			"connection timeout": "connection timeout", "connect timeout": "connection timeout", "dial timeout": "dial timeout",
			"hostnameincertificate": "hostNameInCertificate", "certificate": "certificate", "packet size": "packet size",
			"applicationintent": "ApplicationIntent", "application intent": "ApplicationIntent", "multisubnetfailover": "MultiSubnetFailover",
			"failoverpartner": "failoverpartner", "failoverport": "failoverport", "tlsmin": "tlsmin", "keepalive": "keepAlive",
			"workstation id": "workstation id", "serverspn": "ServerSPN", "schema": "",
		}
	}
	return nil
}

// foreignParams are known of other programs and mean nothing to one reader of
// a database: their pools, encodings and persistence.
func foreignParams() []string {
	return []string{
		"connection_limit", "connectionlimit", "pool_timeout", "pool", "pool_size", "max_pool_size", "min_pool_size", "pooling",
		"max pool size", "min pool size", "maximum pool size", "minimum pool size", "maxpoolsize", "minpoolsize",
		"pgbouncer", "statement_cache_size", "prepared_statements", "preparethreshold", "socket_timeout", "sockettimeout",
		"connecttimeout", "connectiontimeout", "connection_timeout", "command timeout", "commandtimeout", "timeout", "reconnect",
		"autoreconnect", "useunicode", "characterencoding", "encoding", "client_encoding", "charset", "driver", "adapter",
		"multipleactiveresultsets", "persist security info", "persistsecurityinfo", "integrated security", "trusted_connection",
		"connectretrycount", "connectretryinterval", "connection lifetime", "connect_timeout", "convert zero datetime",
		"allow zero datetime", "allowuservariables", "allow user variables", "treattinyasboolean", "guidformat", "old guids",
		"include error detail", "keepalive", "sslcert", "sslidentity", "sslpassword", "rewritebatchedstatements",
		"createdatabaseifnotexist", "zerodatetimebehavior", "cachepreparedstatements", "enlist", "column encryption setting",
	}
}
