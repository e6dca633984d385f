package e2e

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// askingAgent is an agent whose client puts questions to a person. version is
// MCP's; "": the library's newest.
func (w *world) askingAgent(version string, answer func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)) *agent {
	w.t.Helper()
	cmd := exec.Command(binary, "mcp")
	cmd.Env = w.env
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: answer})
	return w.connected(client, cmd, &mcp.ClientSessionOptions{ProtocolVersion: version})
}

// byMCP is an agent behind `berth mcp`, whose client asks the person: since
// 2026-07-28 by repeating the call, before it in the middle of it.
func byMCP(version string) func(s *scene) {
	return func(s *scene) { s.overMCP(version) }
}

func (s *scene) overMCP(version string) {
	if s.moment == "no capability" {
		plain := s.agent()
		s.play(planFlow{
			call: func(args map[string]any) string {
				return plain.ask(s.guardedAction.root, s.guardedAction.tool, args).text()
			},
			decide: func(string, string) bool { return false },
		})
		return
	}
	asked := make(chan string, 8)
	agent := s.askingAgent(version, func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked <- req.Params.Message
		return s.answerMCP(ctx)
	})
	args, wait := s.guardedAction.args, patience
	switch s.moment {
	case "forged id":
		args = with(args, "plan_id", "aaaaaaaaaa")
	case "timeout":
		wait = shortLife
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	got, err := agent.try(ctx, s.guardedAction.root, s.guardedAction.tool, args)
	if s.moment == "forged id" {
		require.NoError(s.t, err)
		assert.Empty(s.t, asked, "an id that is made up is refused, not asked about")
		assert.Contains(s.t, got.text(), "no plan waits under this id")
		return
	}
	require.NotEmpty(s.t, asked, "%v %v", got, err)
	assert.Contains(s.t, <-asked, s.guardedAction.shown)
	told, fails := toldOverMCP[s.moment]
	if s.moment == "error" && version < "2026" { // its client stands between; later ones end the call themselves
		told, fails = "the client answered error", true
	}
	switch {
	case fails:
		require.NoError(s.t, err)
		assert.True(s.t, got.isError)
		assert.Contains(s.t, got.text(), s.told(told))
	case s.moment == "accept":
		require.NoError(s.t, err)
		assert.False(s.t, got.isError, got.text())
	default:
		assert.Error(s.t, err, "the client gave up")
	}
}

// toldOverMCP is the text that the agent reads when the call continues.
var toldOverMCP = map[string]string{
	"decline":           "the client answered decline",
	"cancel":            "the client answered cancel",
	"expired":           "it came too late",
	"changed meanwhile": "is not the one that was asked about",
	"restarted":         "berth was restarted meanwhile",
}

// answerMCP is the person's answer.
func (s *scene) answerMCP(ctx context.Context) (*mcp.ElicitResult, error) {
	switch s.moment {
	case "decline", "cancel":
		return &mcp.ElicitResult{Action: s.moment}, nil
	case "error":
		return nil, errors.New("the form broke")
	case "timeout":
		<-ctx.Done()
		return nil, ctx.Err()
	case "expired":
		time.Sleep(shortLife + 100*time.Millisecond) // the time itself is what is tested
	case "changed meanwhile":
		s.guardedAction.alter(s)
	case "restarted":
		s.restart()
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve"}}, nil
}
