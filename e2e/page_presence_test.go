package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/broker"
)

// someone is an entry of berth team who.
type someone struct {
	Kind, Person, Project, Team, Program, From, Tool, View string
	Table                                                  struct{ ID, Name string }
	Editing, Away, Running                                 bool
}

// who is what berth team who --json lists.
func (w *world) who(root string) (list []someone) {
	w.t.Helper()
	got := w.berthIn(root, "team", "who", "--json")
	require.Equal(w.t, 0, got.code, got.stdout+got.stderr)
	var all struct{ Here []someone }
	require.NoError(w.t, json.Unmarshal([]byte(got.stdout), &all))
	return all.Here
}

// say says of a page what a page says of itself.
func (w *world) say(in *instance, credential, body string) int {
	w.t.Helper()
	req, err := http.NewRequest("POST", in.URL+"/presence", strings.NewReader(body))
	require.NoError(w.t, err)
	req.Header.Set("Authorization", credential)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: patience}).Do(req)
	require.NoError(w.t, err)
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// mark is the sign on a table that somebody else is at it.
func mark(table string) string { return `[data-testid="table-` + table + `"] [data-testid=here-mark]` }

func TestTwoPagesAndAnAgentSeeWhoIsThere(t *testing.T) {
	s := newStudio(t, shopTables)
	s.size(1280, 800, "light")
	got := s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "orders"}}})
	require.True(t, got.Success, got.text)
	s.has(mark("main.orders"))
	other := s.world.page(s.in)
	other.has(`[data-testid=here]`)
	s.eventually(`() => document.querySelector('[data-testid=here]')?.dataset.count === '2'`)

	// What one page selects, and then edits, the other shows.
	other.click(tableTitle("item"))
	other.selects("item")
	s.has(mark("main.item"))
	other.lacks(mark("main.item"))
	other.click(button("edit-table"))
	s.eventually(`() => document.querySelector('[data-testid="table-main.item"]').getAttribute('aria-label').includes('edits this table')`)
	s.click(`[data-testid=here]`)
	s.has(`[data-testid=here-list]`)
	s.sees("You on another page")
	s.sees("called get_table on")
	s.screenshot("presence-list-light")
	s.click(`[data-testid=here-agent] [data-testid=here-table]`)
	s.lacks(`[data-testid=here-list]`)
	s.has(`[data-testid="table-main.orders"].selected`)
	s.use(`[data-testid=here]`)
	s.has(`[data-testid=here-list]`)
	s.hasNoSeriousBarrier()
	s.key("Escape")
	s.lacks(`[data-testid=here-list]`)
	assert.True(t, s.focused(`[data-testid=here]`), "the focus is where it was")

	for _, e := range s.who(s.root) {
		switch {
		case e.Kind == "agent":
			assert.Equal(t, "get_table", e.Tool)
			assert.Equal(t, "main.orders", e.Table.Name)
		case e.Editing:
			assert.Equal(t, "main.item", e.Table.Name)
		}
	}
	text := s.berthIn(s.root, "team", "who").stdout
	assert.Regexp(t, `(?m)^WHO +WITH +PROJECT +MACHINE +DOES +HEARD$`, text)
	assert.Contains(t, text, "edits main.item")
	assert.NotContains(t, text, s.root)

	// An agent that was started in another project is shown with its name.
	web := s.project("web", twoTables)
	cmd := exec.Command(binary, "mcp")
	cmd.Env, cmd.Dir = s.env, web
	visitor := s.connected(mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, nil), cmd, nil)
	require.False(t, visitor.ask(s.root, "get-tables", nil).isError)
	s.eventually(`() => document.querySelector('[data-testid=here]')?.dataset.count === '3'`)
	for _, e := range s.who(s.root) {
		if e.Program == "visitor" {
			assert.Equal(t, "web", e.From)
		} else {
			assert.Empty(t, e.From)
		}
	}
	require.NoError(t, visitor.session.Close())

	// Who closes the page, or ends the program, is gone at once.
	other.goTo("about:blank")
	s.eventually(`() => document.querySelector('[data-testid=here]')?.dataset.count === '1'`)
	s.lacks(mark("main.item"))
	require.NoError(t, s.agent.session.Close())
	s.lacks(`[data-testid=here]`)
	s.lacks(mark("main.orders"))
}

func TestTheListOfWhoIsHereFitsEveryWindow(t *testing.T) {
	s := newStudio(t, shopTables)
	require.True(t, s.agent.design(s.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "orders"}}}).Success)
	key := s.signIn(s.in)
	for _, page := range []string{"p1", "p2", "p3"} {
		require.Equal(t, 200, s.say(s.in, key, `{"page": "`+page+`", "program": "Firefox with a name that goes on and on and on and on and on and on", "connection": "", "view": "data"}`))
	}
	s.has(`[data-testid=here]`)
	for _, scheme := range []string{"light", "dark"} {
		for name, width := range map[string]int64{"390": 390, "700": 700, "1280": 1280} {
			s.size(width, 800, scheme)
			s.click(`[data-testid=here]`)
			s.has(`[data-testid=here-list]`)
			s.eventually(`() => {
				const box = document.querySelector('[data-testid=here-list]').getBoundingClientRect();
				return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth;
			}`)
			s.screenshot("presence-" + name + "-" + scheme)
			s.click(`[data-testid=here]`)
			s.lacks(`[data-testid=here-list]`)
		}
	}
}

