package serve

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/proxy/wire"
)

// noDatabase is a connection to nothing, of which a design can be made.
type noDatabase struct{}

func (noDatabase) ID() string                 { return "id" }
func (noDatabase) Name() string               { return "main" }
func (noDatabase) Dialect() *designer.Dialect { return sqlite.Dialect() }
func (noDatabase) DefaultSchema() string      { return sqlite.DefaultSchema }
func (noDatabase) Target() designer.Target    { return designer.Target{Server: "sqlite"} }
func (noDatabase) Read(context.Context) (designer.Definition, error) {
	return designer.Definition{}, nil
}

// designsFor opens as much of a project as its designs need.
func designsFor(t *testing.T, r run, stateDir string) designState {
	t.Helper()
	store, err := session.OpenStore(stateDir)
	require.NoError(t, err)
	manager, err := session.NewManager(store, session.Options{Dialect: dialect})
	require.NoError(t, err)
	return designState{manager: manager, files: r.keepDesigns(manager)}
}

func TestHandingOverLeavesTheDesignsFilesToTheSuccessor(t *testing.T) {
	r := run{Options{Root: t.TempDir(), Logger: slog.New(slog.DiscardHandler)}}
	stateDir := t.TempDir()
	kept := designsFor(t, r, stateDir)
	d, err := kept.manager.Show(t.Context(), noDatabase{})
	require.NoError(t, err)
	_, err = d.Apply(t.Context(), session.Batch{ExpectedVersion: d.Version(), Edits: []designer.Edit{
		{Op: designer.AddTable, Table: designer.TableRef{Name: "boat"}}}})
	require.NoError(t, err)
	require.NoError(t, r.handOver(kept))
	file := filepath.Join(r.Root, ".berth", "designs", "main.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err, "what was acknowledged is in the file")
	assert.Contains(t, string(text), `"boat"`)

	successor := designsFor(t, r, stateDir)
	again, ok := successor.manager.ByName("main")
	require.True(t, ok)
	assert.Equal(t, d.Version(), again.Version())
	assert.Empty(t, successor.status(0).DesignFiles)
	require.NoError(t, successor.close())
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(now))
	require.NoError(t, kept.close(), "closing again does nothing")
}

func TestStatusTellsOfADesignsFileThatIsRefused(t *testing.T) {
	r := run{Options{Root: t.TempDir(), Logger: slog.New(slog.DiscardHandler)}}
	folder := filepath.Join(r.Root, ".berth", "designs")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.json"), []byte("{"), 0o644))
	kept := designsFor(t, r, t.TempDir())
	_, err := kept.manager.Show(t.Context(), noDatabase{})
	require.NoError(t, err)
	require.NoError(t, kept.files.Close()) // has heard of everything by now
	assert.Equal(t, wire.Status{ActiveDesigner: "main", SyncState: "synced", DesignFiles: []wire.DesignFile{
		{File: ".berth/designs/main.json", Reason: "not taken over: line 1: unexpected EOF"}}}, kept.status(0))
	require.NoError(t, kept.close())
}
