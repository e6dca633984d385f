package serve

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
)

// What waits for trust stands apart from the rights that changed: an editor asks
// for it itself, and its designer tab would say it a second time.
func TestWhatWaitsForTrustStandsApartFromWhatChanged(t *testing.T) {
	var terminal bytes.Buffer
	var heard []any
	a := &rightsAnnouncer{root: "app", terminal: &terminal, log: slog.New(slog.DiscardHandler), announce: func(n any) { heard = append(heard, n) }}
	safe := &settings.Settings{Files: settings.Files{Mode: "safe"}}
	a.announceChanges(safe, connections.Set{})
	assert.Empty(t, heard)

	ask := settings.Ask{Digest: "d", Key: "files.mode", Words: "edits files without asking", File: "config.yaml", Line: 1}
	a.announceChanges(safe, connections.Set{Asks: []settings.Ask{ask}})
	waits := []string{"waits for your trust: config.yaml:1 edits files without asking"}
	assert.Equal(t, []any{rightsNotice{Type: noticeTrust, Waits: waits}}, heard)
	assert.Contains(t, terminal.String(), waits[0]+"\n")

	ask.Trusted, heard = true, nil
	a.announceChanges(&settings.Settings{Files: settings.Files{Mode: "fast"}}, connections.Set{Asks: []settings.Ask{ask}})
	assert.Equal(t, []any{rightsNotice{Type: noticeTrust, Lines: []string{"rights changed: files.mode is fast now, it was safe"}}}, heard)
}
