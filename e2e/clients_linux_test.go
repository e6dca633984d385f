package e2e

import (
	"testing"

	"github.com/berth-dev/berth/e2e/long"
)

// realClients are programs of others at the main job, each with what it
// starts them by. Those that are quick are part of .ci/run.
var realClients = []struct {
	name  string
	quick bool
	play  func(s *clientStory)
}{
	{"Claude Code", true, func(s *clientStory) { s.register("claude-code"); s.play(startClaude(s, claudeNow)) }},
	{"Claude Code on its own", true, claudeAlone},
	{"TypeScript SDK v1", true, func(s *clientStory) { s.register("claude-code"); s.play(startSDK(s, "1")) }},
	{"TypeScript SDK v2", true, func(s *clientStory) { s.register("claude-code"); s.play(startSDK(s, "2")) }},
	{"Claude Code 2.1.197", false, func(s *clientStory) { s.register("claude-code"); s.play(startClaude(s, claudeOlder)) }},
	{"MCP Inspector", false, func(s *clientStory) { s.register("claude-code"); s.play(&inspector{s}) }},
	{"Codex", false, func(s *clientStory) { s.register("codex"); s.addApproveLine(); s.play(startCodex(s)) }},
	{"Codex without the approval line", false, codexWithoutTheLine},
	{"opencode", false, func(s *clientStory) { s.register("opencode"); s.play(startOpencode(s)) }},
	{"Gemini CLI", false, func(s *clientStory) { s.register("gemini"); s.play(startGemini(s)) }},
}

// TestRealClientsDoTheMainJob starts each client in an empty home with what
// berth init wrote for it, and with no server in reach but the model and berth.
func TestRealClientsDoTheMainJob(t *testing.T) {
	for _, c := range realClients {
		if !c.quick && !long.On() && !long.Named() {
			t.Logf("not %s: BERTH_TEST_LONG=1 or -run plays it", c.name)
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.play(clientWorld(t)) })
	}
}

// TestRealClientsDoTheMainJobThroughNPM has the same clients start npm's script,
// with berth packed as a release packs it and installed into the empty home.
func TestRealClientsDoTheMainJobThroughNPM(t *testing.T) {
	for _, c := range realClients {
		if !long.On() && !long.Named() {
			t.Logf("not %s: BERTH_TEST_LONG=1 or -run plays it", c.name)
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := clientWorld(t)
			s.program, s.native = s.npmInstall()
			c.play(s)
		})
	}
}
