package files_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/rows"
)

// rowsConnection is a database as package rows reaches it.
type rowsConnection struct {
	rows.Description
	reader, writer *sql.DB
}

func (c *rowsConnection) Describe(context.Context) (rows.Description, error) {
	return c.Description, nil
}

func (c *rowsConnection) Read(ctx context.Context, work func(context.Context, *sql.DB) error) error {
	return work(ctx, c.reader)
}

func (c *rowsConnection) Write(ctx context.Context, work func(context.Context, *sql.DB) error) error {
	return work(ctx, c.writer)
}

// table is a table of files, and the options that find it.
type table struct {
	*rowsConnection
	rows.Options
	owner *sql.DB
	blob  bool // its content is bytes
}

// put writes a row as another program would.
func (r *table) put(t testing.TB, path, content string) {
	t.Helper()
	var value any = content
	if r.blob {
		value = []byte(content)
	}
	_, err := r.owner.ExecContext(t.Context(), `INSERT INTO files (project_id, path, content, updated_at) VALUES ('p1', $1, $2, CURRENT_TIMESTAMP)
ON CONFLICT (project_id, path) DO UPDATE SET content = excluded.content`, path, value)
	require.NoError(t, err)
}

func (r *table) content(t testing.TB, path string) string {
	t.Helper()
	var content []byte
	require.NoError(t, r.owner.QueryRowContext(t.Context(), "SELECT content FROM files WHERE project_id = 'p1' AND path = $1", path).Scan(&content))
	return string(content)
}

// exec runs statements as the owner.
func (r *table) exec(t testing.TB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := r.owner.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
}

// make makes the table as berth files init does.
func (r *table) make(t testing.TB) {
	t.Helper()
	statements, err := rows.Statements(r.Dialect, r.Options)
	require.NoError(t, err)
	r.exec(t, statements...)
	// Rows of another project are none of its business.
	r.exec(t, "INSERT INTO files (project_id, path, content) VALUES ('p2', '/src/GameScene.js', 'gamescene of another project')")
}

func tableOptions() rows.Options {
	return rows.Options{Connection: "main", Table: "files", Project: "p1"}
}

func sqliteTable(t testing.TB) *table {
	t.Helper()
	r := sqliteFile(t)
	r.make(t)
	return r
}

// blobTable is an existing table of SQLite whose content is bytes.
func blobTable(t testing.TB) *table {
	t.Helper()
	r := sqliteFile(t)
	r.blob = true
	r.exec(t, "CREATE TABLE files (id INTEGER PRIMARY KEY, project_id text, path text, content blob, updated_at integer, UNIQUE (project_id, path))")
	return r
}

// sqliteFile is a database without a table. The pragmas are the owner's.
func sqliteFile(t testing.TB, pragmas ...string) *table {
	t.Helper()
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "files.db"))
	if !strings.HasPrefix(file, "/") { // a drive; the path of an address begins with a slash
		file = "/" + file
	}
	open := func(mode string, options ...string) *sql.DB {
		u := url.URL{Scheme: "file", Path: file, RawQuery: url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": append(options, "busy_timeout(20000)")}.Encode()}
		db, err := sql.Open("sqlite", u.String())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}
	owner := open("rwc", append(pragmas, "journal_mode(WAL)", "synchronous(OFF)")...)
	return &table{owner: owner, Options: tableOptions(), rowsConnection: &rowsConnection{
		Description: rows.Description{Dialect: "sqlite", AllowWrites: true}, reader: open("ro", "query_only(ON)"), writer: open("rw")}}
}

func postgresTable(t testing.TB) *table {
	t.Helper()
	owner, _ := enginetest.Postgres().New(t)
	r := &table{owner: owner, Options: tableOptions(), rowsConnection: &rowsConnection{
		Description: rows.Description{Dialect: "postgres", AllowWrites: true}, reader: owner, writer: owner}}
	r.make(t)
	return r
}

func byteaTable(t testing.TB) *table {
	t.Helper()
	owner, _ := enginetest.Postgres().New(t)
	r := &table{owner: owner, blob: true, Options: tableOptions(), rowsConnection: &rowsConnection{
		Description: rows.Description{Dialect: "postgres", AllowWrites: true}, reader: owner, writer: owner}}
	r.exec(t, "CREATE TABLE files (project_id text, path varchar(300), content bytea, updated_at timestamp, UNIQUE (path, project_id))")
	return r
}

// A place is somewhere that a project's files can be.
type place struct {
	name string
	*bench
	put func(path, content string)
	// bytes: it holds any bytes, not text alone.
	bytes bool
	table *table // nil: the project's folder

	last []string // the reply compared last
}

// places returns empty projects of every kind. Those of tables are below mount.
func places(t *testing.T, settings files.Settings, mount string) []*place {
	onDisk := newBench(t, settings)
	list := []*place{{name: "disk", bench: onDisk, bytes: true, put: func(path, content string) { onDisk.put(filepath.Join(mount, path), content) }}}
	for name, r := range map[string]*table{"sqlite": sqliteTable(t), "postgres": postgresTable(t), "bytea": byteaTable(t), "blob": blobTable(t)} {
		with := settings
		with.Store, with.Mount = rows.New(r.rowsConnection, r.Options), mount
		list = append(list, &place{name: name, bench: newBench(t, with), table: r, bytes: r.blob,
			put: func(path, content string) { r.put(t, "/"+path, content) }})
	}
	return list
}

// comparable returns a reply without what may differ between places.
func (p *place) comparable(tool string, a arguments) any {
	p.Helper()
	r := p.raw(tool, a)
	require.Nil(p, r.Ask)
	var all []any
	p.last = r.Content
	for _, text := range r.Content {
		var v map[string]any
		if json.Unmarshal([]byte(text), &v) != nil { // the content of a file, or the mark of such
			all = append(all, text)
			continue
		}
		drop := []string{"method", "note", "searched"}
		if r.IsError {
			drop = append(drop, "message", "hint")
		}
		if tool == catalog.SearchContent {
			drop = append(drop, "skipped", "ignored", "held_back") // an index leaves files out
		}
		for _, key := range drop {
			delete(v, key)
		}
		entries, _ := v["entries"].([]any)
		for _, e := range entries {
			delete(e.(map[string]any), "updated_at")
		}
		all = append(all, v)
	}
	return []any{r.IsError, all}
}

// same calls a tool in every place and requires that each answers as the disk.
func same(t *testing.T, list []*place, tool string, a arguments) {
	t.Helper()
	want := list[0].comparable(tool, a)
	for _, p := range list[1:] {
		require.Equal(t, want, p.comparable(tool, a), "%s: %s %v: %s", p.name, tool, fmt.Sprint(a), p.last)
	}
}
