package db

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestListTellsOfEveryConnection(t *testing.T) {
	root := t.TempDir()
	dbtest.SQLite(t, root, "a.db", "CREATE TABLE t (x)")
	real, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	c := connections(t, root, settings{Connections: []pool.Config{
		{Name: "gone", Path: "gone.db", Origin: filepath.Join(real, ".berth", "config.yaml") + ":2", AllowWrites: true},
		{Name: "ro", Path: "a.db", ReadOnly: true, Origin: "x:1", AllowWrites: true},
	}, Default: "RO", Notes: []string{"compose.yaml:1: \u202enote"}})
	list := c.List(t.Context())
	require.Len(t, list, 2)
	require.Error(t, list[0].Err)
	list[0].Err = nil
	assert.Contains(t, list[1].Version, "SQLite 3.")
	list[1].Version = ""
	assert.Equal(t, []pool.Info{
		{Name: "gone", Dialect: "sqlite", Server: "sqlite", Database: "gone.db", Origin: ".berth/config.yaml:2", AllowWrites: true},
		{Name: "ro", Dialect: "sqlite", Server: "sqlite", Database: "a.db", Origin: "x:1", Default: true},
	}, list)

	r := c.call(t.Context(), "list-connections", "{}")
	require.Len(t, r.Content, 2)
	var shown []map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &shown))
	assert.Equal(t, map[string]any{"name": "gone", "dialect": "sqlite", "server": "sqlite", "database": "gone.db", "origin": ".berth/config.yaml:2",
		"reachable": false, "allowWrites": true, "problem": `connection "gone": the file does not exist`}, shown[0])
	assert.Equal(t, false, shown[1]["canWrite"])
	assert.Equal(t, true, shown[1]["reachable"])
	assert.Equal(t, "Left out, or to be known:\ncompose.yaml:1: note", r.Content[1])
}

func TestAFileThatMayBeWrittenIsSaidToBe(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // another meaning of permissions
	}
	root := t.TempDir()
	path := dbtest.SQLite(t, root, "a.db", "CREATE TABLE t (x)")
	info := connections(t, root, settings{}).List(t.Context())[0]
	assert.Equal(t, "the login can write (the file is writable)", info.Privileges.String())
	require.NoError(t, os.Chmod(path, 0o400))
	if os.Geteuid() == 0 {
		return // permissions do not bind root
	}
	info = connections(t, root, settings{}).List(t.Context())[0]
	assert.Equal(t, "the login can only read", info.Privileges.String())
}

func TestAListingIsBoundedAndWaitsForNoDeadServer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp4", "127.0.0.1:0") // accepts, and never says a word
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	var list []pool.Config
	for i := range 60 {
		list = append(list, pool.Config{Name: "a" + string(rune('A'+i)), Path: strings.Repeat("x", 10_000)})
	}
	list[0] = pool.Config{Name: "silent", Dialect: "postgres", Address: dial.Address{Port: silent.Addr().(*net.TCPAddr).Port, Database: "d", SSLMode: "disable"}}
	list[1] = pool.Config{Name: "locked", Dialect: "postgres", Address: dial.Address{Port: 1, Database: "d",
		Password: func(context.Context) (string, error) { return "", errors.New("passwordCommand ended with exit code 3") }}}
	c := connections(t, t.TempDir(), settings{Connections: list, NoDiscovery: true})
	r := c.call(t.Context(), "list-connections", "{}")
	assert.Less(t, len(r.Content[0]), 64<<10)
	var shown []listedConnection
	require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &shown))
	require.Len(t, shown, 50)
	assert.Contains(t, shown[0].Problem, `connection "silent": `)
	assert.Equal(t, `connection "locked": its password cannot be had: passwordCommand ended with exit code 3`, shown[1].Problem)
}

func TestPrivilegesOfPostgresAreThoseOfTheLogin(t *testing.T) {
	t.Parallel()
	s := postgresServed(t, "CREATE TABLE a (x int); CREATE TABLE b (x int); REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	ask := func(c testProject) driver.Privileges {
		info := c.List(t.Context())[0]
		require.NoError(t, info.Err)
		return info.Privileges
	}
	assert.Equal(t, driver.Privileges{Write: true, Why: []string{"superuser"}}, ask(s.connect(t, settings{})))
	l := s.Ordinary(t)
	assert.Equal(t, driver.Privileges{}, ask(s.connect(t, settings{}, l)))
	s.Exec(t, "GRANT DELETE ON b TO "+l.User+"; GRANT CREATE ON SCHEMA public TO "+l.User)
	assert.Equal(t, driver.Privileges{Write: true, Why: []string{"CREATE in 1 schema", "changes 1 of 2 tables"}}, ask(s.connect(t, settings{}, l)))
}
