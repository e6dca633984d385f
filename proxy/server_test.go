package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{%s},"clientInfo":{"name":"t","version":"1"}}}`

// greet shakes hands, with the capabilities given.
func (s *session) greet(capabilities string) {
	s.t.Helper()
	s.send(fmt.Sprintf(hello, capabilities))
	require.Contains(s.t, s.receive(), `"id":0`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func toolCall(t testing.TB, id int, tool, root string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments(t, root))
}

// waiting is a fake instance whose calls last until they are cancelled.
func waiting(w *world, root string) (began chan struct{}, ended chan error) {
	began, ended = make(chan struct{}, 10), make(chan error, 10)
	w.start(root, func(ctx context.Context, _ string, _ wire.Request, _ *wire.LineWriter) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
	})
	return began, ended
}

func requireEnded(t testing.TB, ended chan error) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the call in the instance was not cancelled")
	}
}

// atOnce is far less than the minute that calls may take here, and than the call
// that waits for ever. 100 ms are promised; a busy machine gets more.
const atOnce = 30 * time.Second

func TestEndOfInputCancelsCallsAndEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	began, ended := waiting(w, root)
	c := w.client(nil)
	proxy.EndBriefly(c)
	s := w.session(c)
	s.greet("")
	s.send(toolCall(t, 1, "get-tables", root))
	<-began
	start := time.Now()
	require.NoError(t, s.in.Close())
	require.NoError(t, <-s.done)
	assert.Less(t, time.Since(start), atOnce)
	requireEnded(t, ended)
}

func TestEndOfContextCancelsCallsAndEndsAtOnce(t *testing.T) {
	tests := []struct {
		name string
		out  io.Writer // nil: read by nobody
	}{{"for a client that reads", io.Discard}, {"for a client that has stopped reading", nil}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("a")
			began, ended := waiting(w, root)
			in, feed := io.Pipe()
			defer feed.Close()
			out := tt.out
			if out == nil {
				unread, blocked := io.Pipe()
				defer unread.Close()
				out = blocked
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				done <- proxy.NewServer(w.client(nil), proxy.ServerOptions{}).Run(ctx, in, out)
			}()
			meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
			line := strings.Replace(toolCall(t, 1, "get-tables", root), `"name"`, meta+`,"name"`, 1)
			_, err := io.WriteString(feed, line+"\n")
			require.NoError(t, err)
			<-began
			if tt.out == nil { // its answer blocks
				_, err := io.WriteString(feed, `{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{`+meta+"}}\n")
				require.NoError(t, err)
			}
			start := time.Now()
			cancel()
			require.NoError(t, <-done)
			assert.Less(t, time.Since(start), atOnce)
			requireEnded(t, ended)
		})
	}
}

// As in: cat requests | berth mcp
func TestCallsThatAreAlmostDoneAnswerAfterTheEndOfInput(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, say("here"))
	in := fmt.Sprintf(hello, "") + "\n" + toolCall(t, 1, "get-tables", root) // no newline at the end
	var out bytes.Buffer
	start := time.Now()
	require.NoError(t, proxy.NewServer(w.client(nil), proxy.ServerOptions{}).Run(t.Context(), strings.NewReader(in), &out))
	assert.Less(t, time.Since(start), atOnce, "it waits for the answer, and no longer")
	assert.Contains(t, out.String(), `"text":"here"`)
}

func TestCancelledCallIsCancelledInTheInstanceAndNotAnswered(t *testing.T) {
	w := newWorld(t)
	root, other := w.project("a"), w.project("b")
	began, ended := waiting(w, root)
	w.start(other, say("here"))
	s := w.session(w.client(nil))
	s.greet("")
	s.send(toolCall(t, 1, "get-tables", root))
	<-began
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no more"}}`)
	requireEnded(t, ended)
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`) // as opencode does: it has ended
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never was"}}`)
	s.send(toolCall(t, 2, "get-tables", other))
	assert.Contains(t, s.receive(), `"id":2`, "the next line is the next call's answer")
}

func TestFrameOverTheLimitIsRefusedAndTheSessionGoesOn(t *testing.T) {
	w := newWorld(t)
	s := w.session(w.client(nil))
	s.greet("")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", wire.MaxRequestBytes) + `"}}`)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message refused: larger than 4194304 bytes"}}`, s.receive())
	s.send("\r\n \n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\r")
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":2,"result":{}}`, s.receive())
}

func TestManyCallsAtOnceOnOneSession(t *testing.T) {
	w := newWorld(t)
	roots := []string{w.project("a"), w.project("b"), w.project("c")}
	for _, root := range roots {
		w.start(root, say(root))
	}
	s := w.session(w.client(nil))
	s.greet("")
	const calls = 1000
	go func() {
		for id := range calls {
			_, _ = io.WriteString(s.in, toolCall(t, id+1, "get-tables", roots[id%3])+"\n")
		}
	}()
	seen := map[int]bool{}
	for range calls {
		var reply struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		require.NoError(t, json.Unmarshal([]byte(s.receive()), &reply))
		require.False(t, seen[reply.ID])
		seen[reply.ID] = true
		require.Equal(t, roots[(reply.ID-1)%3], reply.Result.Content[0].Text)
	}
}

func TestRootsOfTheClientWordTheHint(t *testing.T) {
	w := newWorld(t)
	root, other := w.project("a"), w.project("b")
	w.start(root, echo)
	s := w.session(w.client(nil))
	s.greet(`"roots":{}`)

	s.send(toolCall(t, 1, "get-tables", other))
	var asked struct {
		ID     int
		Method string
	}
	require.NoError(t, json.Unmarshal([]byte(s.receive()), &asked))
	require.Equal(t, "roots/list", asked.Method)
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[{"uri":"https://example.com/"},{"uri":"file://%s"}]}}`, asked.ID, "/"+strings.TrimPrefix(filepath.ToSlash(root), "/")))
	assert.Contains(t, s.receive(), "pass projectRoot "+inJSON(t, root))

	s.send(toolCall(t, 3, "get-tables", root))
	assert.Contains(t, s.receive(), `"id":3`, "a call that succeeds asks for nothing")
}

func TestAClientThatDoesNotSayWhereItWorksIsNotWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.start(w.project("a"), echo)
	other := w.project("b")
	c := w.client(nil)
	proxy.AskRootsBriefly(c)
	s := w.session(c)
	s.greet(`"roots":{}`)
	s.send(toolCall(t, 2, "get-tables", other))
	assert.Contains(t, s.receive(), "roots/list")
	answer := s.receive()
	if gaveUp := "notifications/cancelled"; strings.Contains(answer, gaveUp) {
		answer = s.receive()
	} else {
		assert.Contains(t, s.receive(), gaveUp)
	}
	assert.Contains(t, answer, `"id":2`)
	assert.Contains(t, answer, wire.TextNotRunning+inJSON(t, other))
}

func TestNormalCallLogsNothing(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	w.start(root, say("here"))
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	client := w.client(func(o *proxy.Options) { o.Logger = logger })
	server := proxy.NewServer(client, proxy.ServerOptions{Logger: logger})
	in := fmt.Sprintf(hello, "") + "\n" + toolCall(t, 1, "get-tables", root) + "\n" + toolCall(t, 2, "get-tables", w.project("b")) + "\n"
	require.NoError(t, server.Run(t.Context(), strings.NewReader(in), io.Discard))
	assert.Empty(t, log.String())
}
