package proxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what was seen into the transcripts")

// toolset is what the instances of these tests offer: enough behaviour to see
// each kind of reply.
type toolset struct{}

func (toolset) Definitions() []catalog.Definition { return catalog.All() }

func (toolset) Has(name string) bool {
	_, ok := catalog.Lookup(name)
	return ok
}

func (toolset) Call(ctx context.Context, call tools.Call) tools.Reply {
	switch call.Tool {
	case catalog.GetTables:
		return tools.Reply{Content: []string{`["orders","people"]`}}
	case catalog.GetDatabaseType: // shows who asks
		call.Client.ID = "" // random
		text, _ := json.Marshal(call.Client)
		return tools.Reply{Content: []string{string(text)}}
	case catalog.RunQuery: // shows progress, then a refusal
		for i := range 3 {
			call.Progress(float64(i+1), 3, "row")
		}
		return tools.Reply{Content: []string{"no such table: ghosts"}, IsError: true}
	case catalog.SchemaDesigner: // asks a person first
		if call.Answers == nil {
			return tools.Reply{Ask: &tools.Ask{State: "sealed", Requests: json.RawMessage(
				`{"ok":{"method":"elicitation/create","params":{"mode":"form","message":"Drop it?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}}}}}}`)}}
		}
		return tools.Reply{Content: []string{call.State + " " + string(call.Answers)}}
	default: // get-schema waits to be cancelled
		<-ctx.Done()
		return tools.Reply{Content: []string{"cancelled"}, IsError: true}
	}
}

// serveReal runs a real instance of root until the test ends.
func (w *world) serveReal(root string) {
	w.t.Helper()
	w.t.Cleanup(runReal(w, root))
	c := w.client(nil)
	require.Eventually(w.t, func() bool { return !call(w.t, c, root).IsError }, time.Minute, time.Millisecond)
}

// session is one client of a Server on pipes.
type session struct {
	t    testing.TB
	in   io.WriteCloser
	out  *bufio.Scanner
	done chan error
}

func (w *world) session(c *proxy.Client) *session {
	server := proxy.NewServer(c, proxy.ServerOptions{Version: "test"})
	return start(w.t, func(in io.Reader, out io.Writer) error {
		return server.Run(context.Background(), in, out)
	})
}

func start(t testing.TB, run func(in io.Reader, out io.Writer) error) *session {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{t: t, in: inW, out: bufio.NewScanner(outR), done: make(chan error, 1)}
	s.out.Buffer(nil, 20<<20)
	go func() {
		s.done <- run(inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); inR.Close(); outR.Close() })
	return s
}

func (s *session) send(line string) {
	s.t.Helper()
	_, err := io.WriteString(s.in, line+"\n")
	require.NoError(s.t, err)
}

// receive returns the next line, or "" at the end.
func (s *session) receive() string {
	s.out.Scan()
	return s.out.Text()
}

type message struct {
	ID     any    `json:"id"`
	Method string `json:"method"`
}

func parse(line string) (m message) {
	_ = json.Unmarshal([]byte(line), &m)
	return m
}

// play sends a transcript's lines, each after the answers to those before it
// have come, and returns all that came. A line that begins with ! is answered
// though it is no request.
func (s *session) play(lines []string) []string {
	var got []string
	pending := 0
	for _, line := range lines {
		line, answered := strings.CutPrefix(line, "!")
		m := parse(line)
		if answered || m.Method != "" && m.ID != nil {
			pending++
		}
		s.send(line)
		for pending > 0 {
			text := s.receive()
			require.NotEmpty(s.t, text, "the server ended after %s", line)
			got = append(got, text)
			reply := parse(text)
			if reply.Method != "" && reply.ID != nil {
				break // it asks: the next line answers
			}
			if reply.Method == "" {
				pending--
			}
		}
	}
	require.NoError(s.t, s.in.Close())
	for text := s.receive(); text != ""; text = s.receive() {
		got = append(got, text)
	}
	require.NoError(s.t, <-s.done)
	return got
}

// Each transcript is a conversation on stdio: what a client sends and what it
// gets, byte for byte but for the paths and the long texts of the catalogue.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Len(t, archive.Files, 2)
			w := newWorld(t)
			root := w.project("running")
			w.serveReal(root)
			paths := strings.NewReplacer("$ROOT", inJSON(t, root), "$STOPPED", inJSON(t, w.project("stopped")), "$NONE", inJSON(t, filepath.Join(w.dir, "none")))
			in := strings.Split(strings.TrimSpace(paths.Replace(string(archive.Files[0].Data))), "\n")
			got := w.session(w.client(nil)).play(in)

			names := strings.NewReplacer(inJSON(t, root), "$ROOT", inJSON(t, filepath.Join(w.dir, "projects", "stopped")), "$STOPPED")
			text := ""
			for _, line := range got {
				text += names.Replace(shorten(t, line)) + "\n"
			}
			if *update {
				archive.Files[1].Data = []byte(text)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
			assert.Equal(t, string(archive.Files[1].Data), text)
		})
	}
}

func inJSON(t testing.TB, path string) string {
	text, err := json.Marshal(path)
	require.NoError(t, err)
	return strings.Trim(string(text), `"`)
}

// shorten sorts a message's members and leaves out what other tests pin: the
// instructions, and of the tools all but name and annotations.
func shorten(t testing.TB, line string) string {
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &m), "stdout carries JSON-RPC and nothing else: %q", line)
	if result, ok := m["result"].(map[string]any); ok {
		if result["instructions"] == catalog.Instructions {
			result["instructions"] = "(the catalogue's)"
		}
		tools, _ := result["tools"].([]any)
		for i := range tools {
			tool := tools[i].(map[string]any)
			tools[i] = map[string]any{"name": tool["name"], "annotations": tool["annotations"]}
		}
	}
	text, err := json.Marshal(m)
	require.NoError(t, err)
	return string(text)
}
