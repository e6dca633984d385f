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
