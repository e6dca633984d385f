package instance_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
)

// raw sends text on a connection of its own and returns what comes back.
// The text promises a body of 1000 bytes that never comes: an answer shows
// that nobody waited for it.
func (r *testInstance) raw(text string) (*http.Response, string) {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	require.NoError(r.t, err)
	defer conn.Close()
	require.NoError(r.t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = conn.Write([]byte(text))
	require.NoError(r.t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(r.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return resp, string(body)
}

func TestWhoMayNotIsRefusedBeforeAnyWork(t *testing.T) {
	r, other := start(t), start(t)
	_, pageKey := r.signIn()
	_, foreignKey := other.signIn()
	id, _, _ := strings.Cut(strings.TrimPrefix(pageKey, "Bearer "), ".")
	port := r.addr[strings.LastIndex(r.addr, ":"):]
	token := r.self.Token.Header()
	tests := []struct {
		name                     string
		target, host, credential string
		header                   string
		status                   int
		code                     wire.Code
	}{
		{name: "a name rebound to this address", host: "evil.example" + port, credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "a name that begins like ours", host: "127.0.0.1.evil.example" + port, credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "a host without a port", host: "127.0.0.1", credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "a host with another port", host: "127.0.0.1:1", credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "an empty host", host: "", credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "a foreign name in the request line", target: "http://evil.example" + port + "/tools/get-tables", credential: token, status: 403, code: wire.CodeForbiddenHost},
		{name: "a page of another site", header: "Origin: https://evil.example\r\n", credential: token, status: 403, code: wire.CodeForbiddenOrigin},
		{name: "a page of another port", header: "Origin: http://127.0.0.1:1\r\n", credential: token, status: 403, code: wire.CodeForbiddenOrigin},
		{name: "a page without an origin", header: "Origin: null\r\n", credential: token, status: 403, code: wire.CodeForbiddenOrigin},
		{name: "a page over TLS", header: "Origin: https://127.0.0.1" + port + "\r\n", credential: token, status: 403, code: wire.CodeForbiddenOrigin},
		{name: "two origins, one of them ours", header: "Origin: http://127.0.0.1" + port + "\r\nOrigin: http://evil.example\r\n", credential: token, status: 403, code: wire.CodeForbiddenOrigin},
		{name: "no token", status: 401, code: wire.CodeUnauthorized},
		{name: "the token of another instance", credential: other.self.Token.Header(), status: 401, code: wire.CodeUnauthorized},
		{name: "the token without its scheme", credential: strings.TrimPrefix(token, "Bearer "), status: 401, code: wire.CodeUnauthorized},
		{name: "half the token", credential: token[:len(token)/2], status: 401, code: wire.CodeUnauthorized},
		{name: "the token twice", credential: token, header: "Authorization: " + token + "\r\n", status: 401, code: wire.CodeUnauthorized},
		{name: "the page key of another project", credential: foreignKey, status: 401, code: wire.CodeUnauthorized},
		{name: "a page key's id alone", credential: "Bearer " + id + ".", status: 401, code: wire.CodeUnauthorized},
		{name: "a page key's id with the token", credential: "Bearer " + id + "." + strings.TrimPrefix(token, "Bearer "), status: 401, code: wire.CodeUnauthorized},
		{name: "a page key for a handover", target: "/handover", credential: pageKey, status: 403, code: wire.CodeForbidden},
		{name: "a page key for a shutdown", target: "/shutdown", credential: pageKey, status: 403, code: wire.CodeForbidden},
		{name: "a page key for another page's code", target: "/signin/code", credential: pageKey, status: 403, code: wire.CodeForbidden},
		{name: "the token for a code", target: "/signin/code", credential: token, status: 403, code: wire.CodeForbidden},
		{name: "the token for a code, and another person key", target: "/signin/code", credential: token, header: wire.PersonHeader + ": " + wire.NewToken().Header() + "\r\n", status: 403, code: wire.CodeForbidden},
		{name: "the token for a code, and the token again", target: "/signin/code", credential: token, header: wire.PersonHeader + ": " + token + "\r\n", status: 403, code: wire.CodeForbidden},
		{name: "the person key alone", target: "/signin/code", credential: r.person.Header(), status: 401, code: wire.CodeUnauthorized},
		{name: "a page key for MCP", target: "/mcp", credential: pageKey, status: 403, code: wire.CodeForbidden},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "POST " + or(tt.target, "/tools/get-tables") + " HTTP/1.1\r\n"
			if tt.name != "an empty host" {
				text += "Host: " + or(tt.host, "127.0.0.1"+port) + "\r\n"
			} else {
				text += "Host:\r\n"
			}
			if tt.credential != "" {
				text += "Authorization: " + tt.credential + "\r\n"
			}
			text += tt.header + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
			resp, body := r.raw(text)
			assert.Equal(t, tt.status, resp.StatusCode, body)
			assert.Equal(t, string(tt.code), failure(t, body).Error)
			assert.True(t, resp.Close, "the rest of the body is not waited for")
			assert.Empty(t, resp.Header.Values("Access-Control-Allow-Origin"))
			if tt.status == 401 {
				assert.Contains(t, body, "berth open", "the refusal says how a credential is had")
			}
			assert.NotContains(t, body, strings.TrimPrefix(token, "Bearer "))
		})
	}
	assert.Zero(t, r.tools.calls.Load(), "no handler ran")
	r.stillServes()
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestEveryRouteButThreeAsksForACredential(t *testing.T) {
	r := start(t)
	for _, route := range []string{
		"GET /database-type", "GET /events", "POST /handover", "GET /keys", "DELETE /keys/AAAAAAAAAAAAAAAAAAAAAA",
		"GET /mcp", "POST /mcp", "DELETE /mcp", "POST /query", "POST /shutdown", "POST /signin/code", "GET /status",
		"GET /tables", "GET /tables/Orders/schema", "POST /tools/get-tables",
	} {
		t.Run(route, func(t *testing.T) {
			method, path, _ := strings.Cut(route, " ")
			resp, body := r.ask(method, path, nil, as(""))
			assert.Equal(t, 401, resp.StatusCode)
			assert.Equal(t, "unauthorized", failure(t, body).Error)
		})
	}
	assert.Zero(t, r.db.count()+int(r.tools.calls.Load()))
}

func TestTheInstancesOwnNamesAndPageAreLetIn(t *testing.T) {
	r := start(t)
	port := r.addr[strings.LastIndex(r.addr, ":"):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		t.Run(host, func(t *testing.T) {
			resp, body := r.ask("GET", "/tables", nil, func(req *http.Request) { req.Host = host + port })
			assert.Equal(t, 200, resp.StatusCode, body)
		})
	}
	for _, origin := range []string{"http://127.0.0.1" + port, "http://localhost" + port} {
		t.Run(origin, func(t *testing.T) {
			resp, body := r.ask("GET", "/tables", nil, with("Origin", origin))
			assert.Equal(t, 200, resp.StatusCode, body)
			assert.Empty(t, resp.Header.Values("Access-Control-Allow-Origin"))
		})
	}
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	r := start(t)
	tests := []struct {
		name, path string
		edit       func(*http.Request)
		status     int
	}{
		{"an answer", "/tables", func(*http.Request) {}, 200},
		{"the page", "/", as(""), 200},
		{"a refusal", "/tables", as(""), 401},
		{"a refusal of the host", "/tables", func(req *http.Request) { req.Host = "evil.example" }, 403},
		{"no such route", "/nothing", func(*http.Request) {}, 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := r.ask("GET", tt.path, nil, tt.edit)
			assert.Equal(t, tt.status, resp.StatusCode, body)
			assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "default-src 'self'")
			assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
			assert.Equal(t, "no-referrer", resp.Header.Get("Referrer-Policy"))
			assert.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"))
			assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
		})
	}
}

