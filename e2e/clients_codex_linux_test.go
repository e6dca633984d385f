package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/berth-dev/berth/e2e/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// approveLine is what docs/clients.md has a user of Codex add.
const approveLine = `default_tools_approval_mode = "approve"`

// codexWithoutTheLine is Codex on its own as berth init leaves it: it has berth
// read, and asks it nothing that could write.
func codexWithoutTheLine(s *clientStory) {
	s.register("codex")
	s.client = startCodex(s)
	s.tables()
	assert.Contains(s.t, s.ask(s.shop, designer, map[string]any{"operation": "show"}), "approval policy is never")
}

// addApproveLine adds the line that docs/clients.md names, where it says.
func (s *clientStory) addApproveLine() {
	s.t.Helper()
	file := filepath.Join(s.shop, ".codex", "config.toml")
	text, err := os.ReadFile(file)
	require.NoError(s.t, err)
	require.NoError(s.t, os.WriteFile(file, append(text, approveLine+"\n"...), 0o644))
}

// startCodex starts codex exec, in a project that its user trusts.
func startCodex(s *clientStory) *unattended {
	m := model.Start(s.t)
	home := filepath.Join(s.dir, "user", ".codex")
	require.NoError(s.t, os.MkdirAll(home, 0o700))
	require.NoError(s.t, os.WriteFile(filepath.Join(home, "config.toml"), fmt.Appendf(nil, `model = "gpt-5"
model_provider = "script"
[model_providers.script]
name = "script"
base_url = "%s/v1"
wire_api = "responses"
[projects."%s"]
trust_level = "trusted"
`, m.URL, s.shop), 0o600))
	cmd := exec.Command(peer(s.t, "codex"), "exec", "--skip-git-repo-check", "Do as the plan says.")
	cmd.Env = s.agentEnv(m)
	return startUnattended(s, m, cmd)
}
