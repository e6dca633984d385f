package instance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
)

// withSignInFiles has files that open the page lie in dir.
func withSignInFiles(dir string) func(*instance.Config) {
	return func(c *instance.Config) { c.SignInDir = dir }
}

var codeInFile = regexp.MustCompile(`url=http://127\.0\.0\.1:\d+/\?open=[A-Z2-7]{26}#code=([A-Z2-7]{26})"`)

func TestASignInFileIsTheUsersAloneAndGoesWhenItsCodeIsUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "below", "signin")
	r := start(t, withSignInFiles(dir))
	resp, body := r.ask("POST", "/signin/code", map[string]bool{"file": true}, r.vouched())
	require.Equal(t, 200, resp.StatusCode, body)
	var made struct{ Code, URL, File string }
	require.NoError(t, json.Unmarshal([]byte(body), &made))
	assert.Empty(t, made.Code+made.URL, "the file alone carries the code")
	text, err := os.ReadFile(made.File)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		for path, mode := range map[string]fs.FileMode{made.File: 0o600, dir: 0o700} {
			info, err := os.Stat(path)
			require.NoError(t, err)
			assert.Equal(t, mode, info.Mode().Perm(), path)
		}
	}
	code := codeInFile.FindSubmatch(text)
	require.NotNil(t, code, "%s", text)
	assert.NotContains(t, made.File, string(code[1]))
	assert.NotContains(t, r.log.String(), string(code[1]))
	resp, body = r.ask("POST", "/signin", map[string]string{"code": string(code[1])}, as(""))
	require.Equal(t, 200, resp.StatusCode, body)
	assert.NoFileExists(t, made.File)
	assert.NoDirExists(t, dir, "nor does an empty folder stay")
}

func TestASignInFileThatNobodyTookGoesWithItsInstanceOrAtTheNextStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "signin")
	r := start(t, withSignInFiles(dir))
	path, err := r.server.NewSignInFile()
	require.NoError(t, err)
	r.stop()
	r.wait()
	assert.NoFileExists(t, path)

	require.NoError(t, os.Mkdir(dir, 0o700))
	others := filepath.Join(dir, "1-AAAA.html") // of another port
	require.NoError(t, os.WriteFile(others, nil, 0o600))
	var left string
	next := start(t, withSignInFiles(dir), func(c *instance.Config) {
		left = filepath.Join(dir, strconv.Itoa(c.Listener.Addr().(*net.TCPAddr).Port)+"-KILLED.html")
		require.NoError(t, os.WriteFile(left, nil, 0o600))
	})
	next.ask("GET", "/", nil, as("")) // what answers has started
	assert.NoFileExists(t, left, "of a process that was killed")
	assert.FileExists(t, others)
}

func TestASignInFileLiesInNoFolderThatOthersReadOrThatLeadsElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no such modes there
	}
	open := filepath.Join(t.TempDir(), "open")
	require.NoError(t, os.Mkdir(open, 0o755))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	for path, want := range map[string]string{open: "open to other users", link: "not a folder"} {
		r := start(t, withSignInFiles(path))
		resp, body := r.ask("POST", "/signin/code", map[string]bool{"file": true}, r.vouched())
		assert.Equal(t, 400, resp.StatusCode)
		assert.Contains(t, body, want)
	}
}

func TestAnAddressThatSignsInIsInNoCache(t *testing.T) {
	r := start(t)
	resp, _ := r.ask("GET", "/?open=X", nil, as(""))
	assert.Equal(t, `"cache"`, resp.Header.Get("Clear-Site-Data"), "what another program left there goes")
	assert.NotEqual(t, r.server.SignInURL("C"), r.server.SignInURL("C"))
	resp, _ = r.ask("GET", "/", nil, as(""))
	assert.Empty(t, resp.Header.Get("Clear-Site-Data"))
}

func TestAServiceWorkerIsToldToEndWhateverItsPath(t *testing.T) {
	r := start(t)
	for _, path := range []string{"/sw.js", "/", "/a/b.js"} {
		resp, body := r.ask("GET", path, nil, as(""), with("Service-Worker", "script"))
		assert.Equal(t, 200, resp.StatusCode)
		assert.Contains(t, resp.Header.Get("Content-Type"), "text/javascript")
		assert.Contains(t, body, "registration.unregister()")
		assert.Equal(t, "/", resp.Header.Get("Service-Worker-Allowed"))
	}
}

func TestAPageThatAsksToSignInHasABrowserOpenedSoOftenAndNoMore(t *testing.T) {
	var opened []string
	var now atomic.Int64
	now.Store(time.Now().Unix())
	r := start(t, withSignInFiles(filepath.Join(t.TempDir(), "signin")), func(c *instance.Config) {
		c.Now = func() time.Time { return time.Unix(now.Load(), 0) }
		c.OpenBrowser = func(_ context.Context, path string) error { opened = append(opened, path); return nil }
	})
	press := func() (int, string) {
		resp, body := r.ask("POST", "/signin/open", "{}", as(""), func(q *http.Request) { q.Header.Set("Origin", r.url("")) })
		return resp.StatusCode, body
	}
	for range 3 {
		status, body := press()
		require.Equal(t, 200, status, body)
		require.JSONEq(t, `{"opened": true}`, body)
	}
	status, body := press()
	assert.Equal(t, 503, status, body)
	assert.Contains(t, body, "try again in 15 seconds")
	require.Len(t, opened, 3)
	text, err := os.ReadFile(opened[0])
	require.NoError(t, err, "presses displace no code")
	require.Regexp(t, codeInFile, string(text))
	now.Add(15)
	status, body = press()
	assert.Equal(t, 200, status, body)
	status, _ = press()
	assert.Equal(t, 503, status)
	require.Len(t, opened, 4)
}

func TestABrowserThatCannotBeOpenedIsToldOfWithoutItsFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "signin")
	r := start(t, withSignInFiles(dir), func(c *instance.Config) {
		c.OpenBrowser = func(_ context.Context, path string) error { return fmt.Errorf("xdg-open %s: exit status 3", path) }
	})
	resp, body := r.ask("POST", "/signin/open", "{}", as(""), func(q *http.Request) { q.Header.Set("Origin", r.url("")) })
	assert.Equal(t, 400, resp.StatusCode)
	assert.Contains(t, body, "berth open --print")
	assert.NotContains(t, body, dir)
}
