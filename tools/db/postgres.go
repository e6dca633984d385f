package db

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// postgresDatabase is one database of a PostgreSQL server.
type postgresDatabase struct {
	serverDatabase
	unkept atomic.Bool // a pooler forgets what is prepared
}

var _ database = (*postgresDatabase)(nil)

// openPostgres does no I/O; the server is dialled with the first use.
func openPostgres(cfg Config) (database, error) {
	connector, err := dial.PostgresConnector(cfg.Address)
	if err != nil {
		return nil, err
	}
	return &postgresDatabase{serverDatabase: newServerDatabase(sql.OpenDB(connector), postgres.Engine{})}, nil
}

func (d *postgresDatabase) kind() string { return "postgres" }

func (d *postgresDatabase) version(ctx context.Context) (string, error) {
	var version string
	err := d.pool.QueryRowContext(ctx, "SELECT current_setting('server_version')").Scan(&version)
	version, _, _ = strings.Cut(version, " ") // Debian adds its own
	return "PostgreSQL " + version, err
}

func (d *postgresDatabase) objects(ctx context.Context) ([]object, error) {
	const list = `SELECT CASE WHEN n.nspname = current_schema() THEN c.relname ELSE n.nspname || '.' || c.relname END, c.relkind IN ('v', 'm')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
ORDER BY n.nspname <> current_schema(), n.nspname, c.relname`
	return listObjects(ctx, d.pool, list)
}

// listObjects reads names and whether they are views.
func listObjects(ctx context.Context, pool *sql.DB, list string, args ...any) ([]object, error) {
	rows, err := pool.QueryContext(ctx, list, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	var all []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.name, &o.view); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}

func (d *postgresDatabase) definition(ctx context.Context) (designer.Definition, error) {
	return d.designs.Inspect(ctx, d.pool)
}

func (d *postgresDatabase) createText(ctx context.Context, name string) (string, error) {
	var schema string
	if err := d.pool.QueryRowContext(ctx, "SELECT coalesce(current_schema(), 'public')").Scan(&schema); err != nil {
		return "", err
	}
	return d.script(ctx, name, schema)
}

func (d *postgresDatabase) check(query string, designerOpen bool) *readonly.Refusal {
	_, r := readonly.ParsePostgres(query, designerOpen)
	return r
}
