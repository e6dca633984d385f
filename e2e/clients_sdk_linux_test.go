package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sdkClient is the program e2e/peers/sdk.mjs.
type sdkClient struct {
	s     *clientStory
	input io.Writer
	lines chan sdkLine
	asked []string
}

// sdkLine is one line that the program prints.
type sdkLine struct {
	Question, Error string
	Result          *struct {
		Content []struct{ Text string }
	}
}

func startSDK(s *clientStory, version string) *sdkClient {
	node := peer(s.t, "node")
	program, err := filepath.Abs(filepath.Join("peers", "sdk.mjs"))
	require.NoError(s.t, err)
	cmd := exec.Command(node, program, version, filepath.Join(s.shop, ".mcp.json"))
	cmd.Env, cmd.Dir, cmd.Stderr = s.env, s.shop, os.Stderr
	input, err := cmd.StdinPipe()
	require.NoError(s.t, err)
	output, err := cmd.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())
	c := &sdkClient{s: s, input: input, lines: make(chan sdkLine, 16), asked: []string{}}
	go func() {
		defer close(c.lines)
		for in := bufio.NewScanner(output); in.Scan(); {
			var line sdkLine
			if json.Unmarshal(in.Bytes(), &line) != nil {
				line.Error = in.Text()
			}
			c.lines <- line
		}
	}()
	s.t.Cleanup(func() {
		_ = input.Close()
		within(s.t, "the end of the program", func() {
			for range c.lines { // until its output ends
			}
			assert.NoError(s.t, cmd.Wait())
		})
	})
	return c
}

func (c *sdkClient) send(line map[string]any) {
	c.s.t.Helper()
	require.NoError(c.s.t, json.NewEncoder(c.input).Encode(line))
}

// reply is the next line that is no question.
func (c *sdkClient) reply() sdkLine {
	c.s.t.Helper()
	for {
		line := receive(c.s.t, c.lines, "a reply")
		if line.Question == "" {
			return line
		}
		c.asked = append(c.asked, line.Question)
	}
}

func (c *sdkClient) call(tool string, args map[string]any) string {
	c.s.t.Helper()
	c.send(map[string]any{"tool": tool, "args": args})
	got := c.reply()
	require.NotNil(c.s.t, got.Result, got.Error)
	var texts []string
	for _, item := range got.Result.Content {
		texts = append(texts, item.Text)
	}
	return strings.Join(texts, "\n")
}

func (c *sdkClient) cancel(tool string, args map[string]any, running func()) {
	c.send(map[string]any{"tool": tool, "args": args})
	running()
	c.send(map[string]any{"cancel": true})
	assert.Contains(c.s.t, c.reply().Error, "given up")
}

func (c *sdkClient) questions() []string { return c.asked }
func (c *sdkClient) survives() bool      { return true }
