package session

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// plain is a dialect with as few rules as a test needs.
var plain = &designer.Dialect{
	Name: "plain", Title: "Plain",
	Types: []designer.TypeInfo{
		{Name: "int", Family: "integer", Identity: true},
		{Name: "text", Family: "text"},
	},
	ForeignKeys: designer.ForeignKeyRules{Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull}},
	Schemas:     designer.SchemaRules{Common: []string{"main"}},
	NamedTypes: designer.NamedTypeRules{Classes: []designer.TypeClass{designer.ClassEnum},
		Define: func(t *designer.NamedType) string { return fmt.Sprintf("CREATE TYPE %s %q", t.Name, t.ValueNames()) }},
}

func dialects(name string) *designer.Dialect {
	if name == plain.Name {
		return plain
	}
	return nil
}

// database is a Source whose content a test sets.
type database struct {
	id, name string
	place    string // "": the id, and .db
	dialect  *designer.Dialect

	mu    sync.Mutex
	def   designer.Definition
	err   error
	reads int
}

func newDatabase(id string, tables ...designer.TableDefinition) *database {
	return &database{id: id, name: "name of " + id, dialect: plain,
		def: designer.Definition{Schemas: []string{"main"}, Tables: tables}}
}

func (s *database) ID() string                 { return s.id }
func (s *database) Name() string               { return s.name }
func (s *database) Dialect() *designer.Dialect { return s.dialect }
func (s *database) DefaultSchema() string      { return "main" }
func (s *database) Target() designer.Target {
	return designer.Target{Server: "Plain", Database: cmp.Or(s.place, s.id+".db")}
}

func (s *database) Read(context.Context) (designer.Definition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.def, s.err
}

func (s *database) set(tables ...designer.TableDefinition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.def.Tables = tables
}

// fail makes reads fail with err; nil: succeed again.
func (s *database) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// table defines a table with the key column Id and int columns beside.
func table(name string, columns ...string) designer.TableDefinition {
	t := designer.TableDefinition{Schema: "main", Name: name,
		Columns:    []designer.Column{{Name: "Id", DataType: "int"}},
		PrimaryKey: &designer.KeyDefinition{Columns: []string{"Id"}}}
	for _, c := range columns {
		t.Columns = append(t.Columns, designer.Column{Name: c, DataType: "int", IsNullable: true})
	}
	return t
}

// tables defines n tables of ten columns.
func tables(n int) []designer.TableDefinition {
	list := make([]designer.TableDefinition, n)
	for i := range list {
		list[i] = table(fmt.Sprintf("T%05d", i), "a", "b", "c", "d", "e", "f", "g", "h", "i")
	}
	return list
}

// project is a manager with its directory, to be opened again and again.
type project struct {
	t   testing.TB
	dir string
	*Manager
	ids *atomic.Int64 // of batches
	off *atomic.Int64 // seconds that its clock is off
}

func newProject(t testing.TB) *project {
	p := &project{t: t, dir: t.TempDir(), ids: new(atomic.Int64), off: new(atomic.Int64)}
	p.open()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func (p *project) open() {
	p.t.Helper()
	store, err := OpenStore(p.dir)
	require.NoError(p.t, err)
	p.Manager, err = NewManager(store, Options{
		Dialect:  dialects,
		NewBatch: func() string { return fmt.Sprintf("batch-%d", p.ids.Add(1)) },
		Now:      func() time.Time { return time.Date(2026, 8, 1, 12, 0, int(p.off.Load()), 0, time.UTC) },
	})
	require.NoError(p.t, err)
}

func (p *project) restart() {
	p.t.Helper()
	require.NoError(p.t, p.Close())
	p.open()
}

func (p *project) show(src Source) *Designer {
	p.t.Helper()
	d, err := p.Show(context.Background(), src)
	require.NoError(p.t, err)
	return d
}

func (p *project) designer(id string) *Designer {
	p.t.Helper()
	d, ok := p.ByID(id)
	require.True(p.t, ok, "design %s", id)
	return d
}

func ref(name string) designer.TableRef { return designer.TableRef{Name: name} }

func addTable(name string) designer.Edit {
	return designer.Edit{Op: designer.AddTable, Table: ref(name),
		InitialColumns: []designer.ColumnSpec{{Name: new("Id"), DataType: new("int"), IsPrimaryKey: new(true)}}}
}

func dropTable(name string) designer.Edit {
	return designer.Edit{Op: designer.DropTable, Table: ref(name)}
}

func renameTable(name, to string) designer.Edit {
	return designer.Edit{Op: designer.SetTable, Table: ref(name), SetTable: designer.TableSet{Name: &to}}
}

func addColumn(tbl, name string) designer.Edit {
	return designer.Edit{Op: designer.AddColumn, Table: ref(tbl),
		Column: designer.ColumnSpec{Name: &name, DataType: new("int"), IsNullable: new(true)}}
}

func dropColumn(tbl, name string) designer.Edit {
	return designer.Edit{Op: designer.DropColumn, Table: ref(tbl), ColumnRef: designer.ObjectRef{Name: name}}
}

// apply makes edits on top of whatever version the design has.
func apply(t testing.TB, d *Designer, edits ...designer.Edit) Outcome {
	t.Helper()
	out, err := d.Apply(context.Background(), Batch{Edits: edits, ExpectedVersion: d.Version(), Origin: "agent"})
	require.NoError(t, err)
	return out
}

// names lists the tables of the design with their columns.
func names(t testing.TB, d *Designer) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	require.NoError(t, d.View(func(s *designer.Schema) {
		require.NoError(t, s.Check())
		for _, tbl := range s.Tables() {
			columns := []string{}
			for _, c := range tbl.Columns {
				columns = append(columns, c.Name)
			}
			all[tbl.Name] = columns
		}
	}))
	return all
}

// model is everything of a design that has to survive a restart.
type model struct {
	Info   Info
	Tables []designer.Table
	Undo   []Step
	Redo   []Step
}

func modelOf(t testing.TB, d *Designer) model {
	t.Helper()
	m := model{Info: d.Info()}
	require.NoError(t, d.View(func(s *designer.Schema) {
		require.NoError(t, s.Check())
		require.Equal(t, m.Info.Version, s.Version())
		for _, tbl := range s.Tables() {
			m.Tables = append(m.Tables, *tbl)
		}
	}))
	var err error
	m.Undo, m.Redo, err = d.History(context.Background(), maxSteps)
	require.NoError(t, err)
	require.Len(t, m.Undo, m.Info.UndoSteps)
	require.Len(t, m.Redo, m.Info.RedoSteps)
	return m
}
