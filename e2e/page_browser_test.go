package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var addressInFile = regexp.MustCompile(`content="0; url=([^"]+)"`)

// address is one that signs a browser in: what is in the file that `berth
// open` hands to the desktop's opener.
func (w *world) address(in *instance) string {
	w.t.Helper()
	dir, err := os.MkdirTemp(w.dir, "desktop-")
	require.NoError(w.t, err)
	file := filepath.Join(dir, "address")
	for _, opener := range []string{"xdg-open", "open"} { // Linux and macOS
		script := fmt.Sprintf("#!/bin/sh\nprintf %%s \"$1\" >%q\n", file)
		require.NoError(w.t, os.WriteFile(filepath.Join(dir, opener), []byte(script), 0o755))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "open", in.ProjectRoot)
	cmd.WaitDelay = time.Second
	cmd.Env = append(without(w.env, "PATH"), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "%s", out)
	path, err := os.ReadFile(file)
	require.NoError(w.t, err)
	text, err := os.ReadFile(string(path))
	require.NoError(w.t, err)
	address := addressInFile.FindSubmatch(text)
	require.NotNil(w.t, address, "%s", text)
	require.True(w.t, strings.HasPrefix(string(address[1]), in.URL+"/?open="), "%s", address[1])
	return string(address[1])
}

// desktop gives the world's processes a desktop, whose opener writes down what
// it is handed in the file whose path is returned.
func (w *world) desktop() string {
	w.t.Helper()
	dir := filepath.Join(w.dir, "desktop")
	require.NoError(w.t, os.MkdirAll(dir, 0o755))
	file := filepath.Join(dir, "opened")
	for _, opener := range []string{"xdg-open", "open"} { // Linux and macOS
		script := fmt.Sprintf("#!/bin/sh\nprintf %%s \"$1\" >%q\n", file)
		require.NoError(w.t, os.WriteFile(filepath.Join(dir, opener), []byte(script), 0o755))
	}
	w.env = append(without(w.env, "PATH"), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "DISPLAY=:99")
	return file
}

// page opens a project's page in a browser of its own, signed in.
func (w *world) page(in *instance) *tab {
	w.t.Helper()
	b := newTab(w.t)
	b.goTo(w.address(in))
	b.eventually(`localStorage.getItem("berth.credential") !== null`)
	return b
}

func TestBerthOpenSignsOneBrowserIn(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	address := w.address(in)
	b := newTab(t)
	b.goTo(address)
	b.eventually(`localStorage.getItem("berth.credential") !== null`)
	b.eventually(`!location.href.includes("code")`)
	b.lacks(`[data-testid=gate-signed-out]`)

	stranger := newTab(t)
	stranger.expect("401 (Unauthorized)")
	stranger.goTo(address)
	stranger.has(`[data-testid=gate-signed-out]`)
	stranger.sees("berth open")
	assert.False(t, eval[bool](stranger, `localStorage.getItem("berth.credential") !== null`), "a code signs in once")

	bare := newTab(t)
	bare.goTo(in.URL)
	bare.has(`[data-testid=gate-signed-out]`)

	b.reload()
	b.has(`.shell`)
	b.another().goTo(in.URL)
}

func TestThePagesPolicyKeepsInjectedScriptsOut(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	b := w.page(in)
	b.has(`.shell`)
	b.expect("Content Security Policy", "404 (Not Found)")
	blocked := eval[[]string](b, `async () => {
		const blocked = [];
		document.addEventListener("securitypolicyviolation", e => blocked.push(e.effectiveDirective));
		window.pwned = 0;
		const inline = document.createElement("script");
		inline.textContent = "window.pwned++";
		document.head.append(inline);
		const box = document.createElement("div");
		box.innerHTML = '<img src="x" onerror="window.pwned++"><a href="javascript:window.pwned++">x</a>';
		document.body.append(box);
		const far = document.createElement("script");
		far.src = "http://127.0.0.1:1/evil.js";
		document.head.append(far);
		try { await fetch("http://127.0.0.1:1/steal") } catch {}
		try { eval("window.pwned++") } catch {}
		const frame = document.createElement("iframe");
		frame.src = "http://127.0.0.1:1/";
		document.body.append(frame);
		const style = document.createElement("style");
		style.textContent = "body { outline: 99px solid red }";
		document.head.append(style);
		box.querySelector("a").click();
		for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
		return blocked;
	}`+"\n", 0)
	for _, directive := range []string{"script-src-elem", "script-src-attr", "connect-src", "script-src", "frame-src", "style-src-elem"} {
		assert.Contains(t, blocked, directive)
	}
	assert.Zero(t, eval[int](b, `window.pwned`))
}

func TestOnlyNamedOriginsFrameThePage(t *testing.T) {
	needsBrowser(t)
	t.Parallel()
	w := newWorld(t)
	editor := webPage(t, "")
	require.NoError(t, os.MkdirAll(w.home, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(w.home, "config.yaml"), []byte("page:\n  frameAncestors: ["+editor.url+"]\n"), 0o600))
	in := w.serve(w.project("app", twoTables))
	frame := fmt.Sprintf(`<iframe src=%q></iframe>`, in.URL)
	editor.html = frame
	stranger := webPage(t, frame)

	b := newTab(t)
	b.goTo(editor.url)
	b.framesShow(in.URL, true)

	b = newTab(t)
	b.expect("frame-ancestors", "chrome-error://")
	b.goTo(stranger.url)
	b.framesShow(in.URL, false)
}

// web is a page of another origin.
type web struct{ url, html string }

func webPage(t *testing.T, html string) *web {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &web{url: "http://" + l.Addr().String(), html: html}
	server := &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = rw.Write([]byte("<!doctype html><title>web</title><body>" + p.html))
		}
	})}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return p
}

// framesShow waits until a frame has loaded, and reports whether it shows the
// address or was refused.
func (b *tab) framesShow(address string, shown bool) {
	b.t.Helper()
	require.EventuallyWithT(b.t, func(c *assert.CollectT) {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		got, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
		require.NoError(c, err)
		tree := got.FrameTree
		require.Len(c, tree.ChildFrames, 1)
		frame := tree.ChildFrames[0].Frame
		require.Equal(c, shown, strings.HasPrefix(frame.URL, address) && frame.UnreachableURL == "", "%s %s", frame.URL, frame.UnreachableURL)
		require.NotEqual(c, "about:blank", frame.URL)
	}, patience, 20*time.Millisecond)
}
