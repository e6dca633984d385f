package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/e2e/bench/table"
)

func TestFlagsSayHowOftenAndWhere(t *testing.T) {
	for args, want := range map[string]settings{
		"":                   {rounds: 3},
		"-short":             {rounds: 1, short: true},
		"-short -rounds 2":   {rounds: 2, short: true},
		"-rounds 5 -o x.md":  {rounds: 5, out: "x.md"},
		"-peers p":           {rounds: 3, peers: "p"},
		"-only files,writes": {rounds: 3, only: "files,writes"},
		"-growth g":          {rounds: 3, growth: "g"},
		"-team t -former b":  {rounds: 3, team: "t", former: "b"},
	} {
		got, err := parseFlags(strings.Fields(args))
		require.NoError(t, err, args)
		assert.Equal(t, want, got, args)
	}
	_, err := parseFlags([]string{"-only", "page"})
	require.ErrorContains(t, err, "there are processes,databases,runaways,writes,files")
	for _, args := range []string{"-rounds 0", "postgres"} {
		_, err := parseFlags(strings.Fields(args))
		assert.ErrorContains(t, err, "usage", args)
	}
}

func TestWhatIsMissingIsARow(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no npm, no Node, no ripgrep
	in := installer{t.Context(), t.TempDir(), func(string, ...any) {}}
	node := in.node()
	assert.Contains(t, node.missing, "no npm")
	dbhub := in.npm(node, "@bytebase/dbhub", dbhubVersion)
	assert.Contains(t, dbhub.missing, "no npm")
	b := bench{table: table.New(berthName), programs: programs{dbhub: dbhub, ripgrep: ripgrep(t.Context())}}
	b.servers = b.programs.servers(t.TempDir())
	head := b.header(t.Context(), "", map[string]string{mariaDB: "dial tcp: refused"})
	assert.Contains(t, head, "| DBHub | – | missing: no Node")
	assert.Contains(t, head, "| ripgrep | – | missing: no rg in the path |")
	assert.Contains(t, head, "| MariaDB | – | missing: dial tcp: refused |")
	for _, s := range (&turn{bench: &b}).present() {
		assert.NotEqual(t, dbhubName, s.name)
	}
}

func TestAPackageFromNpmIsStartedByItsOwnProgram(t *testing.T) {
	in := installer{t.Context(), t.TempDir(), func(string, ...any) {}}
	dir := in.folder("@some/server")
	root := filepath.Join(dir, "node_modules", "@some", "server")
	require.NoError(t, os.MkdirAll(root, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "installed-1.2"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "package.json"), []byte(`{"version":"1.2","bin":{"server":"dist/index.js"}}`), 0o644))
	t.Setenv("PATH", t.TempDir())
	got := in.npm(program{path: "node"}, "@some/server", "1.2")
	assert.Contains(t, got.missing, "no npm") // which is looked for first
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), executable("npm")), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	got = in.npm(program{path: "node"}, "@some/server", "1.2")
	assert.Equal(t, program{path: "node", args: []string{filepath.Join(root, "dist", "index.js")}, version: "1.2"}, got)
	got = in.npm(program{path: "node"}, "@some/server", "1.3") // another version
	assert.Contains(t, got.missing, "npm install @some/server@1.3")
}

func TestEachRoundBeginsWithAnotherServer(t *testing.T) {
	b := &bench{servers: []server{{name: "a"}, {name: "b", program: program{missing: "gone"}}, {name: "c"}}}
	var orders []string
	for round := range 3 {
		order := ""
		for _, s := range (&turn{bench: b, n: round}).present() {
			order += s.name
		}
		orders = append(orders, order)
	}
	assert.Equal(t, []string{"ac", "ca", "ca"}, orders)
}

func TestAnAddressIsWrittenAsEachServerReadsIt(t *testing.T) {
	u, err := url.Parse("mysql://ann:p%40ss@127.0.0.1:3306/x")
	require.NoError(t, err)
	d := &database{kind: mariaDB, url: u}
	assert.Equal(t, "mariadb://ann:p%40ss@127.0.0.1:3306/x", d.dsn(map[string]string{mariaDB: "mariadb"}))
	assert.Equal(t, "mysql://ann:p%40ss@127.0.0.1:3306/x", d.dsn(nil))
	assert.Equal(t, "mysql", u.Scheme, "the database's own stays as it is")
	assert.Equal(t, "sqlite:///tmp/a/app.db", (&database{kind: sqlite, path: "/tmp/a/app.db"}).dsn(nil))
}

func TestAnEditNamesTheVersionThatWasRead(t *testing.T) {
	w := berthWords("/p")
	call := w.edit("a.go", "x", "y", driver.Reply{Text: `{"success":true,"version":"abc"}`})
	assert.Equal(t, "abc", call.Args["version"])
	assert.Equal(t, "/p", call.Args["projectRoot"])
}

func TestAQueryHasEndedWhenItIsQuietForLongEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		busy := func(at time.Duration) bool {
			return at < 100*time.Millisecond || at > 200*time.Millisecond && at < 250*time.Millisecond
		}
		w := watch{quiet: 300 * time.Millisecond, runs: func() (bool, error) { return busy(time.Since(began)), nil }}
		ended, err := w.ended(t.Context())
		require.NoError(t, err)
		assert.InDelta(t, 250, millis(ended.Sub(began)), 2, "a pause is not the end")

		w.runs = func() (bool, error) { return true, nil }
		_, err = w.ended(t.Context())
		require.ErrorIs(t, err, errNotYet)
		w.runs = func() (bool, error) { return false, nil }
		require.ErrorIs(t, w.begun(t.Context()), errNotYet)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, w.begun(ctx), context.Canceled)
	})
}

func TestAMessageFitsIntoACell(t *testing.T) {
	assert.Equal(t, "no such table", shorten(`{"success": false, "error": "no such table"}`))
	assert.Equal(t, strings.Repeat("é", 120)+"…", shorten(strings.Repeat("é", 200)))
}

// A database that cannot be filled is dropped with its siblings, and a row.
func TestDatabasesOfAKindThatFailsAreDropped(t *testing.T) {
	dropped := 0
	drop := func() error { dropped++; return errors.New("it was in use") }
	b := &bench{databases: without([]database{{kind: sqlite, drop: drop}, {kind: mariaDB, drop: drop}, {kind: mariaDB, drop: drop}}, mariaDB)}
	assert.Len(t, b.databases, 1)
	assert.Equal(t, 2, dropped)
	require.ErrorContains(t, b.dropDatabases(), "it was in use")
	assert.Equal(t, 3, dropped)
}
