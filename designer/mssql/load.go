package mssql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Load implements [engine.Engine]. It runs a script in a scratch database of
// the server, reads it and drops it. Batches that make, change, drop or enter
// databases are left out: sample scripts begin with them. The rest runs as a
// user of the scratch database that can do nothing outside of it, except on
// Babelfish, which has no such thing. It needs the right to create databases.
// Rows and rights go with the scratch database, and are reported. What the
// server refuses is a [*designer.ScriptError].
func (Engine) Load(ctx context.Context, db *sql.DB, script string) (loaded designer.LoadResult, err error) {
	name, err := makeScratch(ctx, db)
	if err != nil {
		return loaded, fmt.Errorf("create a scratch database: %w", err)
	}
	defer func() { err = errors.Join(err, endScratch(ctx, db, name)) }()
	c, err := db.Conn(ctx)
	if err != nil {
		return loaded, fmt.Errorf("connect for the scratch database: %w", err)
	}
	defer discard(c)
	if err := enter(ctx, c, name); err != nil {
		return loaded, err
	}
	from := 0
	for _, batch := range inside(Batches(script), &loaded) {
		noteLeftOut(&loaded, batch)
		if _, err := c.ExecContext(ctx, batch); err != nil {
			return loaded, refusalOf(script, batch, from, err)
		}
		from = placeOf(script, batch, from)
	}
	loaded.Definition, err = Inspect(ctx, c)
	return loaded, err
}

// discard closes the connection for good: what the script set in its session
// must not meet another user of the pool, nor can the impersonation end.
func discard(c *sql.Conn) {
	_ = c.Raw(func(any) error { return driver.ErrBadConn }) // the answer is the error given
	_ = c.Close()
}

// enter goes into the scratch database and becomes a user that only exists
// there, for the rest of the session.
func enter(ctx context.Context, c *sql.Conn, name string) error {
	statements := []string{"USE " + quote(name)}
	var version string
	if err := c.QueryRowContext(ctx, "SELECT @@VERSION").Scan(&version); err != nil {
		return fmt.Errorf("ask for the server's version: %w", err)
	}
	if !strings.Contains(version, "Babelfish") {
		statements = append(statements, "CREATE USER [berth_scratch] WITHOUT LOGIN",
			"ALTER ROLE [db_owner] ADD MEMBER [berth_scratch]",
			"EXECUTE AS USER = 'berth_scratch' WITH NO REVERT")
	}
	for _, s := range append(statements, settings) {
		if _, err := c.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("enter the scratch database: %w", err)
		}
	}
	return nil
}
