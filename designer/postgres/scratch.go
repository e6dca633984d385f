package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/designer/engine"
)

// scratch is a database that is there for one script.
type scratch struct {
	admin        *sql.DB // of the caller
	name         string  // also of the role that owns it, where it has one of its own
	db, superior *sql.DB // as the role, and as the caller's user
}

func makeScratch(ctx context.Context, admin *sql.DB) (*scratch, error) {
	config, err := configOf(ctx, admin)
	if err != nil {
		return nil, err
	}
	dropStale(ctx, admin)
	var super bool
	if err := admin.QueryRowContext(ctx, "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user").Scan(&super); err != nil {
		return nil, err
	}
	name, err := engine.BeginScratch(ctx)
	if err != nil {
		return nil, err
	}
	s := &scratch{admin: admin, name: name}
	config.Database = s.name
	superior := config.Copy()
	create := "CREATE DATABASE " + s.name + " TEMPLATE template0"
	if super {
		config.User, config.Password = s.name, rand.Text()
		if _, err := admin.ExecContext(ctx, "CREATE ROLE "+s.name+" LOGIN PASSWORD '"+config.Password+"'"); err != nil {
			return nil, errors.Join(err, s.drop(ctx)) // it may have been made nevertheless
		}
		create += " OWNER " + s.name
	}
	if _, err := admin.ExecContext(ctx, create); err != nil {
		return nil, errors.Join(err, s.drop(ctx))
	}
	s.db, s.superior = stdlib.OpenDB(*config), stdlib.OpenDB(*superior)
	s.db.SetMaxOpenConns(1) // settings of the script hold for all of it
	return s, nil
}

// drop takes a scratch database away, whatever became of the caller.
func (s *scratch) drop(ctx context.Context) (err error) {
	defer func() { engine.EndScratch(ctx, s.name, err) }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, db := range []*sql.DB{s.db, s.superior} {
		if db != nil {
			_ = db.Close() // the database goes anyway
		}
	}
	return Engine{}.DropScratch(ctx, s.admin, s.name)
}

// dropDatabase drops a scratch database with whoever is connected to it.
// Version 12 cannot throw anybody out.
func dropDatabase(ctx context.Context, admin *sql.DB, name string) error {
	_, err := admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+ident(name)+" WITH (FORCE)")
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) && e.Code == "42601" {
		_, err = admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+ident(name))
	}
	return err
}

// dropStale drops what killed processes have left and nobody owns. It is no
// harm if that fails: the next one tries again.
func dropStale(ctx context.Context, admin *sql.DB) {
	names, err := Engine{}.Scratches(ctx, admin)
	if err != nil {
		return
	}
	for _, name := range names {
		if engine.ScratchStale(name, time.Now()) {
			_ = Engine{}.DropScratch(ctx, admin, name)
		}
	}
}

// Scratches implements [engine.Engine]. It lists the scratch databases of the
// server, and the roles of such that are gone.
func (Engine) Scratches(ctx context.Context, db *sql.DB) ([]string, error) {
	return engine.ScratchNames(ctx, db, `SELECT datname::text FROM pg_catalog.pg_database WHERE starts_with(datname::text, $1)
UNION SELECT rolname::text FROM pg_catalog.pg_roles WHERE starts_with(rolname::text, $1)`, engine.ScratchPrefix)
}

// DropScratch implements [engine.Engine]. It drops a scratch database and its
// role, where it has one.
func (Engine) DropScratch(ctx context.Context, admin *sql.DB, name string) error {
	err := dropDatabase(ctx, admin, name)
	if err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", name, err)
	}
	var role bool
	err = admin.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1)", name).Scan(&role)
	if err == nil && role {
		_, err = admin.ExecContext(ctx, "DROP ROLE IF EXISTS "+ident(name))
	}
	if err != nil {
		return fmt.Errorf("drop the role of the scratch database %s: %w", name, err)
	}
	return nil
}
