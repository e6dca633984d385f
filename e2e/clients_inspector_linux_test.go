package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// inspector is the MCP Inspector's command line, a process for each call. It
// reads the file of Claude Code's form that berth init wrote.
type inspector struct{ s *clientStory }

func (c *inspector) command(tool string, args map[string]any) *exec.Cmd {
	c.s.t.Helper()
	program := peer(c.s.t, "mcp-inspector")
	words := []string{"--cli", "--config", filepath.Join(c.s.shop, ".mcp.json"), "--server", "berth", "--method", "tools/call", "--tool-name", tool}
	for name, value := range args {
		text, isText := value.(string)
		if !isText {
			raw, err := json.Marshal(value)
			require.NoError(c.s.t, err)
			text = string(raw)
		}
		words = append(words, "--tool-arg", name+"="+text)
	}
	cmd := exec.Command(program, words...)
	cmd.Env = append(without(c.s.env, "PATH"), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Dir, cmd.WaitDelay = c.s.shop, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

func (c *inspector) call(tool string, args map[string]any) string {
	c.s.t.Helper()
	cmd := c.command(tool, args)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(c.s.t, cmd.Start())
	within(c.s.t, "the end of the Inspector", func() { _ = cmd.Wait() }) // its exit code repeats isError
	return out.String()
}

// cancel is Ctrl-C.
func (c *inspector) cancel(tool string, args map[string]any, running func()) {
	cmd := c.command(tool, args)
	require.NoError(c.s.t, cmd.Start())
	running()
	require.NoError(c.s.t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT))
	within(c.s.t, "the end of the Inspector", func() { _ = cmd.Wait() })
}

func (c *inspector) questions() []string { return nil }
func (c *inspector) survives() bool      { return true } // the next call is another process
