package db

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
)

var _ session.Database = (*source.Source)(nil)

func TestACallMeansOneDatabase(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "a.db", "CREATE TABLE in_a (x)")
	dbtest.SQLite(t, root, "sub/b.db", "CREATE TABLE in_b (x)")
	a, b := pool.Config{Name: "Main", Path: "a.db"}, pool.Config{Name: "other", Path: "sub/b.db"}
	for _, tt := range []struct {
		name      string
		opts      settings
		arguments string
		want      string
	}{
		{"the only one of the settings, whatever else is found", settings{Connections: []pool.Config{b}}, "{}", `["in_b"]`},
		{"the default of the settings", settings{Connections: []pool.Config{a, b}, Default: "MAIN"}, "{}", `["in_a"]`},
		{"one by name, ignoring case", settings{Connections: []pool.Config{a, b}}, `{"connection":"Other"}`, `["in_b"]`},
		{"a found one beside those of the settings", settings{Connections: []pool.Config{a}}, `{"connection":"sub/b.db"}`, `["in_b"]`},
		{"several of the settings without a default", settings{Connections: []pool.Config{a, b}}, "{}",
			"this project has several databases; say which with the argument connection: Main, other. A person makes one the default with default: in .berth/config.yaml"},
		{"several found", settings{}, "{}", "this project has several databases; say which with the argument connection: a.db, sub/b.db. A person makes one the default with default: in .berth/config.yaml"},
		{"an unknown one", settings{Connections: []pool.Config{a}}, `{"connection":"mian"}`, `no connection is named "mian"; known: Main, sub/b.db`},
		{"none known", settings{NoDiscovery: true}, `{"connection":"x"}`, `no connection is named "x", and none is known at all`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := connections(t, root, tt.opts).call(t.Context(), "get-tables", tt.arguments)
			assert.Equal(t, []string{tt.want}, r.Content)
			assert.Equal(t, !strings.HasPrefix(tt.want, "["), r.IsError)
		})
	}
}

func TestADatabaseThatCannotBeOpenedHasTheDocumentsSentence(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "text.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
	secret := dbtest.SQLite(t, outside, "secret.db", "CREATE TABLE t (a)")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(secret, filepath.Join(root, "link.db")))
	} else {
		dbtest.SQLite(t, root, "link.db", "")
	}
	const away = "the file is outside of the project, where its connection may not lead"
	for _, tt := range []struct {
		name  string
		list  []pool.Config
		cause string
	}{
		{"missing", []pool.Config{{Name: "x", Path: "missing.db"}}, `connection "x": the file does not exist`},
		{"no database", []pool.Config{{Name: "x", Path: "text.db"}}, `connection "x": the file is not a SQLite database, or it is encrypted`},
		{"a folder", []pool.Config{{Name: "x", Path: "."}}, `connection "x": not a regular file`},
		{"outside", []pool.Config{{Name: "x", Path: secret}}, `connection "x": ` + away},
		{"outside by dots", []pool.Config{{Name: "x", Path: "../" + filepath.Base(outside) + "/secret.db"}}, `connection "x": `},
		{"none at all", nil, "this project has no database that berth knows: no connection in its settings and no SQLite file below its root; create one, or name one in .berth/config.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := connections(t, root, settings{Connections: tt.list})
			for _, tool := range []string{"get-tables", "get-schema", "get-database-type", "run-query"} {
				arguments := "{}"
				switch tool {
				case "get-schema":
					arguments = `{"table":"t"}`
				case "run-query":
					arguments = `{"query":"SELECT 1"}`
				}
				r := c.call(t.Context(), tool, arguments)
				require.Len(t, r.Content, 2, tool)
				assert.Equal(t, "Could not establish database connection", r.Content[0])
				assert.Contains(t, r.Content[1], tt.cause)
				assert.True(t, r.IsError)
			}
		})
	}
	if runtime.GOOS != "windows" {
		r := connections(t, root, settings{Connections: []pool.Config{{Name: "x", Path: "link.db"}}}).call(t.Context(), "get-tables", "{}")
		assert.Contains(t, r.Content[1], away)
	}
	r := connections(t, root, settings{Connections: []pool.Config{{Name: "x", Path: secret, Outside: true}}}).call(t.Context(), "get-tables", "{}")
	assert.Equal(t, tools.Reply{Content: []string{`["t"]`}}, r)
}

func TestADatabaseThatAppearsLaterIsReadThen(t *testing.T) {
	root := t.TempDir()
	c := connections(t, root, settings{Connections: []pool.Config{{Name: "x", Path: "app.db"}}})
	assert.True(t, c.call(t.Context(), "get-tables", "{}").IsError)
	dbtest.SQLite(t, root, "app.db", "CREATE TABLE t (a)")
	assert.Equal(t, tools.Reply{Content: []string{`["t"]`}}, c.call(t.Context(), "get-tables", "{}"))
}

func TestASourceIsWhatTheDesignerReads(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "data/app.db", shop)
	c := connections(t, root, settings{})
	list := c.All(t.Context())
	require.Len(t, list, 1)
	s, err := c.Source(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, list[0], s)
	assert.Equal(t, "data/app.db", s.ID())
	assert.Equal(t, "data/app.db", s.Name())
	assert.Equal(t, designer.Target{Server: "sqlite", Database: "data/app.db"}, s.Target())
	def, err := s.Read(t.Context())
	require.NoError(t, err)
	_, err = designer.Build(s.Dialect(), def, &designer.Options{DefaultSchema: s.DefaultSchema()})
	require.NoError(t, err)
	assert.Equal(t, sqlite.DefaultSchema, def.Tables[0].Schema)
	assert.Len(t, def.Tables, 2)

	require.NoError(t, os.Remove(filepath.Join(root, "data", "app.db")))
	_, err = s.Read(t.Context())
	var connect *dial.ConnectError
	assert.ErrorAs(t, err, &connect)
}
