package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

const storeConnection = "connections: {main: {path: files.db}, shop: {url: 'mysql://root@localhost/shop'}}\n"

func TestAStoreOfTheUsersOwnIsInForce(t *testing.T) {
	p := newPlace(t, map[string]string{own: storeConnection,
		global: "files: {store: {connection: main, table: app.files, project: 7, mount: /src/game/, columns: {content: body}}}\n"})
	s, err := p.load()
	require.NoError(t, err)
	require.NotNil(t, s.Files.Store)
	assert.Equal(t, settings.Store{Connection: "main", Table: "app.files", Project: "7", Mount: "src/game", Columns: settings.StoreColumns{Content: "body"}}, *s.Files.Store)
	assert.Empty(t, s.Asks())
	var keys []string
	for _, v := range s.Values() {
		if len(v.Key) > 12 && v.Key[:12] == "files.store." {
			keys = append(keys, v.Key)
			assert.Equal(t, settings.LevelGlobal, v.Level)
		}
	}
	assert.Equal(t, []string{"files.store.connection", "files.store.table", "files.store.project", "files.store.mount", "files.store.columns.content"}, keys)
}

func TestAProjectAsksForItsStore(t *testing.T) {
	p := untrusting(t, map[string]string{own: storeConnection + "files: {store: {connection: main, table: files, project: p1, mount: game}}\n"})
	s, err := p.load()
	require.NoError(t, err)
	assert.Nil(t, s.Files.Store, "before it is trusted")
	asks := s.Asks()
	require.Len(t, asks, 1)
	assert.Equal(t, "files.store", asks[0].Key)
	assert.Equal(t, "has agents read and edit, as files, the rows of table files of the connection main, project p1, below the folder game (files.store)", asks[0].Words)
	p.src.Trusted = func(digest string) bool { return digest == asks[0].Digest }
	s, err = p.load()
	require.NoError(t, err)
	require.NotNil(t, s.Files.Store)
	assert.Nil(t, s.Withdrawn(func(string) bool { return false }).Files.Store)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, own), []byte(storeConnection+"files: {store: {connection: main, table: users, project: p1, mount: game}}\n"), 0o600))
	s, err = p.load()
	require.NoError(t, err)
	assert.Nil(t, s.Files.Store, "another table is another ask")
}

func TestAStoreThatCannotBeIsAnErrorWithItsLine(t *testing.T) {
	for store, want := range map[string]string{
		"{table: files}":                                          "config.yaml:2: files.store.connection: is missing",
		"{connection: main}":                                      "files.store.table: is missing",
		"{connection: main, table: files, tabel: x}":              "files.store.tabel: is not a setting of a store",
		"{connection: main, table: files, columns: {id: x}}":      "files.store.columns.id: is not a setting of a store",
		"{connection: main, table: files, mount: ../up}":          "files.store.mount: must be a folder of the project",
		"{connection: main, table: files, mount: .berth/x}":       "files.store.mount: must not be in .berth",
		"{connection: main, table: files, columns: {project: x}}": "files.store.columns.project: names a column",
		"{connection: mian, table: files}":                        "files.store.connection: no connection is called \"mian\"",
		"{connection: shop, table: files}":                        "files.store.connection: connection \"shop\" is mysql: files are kept in PostgreSQL or SQLite",
		"main":                                                    "files.store: must be a mapping",
	} {
		p := newPlace(t, map[string]string{own: storeConnection, global: "\nfiles: {store: " + store + "}\n"})
		_, err := p.load()
		assert.ErrorContains(t, err, want)
	}
}
