package page_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/page"
)

var script = strings.Repeat("console.log('berth');\n", 200)

func files() fstest.MapFS {
	return fstest.MapFS{
		"index.html":           {Data: []byte("<!doctype html><html><head><title>b</title></head><body></body></html>")},
		"assets/index-1a2b.js": {Data: []byte(script)},
		"favicon.svg":          {Data: []byte("<svg/>")},
	}
}

func get(t *testing.T, opts page.Options, path string, header http.Header) *http.Response {
	t.Helper()
	h, err := page.New(opts)
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	w.Header().Set("X-Frame-Options", "DENY") // as the instance sets it
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(text)
}

var nonceInMeta = regexp.MustCompile(`<meta name="berth-style-nonce" content="([A-Z2-7]{26})">`)

func TestTheDocumentCarriesTheNonceOfItsOwnPolicy(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		r := get(t, page.Options{Files: files()}, "/", nil)
		found := nonceInMeta.FindStringSubmatch(body(t, r))
		require.NotNil(t, found)
		assert.Contains(t, r.Header.Get("Content-Security-Policy"), "style-src 'self' 'nonce-"+found[1]+"'")
		assert.False(t, seen[found[1]], "a nonce that comes twice is none")
		seen[found[1]] = true
	}
}

func TestThePolicyLetsInNothingFromElsewhere(t *testing.T) {
	policy := get(t, page.Options{Files: files()}, "/", nil).Header.Get("Content-Security-Policy")
	for _, directive := range []string{"default-src 'self'", "script-src 'self'", "connect-src 'self'", "worker-src 'self'",
		"object-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-src 'none'"} {
		assert.Contains(t, policy, directive+";")
	}
	assert.NotContains(t, policy, "unsafe")
	assert.NotContains(t, policy, "http")
	assert.NotContains(t, policy, "*")
}

func TestOnlyNamedEditorsFrameThePage(t *testing.T) {
	r := get(t, page.Options{Files: files()}, "/", nil)
	assert.True(t, strings.HasSuffix(r.Header.Get("Content-Security-Policy"), "frame-ancestors vscode-webview: vscode-file:"))
	assert.Empty(t, r.Header.Get("X-Frame-Options"), "it would forbid what the policy allows")

	r = get(t, page.Options{Files: files(), FrameAncestors: []string{"https://*.vscode-cdn.net"}}, "/", nil)
	assert.True(t, strings.HasSuffix(r.Header.Get("Content-Security-Policy"), "vscode-file: https://*.vscode-cdn.net"))
}

func TestAnAncestorThatIsEveryoneOrNoOriginIsRefused(t *testing.T) {
	for _, good := range []string{"https://vscode.dev", "https://*.vscode-cdn.net", "http://127.0.0.1:8080", "https://a.example:*", "vscode-webview:", "jetbrains:"} {
		assert.NoError(t, page.CheckAncestor(good), good)
	}
	for _, bad := range []string{"", "*", "https:", "http:", "https://*", "data:", "'self'", "https://a.dev; script-src *", "https://a.dev https://b.dev",
		"https://a.dev/path", "https://*.*.dev", "vscode.dev", "HTTPS:", "file:", "https://a.dev\n"} {
		_, err := page.New(page.Options{Files: files(), FrameAncestors: []string{bad}})
		assert.Error(t, err, "%q", bad)
	}
}

func TestHashedFilesAreCachedForGoodAndNothingElseIs(t *testing.T) {
	r := get(t, page.Options{Files: files()}, "/assets/index-1a2b.js", nil)
	assert.Equal(t, "public, max-age=31536000, immutable", r.Header.Get("Cache-Control"))
	assert.Equal(t, "text/javascript; charset=utf-8", r.Header.Get("Content-Type"))
	assert.Equal(t, script, body(t, r))
	for _, path := range []string{"/", "/favicon.svg"} {
		assert.NotContains(t, get(t, page.Options{Files: files()}, path, nil).Header.Get("Cache-Control"), "immutable", path)
	}
}

func TestFilesAreCompressedForWhoTakesIt(t *testing.T) {
	for accept, compressed := range map[string]bool{"gzip, deflate, br": true, "br;q=1.0, gzip;q=0.5": true, "": false, "br": false, "gzip;q=0": false} {
		r := get(t, page.Options{Files: files()}, "/assets/index-1a2b.js", http.Header{"Accept-Encoding": {accept}})
		text := body(t, r)
		assert.Equal(t, "Accept-Encoding", r.Header.Get("Vary"))
		if !compressed {
			assert.Empty(t, r.Header.Get("Content-Encoding"), accept)
			assert.Equal(t, script, text, accept)
			continue
		}
		assert.Equal(t, "gzip", r.Header.Get("Content-Encoding"), accept)
		assert.Less(t, len(text), len(script)/5)
		plain, err := gzip.NewReader(bytes.NewReader([]byte(text)))
		require.NoError(t, err)
		got, err := io.ReadAll(plain)
		require.NoError(t, err)
		assert.Equal(t, script, string(got))
	}
}

func TestNoOtherPathLeadsToTheDocument(t *testing.T) {
	for _, path := range []string{"/index.html", "/tables/x", "/assets/", "/assets/none.js", "/assets/%69ndex-1a2b.js"} {
		r := get(t, page.Options{Files: files()}, path, nil)
		assert.Equal(t, http.StatusNotFound, r.StatusCode, path)
		assert.Contains(t, body(t, r), `"not_found"`, path)
	}
}

func TestTheEmbeddedPageCanBeServed(t *testing.T) {
	h, err := page.New(page.Options{})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Body.String(), `<div id="root"`)
	assert.Regexp(t, nonceInMeta, w.Body.String())
}
