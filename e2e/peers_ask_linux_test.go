package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A real client with a person at its terminal: mcpdo, of the MCP Inspector.
func TestARealClientAsksForAChoice(t *testing.T) {
	long.Thoroughly(t)
	mcpdo := peer(t, "mcpdo")
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			w := newWorld(t)
			require.NoError(t, os.MkdirAll(filepath.Join(w.dir, "user"), 0o700))
			short, err := os.MkdirTemp("", "mcpdo") // for its socket, whose path is bounded
			require.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(short) })
			w.env = append(without(w.env, "PATH"), "MCP_INSPECTOR_DAEMON_DIR="+short,
				"PATH="+filepath.Dir(mcpdo)+string(os.PathListSeparator)+os.Getenv("PATH"))
			d := fileEdit(t, w)
			w.serve(d.root)
			out, err := runPeer(t, w, mcpdo, "connect", "--era", era, "--elicit", "form", "-e", "BERTH_HOME="+w.home, "--connection", "it", "--", binary, "mcp")
			require.NoError(t, err, out)
			t.Cleanup(func() { _, _ = runPeer(t, w, mcpdo, "daemon", "stop") }) // it holds the connection
			args, err := json.Marshal(with(d.args, "projectRoot", d.root))
			require.NoError(t, err)
			press := func(key string) string {
				submit := &terminalInput{prompt: "Press Enter to submit"}
				got := w.programAtTTY(d.root, terminalInput{prompt: "Enter a number:", text: key, then: submit}, mcpdo, "--plain", "--connection", "it", "tools/call", d.tool, string(args))
				assert.Contains(t, got.stdout, strings.ReplaceAll("app: Edit berths.txt (+1 -1)\n"+d.shown, "\n", "\r\n"), "the whole question")
				return strings.ReplaceAll(got.stdout, `": `, `":`) // structured content is printed in lines of its own
			}
			assert.Contains(t, press("2"), `"reason":"declined"`)
			assert.Zero(t, d.done())
			assert.Contains(t, press("1"), `"success":true`)
			assert.Equal(t, 1, d.done())
		})
	}
}
