package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/catalog"
)

// raw is a `berth mcp` spoken to in lines, without an SDK on our side.
type raw struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *buffer
}

func (w *world) raw(args ...string) *raw {
	w.t.Helper()
	r := &raw{t: w.t, cmd: exec.Command(binary, append([]string{"mcp"}, args...)...), stderr: new(buffer)}
	r.cmd.Env, r.cmd.Stderr = w.env, r.stderr
	in, err := r.cmd.StdinPipe()
	require.NoError(w.t, err)
	out, err := r.cmd.StdoutPipe()
	require.NoError(w.t, err)
	r.in, r.out = in, bufio.NewReaderSize(out, 1<<20)
	require.NoError(w.t, r.cmd.Start())
	w.t.Cleanup(func() { _ = r.cmd.Process.Kill(); _ = r.cmd.Wait() })
	return r
}

// say sends one line and returns the next that comes back.
func (r *raw) say(line string) string {
	r.t.Helper()
	_, err := io.WriteString(r.in, line+"\n")
	require.NoError(r.t, err)
	var answer string
	within(r.t, "an answer to "+line, func() { answer, err = r.out.ReadString('\n') })
	require.NoError(r.t, err, r.stderr.String())
	return answer
}

// modern is what a client of the 2026-07-28 era puts into every request: it
// never says initialize.
const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"e2e","version":"1"}}`

func TestFirstMessageMayBeToolsListWithoutAHandshake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.serve(root)
	r := w.raw()
	list := r.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`)
	assert.Contains(t, list, `"name":"get-tables"`)
	called := r.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get-tables","arguments":{"projectRoot":%q},%s}}`, root, modern))
	assert.Contains(t, called, `[\"customer\",\"purchase\"]`)
}

// A client pays for the list of tools in every conversation.
func TestListOfToolsIsSmall(t *testing.T) {
	t.Parallel()
	r := newWorld(t).raw()
	line := r.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`)
	var list struct {
		Result struct{ Tools []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(line), &list))
	require.NotEmpty(t, list.Result.Tools)
	total := 0
	for _, raw := range list.Result.Tools {
		var tool struct {
			Name        string
			Annotations map[string]any
		}
		require.NoError(t, json.Unmarshal(raw, &tool))
		limit := 1024
		if tool.Name == designer {
			limit = catalog.MaxDesignerBytes
		}
		assert.Less(t, len(raw), limit, "definition of %s", tool.Name)
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			assert.Contains(t, tool.Annotations, hint, "%s leaves %s to be guessed", tool.Name, hint)
		}
		total += len(raw)
	}
	t.Logf("%d tools, %d bytes", len(list.Result.Tools), total)
}

func TestFrontEndEndsCleanlyHoweverAClientEndsIt(t *testing.T) {
	for name, end := range map[string]func(r *raw) error{
		"end of input": func(r *raw) error { return r.in.Close() },
		"SIGTERM":      func(r *raw) error { return r.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(r *raw) error { return r.cmd.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.raw()
			r.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`)
			require.NoError(t, end(r))
			var rest []byte
			var err error
			within(t, "the end of a front-end", func() {
				if rest, err = io.ReadAll(r.out); err == nil {
					err = r.cmd.Wait()
				}
			})
			require.NoError(t, err)
			assert.Empty(t, string(rest))
			assert.Empty(t, r.stderr.String())
		})
	}
}

func TestAutostartGivesTheInstanceNothingOfTheClientsSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755)) // --autostart serves projects
	w.env = append(w.env, "ANTHROPIC_API_KEY=do-not-pass-on", "LANG=C.UTF-8")
	client := w.agent("--autostart")
	got := client.ask(root, "get-tables", nil)
	require.Equal(t, `["customer","purchase"]`, got.text())
	var running []struct {
		PID   int
		State string
	}
	require.NoError(t, json.Unmarshal([]byte(w.berth("ls", "--json").stdout), &running))
	require.Len(t, running, 1)
	assert.Equal(t, "live", running[0].State)
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(running[0].PID) + "/environ")
	require.NoError(t, err)
	assert.NotContains(t, string(environ), "do-not-pass-on")
	assert.Contains(t, string(environ), "BERTH_HOME="+w.home)

	require.NoError(t, client.session.Close())
	assert.Equal(t, `["customer","purchase"]`, w.agent().ask(root, "get-tables", nil).text(), "it outlives the client that started it")
	stopped := w.berth("stop", root)
	assert.Equal(t, 0, stopped.code, stopped.stderr)
	require.Eventually(t, func() bool { return len(w.portMap()) == 0 }, patience, 10*time.Millisecond)
}

func TestWithoutAutostartAStoppedProjectStaysStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	got := w.agent().ask(root, "get-tables", nil)
	assert.True(t, got.isError)
	assert.Equal(t, "MCP server not running for project: "+root, got.text())
	require.Len(t, got.items, 2)
	assert.Contains(t, got.items[1], "berth serve "+root, "the second item says what to do")
	assert.Empty(t, w.portMap())
}

func TestDisabledProjectIsNotServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.MkdirAll(root+"/.vscode", 0o755))
	settings := "{\n  // not in this project\n  \"Devdb.enableMcpServer\": false,\n}\n"
	require.NoError(t, os.WriteFile(root+"/.vscode/settings.json", []byte(settings), 0o644))
	refused := w.berth("serve", root)
	assert.NotZero(t, refused.code)
	assert.Contains(t, refused.stderr, ".vscode/settings.json:3", "says where it was switched off")
	quiet := w.berth("serve", root, "--if-enabled")
	assert.Zero(t, quiet.code, quiet.stderr)
	assert.True(t, strings.HasPrefix(quiet.stdout, "not serving"), quiet.stdout)
	assert.Empty(t, w.portMap())
}
