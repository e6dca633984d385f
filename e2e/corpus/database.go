package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// database is one that a trial made: see [create].
type database interface {
	// load runs a file of SQL with the server's own client, past its errors,
	// and returns these.
	load(ctx context.Context, file string) (refused []string, err error)
	// dump lists the statements that the server's own program makes of the
	// schema, normalised and sorted. It is nil where there is no such program.
	dump(ctx context.Context) ([]string, error)
	// settings is the connection in the words of berth's config.
	settings() string
	open() (*sql.DB, error)
	drop() error
}

// create makes an empty database of a dialect.
func create(ctx context.Context, dialect, dir string) (database, error) {
	switch dialect {
	case "postgres":
		return createPostgres(ctx)
	case "mysql":
		return createMySQL(ctx)
	}
	if _, err := exec.LookPath("sqlite3"); err != nil {
		return nil, err
	}
	return sqliteDatabase{filepath.Join(dir, freshName()+".db")}, os.MkdirAll(dir, 0o700)
}

// fill loads a schema's files, or copies its database.
func fill(ctx context.Context, db database, s schema) (refused []string, err error) {
	if file, ok := db.(sqliteDatabase); ok && s.isDatabase() {
		content, err := os.ReadFile(s.files[0])
		if err != nil {
			return nil, err
		}
		return nil, os.WriteFile(file.path, content, 0o600)
	}
	for _, file := range s.files {
		more, err := db.load(ctx, file)
		if err != nil {
			return refused, err
		}
		refused = append(refused, more...)
	}
	return refused, nil
}

// otherDatabase are statements that would lead a file out of the database made
// for it, or drop one of the user's.
var otherDatabase = regexp.MustCompile(`(?im)^\s*(?:(?:DROP|CREATE)\s+DATABASE\b[^;\n]*;|USE\s[^;\n]*;|\\(?:c|connect)\s.*$)`)

// staying copies a file without statements that match; the caller removes it.
func staying(file string, leaves *regexp.Regexp) (path string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	out, err := os.CreateTemp("", "berth-corpus-*.sql")
	if err != nil {
		return "", err
	}
	_, err = out.Write(leaves.ReplaceAll(text, nil))
	return out.Name(), errors.Join(err, out.Close())
}

func freshName() string {
	random := make([]byte, 5)
	_, _ = rand.Read(random) // never fails
	return "berth_corpus_" + hex.EncodeToString(random)
}

// client runs a program on a file, but for the statements that leave the
// database, and returns the lines that say an error. That it exits with an error of its own is no failure of the run.
func client(cmd *exec.Cmd, file string, leaves, isError *regexp.Regexp) ([]string, error) {
	file, err := staying(file, leaves)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(file) }()
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	var out bytes.Buffer
	cmd.Stdin, cmd.Stderr = in, &out
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("run %s: %w", filepath.Base(cmd.Path), err)
	}
	var refused []string
	for line := range strings.Lines(out.String()) {
		if isError.MatchString(line) {
			refused = append(refused, strings.TrimSpace(line))
		}
	}
	if err != nil && len(refused) == 0 {
		refused = append(refused, strings.TrimSpace(fmt.Sprint(err, ": ", out.String())))
	}
	return refused, nil
}

// program returns the first of the programs that is there.
func program(names ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is installed", strings.Join(names, ", "))
}

// statements splits a dump where a line ends in a semicolon, without
// comments and empty lines, and sorts: what depends on what decides the order,
// and the oids, and means nothing here.
func statements(dump string, keep func(line string) string) []string {
	var all []string
	var one []string
	for line := range strings.Lines(dump) {
		line = keep(strings.TrimRight(line, "\r\n"))
		if strings.TrimSpace(line) == "" {
			continue
		}
		one = append(one, line)
		if strings.HasSuffix(line, ";") {
			all, one = append(all, strings.Join(one, "\n")), nil
		}
	}
	if len(one) > 0 {
		all = append(all, strings.Join(one, "\n"))
	}
	slices.Sort(all)
	return all
}

// missing lists what is in a and not in b, and the other way round, each
// marked. Both are sorted.
func missing(a, b []string) []string {
	var out []string
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, "- "+a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, "+ "+b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return out
}
