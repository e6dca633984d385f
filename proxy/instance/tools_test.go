package instance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// lines reads a whole reply.
func lines(t *testing.T, body string) []wire.Line {
	t.Helper()
	var out []wire.Line
	for reader := wire.NewLineReader(strings.NewReader(body)); ; {
		line, err := reader.Next()
		if err == io.EOF {
			return out
		}
		require.NoError(t, err, body)
		out = append(out, line)
	}
}

func TestACallReachesItsHandlerWhole(t *testing.T) {
	r := start(t)
	_, pageKey := r.signIn()
	req := wire.Request{
		Arguments:      json.RawMessage(`{"table":"a/b"}`),
		Client:         wire.Client{ID: "f", Name: "claude", Version: "2", Project: "web", Machine: "desk", Elicitation: true, Views: true},
		InputResponses: json.RawMessage(`{"q":{"action":"accept"}}`),
		RequestState:   "sealed",
	}
	for origin, credential := range map[tools.Origin]string{
		tools.OriginAgent: r.self.Token.Header(), tools.OriginPage: pageKey,
	} {
		t.Run("as "+string(origin), func(t *testing.T) {
			resp, body := r.ask("POST", "/tools/get-schema", req, as(credential), r.vouched())
			require.Equal(t, 200, resp.StatusCode, body)
			assert.Equal(t, "application/x-ndjson", resp.Header.Get("Content-Type"))
			assert.EqualValues(t, len(body), resp.ContentLength, "a reply without progress is one packet")
			got := lines(t, body)
			require.Len(t, got, 1)
			assert.JSONEq(t, fmt.Sprintf(`{
				"tool":"get-schema", "arguments":{"table":"a/b"}, "origin":%q, "state":"sealed",
				"client":{"ID":"f","Name":"claude","Version":"2","Project":"web","Machine":"desk","Elicitation":true,"Views":true}, "answers":{"q":{"action":"accept"}}
			}`, origin), got[0].Result.Content[0])
		})
	}
}

func TestACallForAnotherProjectIsNotAnsweredByThisOne(t *testing.T) {
	r := start(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(r.config.Root, link))
	other := t.TempDir()
	tests := []struct {
		name, root, want string
		runs             bool
	}{
		{"the project itself", r.config.Root, "get-tables", true},
		{"a link to the project", link, "get-tables", true},
		{"no project, which is the tool's to refuse", "", "get-tables", true},
		{"another project", other, wire.TextNotRunning + other, false},
		{"a relative path", "here", wire.TextNotAbsolute, false},
		{"a path that does not exist", filepath.Join(other, "gone"), wire.TextNotExist, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := r.tools.calls.Load()
			arguments, err := json.Marshal(map[string]string{"projectRoot": tt.root})
			require.NoError(t, err)
			_, body := r.ask("POST", "/tools/get-tables", wire.Request{Arguments: arguments})
			result := lines(t, body)[0].Result
			assert.Contains(t, result.Content[0], tt.want)
			assert.Equal(t, tt.runs, !result.IsError)
			assert.Equal(t, tt.runs, r.tools.calls.Load() > before)
		})
	}
}

func TestProgressComesInOrderAndOnlyWhenWanted(t *testing.T) {
	r := start(t)
	r.tools.handle = func(_ context.Context, call tools.Call) tools.Reply {
		for i := range 50 {
			call.Progress(float64(i), 50, fmt.Sprintf("step %d", i))
		}
		return tools.Reply{Content: []string{"done"}, Structured: json.RawMessage(`{"ok":true}`)}
	}
	_, body := r.ask("POST", "/tools/get-tables", wire.Request{WantProgress: true})
	got := lines(t, body)
	require.Len(t, got, 51)
	for i, line := range got[:50] {
		assert.Equal(t, &wire.Progress{Progress: float64(i), Total: 50, Message: fmt.Sprintf("step %d", i)}, line.Progress)
	}
	assert.Equal(t, &wire.Result{Content: []string{"done"}, Structured: json.RawMessage(`{"ok":true}`)}, got[50].Result)
	_, body = r.ask("POST", "/tools/get-tables", wire.Request{})
	assert.Len(t, lines(t, body), 1)
}

