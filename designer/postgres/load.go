package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/berth-dev/berth/designer"
)

// scratchLife is how long a scratch database may take.
const scratchLife = 10 * time.Minute

// Load implements [engine.Engine]. It runs a script in a scratch database of
// db's server, reads it and drops it. Statements that say nothing of the
// schema, such as INSERT, GRANT or CREATE DATABASE, are left out and reported, as
// are rows and psql's \connect; what runs code by itself (DO, CALL), other
// commands of psql, what is not known and what the server refuses are each a
// [*designer.ScriptError].
//
// A superuser's rights are no script's: for one, the script runs as a role of
// its own that has nothing but the scratch database. Extensions are made by
// the connection's own user, foreign servers too, but as ones that lead
// nowhere. A function in a language that the role may not use, as C, is made
// without its body; operator classes and what else needs a superuser are left
// out. db's driver has to be pgx, and its user needs the right to create
// databases.
func (Engine) Load(ctx context.Context, db *sql.DB, script string) (designer.LoadResult, error) {
	list, err := split(script)
	if err != nil {
		return designer.LoadResult{}, err
	}
	for _, s := range list {
		if _, err := judge(s); err != nil {
			return designer.LoadResult{}, designer.ErrorAt(script, s.pos, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, scratchLife)
	defer cancel()
	s, err := makeScratch(ctx, db)
	if err != nil {
		return designer.LoadResult{}, fmt.Errorf("make a scratch database: %w", err)
	}
	def, err := s.load(ctx, script, list)
	return def, errors.Join(err, s.drop(ctx))
}

// configOf returns how db's connections are made.
func configOf(ctx context.Context, db *sql.DB) (*pgx.ConnConfig, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // back to the pool
	var config *pgx.ConnConfig
	err = conn.Raw(func(inner any) error {
		if w, ok := inner.(interface{ Unwrap() driver.Conn }); ok {
			inner = w.Unwrap()
		}
		c, ok := inner.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the driver is %T and not pgx", inner)
		}
		config = c.Conn().Config()
		return nil
	})
	return config, err
}

// load runs statements and reads what has become of them.
func (s *scratch) load(ctx context.Context, script string, list []statement) (loaded designer.LoadResult, err error) {
	if _, err := s.db.ExecContext(ctx, "SET check_function_bodies = off; SET statement_timeout = '60s'; SET client_min_messages = error"); err != nil {
		return loaded, fmt.Errorf("connect to a scratch database: %w", err)
	}
	var unfilled []string // views that the script would have filled
	for _, st := range list {
		v, err := judge(st)
		if err == nil {
			if what, name := st.leftOut(v); what != "" {
				loaded.Omit(what, name, 1)
			}
		}
		if err == nil && v == runs && st.unfilled() != st.text {
			unfilled = append(unfilled, st.viewName())
		}
		if err != nil {
			return loaded, err
		}
		what, err := s.run(ctx, st, v)
		if err != nil {
			return loaded, refusalOf(script, st, err)
		}
		if what != "" {
			loaded.Omit(what, "", 1)
		}
	}
	if _, err := s.db.ExecContext(ctx, "RESET ALL"); err != nil {
		return loaded, fmt.Errorf("read a scratch database: %w", err)
	}
	loaded.Definition, err = Inspect(ctx, s.db)
	loaded.Objects = slices.DeleteFunc(loaded.Objects, func(o designer.Object) bool {
		return o.Kind == designer.ObjectWrapper && o.Name == nowhere
	})
	for i, v := range loaded.Views {
		if slices.Contains(unfilled, v.Name) {
			loaded.Views[i].Definition = strings.TrimSuffix(v.Definition, "\nWITH NO DATA")
		}
	}
	return loaded, err
}

// run runs one statement as v says. what is left out of it, which only a
// superuser may make.
func (s *scratch) run(ctx context.Context, st statement, v loadAction) (what string, err error) {
	switch v {
	case skipped:
		return "", nil
	case byAdmin:
		_, err = s.superior.ExecContext(ctx, st.extension())
		return "", err
	case toNowhere:
		return "", s.serverToNowhere(ctx, st)
	}
	_, err = s.db.ExecContext(ctx, st.unfilled())
	const denied, unknown = "42501", "42704"
	var e *pgconn.PgError
	switch {
	case !errors.As(err, &e):
		return "", err
	case e.Code == unknown && st.words[0] == "set": // a dump of a newer server sets what this one does not have
		return "SET statement", nil
	case e.Code != denied || st.words[0] != "create":
		return "", err
	}
	switch object := st.object(); {
	case object == "cast" || object == "transform":
		return "CREATE " + strings.ToUpper(object) + " statement", nil
	case object == "function" || object == "procedure":
		if text := st.withoutBody(); text != "" {
			_, err = s.db.ExecContext(ctx, text)
			return object + " body", err
		}
	}
	return "", err
}

// nowhere is a foreign data wrapper without a handler: nothing can be read or
// written through it.
const nowhere = "berth_nowhere"

// serverToNowhere makes a foreign server of the script's name, which leads
// nowhere, for foreign tables to name.
func (s *scratch) serverToNowhere(ctx context.Context, st statement) error {
	var exists bool
	if err := s.superior.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_foreign_data_wrapper WHERE fdwname = $1)", nowhere).Scan(&exists); err != nil {
		return err
	}
	var user string
	if err := s.db.QueryRowContext(ctx, "SELECT current_user").Scan(&user); err != nil {
		return err
	}
	statements := []string{"CREATE SERVER IF NOT EXISTS " + ident(st.server()) + " FOREIGN DATA WRAPPER " + nowhere,
		"GRANT USAGE ON FOREIGN SERVER " + ident(st.server()) + " TO " + ident(user)}
	if !exists {
		statements = slices.Insert(statements, 0, "CREATE FOREIGN DATA WRAPPER "+nowhere)
	}
	for _, text := range statements {
		if _, err := s.superior.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}
