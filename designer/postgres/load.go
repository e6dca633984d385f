package postgres

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/designer"
)

// scratchPrefix begins the name of every scratch database and its role; what
// follows is the time it was made and chance.
const scratchPrefix = "berth_scratch_"

// scratchLife is how long a scratch database may take. One that is older was
// left by a process that is no more.
const scratchLife = 10 * time.Minute

// Load runs a script in a scratch database of db's server, reads it and drops
// it. Statements that say nothing of the schema, such as INSERT, GRANT or
// CREATE DATABASE, are left out, and told, as are rows and psql's \connect; what runs
// code by itself (DO, CALL), other commands of psql, and what is not known,
// are errors that name their line.
//
// A superuser's rights are no script's: for one, the script runs as a role of
// its own that has nothing but the scratch database. Extensions are made by
// the connection's own user. db's driver has to be pgx, and its user needs
// the right to create databases.
func Load(ctx context.Context, db *sql.DB, script string) (designer.Loaded, error) {
	list, err := split(script)
	if err != nil {
		return designer.Loaded{}, fmt.Errorf("load script: %w", err)
	}
	for _, s := range list {
		if _, err := judge(s); err != nil {
			return designer.Loaded{}, fmt.Errorf("load script: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, scratchLife)
	defer cancel()
	s, err := makeScratch(ctx, db)
	if err != nil {
		return designer.Loaded{}, fmt.Errorf("make a scratch database: %w", err)
	}
	def, err := s.load(ctx, list)
	return def, errors.Join(err, s.drop(ctx))
}

// scratch is a database that is there for one script.
type scratch struct {
	admin        *sql.DB // of the caller
	name         string
	role         bool    // there is a role of that name, which owns it
	db, superior *sql.DB // as the role, and as the caller's user
}

func makeScratch(ctx context.Context, admin *sql.DB) (*scratch, error) {
	config, err := configOf(ctx, admin)
	if err != nil {
		return nil, err
	}
	dropStale(ctx, admin)
	s := &scratch{admin: admin, name: scratchPrefix + strconv.FormatInt(time.Now().Unix(), 36) + "_" + strings.ToLower(rand.Text())}
	var super bool
	if err := admin.QueryRowContext(ctx, "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user").Scan(&super); err != nil {
		return nil, err
	}
	config.Database = s.name
	superior := config.Copy()
	create := "CREATE DATABASE " + s.name + " TEMPLATE template0"
	if super {
		config.User, config.Password = s.name, rand.Text()
		if _, err := admin.ExecContext(ctx, "CREATE ROLE "+s.name+" LOGIN PASSWORD '"+config.Password+"'"); err != nil {
			return nil, err
		}
		s.role, create = true, create+" OWNER "+s.name
	}
	if _, err := admin.ExecContext(ctx, create); err != nil {
		return nil, errors.Join(err, s.drop(ctx))
	}
	s.db, s.superior = stdlib.OpenDB(*config), stdlib.OpenDB(*superior)
	s.db.SetMaxOpenConns(1) // settings of the script hold for all of it
	return s, nil
}

// configOf returns how db's connections are made.
func configOf(ctx context.Context, db *sql.DB) (*pgx.ConnConfig, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // back to the pool
	var config *pgx.ConnConfig
	err = conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the driver is %T and not pgx", driver)
		}
		config = c.Conn().Config()
		return nil
	})
	return config, err
}

// load runs statements and reads what has become of them.
func (s *scratch) load(ctx context.Context, list []statement) (loaded designer.Loaded, err error) {
	if _, err := s.db.ExecContext(ctx, "SET check_function_bodies = off; SET statement_timeout = '60s'; SET client_min_messages = error"); err != nil {
		return loaded, fmt.Errorf("connect to a scratch database: %w", err)
	}
	var unfilled []string // views that the script would have filled
	for _, st := range list {
		v, err := judge(st)
		if err == nil {
			if what, name := st.leftOut(v); what != "" {
				loaded.LeaveOut(what, name, 1)
			}
		}
		if err == nil && v == runs && st.unfilled() != st.text {
			unfilled = append(unfilled, st.viewName())
		}
		switch {
		case err != nil:
			return loaded, err
		case v == skipped:
			continue
		case v == byAdmin:
			_, err = s.superior.ExecContext(ctx, st.extension())
		default:
			_, err = s.db.ExecContext(ctx, st.unfilled())
		}
		if err != nil {
			return loaded, fmt.Errorf("load script: line %d: %w", st.line, err)
		}
	}
	if _, err := s.db.ExecContext(ctx, "RESET ALL"); err != nil {
		return loaded, fmt.Errorf("read a scratch database: %w", err)
	}
	loaded.Definition, err = Inspect(ctx, s.db)
	for i, v := range loaded.Views {
		if slices.Contains(unfilled, v.Name) {
			loaded.Views[i].Definition = strings.TrimSuffix(v.Definition, "\nWITH NO DATA")
		}
	}
	return loaded, err
}

// drop takes a scratch database away, whatever became of the caller.
func (s *scratch) drop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, db := range []*sql.DB{s.db, s.superior} {
		if db != nil {
			_ = db.Close() // the database goes anyway
		}
	}
	err := dropDatabase(ctx, s.admin, s.name)
	if s.role {
		_, failed := s.admin.ExecContext(ctx, "DROP ROLE IF EXISTS "+s.name)
		err = errors.Join(err, failed)
	}
	if err != nil {
		return fmt.Errorf("drop the scratch database %s: %w", s.name, err)
	}
	return nil
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

// dropStale takes away what processes left that were killed. It is no harm if
// that fails: the next one tries again.
func dropStale(ctx context.Context, admin *sql.DB) {
	rows, err := admin.QueryContext(ctx, `SELECT datname::text FROM pg_catalog.pg_database WHERE starts_with(datname::text, $1)
UNION SELECT rolname::text FROM pg_catalog.pg_roles WHERE starts_with(rolname::text, $1)`, scratchPrefix)
	if err != nil {
		return
	}
	var stale []string
	for rows.Next() {
		var name string
		if rows.Scan(&name) == nil && isStale(name, time.Now()) {
			stale = append(stale, name)
		}
	}
	_ = rows.Close() // what was read is enough
	for _, name := range stale {
		_ = dropDatabase(ctx, admin, name)
		_, _ = admin.ExecContext(ctx, "DROP ROLE IF EXISTS "+ident(name))
	}
}

// isStale tells whether a scratch database of this name is older than any
// that is in use.
func isStale(name string, now time.Time) bool {
	made, _, ok := strings.Cut(strings.TrimPrefix(name, scratchPrefix), "_")
	seconds, err := strconv.ParseInt(made, 36, 64)
	return ok && err == nil && now.Sub(time.Unix(seconds, 0)) > 2*scratchLife
}
