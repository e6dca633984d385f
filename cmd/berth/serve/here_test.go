package serve

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/presence"
)

// hereWith is the list of a project whose design has tables boat and stay.
func hereWith(t *testing.T) *here {
	t.Helper()
	r := run{Options{Root: t.TempDir(), Logger: slog.New(slog.DiscardHandler), Settings: &settings.Settings{}}}
	kept := designsFor(t, r, t.TempDir())
	t.Cleanup(func() { require.NoError(t, kept.close()) })
	d, err := kept.manager.Show(t.Context(), noDatabase{})
	require.NoError(t, err)
	_, err = d.Apply(t.Context(), session.Batch{ExpectedVersion: d.Version(), Edits: []designer.Edit{
		{Op: designer.AddTable, Table: designer.TableRef{Name: "boat"}}, {Op: designer.AddTable, Table: designer.TableRef{Name: "stay"}}}})
	require.NoError(t, err)
	h := r.newHere(&base{manager: kept.manager, notices: newNotices()})
	h.main = func() string { return "main" }
	t.Cleanup(h.Close)
	return h
}

// atOf is what the list says of an agent after a call.
func (h *here) atOf(tool, arguments string) (table string, e presence.Entry) {
	h.Began(tools.Call{Tool: tool, Arguments: json.RawMessage(arguments), Origin: tools.OriginAgent, Client: tools.Client{ID: "f", Name: "agent"}})()
	e = h.Board.List()[0]
	if e.Table != nil {
		table = e.Table.Name
	}
	return table, e
}

func TestWhatACallWasAboutIsATableThatIsThere(t *testing.T) {
	h := hereWith(t)
	h.atOf(catalog.SchemaDesigner, `{"operation":"get_overview"}`) // a call that names no open design leaves it there
	for arguments, want := range map[string]string{
		`{"operation":"get_table","payload":{"table":{"name":"BOAT"}}}`:                                                                       "main.boat",
		`{"operation":"get_table","connectionName":"Main","payload":{"table":{"schema":"main","name":"stay"}}}`:                               "main.stay",
		`{"operation":"apply_edits","payload":{"edits":[{"op":"x","table":{"name":"boat"}},{"op":"y","table":{"name":"stay"}}]}}`:             "main.stay",
		`{"operation":"apply_edits","payload":{"edits":[{"op":"add_column","table":{"name":"boat"}},{"op":"y","table":{"name":"made up"}}]}}`: "main.boat",
		`{"operation":"get_table","payload":{"table":{"name":"/etc/passwd"}}}`:                                                                "",
		`{"operation":"get_table","connectionId":"other","payload":{"table":{"name":"boat"}}}`:                                                "",
		`{"operation":"get_overview"}`: "",
		`{"payload":{"edits":17}}`:     "",
		`[]`:                           "",
	} {
		table, e := h.atOf(catalog.SchemaDesigner, arguments)
		assert.Equal(t, want, table, arguments)
		assert.Equal(t, "id", e.Connection, arguments)
	}
	for arguments, want := range map[string]string{
		`{"table":"stay"}`: "main.stay", `{"table":"main.boat","connection":"MAIN"}`: "main.boat", `{"table":"x.boat"}`: "", `{"table":1}`: "",
	} {
		table, e := h.atOf(catalog.SampleTable, arguments)
		assert.Equal(t, want, table, arguments)
		assert.Equal(t, catalog.SampleTable, e.Tool)
	}
	table, e := h.atOf(catalog.RunQuery, `{"sql":"SELECT secret FROM boat"}`)
	assert.Empty(t, table)
	assert.Equal(t, catalog.RunQuery, e.Tool)
	_, e = h.atOf(catalog.SchemaDesigner, `{"operation":"rm -rf"}`)
	assert.Equal(t, catalog.SchemaDesigner, e.Tool, "a word that is no operation is not passed on")
}

func TestCommandsOfBerthAreHereWhileTheyRun(t *testing.T) {
	h := hereWith(t)
	done := h.Began(tools.Call{Tool: catalog.SchemaDesigner, Arguments: json.RawMessage(`{"operation":"verify"}`), Client: tools.Client{ID: "c", Name: wire.CommandLine}})
	require.Len(t, h.Board.List(), 1)
	assert.Equal(t, "verify", h.Board.List()[0].Tool)
	done()
	assert.Empty(t, h.Board.List())
}

func TestAPersonIsNamedAsTheirTeamKnowsThem(t *testing.T) {
	r := run{Options{Root: filepath.Join("x", "shop"), Settings: &settings.Settings{Team: &settings.Team{Name: "ann"}}}}
	assert.Equal(t, "ann", r.self().Person)
	assert.Equal(t, "shop", r.self().Project)
	r.Settings = &settings.Settings{}
	assert.NotEmpty(t, r.self().Person)
	assert.NotContains(t, r.self().Person, `\`)
}
