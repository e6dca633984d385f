package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chromium is the one browser of this run, started by the first test that
// needs it. Each test has an incognito context of its own in it.
var chromium struct {
	sync.Once
	ctx   context.Context
	err   error
	trap  *trap
	close func()
}

// stopChromium ends the browser, if one was started.
func stopChromium() {
	if chromium.close != nil {
		chromium.close()
	}
}

// findChromium returns the installed browser, "" if there is none.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func startChromium(path string) {
	dir, err := os.MkdirTemp("", "berth-e2e-chromium-")
	if err == nil {
		chromium.trap, err = newTrap()
	}
	if err != nil {
		chromium.err = err
		return
	}
	if err := keepQuiet(dir); err != nil {
		chromium.err = err
		return
	}
	_, port, _ := net.SplitHostPort(chromium.trap.l.Addr().String())
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-features", "Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,NetworkTimeServiceQuerying"),
		chromedp.Flag("host-resolver-rules", "MAP * 127.0.0.1:"+port+", EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.WSURLReadTimeout(patience),
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocated)
	chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
	chromium.close = func() {
		cancel()
		stop()
		_ = chromium.trap.l.Close()
		_ = os.RemoveAll(dir)
	}
}

// keepQuiet has the browser of a profile check no spelling, for which it would
// get dictionaries from its maker.
func keepQuiet(profile string) error {
	dir := filepath.Join(profile, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Preferences"), []byte(`{"browser":{"enable_spellchecking":false},"spellcheck":{"dictionaries":[]}}`), 0o600)
}

// tab is one page in the browser. What goes wrong in it fails the test.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string // addresses asked for
	puts     []string // of them those that were written to
	wrongs   []string // exceptions, and what the console calls an error
	expected []string // parts of those a test provokes
	strays   bool     // the test makes requests that leave the machine
}

// essential are the tests in a browser that also run where tests are not
// thorough: each of the page's main jobs once, and the card's.
var essential = map[string]bool{
	"TestAPageOutlivesItsInstance":                   true,
	"TestAPersonApprovesOrRejectsAtThePage":          true,
	"TestAPersonDrawsASchema":                        true,
	"TestAPersonPublishesFromThePage":                true,
	"TestAPersonTakesAnEditBackInTheChat":            true,
	"TestATextIsTriedAndThenImported":                true,
	"TestBerthOpenSignsOneBrowserIn":                 true,
	"TestNamesAreTextWhateverTheyLookLike":           true,
	"TestTheCanvasShowsTheDatabaseAndRenamesInPlace": true,
	"TestThePagesPolicyKeepsInjectedScriptsOut":      true,
	"TestTheRowsOfATableAreReadPageByPage":           true,
	"TestTheTrapCatchesWhatLeavesTheMachine":         true,
	"TestTwoTabsAndAnAgentSeeOneDesign":              true,
	"TestWhatASquatterReadsOpensNothing":             true,
	"TestWhatTheAgentDoesAppearsAsTheAgents":         true,
	"TestAPersonAnswersOnThePageWhatACloneAsks":      true,
	"TestWhatWasTypedInPlaceIsNotLostToTheAgent":     true,
}

// needsBrowser ends a test where there is no browser, before it makes what the
// page would show, and returns the browser's path.
func needsBrowser(t *testing.T) string {
	t.Helper()
	if top, _, _ := strings.Cut(t.Name(), "/"); !essential[top] {
		long.Thoroughly(t)
	}
	if os.Getenv("BERTH_TEST_BROWSER") == "none" {
		t.Skip("BERTH_TEST_BROWSER=none leaves the browser's tests out")
	}
	path := findChromium()
	if path == "" {
		needs.Missing(t, "browser", ".ci/browser installs a Chromium")
	}
	return path
}

// newTab opens a tab in an incognito context of its own: another browser, as
// far as the page can tell.
func newTab(t *testing.T) *tab {
	t.Helper()
	path := needsBrowser(t)
	within(t, "the browser", func() { chromium.Do(func() { startChromium(path) }) })
	require.NoError(t, chromium.err)
	return attach(t, chromium.ctx, chromedp.WithNewBrowserContext())
}

// another opens a second tab in the same browser, signed in as the first is.
func (b *tab) another() *tab {
	b.t.Helper()
	return attach(b.t, b.ctx)
}

