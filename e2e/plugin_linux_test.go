package e2e

import (
	"path/filepath"
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
	s.client = startClaude(s, claudeNow, "--plugin-dir", plugin)
	s.tables()
	s.design()
	installed, err := filepath.Glob(filepath.Join(s.dir, "user", ".npm", "_npx", "*", "node_modules", "@berth-dev", "linux-*", "bin", "berth"))
	require.NoError(t, err)
	assert.Len(t, installed, 1, "npx has installed it")
}
