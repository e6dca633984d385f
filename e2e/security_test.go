package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// token reads an instance's token as a program of the same user could.
func (w *world) token(in *instance) string {
	w.t.Helper()
	token, err := w.tokenOf(in)
	require.NoError(w.t, err)
	require.NotEmpty(w.t, token)
	return token
}

// tokenOf is token for use from goroutines, where require must not be called,
// and of an instance that may be gone.
func (w *world) tokenOf(in *instance) (string, error) {
	raw, err := os.ReadFile(filepath.Join(w.home, "instances", strconv.Itoa(in.Port)+".json"))
	if err != nil {
		return "", err
	}
	var file struct{ Token string }
	err = json.Unmarshal(raw, &file)
	return file.Token, err
}

// request sends one HTTP request to an instance and returns status and body.
func request(t *testing.T, in *instance, method, path, body string, header map[string]string) (int, string) {
	t.Helper()
	res, text, err := tryRequest(in, method, path, body, header)
	require.NoError(t, err)
	assert.Empty(t, res.Header.Get("Access-Control-Allow-Origin"), "no CORS headers, ever")
	return res.StatusCode, text
}

// tryRequest is request for use from goroutines, where require must not be
// called. The response's body has been read.
func tryRequest(in *instance, method, path, body string, header map[string]string) (res *http.Response, text string, err error) {
	req, err := http.NewRequest(method, "http://127.0.0.1:"+strconv.Itoa(in.Port)+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range header {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if res, err = client.Do(req); err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res, string(raw), err
}

func TestEveryRouteRefusesStrangersBeforeAnyWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	first := w.serve(root)
	old := w.token(first)
	first.stop()
	in := w.serve(root)
	good := w.token(in)
	require.NotEqual(t, old, good, "a new token at every start")
	own := "127.0.0.1:" + strconv.Itoa(in.Port)

	strangers := map[string]struct {
		header map[string]string
		status int
	}{
		"wrong host":          {map[string]string{"Host": "evil.example", "Authorization": "Bearer " + good}, 403},
		"rebound host":        {map[string]string{"Host": "evil.example:" + strconv.Itoa(in.Port), "Authorization": "Bearer " + good}, 403},
		"host, other port":    {map[string]string{"Host": "127.0.0.1:1", "Authorization": "Bearer " + good}, 403},
		"foreign origin":      {map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer " + good}, 403},
		"null origin":         {map[string]string{"Origin": "null", "Authorization": "Bearer " + good}, 403},
		"origin, other port":  {map[string]string{"Origin": "http://127.0.0.1:1", "Authorization": "Bearer " + good}, 403},
		"no token":            {nil, 401},
		"wrong token":         {map[string]string{"Authorization": "Bearer " + strings.Repeat("A", len(good))}, 401},
		"token of last start": {map[string]string{"Authorization": "Bearer " + old}, 401},
		"token as a cookie":   {map[string]string{"Cookie": "token=" + good}, 401},
	}
	routes := []struct{ method, path, body string }{
		{"GET", "/tables", ""}, {"GET", "/tables/customer/schema", ""}, {"GET", "/database-type", ""},
		{"POST", "/query", `{"query":"SELECT 1"}`}, {"GET", "/status", ""}, {"GET", "/events", ""},
		{"POST", "/tools/get-tables", `{"arguments":{}}`}, {"POST", "/signin/code", "{}"},
		{"POST", "/handover", "{}"}, {"POST", "/shutdown", "{}"},
		{"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	}
	for name, s := range strangers {
		for _, r := range routes {
			status, body := request(t, in, r.method, r.path, r.body, s.header)
			assert.Equal(t, s.status, status, "%s on %s: %s", name, r.path, body)
			assert.NotContains(t, body, good)
		}
	}
	status, body := request(t, in, "GET", "/tables", "", map[string]string{"Authorization": "Bearer " + good, "Origin": "http://" + own})
	assert.Equal(t, 200, status)
	assert.JSONEq(t, `{"tables":["customer","purchase"]}`, body)
	status, _ = request(t, in, "GET", "/health", "", map[string]string{"Host": "evil.example"})
	assert.Equal(t, 403, status, "the open route checks the host too")
}

// squatter listens where an instance was and writes down what it is sent.
type squatter struct {
	mu   sync.Mutex
	seen bytes.Buffer
}

func squat(t *testing.T, w *world, port int, answer string) *squatter {
	s := &squatter{}
	l := w.occupy(port)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c, answer)
		}
	}()
	return s
}

func (s *squatter) serve(c net.Conn, answer string) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	b := make([]byte, 4096)
	for {
		n, err := c.Read(b)
		s.mu.Lock()
		s.seen.Write(b[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
		if _, err := io.WriteString(c, answer); err != nil {
			return
		}
	}
}

func TestSquatterOnADeadInstancesPortLearnsNothing(t *testing.T) {
	health := `{"name":"berth","version":"x","projectRootHash":"","proof":"AAAA"}`
	for name, answer := range map[string]string{
		"that answers like an instance": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(health)) + "\r\n\r\n" + health,
		"that answers like nothing":     "220 smtp.example ESMTP\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			root := w.project("app", twoTables)
			in := w.serve(root)
			client := w.agent()
			require.False(t, client.ask(root, "get-tables", nil).isError)
			token := w.token(in)
			in.kill() // map entry and instance file stay
			s := squat(t, w, in.Port, answer)
			got := client.ask(root, "run-query", map[string]any{"query": "SELECT 'a secret of the caller'"})
			assert.True(t, got.isError)
			assert.Equal(t, "MCP server not running for project: "+root, got.text())
			s.mu.Lock()
			defer s.mu.Unlock()
			assert.NotContains(t, s.seen.String(), token)
			assert.NotContains(t, s.seen.String(), "Authorization")
			assert.NotContains(t, s.seen.String(), "secret of the caller")
			assert.NotContains(t, s.seen.String(), "run-query")
		})
	}
}

