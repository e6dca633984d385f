package serve

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/pageapi"
)

// beginner is one on a project, whose connections follow what is written.
func beginner(t *testing.T, config string) (p pageDesigns, file string) {
	t.Helper()
	root := t.TempDir()
	file = settings.ProjectFile(root)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	if config != "" {
		require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	}
	databases, err := pool.New(root, pool.Options{NoDiscovery: true})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, databases.Close()) })
	draft := func(draft []byte) (*settings.Settings, error) {
		return settings.Load(root, settings.Sources{Draft: draft, Trusted: func(string) bool { return false }})
	}
	return pageDesigns{root: root, draft: draft, databases: databases}, file
}

func TestADryRunSaysWhatWouldBeBegunAndWritesNothing(t *testing.T) {
	p, file := beginner(t, "")
	reply, err := p.Begin(t.Context(), pageapi.NewDesign{Text: "CREATE TABLE a (id serial);", DryRun: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"postgres", "sql", "serial"}, []string{reply.Dialect, reply.Guess.Format, reply.Guess.Because})
	assert.NotEmpty(t, reply.Name, "after the folder")
	reply, err = p.Begin(t.Context(), pageapi.NewDesign{Name: "x", Text: "hello", DryRun: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "sqlite", ""}, []string{reply.Name, reply.Dialect, reply.Guess.Format})
	assert.NoFileExists(t, file)
	for _, n := range []pageapi.NewDesign{{Dialect: "oracle"}, {Name: "a b"}} {
		n.DryRun = true
		_, err := p.Begin(t.Context(), n)
		require.ErrorAs(t, err, new(*pageapi.Error))
	}
}

func TestWhatStandsInTheSettingsStaysWhenADesignIsBegun(t *testing.T) {
	const before = "# ours\nidleTimeout: 5m\nconnections:\n  main: {path: app.db} # the shop\n"
	p, file := beginner(t, before)
	require.NoError(t, p.write(settings.NewConnection{Name: "shop", Design: "mysql"}))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, before+"  shop: {dialect: mysql, design: true}\n", string(got))
	require.ErrorAs(t, p.write(settings.NewConnection{Name: "shop", Design: "mysql"}), new(*pageapi.Error), "the name is there already")

	p, file = beginner(t, "{connections: {main: {path: app.db}}}\n")
	require.ErrorContains(t, p.write(settings.NewConnection{Name: "shop", Design: "mysql"}), "Write it in by hand: connections: /   shop: {dialect: mysql, design: true}")
	got, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "{connections: {main: {path: app.db}}}\n", string(got))
}

func TestANewDesignIsAwaited(t *testing.T) {
	p, _ := beginner(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.await(ctx, "shop")
	require.ErrorContains(t, err, "load the page again")
	p.databases.Update([]pool.Config{{Name: "shop", Dialect: "sqlite", Design: true}}, "", nil)
	id, err := p.await(t.Context(), "shop")
	require.NoError(t, err)
	assert.Equal(t, "shop", id)
	_, err = p.Begin(t.Context(), pageapi.NewDesign{Name: "SHOP"})
	require.ErrorContains(t, err, "taken")
	assert.Equal(t, "shop-2", freeName("shop", p.databases.Known(t.Context())))
}

// maker is one that has a design without a database.
func maker(t *testing.T, config string, more ...pool.Config) (p pageDesigns, file string) {
	t.Helper()
	p, file = beginner(t, config)
	p.databases.Update(append([]pool.Config{{Name: "shop", Dialect: "sqlite", Design: true}, {Name: "far", Dialect: "mysql", Design: true}}, more...), "", nil)
	return p, file
}

func TestAFileForADesignIsMadeInTheProjectOnly(t *testing.T) {
	p, file := maker(t, "connections:\n  shop: {dialect: sqlite, design: true}\n", pool.Config{Name: "old", Path: "old.db"})
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(p.root, "there.db"), []byte("mine"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(p.root, "link")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "far.db"), filepath.Join(p.root, "far.db")))
	for path, why := range map[string]string{
		"":              "name a file",
		"data/":         "name a file",
		"a\x00.db":      "name a file",
		"../x.db":       "leads out of the project",
		"/tmp/x.db":     "leads out of the project",
		"link/x.db":     "leads out of the project",
		"far.db":        "is there already",
		".berth/x.db":   "among the files of git or berth",
		"a/.GIT/x.db":   "among the files of git or berth",
		"there.db":      "run berth connect there.db",
		"data/x.db":     "the folder data is not there",
		"there.db/x.db": "cannot be made",
	} {
		_, err := p.NewFile(t.Context(), "shop", pageapi.NewFile{Path: path})
		require.ErrorAs(t, err, new(*pageapi.Error), path)
		assert.ErrorContains(t, err, why, path)
	}
	for connection, why := range map[string]string{"far": "a design for mysql", "old": "published to its own", "nobody": "published to its own"} {
		_, err := p.NewFile(t.Context(), connection, pageapi.NewFile{Path: "x.db"})
		assert.ErrorContains(t, err, why)
	}
	assert.NoFileExists(t, filepath.Join(p.root, "x.db"))
	got, err := os.ReadFile(filepath.Join(p.root, "there.db"))
	require.NoError(t, err)
	assert.Equal(t, "mine", string(got))
	there, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, there)
	config, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "connections:\n  shop: {dialect: sqlite, design: true}\n", string(config))
}

func TestAFileForADesignIsNamedInTheSettings(t *testing.T) {
	p, file := maker(t, "", pool.Config{Name: "main", Path: "main.db"}, pool.Config{Name: "data-app", Path: "data-app.db"})
	require.NoError(t, os.Mkdir(filepath.Join(p.root, "data"), 0o700))
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // it is not awaited: nothing reads the settings here
	_, err := p.NewFile(ctx, "shop", pageapi.NewFile{Path: " data/../data/app.db"})
	require.ErrorContains(t, err, "load the page again")
	config, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "connections:\n  app: {path: data/app.db}\n", string(config))
	assert.FileExists(t, filepath.Join(p.root, "data", "app.db"))

	reply, err := p.NewFile(t.Context(), "shop", pageapi.NewFile{Path: "main.db"})
	require.NoError(t, err)
	assert.Equal(t, pageapi.NewFileReply{Connection: "main", Name: "main", Path: "main.db", File: ".berth/config.yaml"}, reply, "the settings name it already")

	p, file = maker(t, "{connections: {main: {path: app.db}}}\n")
	_, err = p.NewFile(t.Context(), "shop", pageapi.NewFile{Path: "x.db"})
	require.ErrorContains(t, err, "Write it in by hand")
	assert.NoFileExists(t, filepath.Join(p.root, "x.db"), "what the settings do not take is removed again")
	config, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "{connections: {main: {path: app.db}}}\n", string(config))
}
