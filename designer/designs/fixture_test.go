package designs

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
)

// source is a database whose content a test sets.
type source struct {
	id, name string
	tables   []designer.TableDefinition
}

func (s *source) ID() string                 { return s.id }
func (s *source) Name() string               { return s.name }
func (s *source) Dialect() *designer.Dialect { return sqlite.Dialect() }
func (s *source) DefaultSchema() string      { return "main" }
func (s *source) Target() designer.Target    { return designer.Target{Server: "sqlite", Database: s.id} }
func (s *source) Read(context.Context) (designer.Definition, error) {
	return designer.Definition{Schemas: []string{"main"}, Tables: s.tables}, nil
}

func boats() []designer.TableDefinition {
	return []designer.TableDefinition{{Schema: "main", Name: "boat", PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}},
		Columns: []designer.Column{{Name: "id", DataType: "INTEGER"}, {Name: "name", DataType: "TEXT", IsNullable: true}}}}
}

// project is a folder with a manager and a keeper, to be opened again and
// again.
type project struct {
	t       testing.TB
	root    string
	state   string
	manager *session.Manager
	keeper  *Keeper
	log     *log
}

// log collects what is logged.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newProject(t testing.TB) *project {
	p := &project{t: t, root: t.TempDir(), state: t.TempDir(), log: &log{}}
	p.open()
	t.Cleanup(p.close)
	return p
}

// open starts what close ended.
func (p *project) open() {
	p.t.Helper()
	p.openManager()
	p.keep()
}

func (p *project) openManager() {
	p.t.Helper()
	store, err := session.OpenStore(p.state)
	require.NoError(p.t, err)
	p.manager, err = session.NewManager(store, session.Options{Dialect: func(string) *designer.Dialect { return sqlite.Dialect() }})
	require.NoError(p.t, err)
}

func (p *project) keep() {
	p.t.Helper()
	var err error
	p.keeper, err = Keep(context.Background(), Options{Root: p.root, Manager: p.manager, Debounce: 5 * time.Millisecond, Look: 20 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(p.log, nil))})
	require.NoError(p.t, err)
}

func (p *project) close() {
	if p.keeper != nil {
		require.NoError(p.t, p.keeper.Close())
		p.keeper = nil
	}
	require.NoError(p.t, p.manager.Close())
}

func (p *project) show(s *source) *session.Designer {
	p.t.Helper()
	d, err := p.manager.Show(context.Background(), s)
	require.NoError(p.t, err)
	return d
}

// boats shows the design that most tests are about.
func (p *project) boats() *session.Designer {
	p.t.Helper()
	return p.show(&source{id: "one", name: "main", tables: boats()})
}

func (p *project) path(name string) string {
	return filepath.Join(p.root, ".berth", "designs", name)
}

func (p *project) read(name string) string {
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		return ""
	}
	return string(text)
}

// write puts a file in its place at once, as editors and git do.
func (p *project) write(name, text string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(p.path(name)), 0o755))
	temp := filepath.Join(p.root, "editing")
	require.NoError(p.t, os.WriteFile(temp, []byte(text), 0o644))
	require.NoError(p.t, os.Rename(temp, p.path(name)))
}

// eventually waits for what the keeper is about to do.
func (p *project) eventually(done func() bool, what string) {
	p.t.Helper()
	require.Eventually(p.t, done, 10*time.Second, 2*time.Millisecond, what)
}

// settled waits until the keeper has seen everything: a design of its own
// gets its file after all that happened before.
func (p *project) settled() {
	p.t.Helper()
	marker := "settled" + time.Now().Format("150405.000000000")
	d := p.show(&source{id: marker, name: marker})
	apply(p.t, d, addTable("t"))
	p.eventually(func() bool { return p.read(stem(marker)+".json") != "" }, "the keeper comes to rest")
	p.boats() // is the active one again
}

func addTable(name string) designer.Edit {
	return designer.Edit{Op: designer.AddTable, Table: designer.TableRef{Name: name},
		InitialColumns: []designer.ColumnSpec{{Name: new("id"), DataType: new("INTEGER"), IsPrimaryKey: new(true)}}}
}

func apply(t testing.TB, d *session.Designer, edits ...designer.Edit) {
	t.Helper()
	out, err := d.Apply(context.Background(), session.Batch{Edits: edits, ExpectedVersion: d.Version(), Origin: "agent"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
}

// tables lists a design's tables with their columns.
func tables(t testing.TB, d *session.Designer) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, d.View(func(s *designer.Schema) {
		assert.NoError(t, s.Check())
		for _, tbl := range s.Tables() {
			var columns []string
			for _, c := range tbl.Columns {
				columns = append(columns, c.Name)
			}
			all[tbl.Name] = strings.Join(columns, " ")
		}
	}))
	return all
}

// withColumn is a file's text with a column more in the first table.
func withColumn(text, name string) string {
	return strings.Replace(text, `      "columns": [
`, `      "columns": [
        {
          "name": "`+name+`",
          "dataType": "TEXT",
          "isNullable": true
        },
`, 1)
}
