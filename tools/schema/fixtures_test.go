package schema_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/schema"
)

// dialect resembles SQL Server, so that the contract's examples can be played
// word by word.
func dialect() *designer.Dialect {
	length := func(name, family string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Family: family, Length: designer.Required, AllowsMax: true, MaxLength: 8000}
	}
	number := func(name string) designer.TypeInfo {
		return designer.TypeInfo{Name: name, Family: "number",
			Precision: designer.Range{Min: 1, Max: 38, Default: 18}, Scale: designer.Range{Min: 0, Max: 38}}
	}
	return &designer.Dialect{
		Name: "mssql", Title: "SQL Server",
		Types: []designer.TypeInfo{
			{Name: "int", Family: "int", Identity: true},
			{Name: "bigint", Family: "bigint", Identity: true},
			length("nvarchar", "text"), length("varchar", "ansi"),
			{Name: "bit", Family: "bit"}, {Name: "date", Family: "date"}, {Name: "datetime2", Family: "datetime"},
			number("decimal"), number("numeric"),
			{Name: "uniqueidentifier", Family: "uuid"},
		},
		Reserved: map[string]bool{"order": true, "select": true},
		Names:    designer.NameRules{MaxLength: 128, SchemaWideChecks: true},
		Schemas:  designer.SchemaRules{Common: []string{"dbo", "sys"}, Fixed: true},
		ForeignKeys: designer.ForeignKeyRules{
			Actions:        []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.SetDefault},
			RefuseCascades: true,
		},
		SQL: sqltext.TSQL(),
	}
}

// source is a database whose content is fixed.
type source struct {
	id, name string
	target   designer.Target
	dialect  *designer.Dialect
	schema   string // the default one

	mu    sync.Mutex
	def   designer.Definition
	fail  error
	reads int
}

func (s *source) ID() string                 { return s.id }
func (s *source) Name() string               { return s.name }
func (s *source) Dialect() *designer.Dialect { return s.dialect }
func (s *source) DefaultSchema() string      { return s.schema }
func (s *source) Target() designer.Target    { return s.target }

func (s *source) Read(context.Context) (designer.Definition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.def, s.fail
}

// breakOff makes every later read fail.
func (s *source) breakOff(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

func column(name, dataType string) designer.Column {
	return designer.Column{Name: name, DataType: dataType}
}

func keyed(name string, columns ...designer.Column) designer.TableDefinition {
	return designer.TableDefinition{Name: name,
		Columns:    append([]designer.Column{column(name+"Id", "int")}, columns...),
		PrimaryKey: &designer.KeyDefinition{Name: "PK_" + name, Columns: []string{name + "Id"}}}
}

// database returns what a story's `database` means.
//
//	empty             no tables
//	orders            Orders with three columns
//	shop              Customers, Orders with a key to it, an index and a check
//	twins             Orders and orders
//	tables N          N tables of one column
//	columns N         one table Wide of N columns
//	sqlite            that of boatyard.sql, with SQLite's dialect
//	long N            N tables of ten columns with names as long as they get
func database(t *testing.T, kind string) designer.Definition {
	t.Helper()
	name, count, _ := strings.Cut(kind, " ")
	n := 0
	if count != "" {
		_, err := fmt.Sscanf(count, "%d", &n)
		require.NoError(t, err)
	}
	def := designer.Definition{Schemas: []string{"dbo", "sys"}}
	switch name {
	case "empty":
	case "orders":
		def.Tables = []designer.TableDefinition{keyed("Orders", column("Placed", "date"), nullable(column("Note", "date")))}
		def.Tables[0].Columns[0].Name = "OrderId"
		def.Tables[0].PrimaryKey.Columns[0] = "OrderId"
	case "shop":
		def.Tables = shop()
	case "sqlite":
		return boatyard(t)
	case "twins":
		def.Tables = []designer.TableDefinition{keyed("Orders"), keyed("orders")}
	case "tables":
		for i := range n {
			def.Tables = append(def.Tables, keyed(fmt.Sprintf("T%03d", i+1)))
		}
	case "columns":
		def.Tables = []designer.TableDefinition{keyed("Wide", columns(n-1, "C")...)}
	case "long":
		for i := range n {
			def.Tables = append(def.Tables, keyed(fmt.Sprintf("%s%05d", strings.Repeat("T", 100), i), columns(9, strings.Repeat("C", 120))...))
		}
	default:
		require.Fail(t, "unknown database", kind)
	}
	return def
}

// boatyard reads a real SQLite database.
func boatyard(t *testing.T) designer.Definition {
	t.Helper()
	script, err := os.ReadFile("testdata/stories/boatyard.sql")
	require.NoError(t, err)
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "boatyard.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Exec(string(script))
	require.NoError(t, err)
	def, err := sqlite.Inspect(t.Context(), db)
	require.NoError(t, err)
	return def
}

func columns(n int, prefix string) []designer.Column {
	var list []designer.Column
	for i := range n {
		list = append(list, nullable(column(fmt.Sprintf("%s%03d", prefix, i+1), "int")))
	}
	return list
}

func nullable(c designer.Column) designer.Column {
	c.IsNullable = true
	return c
}

func shop() []designer.TableDefinition {
	email := column("Email", "nvarchar")
	email.MaxLength = "200"
	total := column("Total", "decimal")
	total.Precision, total.Scale, total.DefaultValue = 18, 2, "0"
	id := column("Id", "int")
	id.IsIdentity, id.IdentitySeed, id.IdentityIncrement = true, 1, 1
	customers := designer.TableDefinition{Name: "Customers", Columns: []designer.Column{id, email},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Customers", Columns: []string{"Id"}},
		Indexes: []designer.IndexDefinition{{Name: "UQ_Customers_Email", Unique: true, Constraint: true,
			Parts: []designer.IndexKeyDefinition{{Column: "Email"}}}}}
	orders := designer.TableDefinition{Name: "Orders",
		Columns:    []designer.Column{column("OrderId", "int"), column("CustomerId", "int"), total},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Orders", Columns: []string{"OrderId"}},
		ForeignKeys: []designer.ForeignKeyDefinition{{Name: "FK_Orders_Customers",
			ReferencedTable: designer.TableRef{Name: "Customers"},
			Mappings:        []designer.NameMapping{{Column: "CustomerId", ReferencedColumn: "Id"}},
			OnDelete:        designer.Cascade}},
		Indexes: []designer.IndexDefinition{{Name: "IX_Orders_Customer",
			Parts: []designer.IndexKeyDefinition{{Column: "CustomerId"}, {Column: "Total", Descending: true}}}},
		Checks: []designer.CheckDefinition{{Name: "CK_Orders_Total", Expression: "Total >= 0"}}}
	return []designer.TableDefinition{customers, orders}
}

// world is a tool with everything below it real but the databases.
type world struct {
	t       *testing.T
	dir     string
	confirm string
	sources []*source
	marks   bool    // the databases tell by a mark whether they have changed
	server  *server // in place of sources; nil: none can be published to
	root    string  // of the project's files
	manager *session.Manager
	set     *tools.Set
	now     time.Time
}

func newWorld(t *testing.T, kind string, connections int, confirm string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), root: t.TempDir(), confirm: confirm, now: time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)}
	names := [][3]string{{"shop", "Shop", "Shop"}, {"crm", "CRM", "Crm"}}
	for _, n := range names[:connections] {
		s := &source{id: n[0], name: n[1], target: designer.Target{Server: "localhost", Database: n[2]},
			dialect: dialect(), def: database(t, kind)}
		if kind == "sqlite" {
			s.target, s.dialect = designer.Target{Server: "sqlite", Database: "data/boatyard.db"}, sqlite.Dialect()
		}
		w.sources = append(w.sources, s)
	}
	w.open()
	t.Cleanup(func() { require.NoError(t, w.manager.Close()) })
	return w
}

