package pageapi_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// office is a project with one SQLite database, as an instance has it.
type office struct {
	t         testing.TB
	root      string
	manager   *session.Manager
	databases *pool.Connections
	sources   *source.Sources
	tool      *schema.Tool
	*pageapi.API

	mu       sync.Mutex
	announce []any
}

const people = `CREATE TABLE Person (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL);
CREATE TABLE Pet (Id INTEGER PRIMARY KEY, OwnerId INTEGER REFERENCES Person (Id), Age INTEGER);
CREATE INDEX PetAge ON Pet (Age DESC);
CREATE VIEW Owners AS SELECT OwnerId FROM Pet;`

func newOffice(t testing.TB, script string) *office {
	t.Helper()
	o := &office{t: t, root: t.TempDir()}
	file := filepath.Join(o.root, "app.db")
	raw, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = raw.Exec(script)
	require.NoError(t, err)
	require.NoError(t, raw.Close())

	store, err := session.OpenStore(filepath.Join(t.TempDir(), "state"))
	require.NoError(t, err)
	dialect := func(string) *designer.Dialect { return sqlite.Engine{}.Dialect() }
	o.manager, err = session.NewManager(store, session.Options{Dialect: dialect})
	require.NoError(t, err)
	o.databases, err = pool.New(o.root, pool.Options{Connections: []pool.Config{
		{Name: "main", Dialect: "sqlite", Path: file, Origin: "test"},
		{Name: "other", Dialect: "sqlite", Path: filepath.Join(o.root, "other.db"), Origin: "test"},
	}})
	require.NoError(t, err)
	o.sources = source.New(o.databases, source.Options{})
	t.Cleanup(func() {
		require.NoError(t, o.databases.Close())
		require.NoError(t, o.manager.Close())
	})
	o.tool, err = schema.New(schema.Options{Manager: o.manager, Connections: o, URL: func() string { return "" },
		Root: o.root, Dialect: dialect, Script: sqlite.Engine{}.Script})
	require.NoError(t, err)
	o.API = pageapi.New(pageapi.Options{Manager: o.manager, Connections: o, Tool: o.tool, Announce: func(n any) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.announce = append(o.announce, n)
	}})
	return o
}

func (o *office) List(ctx context.Context) ([]schema.ConnectionInfo, error) {
	var list []schema.ConnectionInfo
	for _, s := range o.sources.All(ctx) {
		list = append(list, schema.ConnectionInfo{ID: s.ID(), Name: s.Name(), Dialect: s.Dialect().Name, Database: s.Target().Database})
	}
	return list, nil
}

func (o *office) Source(ctx context.Context, id string) (session.Source, error) {
	return o.sources.Source(ctx, id)
}

// open shows the design of the database called main and returns its id.
func (o *office) open() (*session.Designer, string) {
	o.t.Helper()
	all, err := o.List(context.Background())
	require.NoError(o.t, err)
	source, err := o.sources.Source(context.Background(), all[0].ID)
	require.NoError(o.t, err)
	d, err := o.manager.Show(context.Background(), source)
	require.NoError(o.t, err)
	return d, d.ID()
}

// edit makes an edit of an agent, written as in a call.
func (o *office) edit(d *session.Designer, raw string, args ...any) {
	o.t.Helper()
	decoded, refused := edits.Decode(fmt.Appendf(nil, raw, args...))
	require.Nil(o.t, refused)
	out, err := d.Apply(context.Background(), session.Batch{Edits: decoded, ExpectedVersion: d.Version(), Origin: "agent"})
	require.NoError(o.t, err)
	require.Nil(o.t, out.Err)
}

// read is what a page would read of an answer.
func read(t testing.TB, body any, err error) map[string]any {
	t.Helper()
	require.NoError(t, err)
	text, err := json.Marshal(body)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

// announced are the notices so far, as a page reads them.
func (o *office) announced() []map[string]any {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list []map[string]any
	for _, n := range o.announce {
		list = append(list, read(o.t, n, nil))
	}
	return list
}

// request is one as a page writes it.
func request[T any](t testing.TB, text string) (r T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	return r
}
