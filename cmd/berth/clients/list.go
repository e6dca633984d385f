package clients

// Each client is described as its own documentation or source says, looked up
// on 23 November 2026.

// https://code.claude.com/docs/en/mcp: project scope is .mcp.json in the
// project's root, user scope the top of ~/.claude.json. CLAUDE_CONFIG_DIR
// moves the latter (anthropics/claude-code issue 48448). Comments are refused:
// "MCP config is not a valid JSON", seen with 2.1.197 and 2.1.329.
func claudeCode() *Client {
	servers := jsonServers{client: "Claude Code", rule: plainJSON, list: "mcpServers"}
	return &Client{
		ID: "claude-code", Name: "Claude Code", Docs: "https://code.claude.com/docs/en/mcp",
		After:    map[Scope]string{Project: "Claude Code asks once whether the project's servers may start"},
		programs: []string{"claude"},
		traces:   func(m Machine) []string { return []string{m.claudeConfig(), m.home(".claude")} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".mcp.json"}, "Claude Code starts berth mcp", servers},
				{User, []string{m.claudeConfig()}, "Claude Code starts berth mcp", servers},
			}
		},
	}
}

// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: the
// member is "servers", type is required; .vscode/mcp.json or mcp.json of the
// user's profile, both JSON with comments as all of its settings. Tasks:
// https://code.visualstudio.com/docs/debugtest/tasks#_run-behavior.
func vsCode() *Client {
	servers := jsonServers{client: "VS Code", rule: commentedJSON, list: "servers", first: []member{{"type", "stdio"}}}
	return &Client{
		ID: "vscode", Name: "VS Code", Docs: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
		After: map[Scope]string{
			Project: "VS Code asks on opening the folder whether its tasks and servers may start",
			User:    "run berth serve in each project: the task that does so is a project's (berth init --client vscode)",
		},
		programs: []string{"code"},
		traces:   func(m Machine) []string { return []string{m.config("Code", "User")} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".vscode", "mcp.json"}, "VS Code's agent starts berth mcp", servers},
				{Project, []string{".vscode", "tasks.json"}, "VS Code runs berth serve while the folder is open", tasksFile{}},
				{User, []string{m.config("Code", "User", "mcp.json")}, "VS Code's agent starts berth mcp", servers},
			}
		},
	}
}

// https://cursor.com/docs/mcp.md: .cursor/mcp.json and ~/.cursor/mcp.json,
// plain JSON as far as it says.
func cursor() *Client {
	servers := jsonServers{client: "Cursor", rule: plainJSON, list: "mcpServers", first: []member{{"type", "stdio"}}}
	return &Client{
		ID: "cursor", Name: "Cursor", Docs: "https://cursor.com/docs/mcp.md",
		After:    map[Scope]string{Project: "switch berth on in Cursor's settings, Tools & MCP", User: "switch berth on in Cursor's settings, Tools & MCP"},
		programs: []string{"cursor"},
		traces:   func(m Machine) []string { return []string{m.home(".cursor")} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".cursor", "mcp.json"}, "Cursor starts berth mcp", servers},
				{User, []string{m.home(".cursor", "mcp.json")}, "Cursor starts berth mcp", servers},
			}
		},
	}
}

// https://docs.windsurf.com/windsurf/cascade/mcp: one file, for the user.
func windsurf() *Client {
	return &Client{
		ID: "windsurf", Name: "Windsurf", Docs: "https://docs.windsurf.com/windsurf/cascade/mcp",
		After:    map[Scope]string{User: "press refresh in Windsurf's list of MCP servers"},
		programs: []string{"windsurf"},
		traces:   func(m Machine) []string { return []string{m.home(".codeium", "windsurf")} },
		files: func(m Machine) []file {
			return []file{{User, []string{m.home(".codeium", "windsurf", "mcp_config.json")}, "Windsurf starts berth mcp",
				jsonServers{client: "Windsurf", rule: plainJSON, list: "mcpServers"}}}
		},
	}
}

// https://zed.dev/docs/ai/mcp and docs/src/ai/mcp.md of zed-industries/zed:
// context_servers in settings.json, of the project or the user, which is JSON
// with comments and trailing commas; "source": "custom" for an entry of one's
// own.
func zed() *Client {
	servers := jsonServers{client: "Zed", rule: commentedJSON, list: "context_servers", first: []member{{"source", "custom"}}}
	return &Client{
		ID: "zed", Name: "Zed", Docs: "https://zed.dev/docs/ai/mcp",
		After:    map[Scope]string{Project: "Zed starts the servers of a project only if you trust the folder"},
		programs: []string{"zed", "zeditor", "zedit"},
		traces:   func(m Machine) []string { return []string{m.zedConfig()} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".zed", "settings.json"}, "Zed starts berth mcp", servers},
				{User, []string{m.join(m.zedConfig(), "settings.json")}, "Zed starts berth mcp", servers},
			}
		},
	}
}

