package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

type postgresDatabase struct {
	server string // URL
	name   string
}

func createPostgres(ctx context.Context) (database, error) {
	if _, err := exec.LookPath("psql"); err != nil {
		return nil, err
	}
	server := cmp.Or(os.Getenv("BERTH_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	db := postgresDatabase{server, freshName()}
	return db, onServer(context.WithoutCancel(ctx), "pgx", server, "CREATE DATABASE "+db.name+" TEMPLATE template0")
}

// onServer runs one statement through a server's own database.
func onServer(ctx context.Context, driver, dsn, statement string) error {
	admin, err := sql.Open(driver, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close() }()
	_, err = admin.ExecContext(ctx, statement)
	return err
}

func (d postgresDatabase) url() string {
	u, err := url.Parse(d.server)
	if err != nil {
		return d.server // and connecting says why
	}
	u.Path = "/" + d.name
	return u.String()
}

var psqlError = regexp.MustCompile(`ERROR: |FATAL: |error: `)

func (d postgresDatabase) load(ctx context.Context, file string) ([]string, error) {
	return client(exec.CommandContext(ctx, "psql", "-qX", "-o", os.DevNull, d.url()), file, otherDatabase, psqlError)
}

func (d postgresDatabase) dump(ctx context.Context) ([]string, error) {
	path, err := program("pg_dump")
	if err != nil {
		return nil, nil
	}
	out, err := exec.CommandContext(ctx, path, "-s", d.url()).Output()
	if err != nil {
		return nil, fmt.Errorf("pg_dump: %w", err)
	}
	return dumped(string(out)), nil
}

// redump is what dump says of a database made of the dump: the server writes
// some expressions otherwise once it has read them back, and that is no copy's
// fault.
func (d postgresDatabase) redump(ctx context.Context) (list []string, err error) {
	path, err := program("pg_dump")
	if err != nil {
		return nil, nil
	}
	out, err := exec.CommandContext(ctx, path, "-s", d.url()).Output()
	if err != nil {
		return nil, fmt.Errorf("pg_dump: %w", err)
	}
	again, err := createPostgres(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, again.drop()) }()
	load := exec.CommandContext(ctx, "psql", "-qX", "-o", os.DevNull, again.(postgresDatabase).url())
	load.Stdin = bytes.NewReader(out)
	if err := load.Run(); err != nil {
		return nil, fmt.Errorf("psql: %w", err)
	}
	return again.dump(ctx)
}

// dumped takes a dump apart, without what means nothing: six digits are what
// there is without saying so, and so is a default of NULL.
func dumped(text string) []string {
	return statements(text, func(line string) string {
		if strings.HasPrefix(line, "--") || strings.HasPrefix(line, "SET ") || strings.HasPrefix(line, `\`) ||
			strings.HasPrefix(line, "SELECT pg_catalog.set_config") {
			return ""
		}
		return noDefault.ReplaceAllString(fullPrecision.ReplaceAllString(line, "$1"), "$1")
	})
}

var (
	fullPrecision = regexp.MustCompile(`\b(time|timestamp)\(6\)`)
	noDefault     = regexp.MustCompile(` DEFAULT NULL::[a-z][a-z ]*(,?)$`)
)

func (d postgresDatabase) settings() string { return fmt.Sprintf("{url: %q}", d.url()) }

// open has the driver prepare no statements: a plan that it keeps is refused
// once a column has another type.
func (d postgresDatabase) open() (*sql.DB, error) {
	config, err := pgx.ParseConfig(d.url())
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	return stdlib.OpenDB(*config), nil
}

func (d postgresDatabase) drop() error {
	return onServer(context.Background(), "pgx", d.server, "DROP DATABASE IF EXISTS "+d.name+" WITH (FORCE)")
}
