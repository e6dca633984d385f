package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/wire"
)

// shown is a running berth open of a project on another machine. As an instance
// it has the port at which the page is shown here.
type shown struct {
	*instance
	project string
	desktop string // the file in which the opener writes what it is handed
}

// show runs berth open until the test ends.
func (w *world) show(project string) *shown {
	w.t.Helper()
	desktop := w.desktop()
	cmd := exec.Command(binary, "open", project)
	cmd.Env = w.env
	out, err := cmd.StderrPipe()
	require.NoError(w.t, err)
	in := &instance{t: w.t, cmd: cmd, stderr: new(buffer), done: make(chan struct{}), ProjectRoot: project}
	require.NoError(w.t, cmd.Start())
	w.t.Cleanup(in.kill)
	ready := make(chan string, 1)
	go func() {
		defer close(in.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			_, _ = in.stderr.Write(append(lines.Bytes(), '\n'))
			if _, address, ok := strings.Cut(lines.Text(), " at "); ok {
				ready <- strings.TrimSuffix(address, " until Ctrl-C")
			}
		}
		_ = cmd.Wait()
	}()
	select {
	case in.URL = <-ready:
	case <-in.done:
		require.Fail(w.t, "berth open ended", in.stderr.String())
	}
	address, err := url.Parse(in.URL)
	require.NoError(w.t, err)
	in.Port, err = strconv.Atoi(address.Port())
	require.NoError(w.t, err)
	return &shown{in, project, desktop}
}

// signIn signs a page without a browser in, by the file that the desktop got.
func (s *shown) signIn() (credential string) {
	s.t.Helper()
	_, code, ok := strings.Cut(opened(s.t, s.instance, s.desktop), "#code=")
	require.True(s.t, ok)
	status, body := request(s.t, s.instance, "POST", "/signin", fmt.Sprintf(`{"code":%q}`, code), nil)
	require.Equal(s.t, 200, status, body)
	var key struct {
		KeyID, Key string
		TabOnly    bool
	}
	require.NoError(s.t, json.Unmarshal([]byte(body), &key))
	assert.True(s.t, key.TabOnly)
	return "Bearer " + key.KeyID + "." + key.Key
}

// interrupt ends the command as Ctrl-C does.
func (s *shown) interrupt() {
	s.t.Helper()
	require.NoError(s.t, s.cmd.Process.Signal(syscall.SIGINT))
	s.wait()
}

func TestAPersonEditsADesignOfAnotherMachineOnThePage(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	in := far.serve(root)
	page, client := w.show("build1:"+root), w.agent()
	b := newTab(t)
	b.goTo(opened(t, page.instance, page.desktop))
	b.shows("customer(id name)", "purchase(id customer_id)")
	assert.NoDirExists(t, filepath.Join(w.home, "signin"), "the file is gone once its code is used")
	assert.NoDirExists(t, filepath.Join(far.home, "signin"), "and there is none on the other machine")
	b.rename(tableTitle("customer"), "client")
	b.shows("client(id name)", "purchase(id customer_id)")

	there := far.agent()
	tables := func() []string { return there.tablesOf(root) }
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.Contains(c, tables(), "client") }, patience, tick)
	now := client.design(page.project, map[string]any{"operation": "show"})
	require.True(t, now.Success, now.text)
	applied := client.design(page.project, edits(now.Version, addTable("invoice")))
	require.True(t, applied.Success, applied.text)
	b.shows("client(id name)", "purchase(id customer_id)", "invoice(id)")

	// The tab follows the instance there when it starts again.
	b.expectOffline()
	in.stop()
	b.has(button("offline"))
	far.serve(root)
	b.lacks(button("offline"))
	b.rename(tableTitle("invoice"), "bill")
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.Contains(c, tables(), "bill") }, patience, tick)

	// The key is in the memory of the tab alone.
	assert.False(t, eval[bool](b, `localStorage.getItem("berth.credential") !== null || sessionStorage.length > 0 || document.cookie !== ""`))
	b.eventually(`dispatchEvent(new Event("beforeunload", {cancelable: true}))`) // nothing is unsent, which the browser would ask about
	b.reload()
	b.has(`[data-testid=gate-signed-out]`)
	require.NoError(t, os.Remove(page.desktop))
	b.press(`[data-testid=sign-in]`)
	b.sees("opens in your browser")
	b.goTo(opened(t, page.instance, page.desktop))
	b.shows("client(id name)", "purchase(id customer_id)", "bill(id)")
}

