package e2e

import (
	"fmt"
	"os/exec"

	"github.com/berth-dev/berth/e2e/model"
)

// startOpencode starts opencode with a model of its user's own settings.
func startOpencode(s *clientStory) *unattended {
	m := model.Start(s.t)
	own := fmt.Sprintf(`{"model": "script/test", "autoupdate": false, "share": "disabled", "provider": {"script": {"npm": "@ai-sdk/openai-compatible", "name": "script",
		"options": {"baseURL": "%s/v1", "apiKey": "none"}, "models": {"test": {"name": "test", "tool_call": true, "limit": {"context": 1000000, "output": 10000}}}}}}`, m.URL)
	// The program itself: its npm wrapper names one package for each system, and some registries lack some.
	program := peer(s.t, "../opencode-linux-x64-baseline/bin/opencode")
	cmd := exec.Command(program, "run", "Do as the plan says.")
	cmd.Env = s.agentEnv(m, "OPENCODE_CONFIG_CONTENT="+own, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
	return startUnattended(s, m, cmd)
}
