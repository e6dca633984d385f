package e2e

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/berth-dev/berth/e2e/model"
	"github.com/stretchr/testify/require"
)

// startGemini starts Gemini CLI in a folder that its user trusts.
func startGemini(s *clientStory) *unattended {
	m := model.Start(s.t)
	home := filepath.Join(s.dir, "user", ".gemini")
	require.NoError(s.t, os.MkdirAll(home, 0o700))
	own := `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}`
	require.NoError(s.t, os.WriteFile(filepath.Join(home, "settings.json"), []byte(own), 0o600))
	cmd := exec.Command(peer(s.t, "gemini"), "--prompt", "Do as the plan says.", "--yolo", "--model", "gemini-2.5-flash")
	cmd.Env = s.agentEnv(m, "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.URL, "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false")
	return startUnattended(s, m, cmd)
}