// https://www.jetbrains.com/help/ai-assistant/mcp.html: a dialog that takes
// JSON; it has no file that others are meant to write.
func jetBrains() *Client {
	return &Client{
		ID: "jetbrains", Name: "JetBrains AI Assistant", Docs: "https://www.jetbrains.com/help/ai-assistant/mcp.html",
		Desktop: true,
		Paste:   "Settings | Tools | AI Assistant | Model Context Protocol (MCP), Add, As JSON",
		traces:  func(m Machine) []string { return []string{m.config("JetBrains")} },
		files:   func(Machine) []file { return nil },
	}
}

// https://developers.openai.com/codex/config-reference: mcp_servers in
// ~/.codex/config.toml (CODEX_HOME moves the folder) or in .codex/config.toml
// of a project, which is read only if the user trusts the project.
func codex() *Client {
	return &Client{
		ID: "codex", Name: "Codex", Docs: "https://developers.openai.com/codex/config-reference",
		After: map[Scope]string{
			Project: `Codex reads the file in projects that you trust; for runs without questions see default_tools_approval_mode in docs/clients.md`,
			User:    `for runs of Codex without questions see default_tools_approval_mode in docs/clients.md`,
		},
		programs: []string{"codex"},
		traces:   func(m Machine) []string { return []string{m.codexHome()} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".codex", "config.toml"}, "Codex starts berth mcp", tomlServers{}},
				{User, []string{m.join(m.codexHome(), "config.toml")}, "Codex starts berth mcp", tomlServers{}},
			}
		},
	}
}

// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md;
// packages/cli/src/config/settings.ts strips comments and then calls
// JSON.parse, which takes no trailing comma. GEMINI_CLI_HOME moves the home.
func gemini() *Client {
	servers := jsonServers{client: "Gemini CLI", rule: commentsOnly, list: "mcpServers"}
	return &Client{
		ID: "gemini", Name: "Gemini CLI", Docs: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
		After:    map[Scope]string{Project: "Gemini CLI reads the project's file in folders that you trust"},
		programs: []string{"gemini"},
		traces:   func(m Machine) []string { return []string{m.geminiHome()} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{".gemini", "settings.json"}, "Gemini CLI starts berth mcp", servers},
				{User, []string{m.join(m.geminiHome(), "settings.json")}, "Gemini CLI starts berth mcp", servers},
			}
		},
	}
}

// https://opencode.ai/docs/mcp-servers and packages/opencode/src/config of
// sst/opencode: "mcp", with the program and its arguments in one list, in
// opencode.json or opencode.jsonc, parsed with trailing commas allowed.
func openCode() *Client {
	servers := jsonServers{client: "opencode", rule: commentedJSON, list: "mcp", oneList: true, alsoJSONC: true,
		first: []member{{"type", "local"}}, last: []member{{"enabled", true}}}
	return &Client{
		ID: "opencode", Name: "opencode", Docs: "https://opencode.ai/docs/mcp-servers",
		programs: []string{"opencode"},
		traces:   func(m Machine) []string { return []string{m.xdgConfig("opencode")} },
		files: func(m Machine) []file {
			return []file{
				{Project, []string{"opencode.json"}, "opencode starts berth mcp", servers},
				{User, []string{m.xdgConfig("opencode", "opencode.json")}, "opencode starts berth mcp", servers},
			}
		},
	}
}

// https://modelcontextprotocol.io/docs/develop/connect-local-servers: one
// file, for the user.
func claudeDesktop() *Client {
	return &Client{
		ID: "claude-desktop", Name: "Claude Desktop", Docs: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
		Desktop: true,
		After:   map[Scope]string{User: "quit Claude Desktop and start it again"},
		traces:  func(m Machine) []string { return []string{m.config("Claude")} },
		files: func(m Machine) []file {
			return []file{{User, []string{m.config("Claude", "claude_desktop_config.json")}, "Claude Desktop starts berth mcp",
				jsonServers{client: "Claude Desktop", rule: plainJSON, list: "mcpServers"}}}
		},
	}
}