func (w *world) open() {
	w.t.Helper()
	store, err := session.OpenStore(w.dir)
	require.NoError(w.t, err)
	w.manager, err = session.NewManager(store, session.Options{
		Dialect: func(string) *designer.Dialect { return w.sources[0].dialect },
	})
	require.NoError(w.t, err)
	tool, err := schema.New(schema.Options{Manager: w.manager, Connections: w,
		URL:     func() string { return "http://127.0.0.1:50001/" },
		Confirm: w.confirm,
		Root:    w.root,
		Script:  script,
		Dialect: dialects,
		Now:     func() time.Time { return w.now }})
	require.NoError(w.t, err)
	handlers := map[string]tools.Handler{}
	for _, d := range catalog.All() {
		handlers[d.Name] = tool.Handle
	}
	handlers[catalog.ChangeCard] = tool.SettleCard
	w.set, err = tools.NewSet(handlers)
	require.NoError(w.t, err)
}

func engines() []engine.Engine {
	return []engine.Engine{sqlite.Engine{}, postgres.Engine{}, mysql.Engine{}, mssql.Engine{}}
}

// script writes a design's whole script as its own dialect does.
func script(s *designer.Schema) (designer.Plan, error) {
	for _, e := range engines() {
		if e.Dialect().Name == s.Dialect().Name {
			return e.Script(s)
		}
	}
	return designer.Plan{}, fmt.Errorf("no dialect %s", s.Dialect().Name)
}

func (w *world) restart() {
	w.t.Helper()
	require.NoError(w.t, w.manager.Close())
	w.open()
}

// List makes world the tool's connections.
func (w *world) List(context.Context) ([]schema.ConnectionInfo, error) {
	var list []schema.ConnectionInfo
	for _, s := range w.sources {
		list = append(list, schema.ConnectionInfo{ID: s.id, Name: s.name, Origin: "test"})
	}
	return list, nil
}

// Source makes world the tool's connections.
func (w *world) Source(_ context.Context, id string) (session.Source, error) {
	if w.server != nil {
		return w.server, nil
	}
	for _, s := range w.sources {
		if s.id == id && w.marks {
			return marked{s}, nil
		}
		if s.id == id {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no connection %s", id)
}

func (w *world) call(arguments string, change func(*tools.Call)) tools.Reply {
	w.t.Helper()
	call := tools.Call{Tool: catalog.SchemaDesigner, Arguments: []byte(arguments), Origin: tools.OriginAgent}
	if change != nil {
		change(&call)
	}
	return w.set.Call(w.t.Context(), call)
}
