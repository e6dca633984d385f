package readonly_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/berth-dev/berth/tools/db/pool"
)

// sqliteWorld is a project with one file. Its state is every file of the
// project's and of one more folder, byte for byte.
type sqliteWorld struct {
	server
	root, dir string
}

func newSQLiteWorld(t *testing.T) sqliteWorld {
	t.Helper()
	w := sqliteWorld{root: t.TempDir(), dir: openDir(t)}
	conn := w.open(t, filepath.Join(w.root, "app.db"))
	_, err := conn.ExecContext(t.Context(), readFile(t, "corpus/sqlite.sql"))
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	w.state = func(t testing.TB) map[string]string {
		return map[string]string{"files": digests(t, w.root) + digests(t, w.dir)}
	}
	return w
}

// open opens a file past berth, on one connection.
func (w sqliteWorld) open(t testing.TB, path string) *sql.DB {
	t.Helper()
	conn, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	conn.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// digests are the files below a folder, with digests of what is in them.
func digests(t testing.TB, dir string) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %x, ", path, sha256.Sum256(content))
		return err
	}))
	return all.String()
}

// rowsOfSQLite runs a statement and returns its rows as texts, sorted.
func rowsOfSQLite(ctx context.Context, conn *sql.DB, statement string) ([]string, error) {
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	all := []string{}
	for rows.Next() {
		raw, pointers, texts := make([]any, len(names)), make([]any, len(names)), make([]string, len(names))
		for i := range raw {
			pointers[i] = &raw[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		for i, v := range raw {
			if b, ok := v.([]byte); ok {
				v = `\x` + hex.EncodeToString(b)
			}
			texts[i] = plain(v)
		}
		all = append(all, strings.Join(texts, "|"))
	}
	slices.Sort(all)
	return all, rows.Err()
}

func (w sqliteWorld) statements(t testing.TB) []marked {
	t.Helper()
	return readCorpus(t, "sqlite.txt", "{dir}", w.dir)
}

func TestTheCorpusOfSQLite(t *testing.T) {
	w := newSQLiteWorld(t)
	copied := filepath.Join(openDir(t), "copy.db")
	content, err := os.ReadFile(filepath.Join(w.root, "app.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, content, 0o600))
	conn := w.open(t, copied)
	w.direct = func(statement string) ([]string, error) { return rowsOfSQLite(t.Context(), conn, statement) }
	ask := through(t, w.root, pool.Config{Name: "app.db", Path: "app.db"})
	nothingIsWrong(t, w.server, asker{login: "user", ask: ask}, w.statements(t))
}

// TestTheCorpusOfSQLiteSeesChanges: see TestTheCorpusOfPostgreSQLSeesChanges.
func TestTheCorpusOfSQLiteSeesChanges(t *testing.T) {
	w := newSQLiteWorld(t)
	conn := w.open(t, filepath.Join(w.root, "app.db"))
	everyChangeIsSeen(t, w.server, asker{login: "user", patience: time.Second, ask: past(func(ctx context.Context, statement string) error {
		_, err := rowsOfSQLite(ctx, conn, statement)
		return err
	})}, w.statements(t))
}
