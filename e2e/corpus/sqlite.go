package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

type sqliteDatabase struct{ path string }

var sqliteError = regexp.MustCompile(`(?i)\berror\b`)

func (d sqliteDatabase) load(ctx context.Context, file string) ([]string, error) {
	return client(exec.CommandContext(ctx, "sqlite3", d.path), file, otherDatabase, sqliteError)
}

// dump says nothing: the database keeps the text as it was written, and that
// both mean the same is what the version says.
func (d sqliteDatabase) dump(context.Context) ([]string, error) { return nil, nil }

func (d sqliteDatabase) settings() string { return fmt.Sprintf("{path: %q}", filepath.Base(d.path)) }

func (d sqliteDatabase) open() (*sql.DB, error) { return sql.Open("sqlite", d.path) }

func (d sqliteDatabase) drop() error {
	if err := os.Remove(d.path); !os.IsNotExist(err) {
		return err
	}
	return nil
}
