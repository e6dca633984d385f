package instance_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// callConn is a front-end's connection of calls.
type callConn struct {
	t  *testing.T
	in *bufio.Reader
	net.Conn
}

// callConn opens a connection of calls as an agent's front-end does.
func (r *testInstance) callConn() callConn {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { conn.Close() })
	require.NoError(r.t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nConnection: Upgrade\r\nUpgrade: %s\r\nContent-Length: 0\r\n\r\n",
		wire.CallsPath, r.addr, r.self.Token.Header(), wire.CallsProtocol)
	require.NoError(r.t, err)
	c := callConn{r.t, bufio.NewReader(conn), conn}
	resp, err := http.ReadResponse(c.in, nil)
	require.NoError(r.t, err)
	require.Equal(r.t, http.StatusSwitchingProtocols, resp.StatusCode)
	return c
}

func (c callConn) send(text string) {
	c.t.Helper()
	_, err := c.Write([]byte(text + "\n"))
	require.NoError(c.t, err)
}

func (c callConn) call(call wire.Call) wire.Line {
	c.t.Helper()
	text, err := json.Marshal(call)
	require.NoError(c.t, err)
	c.send(string(text))
	return c.line()
}

func (c callConn) line() wire.Line {
	c.t.Helper()
	line, err := wire.NewLineReader(c.in).Next()
	require.NoError(c.t, err)
	return line
}

func TestACallWithoutHTTPIsThatOfItsRoute(t *testing.T) {
	r := start(t)
	c := r.callConn()
	req := wire.Request{
		Arguments:      json.RawMessage(`{"table":"a/b"}`),
		Client:         wire.Client{ID: "f", Name: "claude", Version: "2", Elicitation: true, Views: true},
		InputResponses: json.RawMessage(`{"q":{"action":"accept"}}`),
		RequestState:   "sealed",
	}
	_, body := r.ask("POST", "/tools/get-schema", req)
	assert.Equal(t, lines(t, body), []wire.Line{c.call(wire.Call{Tool: "get-schema", Request: req})})
	_, body = r.ask("POST", "/tools/get-schema", req, r.vouched())
	vouched := c.call(wire.Call{Tool: "get-schema", Person: r.person.Header(), Request: req})
	assert.Equal(t, lines(t, body), []wire.Line{vouched})
	assert.Contains(t, vouched.Result.Content[0], `"Elicitation":true,"Views":true`)
	wrong := c.call(wire.Call{Tool: "get-schema", Person: wire.NewToken().Header(), Request: req})
	assert.Contains(t, wrong.Result.Content[0], `"Elicitation":false,"Views":false`, "only with the person key")
}

func TestACallWithoutHTTPThatIsRefused(t *testing.T) {
	r := start(t)
	c := r.callConn()
	for text, want := range map[string]wire.Code{
		`{"tool":"no-such-tool"}`:                  wire.CodeNotFound,
		`{"tool":"get-tables","deadlineMs":-1}`:    wire.CodeInvalidRequest,
		`{"tool":"get-tables","tool":"run-query"}`: wire.CodeInvalidJSON,
		`GET /health HTTP/1.1`:                     wire.CodeInvalidJSON,
	} {
		c.send(text)
		if line := c.line(); assert.NotNil(t, line.Failure, text) {
			assert.Equal(t, string(want), line.Failure.Error, text)
		}
	}
	assert.Zero(t, r.tools.calls.Load())
	assert.NotNil(t, c.call(wire.Call{Tool: "get-tables"}).Result, "the connection is of use after a refusal")

	c.send(strings.Repeat("x", wire.MaxCallBytes))
	assert.Equal(t, string(wire.CodeTooLarge), c.line().Failure.Error)
}