func TestAPreflightIsAnsweredLikeAnyUnknownMethod(t *testing.T) {
	r := start(t)
	resp, body := r.ask("OPTIONS", "/query", nil, as(""), with("Access-Control-Request-Method", "POST"))
	assert.Equal(t, 405, resp.StatusCode, body)
	for name := range resp.Header {
		assert.NotContains(t, name, "Access-Control")
	}
}

func TestRefusedCallsAreLoggedSparinglyAndWithoutTheCredential(t *testing.T) {
	r := start(t)
	for i := range 100 {
		r.ask("GET", fmt.Sprintf("/tables?secret=%d", i), nil, as("Bearer wrong-credential"))
	}
	log := r.log.String()
	assert.Contains(t, log, `"request refused"`)
	assert.Less(t, strings.Count(log, "request refused"), 30)
	assert.NotContains(t, log, "wrong-credential")
	assert.NotContains(t, log, "secret=")
}

func TestAHeaderThatComesTooSlowlyIsCutOff(t *testing.T) {
	t.Parallel()
	r := start(t)
	conn, err := net.Dial("tcp", r.addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET /health HTTP/1.1\r\nHost: "))
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(patience)))
	_, err = io.ReadAll(conn)
	assert.NoError(t, err, "the instance hangs up; an error would be our own deadline")
}

func TestAHeaderThatIsTooLongIsRefused(t *testing.T) {
	r := start(t)
	resp, _ := r.raw("GET /health HTTP/1.1\r\nHost: " + r.addr + "\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n")
	assert.Equal(t, http.StatusRequestHeaderFieldsTooLarge, resp.StatusCode)
}

func TestMoreRequestsThanTheLimitAreToldSo(t *testing.T) {
	tool := newBlocking()
	r := start(t, func(c *instance.Config) { c.MaxRequests = 2 })
	r.tools.handle = tool.handle
	replies := make(chan string, 2)
	for range 2 {
		go func() { _, text := r.ask("POST", "/tools/get-tables", "{}"); replies <- text }()
		receive(t, tool.entered, "the call")
	}
	resp, body := r.ask("GET", "/tables", nil)
	assert.Equal(t, 503, resp.StatusCode)
	assert.Equal(t, "overloaded", failure(t, body).Error)
	assert.Contains(t, body, "at most 2 requests")
	resp, _ = r.ask("GET", "/health", nil, as(""))
	assert.Equal(t, 200, resp.StatusCode, "a full instance still proves itself")
	close(tool.release)
	for range 2 {
		assert.Contains(t, receive(t, replies, "a reply"), "finished")
	}
	resp, body = r.ask("GET", "/tables", nil)
	assert.Equal(t, 200, resp.StatusCode, body)
}
