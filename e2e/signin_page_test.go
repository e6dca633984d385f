package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opened waits until the desktop was handed a file, and returns the address in
// it.
func opened(t *testing.T, in *instance, desktop string) string {
	t.Helper()
	var address string
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		path, err := os.ReadFile(desktop)
		require.NoError(c, err)
		text, err := os.ReadFile(string(path))
		require.NoError(c, err)
		found := addressInFile.FindSubmatch(text)
		require.NotNil(c, found, "%s", text)
		address = string(found[1])
	}, patience, tick)
	require.True(t, strings.HasPrefix(address, in.URL+"/?open="), address)
	return address
}

// The plain address, as replies print it, leads to a page without a key. What
// it may have is a press: the rest happens in the person's own browser.
func TestAPageWithoutAKeyOffersToSignIn(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	desktop := w.desktop()
	in := w.serve(w.project("app", twoTables))
	bare := newTab(t)
	bare.goTo(in.URL)
	bare.has(`[data-testid=gate-signed-out] [data-testid=sign-in]`)
	bare.sees("berth open")
	bare.hasNoSeriousBarrier()
	assert.NoFileExists(t, desktop, "a page that is only looked at opens nothing")
	eval[bool](bare, `(window.heard = [], window.fetch = (ask => async (...all) => {
		const answer = await ask(...all)
		window.heard.push(String(all[0]) + " " + answer.status + " " + await answer.clone().text())
		return answer
	})(window.fetch), true)`)
	bare.press(`[data-testid=sign-in]`)
	bare.sees("opens in your browser")
	address := opened(t, in, desktop)
	assert.Equal(t, []string{`./signin/open 200 {"opened":true}`},
		eval[[]string](bare, `window.heard.map(line => line.trim())`), "nothing that signs in comes to the page that asked")
	log, err := os.ReadFile(filepath.Join(w.home, "logs", "berth.log"))
	require.NoError(t, err)
	_, code, _ := strings.Cut(address, "#code=")
	require.NotEmpty(t, code)
	assert.NotContains(t, string(log), code)
	assert.Contains(t, string(log), "browser opened for a page that asked to sign in")

	signed := bare.another()
	signed.goTo(address)
	signed.has(`.shell`)
	bare.has(`.shell`) // by the key that this browser has now
}

func TestWhereNoBrowserCanBeOpenedThePageSaysWhatToDo(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	w.env = without(without(w.env, "DISPLAY"), "WAYLAND_DISPLAY")
	in := w.serve(w.project("app", twoTables))
	b := newTab(t)
	b.expect("400 (Bad Request)")
	b.goTo(in.URL)
	b.press(`[data-testid=sign-in]`)
	b.sees("berth open --print")
	b.has(`[data-testid=sign-in-refused]`)
	b.hasNoSeriousBarrier()
}

// A web page that a person has open beside it, and programs that are no page of
// this instance, open no browser.
func TestNobodyElseHasTheBrowserOpened(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	desktop := w.desktop()
	in := w.serve(w.project("app", twoTables))
	hostile := webPage(t, "")
	b := newTab(t)
	b.expect("CORS", "Failed to load resource", "403", "ERR_FAILED", "chrome-error://", "frame-ancestors", "Blocked by")
	b.goTo(hostile.url)
	tried := eval[int](b, fmt.Sprintf(`async () => {
		const url = %q + "/signin/open"
		let tried = 0
		for (const mode of ["cors", "no-cors"]) for (const type of ["application/json", "text/plain"])
			await fetch(url, {method: "POST", mode, headers: {"Content-Type": type}, body: "{}"}).catch(() => undefined).then(() => tried++)
		navigator.sendBeacon(url, new Blob(["{}"], {type: "application/json"})); tried++
		const frame = document.body.appendChild(document.createElement("iframe"))
		frame.name = "hidden"
		const form = document.body.appendChild(document.createElement("form"))
		Object.assign(form, {method: "POST", enctype: "text/plain", action: url, target: "hidden"})
		form.innerHTML = '<input name="{}">'
		form.submit(); tried++
		return tried
	}`+"\n", in.URL), 0)
	assert.Equal(t, 6, tried)

	ours := http.Header{"Origin": {in.URL}, "Content-Type": {"application/json"}, "Sec-Fetch-Site": {"same-origin"}}
	port := in.URL[strings.LastIndex(in.URL, ":"):]
	for name, with := range map[string]struct {
		status int
		change http.Header
	}{
		"no origin, as programs send":    {403, http.Header{"Origin": nil}},
		"an opaque origin":               {403, http.Header{"Origin": {"null"}}},
		"another port of this machine":   {403, http.Header{"Origin": {hostile.url}}},
		"two origins":                    {403, http.Header{"Origin": {in.URL, in.URL}}},
		"a name that was bound again":    {403, http.Header{"Host": {"evil.example" + port}, "Origin": {"http://evil.example" + port}}},
		"its host alone":                 {403, http.Header{"Host": {"evil.example" + port}}},
		"another port of the same host":  {403, http.Header{"Sec-Fetch-Site": {"same-site"}}},
		"a page of another site":         {403, http.Header{"Sec-Fetch-Site": {"cross-site"}}},
		"an address that a person typed": {403, http.Header{"Sec-Fetch-Site": {"none"}}},
		"what a form can send":           {400, http.Header{"Content-Type": {"text/plain"}}},
	} {
		header := ours.Clone()
		for key, values := range with.change {
			header[key] = values
		}
		status, body := postAs(t, in, "/signin/open", header)
		assert.Equal(t, with.status, status, "%s: %s", name, body)
	}
	assert.NoFileExists(t, desktop)

	status, body := postAs(t, in, "/signin/open", ours)
	require.Equal(t, 200, status, body)
	opened(t, in, desktop) // so that the refusals above mean something
}

func postAs(t *testing.T, in *instance, path string, header http.Header) (int, string) {
	t.Helper()
	r, err := http.NewRequest("POST", in.URL+path, strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header = header
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}
