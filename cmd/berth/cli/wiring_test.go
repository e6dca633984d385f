package cli

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

// wiredFor wires as much of a project as its designs need.
func wiredFor(t *testing.T, i instanceOf, stateDir string) *wired {
	t.Helper()
	store, err := session.OpenStore(stateDir)
	require.NoError(t, err)
	w := &wired{}
	w.manager, err = session.NewManager(store, session.Options{Dialect: dialect})
	require.NoError(t, err)
	w.keepDesigns(i)
	return w
}

func TestHandingOverLeavesTheDesignsFilesToTheSuccessor(t *testing.T) {
	i := instanceOf{root: t.TempDir(), log: slog.New(slog.DiscardHandler)}
	stateDir := t.TempDir()
	w := wiredFor(t, i, stateDir)
	d, err := w.manager.Show(t.Context(), noDatabase{})
	require.NoError(t, err)
	_, err = d.Apply(t.Context(), session.Batch{ExpectedVersion: d.Version(), Edits: []designer.Edit{
		{Op: designer.AddTable, Table: designer.TableRef{Name: "boat"}}}})
	require.NoError(t, err)
	require.NoError(t, w.handOver(i))
	file := filepath.Join(i.root, ".berth", "designs", "main.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err, "what was acknowledged is in the file")
	assert.Contains(t, string(text), `"boat"`)

	successor := wiredFor(t, i, stateDir)
	again, ok := successor.manager.ByName("main")
	require.True(t, ok)
	assert.Equal(t, d.Version(), again.Version())
	assert.Empty(t, statusOf(successor.manager, successor.designs).DesignFiles)
	require.NoError(t, successor.closeState())
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(now))
	require.NoError(t, w.closeState(), "closing again does nothing")
}

func TestStatusTellsOfADesignsFileThatIsRefused(t *testing.T) {
	i := instanceOf{root: t.TempDir(), log: slog.New(slog.DiscardHandler)}
	folder := filepath.Join(i.root, ".berth", "designs")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.json"), []byte("{"), 0o644))
	w := wiredFor(t, i, t.TempDir())
	_, err := w.manager.Show(t.Context(), noDatabase{})
	require.NoError(t, err)
	require.NoError(t, w.designs.Close()) // has heard of everything by now
	assert.Equal(t, status{ActiveDesigner: "main", SyncState: "synced", DesignFiles: []designFile{
		{File: ".berth/designs/main.json", Reason: "not taken over: line 1: unexpected EOF"}}}, statusOf(w.manager, w.designs))
	require.NoError(t, w.closeState())
}
