package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// peer returns the path of a program that npm installed in e2e/peers. Where
// it is not installed the test skips, unless every real part is required.
func peer(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("peers", "node_modules", ".bin", name))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		needs.Missing(t, name, "npm ci --prefix e2e/peers installs it")
	}
	return path
}

// runPeer runs a Node program with the Node of e2e/peers first in the path.
func runPeer(t *testing.T, w *world, program string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(without(w.env, "PATH"), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Dir = w.dir
	cmd.WaitDelay = time.Second // of npm's programs a child may hold the output
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestMCPInspectorListsAndCallsTheToolsOnStdio(t *testing.T) {
	long.Thoroughly(t) // our own stories list and call over stdio with the SDK
	inspector := peer(t, "mcp-inspector")
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.serve(root)
	// Clients give a server a few variables of theirs and those they are told.
	home := "BERTH_HOME=" + w.home
	out, err := runPeer(t, w, inspector, "--cli", "-e", home, binary, "mcp", "--method", "tools/list")
	require.NoError(t, err, out)
	for _, tool := range []string{"get-tables", "get-schema", "get-database-type", "run-query", designer} {
		assert.Contains(t, out, `"name": "`+tool+`"`)
	}
	out, err = runPeer(t, w, inspector, "--cli", "-e", home, binary, "mcp", "--method", "tools/call",
		"--tool-name", "get-tables", "--tool-arg", "projectRoot="+root)
	require.NoError(t, err, out)
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	require.NoError(t, json.Unmarshal([]byte(out), &result), out)
	assert.False(t, result.IsError)
	require.NotEmpty(t, result.Content)
	assert.Equal(t, `["customer","purchase"]`, result.Content[0].Text)
}

// The suite sends no token, so a proxy in front of the instance adds it. It
// listens on its own port and rewrites Host; the scenario about DNS rebinding
// is run as well, so a foreign Host or Origin must reach the instance as it is.
func TestMCPConformanceSuitePassesAgainstAnInstance(t *testing.T) {
	suite := peer(t, "conformance")
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	front := tokenProxy(t, in, w.token(in))
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "dns-rebinding-protection"} {
		t.Run(scenario, func(t *testing.T) {
			out, err := runPeer(t, w, suite, "server", "--url", front+"/mcp", "--scenario", scenario)
			assert.NoError(t, err, out)
			t.Log(out)
		})
	}
}

// tokenProxy forwards to an instance and adds its token. Host and Origin that
// name the proxy itself are rewritten to the instance's; others pass as sent.
func tokenProxy(t *testing.T, in *instance, token string) string {
	t.Helper()
	target, err := url.Parse(in.URL)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(nil)
	front := "http://" + server.Listener.Addr().String()
	server.Config.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		if own, _ := url.Parse(front); own.Host == r.In.Host || "localhost:"+own.Port() == r.In.Host {
			r.Out.Host = target.Host
		}
		if origin := r.In.Header.Get("Origin"); origin == front || origin == "http://"+r.In.Host {
			r.Out.Header.Set("Origin", target.Scheme+"://"+r.Out.Host)
		}
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}, FlushInterval: -1, Transport: &http.Transport{}}
	server.Start()
	t.Cleanup(server.Close)
	return front
}