func TestATeamSeesWhoIsThereAndIdleInstancesAreSilent(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	require.NoError(t, ann.agent.session.Close())
	require.NoError(t, ben.agent.session.Close())
	require.Eventually(t, func() bool { return len(ann.who(ann.root)) == 0 }, patience, 20*time.Millisecond, "nobody is there")

	nc, err := nats.Connect(b.URL)
	require.NoError(t, err)
	defer nc.Close()
	said, err := nc.SubscribeSync("berth.p.shop")
	require.NoError(t, err)
	_, err = said.NextMsg(3 * time.Second)
	require.ErrorIs(t, err, nats.ErrTimeout, "nobody is anywhere: nothing is sent")

	// Ann's page asks once, and hears what ben's agent does.
	annKey, benKey := ann.signIn(ann.now.Load()), ben.signIn(ben.now.Load())
	heard := events(t, ann.now.Load(), annKey)
	tables, _ := ann.design()
	var list []struct{ ID, Name string }
	require.NoError(t, json.Unmarshal([]byte(tables), &list))
	id := map[string]string{}
	for _, table := range list {
		id[table.Name] = table.ID
	}
	require.Equal(t, 200, ann.say(ann.now.Load(), annKey, `{"page": "a1", "program": "Firefox", "connection": "`+ann.id+`", "table": "`+id["orders"]+`"}`))
	first, err := said.NextMsg(patience)
	require.NoError(t, err)
	assert.NotEmpty(t, first.Reply, "it asks")
	ben.agent = ben.world.agent()
	require.True(t, ben.agent.design(ben.root, map[string]any{"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "item"}}}).Success)
	require.Eventually(t, func() bool { e := <-heard; return e["type"] == "presence" }, patience, time.Millisecond)
	see := func(m *mate, want func(e someone) bool) func() bool {
		return func() bool {
			status, body := m.get(m.now.Load(), "/presence")
			require.Equal(t, 200, status)
			var all struct{ Here []someone }
			require.NoError(t, json.Unmarshal([]byte(body), &all))
			for _, e := range all.Here {
				if want(e) {
					return true
				}
			}
			return false
		}
	}
	bens := func(e someone) bool {
		return e.Person == "ben" && e.Kind == "agent" && e.Team == "shop" && e.Table.Name == "main.item"
	}
	require.Eventually(t, see(ann, bens), patience, 20*time.Millisecond)

	// Ben's page is told of ann's, and what she does then, too.
	require.Equal(t, 200, ben.say(ben.now.Load(), benKey, `{"page": "b1", "program": "Chrome", "connection": "`+ben.id+`"}`))
	anns := func(e someone) bool { return e.Person == "ann" && e.Kind == "page" && e.Table.Name == "main.orders" }
	require.Eventually(t, see(ben, anns), patience, 20*time.Millisecond)
	require.Equal(t, 200, ann.say(ann.now.Load(), annKey, `{"page": "a1", "program": "Firefox", "connection": "`+ann.id+`", "table": "`+id["customer"]+`", "editing": true}`))
	require.Eventually(t, see(ben, func(e someone) bool { return e.Person == "ann" && e.Editing && e.Table.Name == "main.customer" }), patience, 20*time.Millisecond)
	for msg, err := said.NextMsg(100 * time.Millisecond); err == nil; msg, err = said.NextMsg(100 * time.Millisecond) {
		for _, secret := range []string{"main", "customer", "orders", ann.root, annKey, ann.id} {
			assert.NotContains(t, string(msg.Data), `"`+secret+`"`)
		}
	}

	// An instance that ends says so; one that was killed is forgotten later.
	require.Equal(t, 200, ann.say(ann.now.Load(), annKey, `{"page": "a1", "gone": true}`))
	require.Eventually(t, func() bool { return !see(ben, func(e someone) bool { return e.Person == "ann" })() }, patience, 20*time.Millisecond)
	require.Equal(t, 200, ann.say(ann.now.Load(), annKey, `{"page": "a1", "program": "Firefox", "connection": "`+ann.id+`"}`))
	require.Eventually(t, see(ann, bens), patience, 20*time.Millisecond, "who comes back asks again")
	ben.now.Load().stop()
	require.Eventually(t, func() bool { return !see(ann, func(e someone) bool { return e.Person == "ben" })() }, patience, 20*time.Millisecond)
}
