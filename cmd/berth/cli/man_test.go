package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryListedCommandHasAPage(t *testing.T) {
	dir := t.TempDir()
	root := newRoot(&app{})
	require.NoError(t, writeManual(root, dir))
	var walk func(cmd *cobra.Command)
	seen := 0
	walk = func(cmd *cobra.Command) {
		seen++
		text, err := os.ReadFile(filepath.Join(dir, manName(cmd)+".1"))
		require.NoError(t, err)
		page := string(text)
		assert.Contains(t, page, ".SH \"NAME\"\n"+strings.ReplaceAll(manName(cmd), "-", `\-`)+` \- `)
		for _, sub := range listed(cmd) {
			assert.Contains(t, page, `\fB`+roff(manName(sub))+`\fR(1)`)
			walk(sub)
		}
	}
	walk(root)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, seen)
	assert.NoFileExists(t, filepath.Join(dir, "berth-man.1"), "a hidden command has no page")
}

// TestAManualPageKeepsTheText: roff takes a line that begins with a dot, and a
// backslash anywhere, for a command.
func TestAManualPageKeepsTheText(t *testing.T) {
	cmd := &cobra.Command{Use: "test DIR", Short: "Show", Long: ".berth is a folder\nC:\\src 'quoted' --json", Example: "  test '{\"a\": 1}' ~/app", Run: func(*cobra.Command, []string) {}}
	cmd.Flags().String("out", "", "write to `FILE`")
	page := manPage(cmd)
	assert.Contains(t, page, "\n"+`\&.berth is a folder`+"\n"+`C:\esrc \(aqquoted\(aq \-\-json`+"\n")
	assert.Contains(t, page, `  test \(aq{"a": 1}\(aq \(ti/app`)
	assert.Contains(t, page, ".TP\n"+`\fB\-\-out\fR FILE`+"\nwrite to FILE\n")
	for line := range strings.Lines(page) {
		assert.NotContains(t, strings.TrimPrefix(line, "'"), "\t")
	}
}
