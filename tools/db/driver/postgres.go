package driver

import (
	"context"
	"database/sql"
	"errors"
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
	places *gradual // of queries
	memory readonly.PostgresCache
	types  typesPostgres
	unkept atomic.Bool // a pooler forgets what is prepared
}

var _ Database = (*postgresDatabase)(nil)

// OpenPostgres returns the database at a, and a [*dial.ConnectError] if a cannot be
// one. It does no I/O: the server is dialled with the first use.
func OpenPostgres(a dial.Address) (Database, error) {
	connector, err := dial.PostgresConnector(a)
	if err != nil {
		return nil, err
	}
	places := newGradual(placesAtFirst(a), QueryPlaces)
	return &postgresDatabase{serverDatabase: newServerDatabase(sql.OpenDB(notedConnector{connector, places}), postgres.Engine{}), places: places}, nil
}

// placesAtFirst is how many queries run at once before any takes long. A server
// on this machine has a process for each, which compete for the processors, and
// each must read the catalogues that it plans with before it is as quick as
// the others. What another machine has is not known.
func placesAtFirst(a dial.Address) int {
	if a.Local() {
		return processors()
	}
	return QueryPlaces
}

func (d *postgresDatabase) Kind() string { return "postgres" }

func (d *postgresDatabase) Version(ctx context.Context) (string, error) {
	var version string
	err := d.pool.QueryRowContext(ctx, "SELECT current_setting('server_version')").Scan(&version)
	version, _, _ = strings.Cut(version, " ") // Debian adds its own
	return "PostgreSQL " + version, err
}

func (d *postgresDatabase) Objects(ctx context.Context) ([]Object, error) {
	const list = `SELECT CASE WHEN n.nspname = current_schema() THEN c.relname ELSE n.nspname || '.' || c.relname END, c.relkind IN ('v', 'm')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
ORDER BY n.nspname <> current_schema(), n.nspname, c.relname`
	return listObjects(ctx, d.pool, list)
}

// listObjects reads names and whether they are views.
func listObjects(ctx context.Context, pool *sql.DB, list string, args ...any) ([]Object, error) {
	rows, err := pool.QueryContext(ctx, list, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	var all []Object
	for rows.Next() {
		var o Object
		if err := rows.Scan(&o.Name, &o.View); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}

func (d *postgresDatabase) Definition(ctx context.Context) (designer.Definition, error) {
	return d.designs.Inspect(ctx, d.pool)
}

func (d *postgresDatabase) CreateText(ctx context.Context, name string) (string, error) {
	var schema string
	if err := d.pool.QueryRowContext(ctx, "SELECT coalesce(current_schema(), 'public')").Scan(&schema); err != nil {
		return "", err
	}
	place := [2]string{schema, name}
	for at := 0; ; at++ {
		def, err := postgres.InspectOne(ctx, d.pool, place[0], place[1])
		if err != nil {
			return "", err
		}
		text, err := d.textOf(def, name, schema)
		if !errors.Is(err, ErrUnknownTable) {
			return text, err
		}
		dot := strings.IndexByte(name[min(at, len(name)):], '.') // either side may have further points in it
		if dot < 0 {
			return "", err
		}
		at += dot
		place = [2]string{name[:at], name[at+1:]}
	}
}

func (d *postgresDatabase) Check(query string, designerOpen bool) *readonly.Refusal {
	_, r := readonly.ParsePostgres(query, designerOpen)
	return r
}