// tablesOf names the tables of a design.
func (a *agent) tablesOf(root string) (names []string) {
	a.t.Helper()
	for _, table := range a.design(root, map[string]any{"operation": "get_overview"}).Overview.Tables {
		names = append(names, table.Name)
	}
	return names
}

// What an agent may not do alone on the other machine is decided here, on its
// page or by the command.
func TestApprovalsOfAnotherMachineAreDecidedOnItsPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	in := far.serve(root)
	client, page := w.agent(), w.show("build1:"+root)
	insert := map[string]any{"statement": "INSERT INTO customer (id, name) VALUES (7, 'Eve')"}
	refused := client.ask(page.project, "execute-sql", insert)
	var plan struct{ PlanID, Message, URL string }
	require.NoError(t, json.Unmarshal([]byte(refused.text()), &plan), refused.text())
	assert.Contains(t, plan.Message, "on the page (berth open "+page.project+") or with berth approvals "+page.project+" at a terminal. After")
	assert.Equal(t, "berth open "+page.project, plan.URL)
	assert.NotContains(t, refused.text(), fmt.Sprint(in.Port), "a port of the other machine")
	shown := client.design(page.project, map[string]any{"operation": "show"})
	assert.Contains(t, shown.text, `"url":"berth open `+page.project+`"`)
	assert.Contains(t, far.agent().design(root, map[string]any{"operation": "show"}).text, in.URL, "there its address is one")
	assert.Contains(t, w.berth("approvals", page.project).stdout, "INSERT INTO customer")

	key := map[string]string{"Authorization": page.signIn()}
	status, body := request(t, page.instance, "GET", "/approvals", "", key)
	require.Equal(t, 200, status, body)
	var list struct{ Approvals []struct{ ID, State string } }
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	require.Len(t, list.Approvals, 1, body)
	status, body = request(t, page.instance, "POST", "/approvals/"+list.Approvals[0].ID, `{"decision":"approve"}`, key)
	require.Equal(t, 200, status, body)
	insert["plan_id"] = plan.PlanID
	done := client.ask(page.project, "execute-sql", insert)
	assert.False(t, done.isError, done.items)
	rows := client.ask(page.project, "run-query", map[string]any{"query": "SELECT name FROM customer WHERE id = 7"})
	assert.Contains(t, rows.text(), "Eve")
}

func TestThePageOfAnotherMachineAnswersItsOwnOriginOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	in := far.serve(root)
	page := w.show("build1:" + root)
	key := page.signIn()
	port := fmt.Sprint(":", page.Port)
	there := fmt.Sprint("127.0.0.1:", in.Port)
	for _, tt := range []struct {
		name   string
		header map[string]string
		status int
		code   string
	}{
		{"its own", map[string]string{}, 200, ""},
		{"its own by name", map[string]string{"Host": "localhost" + port, "Origin": "http://localhost" + port}, 200, ""},
		{"a name that was bound again", map[string]string{"Host": "evil.example" + port}, 403, "forbidden_host"},
		{"a name without a port", map[string]string{"Host": "127.0.0.1"}, 403, "forbidden_host"},
		{"the instance there", map[string]string{"Host": there}, 403, "forbidden_host"},
		{"another page", map[string]string{"Origin": "https://evil.example"}, 403, "forbidden_origin"},
		{"no page", map[string]string{"Origin": "null"}, 403, "forbidden_origin"},
		{"another port", map[string]string{"Origin": "http://127.0.0.1:1"}, 403, "forbidden_origin"},
		{"the instance there as a page", map[string]string{"Origin": "http://" + there}, 403, "forbidden_origin"},
	} {
		tt.header["Authorization"] = key
		status, body := request(t, page.instance, "GET", "/designs", "", tt.header)
		assert.Equal(t, tt.status, status, "%s: %s", tt.name, body)
		assert.Contains(t, body, tt.code, tt.name)
	}
	bare := map[string]string{}
	for _, path := range []string{"/designs", "/projects", "/approvals", "/keys", "/status", "/events", "/trust"} {
		status, body := request(t, page.instance, "GET", path, "", bare)
		assert.Equal(t, 401, status, "%s: %s", path, body)
	}
	for _, path := range []string{"/", "/health", "/icon.svg"} {
		status, body := request(t, page.instance, "GET", path, "", bare)
		assert.Equal(t, 200, status, "%s: %s", path, body)
	}
	// Not even with the token of the instance there is more of it reached.
	token := map[string]string{"Authorization": "Bearer " + far.token(in), wire.PersonHeader: far.personKey()}
	for _, tt := range [][2]string{{"POST", "/mcp"}, {"GET", "/mcp"}, {"POST", "/shutdown"}, {"POST", "/handover"}, {"POST", "/calls"},
		{"POST", "/signin/code"}, {"POST", "/query"}, {"GET", "/tables"}, {"POST", "/designs/..%2F..%2Fshutdown"}} {
		status, body := request(t, page.instance, tt[0], tt[1], "{}", token)
		assert.Equal(t, 403, status, "%v: %s", tt, body)
		assert.Contains(t, body, "does not pass that request on", tt)
	}
	worker, body := request(t, page.instance, "GET", "/sw.js", "", map[string]string{"Service-Worker": "script"})
	assert.Equal(t, 200, worker)
	assert.Contains(t, body, "unregister", "what a program before left in the browser ends")

	status, body := request(t, page.instance, "POST", "/signin/open", "{}", bare)
	assert.Equal(t, 403, status, body)
	status, body = request(t, page.instance, "POST", "/signin/open", "{}", map[string]string{"Origin": "http://evil.example"})
	assert.Equal(t, 403, status, body)
	status, body = request(t, page.instance, "POST", "/projects/open", fmt.Sprintf(`{"projectRoot":%q}`, root), map[string]string{"Authorization": key})
	assert.Equal(t, 400, status, body)
	assert.Contains(t, body, "berth open build1:")
}