func attach(t *testing.T, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	b := &tab{t: t}
	ctx, cancel := chromedp.NewContext(parent, append(options, chromedp.WithListener(b.hear))...)
	b.ctx = ctx
	var err error
	within(t, "a tab", func() { err = chromedp.Do(ctx) }) // which lives as long as the context of this first call
	require.NoError(t, err)
	tell(b, network.Enable, network.EnableParams{})
	tell(b, runtime.Enable, cdp.Empty{})
	tell(b, cdplog.Enable, cdp.Empty{})
	tell(b, page.Enable, page.EnableParams{})
	b.run(chromedp.EmulateViewport(1280, 800))
	t.Cleanup(func() {
		if t.Failed() {
			b.screenshot("failed")
		}
		within(t, "the end of a tab", cancel)
		b.check()
	})
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
		if e.Request.Method == "PUT" {
			b.puts = append(b.puts, e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		b.wrongs = append(b.wrongs, fmt.Sprint(e.ExceptionDetails))
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError {
			b.wrongs = append(b.wrongs, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// check holds after every test: nothing left this machine, and nothing went
// wrong in the page that the test did not provoke.
func (b *tab) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.requests {
		if b.strays {
			break
		}
		u, err := url.Parse(address)
		if assert.NoError(b.t, err) && u.Scheme != "data" && u.Scheme != "blob" && u.Scheme != "about" {
			assert.Contains(b.t, []string{"127.0.0.1", "localhost"}, u.Hostname(), "the page asked for %s", address)
		}
	}
	assert.Empty(b.t, chromium.trap.caught(), "something asked for another machine")
	for _, wrong := range b.wrongs {
		provoked := false
		for _, part := range b.expected {
			provoked = provoked || strings.Contains(wrong, part)
		}
		assert.True(b.t, provoked, "in the page: %s", wrong)
	}
}

// expect lets errors of the console pass that hold one of the parts.
func (b *tab) expect(parts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, parts...)
}

// expectOffline lets pass what the browser logs of an instance that is gone, and
// of the next one, which has other keys.
func (b *tab) expectOffline() {
	b.expect("net::ERR_", "503 (Service Unavailable)", "401 (Unauthorized)")
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	require.NoError(b.t, chromedp.Do(ctx, actions...))
}

// tell sends one command of the browser's protocol.
func tell[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	require.NoError(b.t, err)
	return result
}

// evaluated is what an expression gives in the page.
func evaluated[T any](b *tab, source string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](source, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) {
		p.AllowUnsafeEvalBlockedByCSP = new(false) // the page's own policy holds
	}))
}

// goTo opens an address.
func (b *tab) goTo(address string) {
	b.t.Helper()
	b.run(chromedp.Navigate(address))
}

// eval runs an expression in the page and returns what it gives.
func eval[T any](b *tab, expression string, args ...any) T {
	b.t.Helper()
	out, err := evaluated[T](b, call(expression, args))
	require.NoError(b.t, err)
	return out
}

// call writes an expression, a function where there are arguments.
func call(expression string, args []any) string {
	if len(args) == 0 {
		return expression
	}
	texts := make([]string, len(args))
	for i, a := range args {
		raw, err := json.Marshal(a)
		if err != nil {
			panic(err) // the tests' own strings and numbers
		}
		texts[i] = string(raw)
	}
	return "(" + expression + ")(" + strings.Join(texts, ",") + ")"
}

// eventually waits until an expression, or what a function gives, is true in
// the page. A function is called: as it is, it would be as good as true.
func (b *tab) eventually(expression string, args ...any) {
	b.t.Helper()
	source := call(expression, args)
	require.EventuallyWithT(b.t, func(c *assert.CollectT) {
		ok, err := evaluated[bool](b, "(async () => { const got = ("+source+"); return !!await (typeof got === 'function' ? got() : got) })()")
		require.NoError(c, err)
		require.True(c, ok, "%s\nin: %s", source, b.words())
	}, patience, 20*time.Millisecond)
}

// words returns the visible text of the page, with bounded length.
func (b *tab) words() string {
	text, err := evaluated[string](b, `document.body ? document.body.innerText : ""`)
	if err != nil {
		return err.Error()
	}
	return text[:min(len(text), 2000)]
}