func TestInstanceOfAnotherProjectOnThePortIsNotAsked(t *testing.T) {
	w := newWorld(t)
	a, b := w.project("a", "CREATE TABLE of_a (id INTEGER)"), w.project("b", "CREATE TABLE of_b (id INTEGER)")
	dead := w.serve(a)
	live := w.serve(b)
	dead.kill()
	// The map claims that a lives where b does: hand-edited, or restored from a backup.
	m, err := json.Marshal(map[string]int{a: live.Port, b: live.Port})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(w.home, "ports.json"), m, 0o600))
	got := w.agent().ask(a, "get-tables", nil)
	assert.True(t, got.isError)
	assert.Equal(t, "MCP server not running for project: "+a, got.text())
}

func TestSecretsAppearInNoLogReplyFileModeOrProcessList(t *testing.T) {
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root, "--verbose")
	token := w.token(in)
	client := w.agent()
	var replies strings.Builder
	for _, args := range []map[string]any{
		{"operation": "show"}, {"operation": "get_overview"}, {"operation": "nonsense"},
		{"operation": "apply_edits", "payload": map[string]any{"expectedVersion": "x", "edits": []any{addTable("secret_table_name")}}},
	} {
		replies.WriteString(client.ask(root, designer, args).text())
	}
	_, _ = request(t, in, "GET", "/tables", "", map[string]string{"Authorization": "Bearer wrong"})
	cmdline, err := os.ReadFile("/proc/" + strconv.Itoa(in.PID) + "/cmdline")
	require.NoError(t, err)
	in.stop()

	logs := in.stderr.String()
	_ = filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s is open to others: %s", path, info.Mode())
		if strings.Contains(path, "logs") && !d.IsDir() {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			logs += string(raw)
		}
		return nil
	})
	for place, text := range map[string]string{"a log": logs, "a reply": replies.String(), "the process list": string(cmdline)} {
		assert.NotContains(t, text, token, "the token is in %s", place)
	}
	assert.NotContains(t, logs, "secret_table_name", "telemetry names no data")
}

func TestTelemetryTellsHowACallWentAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root, "--verbose")
	client := w.agent()
	client.ask(root, "run-query", map[string]any{"query": "SELECT name FROM customer"})
	client.design(root, map[string]any{"operation": "show"})
	client.design(root, edits("not the version", addTable("a"), addTable("b")))
	in.stop()
	var told []string
	for _, line := range strings.Split(in.stderr.String(), "\n") {
		var entry map[string]any
		if json.Unmarshal([]byte(line), &entry) != nil || entry["operation"] == nil {
			continue
		}
		told = append(told, fmt.Sprint(entry["operation"], " ", entry["editCount"], " ", entry["success"], " ", entry["reason"]))
		for key := range entry {
			assert.Contains(t, []string{"time", "level", "msg", "operation", "editCount", "success", "reason", "durationMs", "edits"}, key)
		}
		if entry["operation"] == "apply_edits" {
			assert.Equal(t, map[string]any{"add_table": 2.0}, entry["edits"], "edits by their op")
		}
	}
	assert.Equal(t, []string{"run-query 0 true ", "show 0 true ", "apply_edits 2 false stale_state"}, told)
}
