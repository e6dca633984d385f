package dial

import (
	"context"
	"database/sql/driver"
	"errors"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// PostgresConnector returns what dials the PostgreSQL server at a.
func PostgresConnector(a Address) (driver.Connector, error) {
	config, err := postgresConfig(a)
	if err != nil {
		return nil, postgresParameters()
	}
	config.MaxProtocolMessageBodyLen = MaxRowBytes
	for name, value := range map[string]string{"application_name": "berth", "client_encoding": "UTF8", "standard_conforming_strings": "on"} {
		config.RuntimeParams[name] = value
	}
	// The driver keeps no statement prepared: poolers may not have them. What
	// guarded sessions keep is their own; see connCachePostgres.
	config.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return meter(ctx, conn), nil
	}
	config.BuildFrontend = postgresFrontend
	before := stdlib.OptionBeforeConnect(func(ctx context.Context, c *pgx.ConnConfig) error {
		encryption, err := postgresTLS(ctx, a)
		if err != nil {
			return err
		}
		encrypt(c, encryption)
		if a.Password != nil {
			c.Password, err = a.password(ctx)
		}
		return err
	})
	return boundedConnector{safedriver.Connector{Connector: stdlib.GetConnector(*config, before, stdlib.OptionShouldPing(alive))}, a.Server(PostgreSQL), postgresRefusal}, nil
}

// postgresRefusal is the server's reason not to let a login in.
func postgresRefusal(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Message
	}
	return ""
}

// noPingKey marks the context of a session that is not asked for a sign of life.
type noPingKey struct{}

// WithoutPing returns ctx for taking a PostgreSQL connection from its pool
// without a ping: the caller notices by itself that an idle one is dead.
func WithoutPing(ctx context.Context) context.Context {
	return context.WithValue(ctx, noPingKey{}, true)
}

// alive reports whether the pool must ask a connection that was idle for a
// sign of life before it is used.
func alive(ctx context.Context, params stdlib.ShouldPingParams) bool {
	return ctx.Value(noPingKey{}) == nil && params.IdleDuration > time.Second
}
