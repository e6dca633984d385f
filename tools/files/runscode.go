package files

import (
	"bytes"
	"path"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// runsCode lists the files that need approval even in fast mode, because their
// content runs, or steers an agent, without an explicit command: on opening or
// entering the folder, committing, pushing or installing. Files that run only
// on request (sources, Makefile, Dockerfile, build scripts) are not listed.
var runsCode = []heldGroup{
	{"editors' settings and tasks", "run when the folder is opened", true, []string{
		".vscode/**", ".idea/**", ".zed/**", ".fleet/**", "*.code-workspace", ".nvim.lua", ".nvimrc", ".exrc", ".vimrc", ".dir-locals.el",
	}},
	{"agents' own configuration", "says what agents run and believe", true, []string{
		".mcp.json", "mcp.json", ".claude/**", "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", ".gemini/**", ".codex/**",
		".cursor/**", ".cursorrules", ".windsurf/**", ".windsurfrules", ".clinerules", ".clinerules/**", ".roo/**", ".continue/**", ".kiro/**", ".junie/**",
		".aider.conf.yml", ".opencode/**", "opencode.json", "opencode.jsonc", ".amp/**",
	}},
	{"hooks", "run when somebody commits, checks out or pushes", true, []string{
		".husky/**", ".githooks/**", "githooks/**", "hooks/pre-commit", "hooks/pre-push", ".pre-commit-config.yaml", ".pre-commit-config.yml",
		"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".huskyrc.*", ".huskyrc", ".lintstagedrc.*", ".lintstagedrc", ".overcommit.yml",
	}},
	{"git's own files", "name programs and sources, and what may be written", true, []string{
		".gitmodules", ".gitattributes", ".gitignore", ".gitconfig",
	}},
	{"continuous integration", "runs with a server's rights when it is pushed", true, []string{
		".github/**", ".gitlab/**", ".gitlab-ci.yml", ".circleci/**", ".travis.yml", "azure-pipelines.yml", ".azure-pipelines/**", "bitbucket-pipelines.yml",
		"jenkinsfile", ".drone.yml", ".woodpecker.yml", ".woodpecker/**", ".buildkite/**", "appveyor.yml", ".appveyor.yml", "cloudbuild.yaml", "cloudbuild.yml",
		"buildspec.yml", ".cirrus.yml", ".teamcity/**", ".gitea/**", ".forgejo/**", ".semaphore/**",
	}},
	{"environments", "run when the folder is entered or its container starts", true, []string{
		".devcontainer/**", ".devcontainer.json", ".gitpod.yml", ".gitpod.dockerfile", "devfile.yaml", ".replit", ".envrc", ".mise.toml", "mise.toml", ".mise/**",
		".tool-versions",
	}},
	{"package managers' settings", "name programs that every installation runs", true, []string{
		".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", ".npmrc", ".bazelrc", ".cargo/config.toml", ".cargo/config",
	}},
}

// runners is the index of files that run code.
var runners = newHeldNames(runsCode)

// packageMembers are the members of package.json that run code.
var packageMembers = []string{"scripts", "husky", "lint-staged", "simple-git-hooks", "pre-commit", "pre-push", "gitHooks", "packageManager"}

// mustAsk returns the reason why a change needs approval in fast mode, or nil.
func (c *change) mustAsk() *heldGroup {
	if g := runners.group(c.path); g != nil {
		return g
	}
	if folded(path.Base(c.path)) == "package.json" && c.changesMembers(packageMembers) {
		return &heldGroup{what: "the scripts and hooks of package.json"}
	}
	return nil
}

// changesMembers reports whether a change of a JSON object changes one of the
// members.
func (c *change) changesMembers(names []string) bool {
	before := map[string]jsontext.Value{}
	if c.was != nil && jsonv2.Unmarshal(c.was.Content, &before) != nil {
		return true // unknown
	}
	after := map[string]jsontext.Value{}
	if jsonv2.Unmarshal(c.content, &after) != nil {
		return true
	}
	for _, name := range names {
		if !bytes.Equal(before[name], after[name]) {
			return true
		}
	}
	return false
}
