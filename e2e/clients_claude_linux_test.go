package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/model"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The packages of Claude Code in e2e/peers.
const (
	claudeNow   = "@anthropic-ai/claude-code"
	claudeOlder = "claude-code-2.1.197"
)

// claudeAllows are the tools that Claude Code calls without a question: those of
// berth as berth init names it, and as the plugin does.
const claudeAllows = "mcp__berth,mcp__plugin_berth_berth"

// peerFile is peer for a file of a package that has no program of its own name.
func peerFile(t *testing.T, parts ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"peers", "node_modules"}, parts...)...))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		needs.Missing(t, parts[0], "npm ci --prefix e2e/peers installs it")
	}
	return path
}

// agentEnv is a client's environment: its model and every other server that it
// looks for are on loopback.
func (s *clientStory) agentEnv(m *model.Server, more ...string) []string {
	env := append([]string{"HTTPS_PROXY=" + m.URL, "HTTP_PROXY=" + m.URL, "NO_PROXY=127.0.0.1", "NO_COLOR=1", "CI=1"}, more...)
	return append(env, s.env...)
}

// modelled is what clients have in common whose model the test plays.
type modelled struct {
	s     *clientStory
	model *model.Server
	cmd   *exec.Cmd
	out   *buffer
	done  chan struct{}
}

// startModelled starts a client in the project shop.
func startModelled(s *clientStory, m *model.Server, cmd *exec.Cmd) *modelled {
	c := &modelled{s: s, model: m, cmd: cmd, out: new(buffer), done: make(chan struct{})}
	cmd.Dir, cmd.WaitDelay = s.shop, time.Second // what it started may keep its output open
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Stdout == nil {
		cmd.Stdout = c.out
	}
	cmd.Stderr = c.out
	require.NoError(s.t, cmd.Start())
	go func() {
		_ = cmd.Wait() // how it ends is of no interest
		close(c.done)
	}()
	s.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with what it started
		within(s.t, "the end of the client", func() { <-c.done })
		if s.t.Failed() {
			s.t.Logf("the client said: %s\nit asked for %v", c.out, m.Stray())
		}
	})
	return c
}

// firstRequest waits for it: a client's first start takes the longest.
func (c *modelled) firstRequest() {
	ctx, stop := context.WithTimeout(context.Background(), 3*patience)
	defer stop()
	_, _, err := c.model.Tools(ctx)
	require.NoError(c.s.t, err)
}

func (c *modelled) call(tool string, args map[string]any) string {
	c.s.t.Helper()
	ctx, stop := c.s.inTime()
	defer stop()
	got, err := c.model.Call(ctx, tool, args)
	require.NoError(c.s.t, err)
	return got.Text
}

// claude is Claude Code without a terminal, driven as its SDK drives it: by
// lines of JSON. It has its person's answers from there too.
type claude struct {
	*modelled
	input io.Writer
	ended chan struct{} // of one turn

	mu    sync.Mutex
	asked []string
}

func startClaude(s *clientStory, pkg string, more ...string) *claude {
	m := model.Start(s.t)
	args := append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--allowedTools", claudeAllows}, more...)
	cmd := exec.Command(peerFile(s.t, pkg, "bin", "claude.exe"), args...)
	cmd.Env = s.claudeEnv(m)
	input, err := cmd.StdinPipe()
	require.NoError(s.t, err)
	output, lines := io.Pipe()
	cmd.Stdout = lines
	c := &claude{modelled: startModelled(s, m, cmd), input: input, ended: make(chan struct{}, 8), asked: []string{}}
	go c.read(output)
	c.prompt()
	c.firstRequest()
	return c
}

func (s *clientStory) claudeEnv(m *model.Server) []string {
	return s.agentEnv(m, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
}

func (c *claude) prompt() {
	c.send(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "Do as the plan says."}})
}

func (c *claude) send(line map[string]any) {
	if err := json.NewEncoder(c.input).Encode(line); err != nil {
		c.s.t.Errorf("Claude Code reads no more: %v", err)
	}
}

// claudeLine is what is of interest in a line of Claude Code.
type claudeLine struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype string `json:"subtype"`
		Message string `json:"message"`
	} `json:"request"`
}

// read answers questions, and notes the ends of turns.
func (c *claude) read(output io.Reader) {
	for in := bufio.NewReader(output); ; {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		_, _ = c.out.Write(text)
		var line claudeLine
		switch err := json.Unmarshal(text, &line); {
		case err != nil:
		case line.Type == "result":
			c.ended <- struct{}{}
		case line.Type == "control_request" && line.Request.Subtype == "elicitation":
			c.mu.Lock()
			c.asked = append(c.asked, line.Request.Message)
			c.mu.Unlock()
			c.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": line.RequestID,
				"response": map[string]any{"action": "accept", "content": map[string]any{"decision": "approve"}}}})
		}
	}
}

func (c *claude) questions() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// cancel is Escape: the turn ends, and the next one begins.
func (c *claude) cancel(tool string, args map[string]any, running func()) {
	ctx, stop := c.s.inTime()
	defer stop()
	require.NoError(c.s.t, c.model.Ask(ctx, tool, args))
	running()
	c.send(map[string]any{"type": "control_request", "request_id": "escape", "request": map[string]any{"subtype": "interrupt"}})
	receive(c.s.t, c.ended, "the end of the turn")
	c.prompt()
}

func (c *claude) survives() bool { return true }

// claudeAlone is claude -p, which cancels every question by itself.
func claudeAlone(s *clientStory) {
	s.register("claude-code")
	m := model.Start(s.t)
	cmd := exec.Command(peerFile(s.t, claudeNow, "bin", "claude.exe"), "-p", "Do as the plan says.", "--allowedTools", "mcp__berth")
	cmd.Env = s.claudeEnv(m)
	c := startUnattended(s, m, cmd)
	s.client = c
	s.design()
	s.publish()
	ctx, stop := s.inTime()
	defer stop()
	require.NoError(s.t, m.Say(ctx, "All is done."))
	within(s.t, "the end of Claude Code", func() { <-c.done })
	assert.Contains(s.t, c.out.String(), "All is done.")
}

// unattended is a client that puts no question to a person, and that is given
// up as a whole.
type unattended struct{ *modelled }

func startUnattended(s *clientStory, m *model.Server, cmd *exec.Cmd) *unattended {
	c := &unattended{startModelled(s, m, cmd)}
	c.firstRequest()
	return c
}

func (c *unattended) questions() []string { return nil }
func (c *unattended) survives() bool      { return false }

// cancel is Ctrl-C.
func (c *unattended) cancel(tool string, args map[string]any, running func()) {
	ctx, stop := c.s.inTime()
	defer stop()
	require.NoError(c.s.t, c.model.Ask(ctx, tool, args))
	running()
	require.NoError(c.s.t, syscall.Kill(-c.cmd.Process.Pid, syscall.SIGINT)) // as a terminal does it: to all of its programs
	within(c.s.t, "the end of the client", func() { <-c.done })
}
