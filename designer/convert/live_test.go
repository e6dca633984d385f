package convert_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/convert"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/e2e/needs"
)

// side is a dialect with a server to try it on.
type side struct {
	engine  engine.Engine
	server  enginetest.Server
	schema  string // the default one
	chinook string
}

func sides() map[string]side {
	return map[string]side{
		"sqlite":   {sqlite.Engine{}, enginetest.SQLite(), "main", "chinook/Chinook_Sqlite_AutoIncrementPKs.sql"},
		"postgres": {postgres.Engine{}, enginetest.Postgres(), "public", "chinook/Chinook_PostgreSql_SerialPKs.sql"},
		"mysql":    {mysql.Engine{}, enginetest.MySQL(), "", "chinook/Chinook_MySql_AutoIncrementPKs.sql"},
		"mssql":    {mssql.Engine{}, enginetest.MSSQL(), "dbo", "chinook/Chinook_SqlServer_AutoIncrementPKs.sql"},
	}
}

// needServer skips a test of a side that has no server here.
func needServer(t *testing.T, dialect string) {
	t.Helper()
	if dialect == "mssql" {
		needs.SQLServer(t)
	}
}

func patiently(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// load runs a script of the dialect and reads what it made.
func load(t testing.TB, s side, script string) *designer.Schema {
	t.Helper()
	db, _ := s.server.New(t)
	enginetest.Execute(t, db, script)
	def, err := s.engine.Inspect(patiently(t), db)
	require.NoError(t, err)
	built, err := designer.Build(s.engine.Dialect(), def, &designer.Options{DefaultSchema: s.schema})
	require.NoError(t, err)
	return built
}

// run makes a definition in an empty database of the dialect and reads it.
func run(t testing.TB, s side, def designer.Definition) *designer.Schema {
	t.Helper()
	want, err := designer.Build(s.engine.Dialect(), def, &designer.Options{DefaultSchema: s.schema})
	require.NoError(t, err)
	require.NoError(t, want.Check())
	plan, err := s.engine.Script(want)
	require.NoError(t, err)
	db, _ := s.server.New(t)
	for _, step := range plan.Steps {
		_, err := db.ExecContext(patiently(t), step.Statement)
		require.NoError(t, err, "%s", step.Statement)
	}
	return inspect(t, s, db)
}

func inspect(t testing.TB, s side, db *sql.DB) *designer.Schema {
	t.Helper()
	def, err := s.engine.Inspect(patiently(t), db)
	require.NoError(t, err)
	got, err := designer.Build(s.engine.Dialect(), def, &designer.Options{DefaultSchema: s.schema})
	require.NoError(t, err)
	return got
}

// shape is what a conversion has to keep: tables, their columns, and how many
// keys, by folded names.
func shape(def designer.Definition, defaultSchema string) map[string]string {
	out := map[string]string{}
	for _, t := range def.Tables {
		var b strings.Builder
		for _, c := range t.Columns {
			b.WriteString(designer.Fold(c.Name) + " ")
			if !c.IsNullable {
				b.WriteString("not null ")
			}
			if c.IsIdentity {
				b.WriteString("identity ")
			}
			if c.IsComputed {
				b.WriteString("computed ")
			}
			if c.DefaultValue != "" {
				b.WriteString("default ")
			}
		}
		if t.PrimaryKey != nil {
			b.WriteString("key(" + designer.Fold(strings.Join(t.PrimaryKey.Columns, ",")) + ") ")
		}
		b.WriteString(strings.Repeat("reference ", len(t.ForeignKeys)) + strings.Repeat("index ", len(t.Indexes)) + strings.Repeat("check ", len(t.Checks)))
		schema := t.Schema
		if schema == defaultSchema {
			schema = ""
		}
		out[designer.Fold(schema+"."+t.Name)] = b.String()
	}
	return out
}

// scripts are the suites' own databases, which have something of everything.
func script(t testing.TB, dialect, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", dialect, "testdata", "suite", name))
	require.NoError(t, err)
	return string(text)
}

func TestConvertedDesignsAreMadeOnRealServers(t *testing.T) {
	for from := range sides() {
		for _, name := range []string{"everything.sql", "shop.sql"} {
			t.Run(from+" "+name, func(t *testing.T) {
				needServer(t, from)
				convertToAll(t, load(t, sides()[from], script(t, from, name)), from)
			})
		}
	}
}

func TestChinookIsConvertedFromEachDialectToEach(t *testing.T) {
	for from, s := range sides() {
		for name, text := range enginetest.Samples(t, s.chinook) {
			t.Run(from+" "+name, func(t *testing.T) {
				needServer(t, from)
				convertToAll(t, load(t, s, text), from)
			})
		}
	}
}

func TestAUniqueKeyInDescendingOrderIsMadeOnRealServers(t *testing.T) {
	s := load(t, sides()["sqlite"], "CREATE TABLE t (a INTEGER PRIMARY KEY, b INT, c INT, CONSTRAINT k UNIQUE (b, c DESC));")
	require.True(t, s.Definition().Tables[0].Indexes[0].Parts[1].Descending)
	convertToAll(t, s, "sqlite")
}

// convertToAll creates a design on every other server.
func convertToAll(t *testing.T, s *designer.Schema, from string) {
	for to, target := range sides() {
		if to == from {
			continue
		}
		t.Run("to "+to, func(t *testing.T) {
			def, notes, err := convert.Convert(s, target.engine.Dialect())
			require.NoError(t, err)
			for _, n := range notes {
				t.Log(n)
			}
			_, err = target.engine.Script(build(t, target, def))
			require.NoError(t, err)
			needServer(t, to)
			got := run(t, target, def)
			assert.Equal(t, shape(def, target.schema), shape(got.Definition(), target.schema))
		})
	}
}

func build(t testing.TB, s side, def designer.Definition) *designer.Schema {
	t.Helper()
	built, err := designer.Build(s.engine.Dialect(), def, &designer.Options{DefaultSchema: s.schema})
	require.NoError(t, err)
	return built
}