func TestProgressIsSentBeforeTheCallEnds(t *testing.T) {
	r, release := start(t), make(chan struct{})
	r.tools.handle = func(_ context.Context, call tools.Call) tools.Reply {
		call.Progress(1, 2, "half")
		<-release
		return tools.Reply{Content: []string{"done"}}
	}
	resp, err := r.client.Do(r.request("POST", "/tools/get-tables", wire.Request{WantProgress: true}))
	require.NoError(t, err)
	defer resp.Body.Close()
	reader := wire.NewLineReader(resp.Body)
	line, err := reader.Next()
	require.NoError(t, err)
	assert.Equal(t, "half", line.Progress.Message)
	close(release)
	line, err = reader.Next()
	require.NoError(t, err)
	assert.Equal(t, []string{"done"}, line.Result.Content)
}

func TestACallThatIsStillRunningIsHeardOf(t *testing.T) {
	t.Parallel()
	r, heard := start(t), make(chan struct{})
	r.tools.handle = func(context.Context, tools.Call) tools.Reply {
		<-heard
		return tools.Reply{Content: []string{"done"}}
	}
	resp, err := r.client.Do(r.request("POST", "/tools/get-tables", wire.Request{WantProgress: true}))
	require.NoError(t, err)
	defer resp.Body.Close()
	reader := wire.NewLineReader(resp.Body)
	line, err := reader.Next()
	require.NoError(t, err)
	assert.Contains(t, line.Progress.Message, "get-tables: ")
	close(heard)
	for line.Progress != nil { // a slow machine hears of it again
		line, err = reader.Next()
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"done"}, line.Result.Content)
}

func TestAQuestionToThePersonIsALineOfItsOwn(t *testing.T) {
	r := start(t)
	r.tools.handle = func(context.Context, tools.Call) tools.Reply {
		return tools.Reply{Ask: &tools.Ask{Requests: json.RawMessage(`{"sure":{}}`), State: "sealed"}}
	}
	_, body := r.ask("POST", "/tools/get-tables", wire.Request{})
	assert.Equal(t, []wire.Line{{Input: &wire.Input{Requests: json.RawMessage(`{"sure":{}}`), State: "sealed"}}}, lines(t, body))
}

func TestAReplyTooLongForTheHopIsReplaced(t *testing.T) {
	r := start(t)
	r.tools.handle = func(context.Context, tools.Call) tools.Reply {
		return tools.Reply{Content: []string{strings.Repeat("x", wire.MaxLineBytes)}}
	}
	_, body := r.ask("POST", "/tools/get-tables", wire.Request{})
	result := lines(t, body)[0].Result
	assert.True(t, result.IsError)
	assert.Contains(t, result.Content[0], "too long")
}

func TestACallEndsAtItsDeadline(t *testing.T) {
	tests := []struct {
		name     string
		deadline int64
		limit    time.Duration
	}{
		{"the caller's", 20, time.Hour},
		{"the instance's, where the caller gives none", 0, 20 * time.Millisecond},
		{"the instance's, where the caller's is longer", 1 << 62, 20 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, func(c *instance.Config) { c.CallTimeout = tt.limit })
			r.tools.handle = newBlocking().handle
			_, body := r.ask("POST", "/tools/get-tables", wire.Request{DeadlineMs: tt.deadline})
			assert.Equal(t, []string{"cut off"}, lines(t, body)[0].Result.Content)
		})
	}
}

func TestACallerThatHangsUpCancelsItsCall(t *testing.T) {
	r, cancelled := start(t), make(chan struct{})
	entered := make(chan struct{})
	r.tools.handle = func(ctx context.Context, _ tools.Call) tools.Reply {
		close(entered)
		<-ctx.Done()
		close(cancelled)
		return tools.Reply{Content: []string{"nobody reads this"}}
	}
	ctx, hangUp := context.WithCancel(t.Context())
	req := r.request("POST", "/tools/get-tables", wire.Request{}).WithContext(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if resp, err := r.client.Do(req); err == nil {
			resp.Body.Close()
		}
	}()
	receive(t, entered, "the call")
	hangUp()
	receive(t, cancelled, "the cancellation")
	receive(t, gone, "the end of the request")
}

