package clients

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEverySystemHasItsOwnPlaces(t *testing.T) {
	none := map[string]string{}
	machines := map[string]struct {
		Machine
		env   map[string]string
		paths map[string]string
	}{
		"linux": {Machine{GOOS: "linux", Home: "/home/ann"}, none, map[string]string{
			"claude-code": "/home/ann/.claude.json", "vscode": "/home/ann/.config/Code/User/mcp.json", "cursor": "/home/ann/.cursor/mcp.json",
			"windsurf": "/home/ann/.codeium/windsurf/mcp_config.json", "zed": "/home/ann/.config/zed/settings.json",
			"codex": "/home/ann/.codex/config.toml", "gemini": "/home/ann/.gemini/settings.json",
			"opencode": "/home/ann/.config/opencode/opencode.json", "claude-desktop": "/home/ann/.config/Claude/claude_desktop_config.json",
		}},
		"macOS": {Machine{GOOS: "darwin", Home: "/Users/ann"}, map[string]string{"XDG_CONFIG_HOME": "/x"}, map[string]string{
			"claude-code": "/Users/ann/.claude.json", "vscode": "/Users/ann/Library/Application Support/Code/User/mcp.json",
			"zed": "/Users/ann/.config/zed/settings.json", "opencode": "/x/opencode/opencode.json",
			"claude-desktop": "/Users/ann/Library/Application Support/Claude/claude_desktop_config.json",
		}},
		"windows": {Machine{GOOS: "windows", Home: `C:\Users\ann`}, map[string]string{"APPDATA": `D:\Roaming`}, map[string]string{
			"claude-code": `C:\Users\ann\.claude.json`, "vscode": `D:\Roaming\Code\User\mcp.json`, "zed": `D:\Roaming\Zed\settings.json`,
			"windsurf": `C:\Users\ann\.codeium\windsurf\mcp_config.json`, "codex": `C:\Users\ann\.codex\config.toml`,
			"opencode": `C:\Users\ann\.config\opencode\opencode.json`, "claude-desktop": `D:\Roaming\Claude\claude_desktop_config.json`,
		}},
		"variables": {Machine{GOOS: "linux", Home: "/home/ann"},
			map[string]string{"XDG_CONFIG_HOME": "/x/", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/cl", "GEMINI_CLI_HOME": "/g"}, map[string]string{
				"claude-code": "/cl/.claude.json", "codex": "/c/config.toml", "gemini": "/g/.gemini/settings.json", "zed": "/x/zed/settings.json",
			}},
		"relative variables": {Machine{GOOS: "linux", Home: "/home/ann"}, map[string]string{"XDG_CONFIG_HOME": "x", "CODEX_HOME": "."}, map[string]string{
			"codex": "/home/ann/.codex/config.toml", "zed": "/home/ann/.config/zed/settings.json",
		}},
	}
	for name, tt := range machines {
		t.Run(name, func(t *testing.T) {
			tt.Getenv = func(name string) string { return tt.env[name] }
			for id, want := range tt.paths {
				targets := ByID(id).Targets(tt.Machine, User, "")
				if assert.NotEmpty(t, targets, id) {
					assert.Equal(t, want, targets[0].Path, id)
				}
			}
			assert.Empty(t, ByID("jetbrains").Targets(tt.Machine, User, ""))
			assert.Empty(t, ByID("windsurf").Targets(tt.Machine, Project, "/p"))
			assert.Equal(t, "~/.cursor/mcp.json", ByID("cursor").Targets(tt.Machine, User, "")[0].Shown)
		})
	}
}

func TestACommandIsNamedOnEverySystem(t *testing.T) {
	for command, want := range map[string]string{
		"berth": "berth", `C:\Tools\berth.exe`: "berth", `C:/Tools/BERTH.EXE`: "BERTH", "/opt/berth-full": "berth-full", "": "", ".exe": ".exe", "/": "",
	} {
		assert.Equal(t, want, name(command), command)
	}
}
