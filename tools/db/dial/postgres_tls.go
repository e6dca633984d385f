package dial

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"maps"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgresConfig is the driver's configuration for a, without its encryption.
// The driver would fill in what a leaves out from the environment of this
// process, ~/.pgpass and a service file. Whoever wrote the address might be
// sent a secret by that, so it gets nothing that a does not have, but where a
// says DriverDefaults.
func postgresConfig(a Address) (*pgx.ConnConfig, error) {
	parse := withoutService
	if a.DriverDefaults {
		parse = pgx.ParseConfig
	}
	config, err := parse(postgresDSN(a))
	if err != nil {
		return nil, err
	}
	for name, value := range config.RuntimeParams {
		if value == "" {
			delete(config.RuntimeParams, name)
		}
	}
	return config, nil
}

// postgresSettings are all that the driver is told, but for the password.
func postgresSettings(a Address) map[string]string {
	settings := map[string]string{}
	if !a.DriverDefaults {
		settings = map[string]string{
			"password": "", "passfile": "", "options": "", "timezone": "", "application_name": "", "sslnegotiation": "", "sslcertmode": "allow",
			"connect_timeout": strconv.Itoa(int(Timeout.Seconds())), "target_session_attrs": "any",
			"min_protocol_version": "", "max_protocol_version": "", "channel_binding": "", "require_auth": "",
		}
		settings["user"] = systemUser() // libpq's default beyond PGUSER
	}
	maps.Copy(settings, a.Params)
	for name, value := range map[string]string{
		"host": a.host(), "port": strconv.Itoa(a.port(PostgreSQL)), "user": a.User, "dbname": a.Database,
	} {
		if value != "" {
			settings[name] = value
		}
	}
	// The encryption is postgresTLS's: the driver reads its files whatever
	// they are.
	maps.Copy(settings, map[string]string{"sslmode": "disable", "sslrootcert": "", "sslcert": "", "sslkey": "", "sslpassword": "", "sslsni": ""})
	return settings
}

// systemUser is the name of the user who runs this process, "" where the
// system does not say.
func systemUser() string {
	who, err := user.Current()
	if err != nil {
		return ""
	}
	return who.Username[strings.LastIndexByte(who.Username, '\\')+1:] // without the domain of Windows
}

// parsing is held while the environment lacks what withoutService takes out.
var parsing sync.Mutex

// withoutService parses where the environment names no service: that alone
// cannot be overridden by the settings.
func withoutService(dsn string) (*pgx.ConnConfig, error) {
	parsing.Lock()
	defer parsing.Unlock()
	if service, set := os.LookupEnv("PGSERVICE"); set {
		_ = os.Unsetenv("PGSERVICE")                           // of a name without an equals sign
		defer func() { _ = os.Setenv("PGSERVICE", service) }() // it was there
	}
	return pgx.ParseConfig(dsn)
}

// postgresDSN spells the settings of a.
func postgresDSN(a Address) string {
	var b strings.Builder
	for name, value := range postgresSettings(a) {
		b.WriteString(name + "='" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "' ")
	}
	return b.String()
}

// encrypt puts what postgresTLS returns in force.
func encrypt(c *pgx.ConnConfig, list []*tls.Config) {
	c.TLSConfig, c.Fallbacks = list[0], nil
	for _, next := range list[1:] {
		c.Fallbacks = append(c.Fallbacks, &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: next})
	}
}

// postgresTLS returns the ways to encrypt a connection in the order in which
// they are tried, nil being none, as libpq has them. It reads the files that
// a names.
func postgresTLS(ctx context.Context, a Address) ([]*tls.Config, error) {
	if a.DriverDefaults {
		a = a.withDriverTLS()
	}
	if filepath.IsAbs(a.host()) || a.SSLMode == "disable" {
		return []*tls.Config{nil}, nil // a socket leaves nothing to encrypt
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}
	if a.Params["sslsni"] != "0" && net.ParseIP(a.host()) == nil {
		config.ServerName = a.host()
	}
	mode := a.SSLMode
	var roots *x509.CertPool
	var err error
	switch a.Params["sslrootcert"] {
	case "":
	case "system":
		mode = "verify-full"
	default:
		if roots, err = a.roots(ctx, "sslrootcert"); err != nil {
			return nil, err
		}
		if mode == "require" {
			mode = "verify-ca" // as libpq has it where there are roots
		}
	}
	if config.Certificates, err = a.keyPair(ctx); err != nil {
		return nil, err
	}
	switch mode {
	case "", "prefer":
		return []*tls.Config{config, nil}, nil
	case "allow":
		return []*tls.Config{nil, config}, nil
	case "require":
	case "verify-ca":
		config.VerifyConnection = verifyChain(roots)
	case "verify-full":
		config.InsecureSkipVerify, config.RootCAs, config.ServerName = false, roots, a.host()
	default:
		return nil, postgresParameters()
	}
	return []*tls.Config{config}, nil
}

// keyPair reads the certificate by which this end shows who it is.
func (a Address) keyPair(ctx context.Context) ([]tls.Certificate, error) {
	if a.Params["sslcert"] == "" && a.Params["sslkey"] == "" {
		return nil, nil
	}
	if a.Params["sslcert"] == "" || a.Params["sslkey"] == "" {
		return nil, &ConnectError{Cause: "sslcert and sslkey go together", Fix: "name both in the connection, or neither"}
	}
	certificate, err := a.certificateFile(ctx, "sslcert")
	if err != nil {
		return nil, err
	}
	key, err := a.certificateFile(ctx, "sslkey")
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil { // the error may quote the file
		return nil, &ConnectError{Cause: "its sslcert and sslkey are no pair of a certificate and its key, unencrypted", Fix: "check both files"}
	}
	return []tls.Certificate{pair}, nil
}

// withDriverTLS adds what libpq's variables say about encryption.
func (a Address) withDriverTLS() Address {
	params := map[string]string{"sslrootcert": os.Getenv("PGSSLROOTCERT"), "sslcert": os.Getenv("PGSSLCERT"), "sslkey": os.Getenv("PGSSLKEY")}
	for name, value := range a.Params {
		params[name] = value
	}
	a.Params = params
	if a.SSLMode == "" {
		a.SSLMode = os.Getenv("PGSSLMODE")
	}
	return a
}

func postgresParameters() error {
	// The driver's error has the settings in it.
	return &ConnectError{Cause: "the connection's parameters are not those of PostgreSQL", Fix: "check sslmode and the parameters of the connection"}
}
