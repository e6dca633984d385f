package main_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds every wait for the browser; no figure depends on it.
const patience = 60 * time.Second

// chromium starts the installed browser and returns its context. It ends with
// the benchmark.
func chromium(b testing.TB) context.Context {
	b.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		b.Fatal("the page is measured in a Chromium, and none is installed: .ci/browser installs one")
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(b.TempDir()), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.WSURLReadTimeout(patience))
	b.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocated)
	b.Cleanup(cancel)
	check(b, chromedp.Do(ctx))
	return ctx
}

// tab is one page in the browser, in an incognito context of its own.
type tab struct {
	b   testing.TB
	ctx context.Context

	mu     sync.Mutex
	listen func(event any) // nil: nobody
}

func newTab(b testing.TB, browser context.Context) *tab {
	b.Helper()
	p := &tab{b: b}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.hear))
	b.Cleanup(cancel)
	p.ctx = ctx
	check(b, chromedp.Do(ctx))
	tell(p, network.Enable, network.EnableParams{})
	tell(p, page.Enable, page.EnableParams{})
	tell(p, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	tell(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: probe})
	p.do(chromedp.EmulateViewport(1280, 800))
	return p
}

func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listen != nil {
		p.listen(event)
	}
}

// hears hands the tab's events to f, one at a time; nil: to nobody.
func (p *tab) hears(f func(event any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listen = f
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.b.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	check(p.b, chromedp.Do(ctx, actions...))
}

// tell gives the browser one command of its protocol.
func tell[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.b.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	check(p.b, err)
	return result
}

// eval returns what an expression, or a function of the arguments, gives in
// the page, awaited.
func eval[T any](p *tab, source string, args ...any) T {
	p.b.Helper()
	if len(args) > 0 {
		texts := make([]string, len(args))
		for i, a := range args {
			raw, err := json.Marshal(a)
			check(p.b, err)
			texts[i] = string(raw)
		}
		source = "(" + source + ")(" + strings.Join(texts, ",") + ")"
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](source, chromedp.EvalAwaitPromise, func(e *runtime.EvaluateParams) {
		e.AllowUnsafeEvalBlockedByCSP = new(false) // as the page runs itself
	}))
	if err != nil {
		b := p.b
		b.Fatalf("in the page: %v\n%.300s", err, source)
	}
	return out
}

// until waits, frame by frame, until an expression is true in the page.
func (p *tab) until(expression string) {
	p.b.Helper()
	eval[bool](p, `async () => { while (!(`+expression+`)) await new Promise(requestAnimationFrame); return true }`, 0)
}

// open opens an address.
func (p *tab) open(address string) {
	p.b.Helper()
	p.do(chromedp.Navigate(address))
}

// rest waits until the page has drawn 20 frames in a row without haste, or
// has had three seconds for it.
func (p *tab) rest() {
	p.b.Helper()
	eval[bool](p, `async () => {
		const frame = () => new Promise(requestAnimationFrame);
		const end = performance.now() + 3000;
		for (let calm = 0, last = await frame(); calm < 20 && last < end; ) {
			const now = await frame();
			calm = now - last < 25 ? calm + 1 : 0;
			last = now;
		}
		return true;
	}`, 0)
}