// A key is of the port at which its page was shown: not of the instance's own,
// and not of the port at which the same project is shown beside it.
func TestAKeyOfAPageShownHereIsOfItsPortAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	root := far.project("app", twoTables)
	in := far.serve(root)
	first := w.show("build1:" + root)
	key, own := first.signIn(), far.signIn(in)
	second := w.show("build1:" + root)
	for name, tt := range map[string]struct {
		at     *instance
		key    string
		status int
	}{
		"where it was shown":          {first.instance, key, 200},
		"beside it":                   {second.instance, key, 401},
		"at the instance":             {in, key, 401},
		"the instance's own":          {in, own, 200},
		"the instance's own over ssh": {first.instance, own, 401},
	} {
		status, body := request(t, tt.at, "GET", "/designs", "", map[string]string{"Authorization": tt.key})
		assert.Equal(t, tt.status, status, "%s: %s", name, body)
	}
	first.interrupt()
	assert.True(t, free(first.Port), "nothing is left there")
	status, body := request(t, second.instance, "GET", "/designs", "", map[string]string{"Authorization": second.signIn()})
	assert.Equal(t, 200, status, body)

	third := w.show("build1:" + root)
	assert.DirExists(t, filepath.Join(w.home, "signin"), "the file that nobody has opened")
	third.interrupt()
	assert.NoDirExists(t, filepath.Join(w.home, "signin"), "it ends with the command")
}

func TestBerthOpenSaysWhyAPageOfAnotherMachineIsNotShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	far := w.far("build1")
	stopped := far.project("stopped", twoTables)
	w.nameHost("dead", "sh", "-c", "echo no route to host >&2; exit 255", "relay")
	w.desktop()
	for project, words := range map[string][]string{
		"build1:" + stopped:           {"nothing serves build1:" + stopped, "berth serve " + stopped},
		"build1:" + stopped + "-none": {"does not exist on the host build1"},
		"dead:/app":                   {"the host dead cannot be reached", "no route to host"},
		"nobody:/app":                 {"no host is named"},
	} {
		got := w.berth("open", project)
		assert.NotZero(t, got.code, project)
		for _, word := range words {
			assert.Contains(t, got.stderr, word, project)
		}
	}
	far.serve(stopped)
	got := w.berth("open", "--print", "build1:"+stopped)
	assert.Equal(t, 3, got.code, got.stdout)
	assert.Contains(t, got.stderr, "terminal only", "a code is shown to a person alone")
	dir := filepath.Join(w.dir, "no-desktop")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "open"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	w.env = append(without(w.env, "PATH"), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	got = w.berth("open", "build1:"+stopped)
	assert.NotZero(t, got.code)
	assert.Contains(t, got.stderr, "berth open --print build1:"+stopped)
	assert.NoDirExists(t, filepath.Join(w.home, "signin"))
}