func TestOnlyTheTokenOpensAConnectionOfCalls(t *testing.T) {
	r := start(t)
	_, pageKey := r.signIn()
	upgrade := with("Upgrade", wire.CallsProtocol)
	for name, tt := range map[string]struct {
		edit   func(*http.Request)
		status int
	}{
		"no credential":    {as(""), 401},
		"a page key":       {as(pageKey), 403},
		"another's token":  {as(wire.NewToken().Header()), 401},
		"a foreign origin": {with("Origin", "https://evil.example"), 403},
		"no upgrade":       {func(req *http.Request) { req.Header.Del("Upgrade") }, 400},
	} {
		resp, body := r.ask("POST", wire.CallsPath, nil, upgrade, tt.edit)
		assert.Equal(t, tt.status, resp.StatusCode, "%s: %s", name, body)
	}
}

// Closing the connection is how a front-end cancels a call, in its first moment
// as later.
func TestClosingAConnectionCancelsItsCall(t *testing.T) {
	for _, wait := range []time.Duration{0, 50 * time.Millisecond} {
		long := strings.Repeat("x", 64<<10) // more than comes with one read
		began, ended := make(chan struct{}, 1), make(chan struct{}, 1)
		r := start(t)
		r.tools.handle = func(ctx context.Context, _ tools.Call) tools.Reply {
			began <- struct{}{}
			<-ctx.Done()
			ended <- struct{}{}
			return tools.Reply{Content: []string{"cancelled"}, IsError: true}
		}
		c := r.callConn()
		c.send(fmt.Sprintf(`{"tool":"get-tables","arguments":{"x":%q}}`, long))
		<-began
		time.Sleep(wait)
		c.Close()
		select {
		case <-ended:
		case <-time.After(patience):
			require.Fail(t, "the call was not cancelled")
		}
	}
}

// A slow call is watched for the end of its connection; the next one is read
// all the same.
func TestACallFollowsASlowOne(t *testing.T) {
	r := start(t)
	r.tools.handle = func(ctx context.Context, call tools.Call) tools.Reply {
		time.Sleep(50 * time.Millisecond)
		return echo(ctx, call)
	}
	c := r.callConn()
	for range 3 {
		assert.NotNil(t, c.call(wire.Call{Tool: "get-tables"}).Result)
	}
}

// An instance ends with connections that nobody uses, lets a call in progress
// end, and takes no other meanwhile.
func TestConnectionsOfCallsEndWithTheInstance(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	r := start(t)
	idle, busy, late := r.callConn(), r.callConn(), r.callConn()
	require.NotNil(t, idle.call(wire.Call{Tool: "get-tables"}).Result)
	r.tools.handle = func(ctx context.Context, call tools.Call) tools.Reply {
		if call.Tool == "get-tables" {
			close(began)
			<-finish
		}
		return echo(ctx, call)
	}
	busy.send(`{"tool":"get-tables"}`)
	<-began
	r.stop()
	require.Eventually(t, func() bool {
		line := late.call(wire.Call{Tool: "get-schema"})
		return line.Failure != nil && line.Failure.Error == string(wire.CodeShuttingDown)
	}, patience, time.Millisecond)
	close(finish)
	assert.NotNil(t, busy.line().Result)
	assert.NoError(t, r.wait().err)
	_, err := idle.in.ReadByte()
	assert.Error(t, err)
}

// What goes wrong in one call, after its reply as before, ends no other.
func TestAPanicOfACallWithoutHTTPIsConfined(t *testing.T) {
	r := start(t, func(c *instance.Config) {
		c.Observe = func(tools.Call, tools.Reply) instance.Telemetry { panic("secret detail") }
	})
	c := r.callConn()
	for range 2 {
		assert.NotNil(t, c.call(wire.Call{Tool: "get-tables"}).Result)
	}
	r.tools.handle = func(context.Context, tools.Call) tools.Reply { panic("secret detail") }
	assert.Equal(t, string(wire.CodeInternal), c.call(wire.Call{Tool: "get-tables"}).Failure.Error)
	assert.NotContains(t, r.log.String(), "secret detail")
}