// sees waits for a text on the page.
func (b *tab) sees(text string) {
	b.t.Helper()
	b.eventually(`text => document.body.innerText.includes(text)`, text)
}

// has waits for an element.
func (b *tab) has(selector string) {
	b.t.Helper()
	b.eventually(`s => document.querySelector(s) !== null`, selector)
}

// lacks waits until there is no such element.
func (b *tab) lacks(selector string) {
	b.t.Helper()
	b.eventually(`s => document.querySelector(s) === null`, selector)
}

// point is the middle of an element that has come to rest, scrolled to where it
// is seen if it is in the editor. A person, too, waits
// a moment until the tables of a design that is new have found their places.
func (b *tab) point(selector string) (x, y float64) {
	b.t.Helper()
	b.has(selector)
	at := eval[[]float64](b, `async s => {
		const scrolled = document.querySelector(s);
		if (scrolled?.closest(".editor-body")) scrolled.scrollIntoView({block: "nearest"});
		for (let last = ""; ; ) {
			const r = document.querySelector(s)?.getBoundingClientRect();
			const now = r ? [r.x, r.y, r.width, r.height].join() : "";
			const arranging = document.querySelector("[data-testid=canvas][aria-busy=true]");
			const opening = document.querySelector("[data-testid=outline-switch][aria-expanded=true]") && !document.querySelector("[data-testid=outline]");
			if (r && r.width > 0 && now === last && !arranging && !opening) return [r.x + r.width / 2, r.y + r.height / 2];
			last = now;
			await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
		}
	}`, selector)
	return at[0], at[1]
}

// click presses the mouse where an element is, as a person would.
func (b *tab) click(selector string, times ...int) {
	b.t.Helper()
	x, y := b.point(selector)
	n := 1
	if len(times) > 0 {
		n = times[0]
	}
	b.run(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)))
	for i := 2; i <= n; i++ {
		b.run(chromedp.MouseClickXY(x, y, chromedp.ClickCount(i)))
	}
}

// drag takes an element by its middle and drops it at another's.
func (b *tab) drag(from, to string) {
	b.t.Helper()
	x, y := b.point(from)
	tx, ty := b.point(to)
	b.dragTo(x, y, tx, ty)
}

func (b *tab) dragTo(x, y, tx, ty float64) {
	b.t.Helper()
	b.run(chromedp.DragAndDropXY(x, y, tx, ty, 12))
}

// write replaces the text of a field.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	b.click(selector)
	b.key("ctrl+a")
	b.typed(text)
}

// typed writes into what has the focus.
func (b *tab) typed(text string) {
	b.t.Helper()
	tell(b, input.InsertText, input.InsertTextParams{Text: text})
}

// key presses a key, as "Enter" or "ctrl+shift+z".
func (b *tab) key(name string) {
	b.t.Helper()
	modifiers := kb.ModifierNone
	parts := strings.Split(name, "+")
	for _, m := range parts[:len(parts)-1] {
		modifiers |= map[string]kb.Modifier{"ctrl": kb.ModifierCtrl, "shift": kb.ModifierShift, "alt": kb.ModifierAlt}[m]
	}
	key := parts[len(parts)-1]
	if named, ok := map[string]string{"Enter": kb.Enter, "Space": " ", "Escape": kb.Escape, "Tab": kb.Tab, "Delete": kb.Delete, "F2": kb.F2, "F6": kb.F6,
		"Home": kb.Home, "End": kb.End, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown}[key]; ok {
		key = named
	}
	b.run(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers)))
}

// screenshot writes what the tab shows to the folder BERTH_TEST_SCREENSHOTS,
// where that is set.
func (b *tab) screenshot(name string) {
	dir := os.Getenv("BERTH_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Log("no screenshot:", err)
		return
	}
	file := filepath.Join(dir, strings.ReplaceAll(b.t.Name(), "/", "_")+"-"+name+".png")
	assert.NoError(b.t, os.WriteFile(file, picture, 0o644))
}

// size makes the tab a window of so many pixels, in a colour scheme.
func (b *tab) size(width, height int64, scheme string) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(width, height))
	tell(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// reload loads the page again, as F5 does.
func (b *tab) reload() {
	b.t.Helper()
	b.run(chromedp.Reload())
}
