package dial

import (
	"context"
	"database/sql/driver"
	"errors"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	driverms "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// MSSQLConnector returns what dials the SQL Server at a.
func MSSQLConnector(a Address) (driver.Connector, error) {
	config, err := msdsn.Parse(mssqlURL(a))
	if err != nil {
		// The driver's error has the settings in it.
		return nil, &ConnectError{Cause: "the connection's parameters are not those of SQL Server", Fix: "check sslmode and the parameters of the connection"}
	}
	config.User, config.Database, config.AppName = a.User, a.Database, "berth"
	config.LogFlags = 0
	return boundedConnector{safedriver.Connector{Connector: mssqlDialer{config, a}}, a.Server(SQLServer), mssqlRefusal}, nil
}

// mssqlURL has of a what the driver's configuration has no field for.
func mssqlURL(a Address) string {
	query := url.Values{}
	switch a.SSLMode {
	case "disable":
		query.Set("encrypt", "disable")
	case "allow", "prefer":
		query.Set("encrypt", "false") // the login only
	case "require":
		query.Set("encrypt", "true")
		query.Set("TrustServerCertificate", "true")
	case "verify-ca", "verify-full":
		query.Set("encrypt", "true")
		query.Set("TrustServerCertificate", "false")
	}
	for name, value := range a.Params {
		if name != mssqlCertificate { // the driver reads it whatever it is
			query.Set(name, value)
		}
	}
	host := a.host()
	if a.Instance == "" || a.Port != 0 {
		host = net.JoinHostPort(host, strconv.Itoa(a.port(SQLServer)))
	}
	u := url.URL{Scheme: "sqlserver", Host: host, RawQuery: query.Encode()}
	if a.Instance != "" {
		u.Path = "/" + a.Instance
	}
	return u.String()
}

// mssqlDialer makes connections with the password as it is then.
type mssqlDialer struct {
	config  msdsn.Config
	address Address
}

// Connect implements [driver.Connector]. The driver observes ctx while it dials
// and no more while it waits for the server's greeting, so the connection
// itself is told when the time is over.
func (d mssqlDialer) Connect(ctx context.Context) (driver.Conn, error) {
	config, err := d.encrypted(ctx)
	if err != nil {
		return nil, err
	}
	if config.Password, err = d.address.password(ctx); err != nil {
		return nil, err
	}
	dialer := &mssqlNet{}
	connector := driverms.NewConnectorConfig(config)
	connector.Dialer = dialer
	stop := context.AfterFunc(ctx, dialer.end)
	conn, err := connector.Connect(ctx)
	if stop() {
		return conn, err
	}
	if err == nil {
		_ = conn.Close() // it may have been told already
	}
	return nil, ctx.Err()
}

// mssqlCertificate is the parameter that names the certificates by which the
// server's is verified.
const mssqlCertificate = "certificate"

// encrypted is the configuration with the certificates that the address
// names.
func (d mssqlDialer) encrypted(ctx context.Context) (msdsn.Config, error) {
	config := d.config
	if d.address.Params[mssqlCertificate] == "" || config.TLSConfig == nil {
		return config, nil
	}
	roots, err := d.address.roots(ctx, mssqlCertificate)
	if err != nil {
		return config, err
	}
	config.TLSConfig = config.TLSConfig.Clone()
	config.TLSConfig.RootCAs = roots
	return config, nil
}

// Driver implements [driver.Connector].
func (mssqlDialer) Driver() driver.Driver { return &driverms.Driver{} }

// mssqlNet dials for one login of the driver, which may take several
// connections: the server can send it elsewhere.
type mssqlNet struct {
	mu    sync.Mutex
	conns []net.Conn
	ended bool
}

// DialContext implements the driver's Dialer.
func (n *mssqlNet) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		_ = conn.Close()
		return nil, os.ErrDeadlineExceeded
	}
	n.conns = append(n.conns, conn)
	return meter(ctx, conn), nil
}

// end lets no read or write of the login wait any longer.
func (n *mssqlNet) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	for _, conn := range n.conns {
		_ = conn.SetDeadline(time.Unix(1, 0))
	}
}

// mssqlRefusal is the server's reason not to let a login in.
func mssqlRefusal(err error) string {
	var e driverms.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return ""
}