func TestTheDeadlineOfAWriteIsOfThatWriteOnly(t *testing.T) {
	r := start(t, func(c *instance.Config) { c.WriteTimeout = time.Millisecond })
	ask := func(method, path string, body any, edit ...func(*http.Request)) bool {
		var reused bool
		trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
		edit = append(edit, func(req *http.Request) { *req = *req.WithContext(httptrace.WithClientTrace(req.Context(), trace)) })
		resp, text := r.ask(method, path, body, edit...)
		assert.Less(t, resp.StatusCode, 300, text)
		return reused
	}
	past := func() {
		deadline := time.Now().Add(5 * time.Millisecond)
		require.Eventually(t, func() bool { return time.Now().After(deadline) }, patience, time.Millisecond)
	}
	ask("POST", "/tools/get-tables", "{}")
	past()
	assert.True(t, ask("GET", "/tables", nil), "the same connection serves on")
	past()
	assert.True(t, ask("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		with("Accept", "application/json, text/event-stream"), with("Mcp-Protocol-Version", eras[1]),
		with("Mcp-Method", "notifications/initialized")), "also for an answer without a body")
}

func TestOneLineOfLogTellsOfACallAndNothingOfItsContent(t *testing.T) {
	r := start(t, func(c *instance.Config) {
		c.Observe = func(call tools.Call, reply tools.Reply) instance.Telemetry {
			return instance.Telemetry{Operation: "apply_edits", Edits: 3, Success: !reply.IsError, Reason: "stale_state"}
		}
	})
	r.ask("POST", "/tools/mssql_schema_designer", `{"arguments":{"name":"private"},"client":{"name":"someone"}}`)
	var found []map[string]any
	for _, text := range strings.Split(strings.TrimSpace(r.log.String()), "\n") {
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		if line["msg"] == "tool call" {
			found = append(found, line)
		}
	}
	require.Len(t, found, 1)
	delete(found[0], "time")
	delete(found[0], "durationMs")
	assert.Equal(t, map[string]any{
		"level": "INFO", "msg": "tool call", "operation": "apply_edits", "editCount": 3.0, "success": true, "reason": "stale_state",
	}, found[0])
	assert.NotContains(t, r.log.String(), "private")
	assert.NotContains(t, r.log.String(), "someone")
}

func TestTheLogCountsEditsAndNamesTheReasonOfEveryRefusal(t *testing.T) {
	r := start(t, func(c *instance.Config) {
		c.Observe = func(call tools.Call, reply tools.Reply) instance.Telemetry {
			return instance.Telemetry{Operation: call.Tool, Reason: reply.Reason, Ops: map[string]int{"add_table": 1, "add_column": 2}, Tables: 4, ColumnsOmitted: true}
		}
	})
	r.ask("POST", "/tools/get-tables", `{"arguments":{"projectRoot":"/"}}`)
	r.ask("POST", "/tools/get-tables", `{"arguments":{}}`)
	var lines []map[string]any
	for _, text := range strings.Split(strings.TrimSpace(r.log.String()), "\n") {
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		if line["msg"] == "tool call" {
			lines = append(lines, line)
		}
	}
	require.Len(t, lines, 2)
	assert.Equal(t, "wrong_project", lines[0]["reason"], "refused before the tool ran")
	assert.Equal(t, map[string]any{"add_table": 1.0, "add_column": 2.0}, lines[1]["edits"])
	assert.Equal(t, []any{4.0, true}, []any{lines[1]["tableCount"], lines[1]["columnsOmitted"]})
}

func TestAPanicEndsItsOwnRequestOnly(t *testing.T) {
	r := start(t)
	r.tools.handle = func(context.Context, tools.Call) tools.Reply { panic("a secret value") }
	resp, body := r.ask("POST", "/tools/get-tables", "{}")
	assert.Equal(t, 500, resp.StatusCode)
	assert.Equal(t, "internal", failure(t, body).Error)
	assert.Contains(t, r.log.String(), "handler panicked")
	assert.NotContains(t, r.log.String()+body, "a secret value")
	resp, _ = r.ask("GET", "/tables", nil)
	assert.Equal(t, 200, resp.StatusCode)
}
