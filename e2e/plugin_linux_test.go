package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// TestClaudeCodeStartsThePluginsServer has Claude Code start what the plugin
// names: npx, which installs that version of berth into an empty home.
func TestClaudeCodeStartsThePluginsServer(t *testing.T) {
	long.Thoroughly(t) // npm packs and unpacks 50 MB
	t.Parallel()
	s := clientWorld(t)
	s.npmHome()
	plugin, err := filepath.Abs(filepath.Join("..", "cmd", "claude"))
	require.NoError(t, err)
	c := startClaude(s, claudeNow, "--plugin-dir", plugin)
	c.untilListed("get-tables")
	s.client = c
	s.tables()
	s.design()
	installed, err := filepath.Glob(filepath.Join(s.dir, "user", ".npm", "_npx", "*", "node_modules", "@berth-dev", "linux-*", "bin", "berth"))
	require.NoError(t, err)
	assert.Len(t, installed, 1, "npx has installed it")
}

// untilListed has the client end turns until it lists a tool: it does not wait
// for a server whose start takes longer, as that of one that npx installs does.
func (c *claude) untilListed(tool string) {
	c.s.t.Helper()
	ctx, stop := c.s.inTime()
	defer stop()
	for {
		offered, named, err := c.model.Tools(ctx)
		require.NoError(c.s.t, err)
		for _, name := range append(offered, named...) {
			if strings.HasSuffix(name, "__"+tool) {
				return
			}
		}
		require.NoError(c.s.t, c.model.Say(ctx, "Not yet."))
		receive(c.s.t, c.ended, "the end of the turn")
		c.prompt()
	}
}
