package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
)

// npmInstalled is a folder as npm install leaves it, with the program that is
// tested. It returns npm's script and the native program.
func npmInstalled(t *testing.T) (script, native string) {
	t.Helper()
	cpu, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok {
		t.Skip("there is no npm package for " + runtime.GOARCH)
	}
	scope := filepath.Join(t.TempDir(), "node_modules", "@berth-dev")
	copied := func(from string, to ...string) string {
		path := filepath.Join(append([]string{scope}, to...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o755))
		return path
	}
	script = copied(filepath.Join("..", "cmd", "npm", "berth.js"), "berth", "berth.js")
	native = copied(binary, "linux-"+cpu, "bin", "berth")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(native), "installed-by"), []byte("npm\n"), 0o644))
	return script, native
}

// nodes are the Node of the path, and one that replaces itself.
func nodes(t *testing.T) map[string]string {
	needs.Program(t, "node")
	inPath, err := exec.LookPath("node")
	require.NoError(t, err)
	newer := peerFile(t, "node", "bin", "node")
	version, err := exec.Command(newer, "-p", "typeof process.execve").Output()
	require.NoError(t, err)
	require.Equal(t, "function\n", string(version), "the Node of e2e/peers is to be one that can")
	return map[string]string{"the path's": inPath, "one that replaces itself": newer}
}

func TestNPMsScriptBecomesTheProgram(t *testing.T) {
	for name, node := range nodes(t) {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			script, native := npmInstalled(t)
			got := w.run(node, "", script, "version", "--json")
			require.Zero(t, got.code, got.stderr)
			var version struct{ Installed struct{ By, Program string } }
			require.NoError(t, json.Unmarshal([]byte(got.stdout), &version))
			assert.Equal(t, "npm", version.Installed.By)
			assert.Equal(t, native, version.Installed.Program)
			assert.Equal(t, 2, w.run(node, "", script, "nonsense").code, "the exit code is the program's")

			// What init writes starts no Node.
			root := w.project("app", twoTables)
			require.NoError(t, os.MkdirAll(filepath.Join(w.dir, "user"), 0o755))
			got = w.run(node, root, script, "init", "--client", "claude-code", "--yes")
			require.Zero(t, got.code, got.stderr)
			file, err := os.ReadFile(filepath.Join(root, ".mcp.json"))
			require.NoError(t, err)
			assert.Contains(t, string(file), `"`+native+`"`)

			// A signal ends the program, and it gives its port back.
			in, err := w.starting(exec.Command(node, script, "serve", root, "--json"))
			require.NoError(t, err)
			require.NoError(t, in.cmd.Process.Signal(syscall.SIGTERM))
			in.wait()
			assert.Empty(t, w.portMap())
		})
	}
}

func TestNPMsScriptSaysWhatNPMLeftOut(t *testing.T) {
	for name, node := range nodes(t) {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			script, native := npmInstalled(t)
			require.NoError(t, os.Remove(native))
			got := w.run(node, "", script, "version")
			assert.Equal(t, 1, got.code)
			assert.Contains(t, got.stderr, "berth: the package @berth-dev/linux-")
			assert.Contains(t, got.stderr, "hint: install again without --omit=optional")
		})
	}
}

// TestThePluginIsWhatClaudeCodeTakes has Claude Code's own validator read it.
func TestThePluginIsWhatClaudeCodeTakes(t *testing.T) {
	w := newWorld(t)
	claude := peerFile(t, claudeNow, "bin", "claude.exe")
	for _, path := range []string{".", ".claude-plugin/plugin.json"} {
		got := w.run(claude, "", "plugin", "validate", "--strict", filepath.Join("..", "cmd", "claude", path))
		assert.Zero(t, got.code, got.stdout+got.stderr)
	}
}

// TestTheSkillNamesWhatThereIs compares the words in code of SKILL.md with the
// tools, their operations and the commands: a skill that is wrong is obeyed.
func TestTheSkillNamesWhatThereIs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "cmd", "claude", "skills", "berth", "SKILL.md"))
	require.NoError(t, err)
	readme := readREADME(t)
	known := []string{"berth", "projectRoot", "table", "name", "version", "expectedVersion", "stale_state", "old_text", "set_table", "set_column"}
	seen := 0
	for _, code := range regexp.MustCompile("`([a-zA-Z_-]+)`").FindAllStringSubmatch(string(text), -1) {
		seen++
		word := code[1]
		found := strings.Contains(readme, "`"+word+"`")
		for _, k := range known {
			found = found || k == word
		}
		assert.True(t, found, "SKILL.md says %s, and the README knows no such tool or operation", word)
	}
	assert.Greater(t, seen, 15)
}
