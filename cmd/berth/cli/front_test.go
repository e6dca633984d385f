package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A front is a berth mcp process and the client's end of its pipes.
type front struct {
	*exec.Cmd
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Scanner
}

func (y *yard) mcp(args ...string) *front {
	y.t.Helper()
	f := &front{Cmd: y.command(append([]string{"mcp"}, args...)...), t: y.t}
	out, err := f.StdoutPipe()
	require.NoError(y.t, err)
	f.in, err = f.StdinPipe()
	require.NoError(y.t, err)
	f.Stderr = &bytes.Buffer{}
	require.NoError(y.t, f.Start())
	f.lines = bufio.NewScanner(out)
	f.lines.Buffer(nil, 1<<20)
	return f
}

// ask sends one message and returns the next line.
func (f *front) ask(message string) string {
	f.t.Helper()
	_, err := io.WriteString(f.in, message+"\n")
	require.NoError(f.t, err)
	require.True(f.t, f.lines.Scan(), "%v %s", f.lines.Err(), f.Stderr)
	return f.lines.Text()
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func (f *front) shakeHands() {
	f.t.Helper()
	assert.Contains(f.t, f.ask(hello), `"serverInfo"`)
	_, err := io.WriteString(f.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	require.NoError(f.t, err)
}

// call calls a tool and returns the line of its reply.
func (f *front) call(tool, root string) string {
	f.t.Helper()
	arguments, err := json.Marshal(map[string]string{"projectRoot": root})
	require.NoError(f.t, err)
	return f.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + string(arguments) + `}}`)
}

func TestAFrontEndEndsCleanlyInEveryWayItsClientEndsIt(t *testing.T) {
	tests := endsOfThisSystem()
	tests["the end of stdin"] = func(f *front) error { return f.in.Close() }
	for name, end := range tests {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, "")
			f := y.mcp()
			f.shakeHands()
			start := time.Now()
			require.NoError(t, end(f))
			require.NoError(t, f.Wait(), "%s", f.Stderr)
			assert.Less(t, time.Since(start), 30*time.Second, "100 ms are promised; a busy machine gets more")
			assert.Empty(t, f.Stderr.(*bytes.Buffer).String())
			assert.NoDirExists(t, filepath.Join(filepath.Dir(y.root), "home"), "nothing was written")
		})
	}
}

func TestAutostartStartsADetachedInstance(t *testing.T) {
	y := newYard(t, "connections:\n  main: {path: '${DB_FILE}'}\n")
	y.own("trust: all\n")
	f := y.mcp("--autostart")
	f.shakeHands()
	assert.Contains(t, f.call("get-tables", y.root), `[\"users\"]`)
	live := y.list()
	require.Len(t, live, 1)
	assertDetached(t, live[0].PID)

	require.NoError(t, f.in.Close())
	require.NoError(t, f.Wait())
	assert.Len(t, y.list(), 1, "it outlives the front-end")

	// Another one finds it instead of starting a second.
	f = y.mcp("--autostart")
	f.shakeHands()
	f.call("get-database-type", y.root)
	assert.Equal(t, live, y.list())
	require.NoError(t, f.in.Close())
	require.NoError(t, f.Wait())
	out, err := y.run("stop")
	require.NoError(t, err, out)
}

func TestAutostartSaysWhyAProjectDoesNotStart(t *testing.T) {
	y := newYard(t, "enableMcpServer: false\n")
	f := y.mcp("--autostart")
	f.shakeHands()
	reply := f.call("get-tables", y.root)
	assert.Contains(t, reply, `"isError":true`)
	assert.Contains(t, reply, "MCP server not running for project: ")
	assert.Contains(t, reply, "enableMcpServer is false")
	require.NoError(t, f.in.Close())
	require.NoError(t, f.Wait())
}
