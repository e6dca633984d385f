package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// chat is a chat that shows views, in a tab: a real `berth mcp` behind it, and
// in front the host's half of MCP Apps as its library has it. The programs are
// in e2e/peers/chat.
type chat struct {
	*world
	*tab
	t       *testing.T
	root    string
	in      *instance
	agent   *agent
	sandbox string                // address of the frame that holds the view
	tools   map[string]toolForUse // as the chat was listed them
	view    string                // the HTML of the view that the designer's replies have
}

// toolForUse is what a chat reads of a tool.
type toolForUse struct {
	ResourceURI string   `json:"resourceUri"`
	Visibility  []string `json:"visibility"`
}

// chatProgram is the chat's script, with the library in it.
var chatProgram struct {
	sync.Once
	text []byte
	err  error
}

func newChat(t *testing.T, script string) *chat {
	t.Helper()
	needsBrowser(t)
	bundler := peer(t, "rolldown")
	w := newWorld(t)
	chatProgram.Do(func() {
		file := filepath.Join(w.dir, "chat.mjs")
		source, err := filepath.Abs(filepath.Join("peers", "chat", "chat.mjs"))
		require.NoError(t, err)
		out, err := runPeer(t, w, bundler, source, "--format", "esm", "--platform", "browser", "-o", file)
		require.NoError(t, err, out)
		chatProgram.text, chatProgram.err = os.ReadFile(file)
	})
	require.NoError(t, chatProgram.err)
	c := &chat{world: w, t: t, root: w.project("app", script)}
	c.in = w.serve(c.root)
	c.agent = w.viewer()
	c.readView()
	c.serveChat()
	return c
}

// viewer is an agent in a chat that shows views.
func (w *world) viewer() *agent {
	w.t.Helper()
	cmd := exec.Command(binary, "mcp")
	cmd.Env = w.env
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e-chat", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{
		Extensions: map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}}}}})
	return w.connected(client, cmd, nil)
}

// readView reads which tools there are for whom, and the view of the designer's.
func (c *chat) readView() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	list, err := c.agent.session.ListTools(ctx, nil)
	require.NoError(c.t, err)
	c.tools = map[string]toolForUse{}
	for _, tool := range list.Tools {
		var forUse toolForUse
		text, err := json.Marshal(tool.Meta["ui"])
		require.NoError(c.t, err)
		require.NoError(c.t, json.Unmarshal(text, &forUse))
		c.tools[tool.Name] = forUse
	}
	view, err := c.agent.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: c.tools[designer].ResourceURI})
	require.NoError(c.t, err)
	require.Len(c.t, view.Contents, 1)
	c.view = view.Contents[0].Text
}

// serveChat opens the chat in a tab.
func (c *chat) serveChat() {
	c.t.Helper()
	sandbox := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.ServeFile(rw, r, filepath.Join("peers", "chat", "sandbox.html"))
	}))
	c.t.Cleanup(sandbox.Close)
	c.sandbox = sandbox.URL + "/sandbox.html"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write([]byte(`<!doctype html><title>chat</title><link rel="icon" href="data:,"><body style="margin:0"><script type="module" src="chat.mjs"></script>`))
	})
	mux.HandleFunc("GET /chat.mjs", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/javascript")
		_, _ = rw.Write(chatProgram.text)
	})
	mux.HandleFunc("POST /call", c.callForView)
	page := httptest.NewServer(mux)
	c.t.Cleanup(page.Close)
	c.tab = newTab(c.t)
	c.goTo(page.URL)
	c.eventually(`typeof window.show === "function"`)
}

// callForView makes a call of the view's, if the tool is one for views.
func (c *chat) callForView(rw http.ResponseWriter, r *http.Request) {
	var call mcp.CallToolParams
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	if !slices.Contains(c.tools[call.Name].Visibility, "app") {
		http.Error(rw, "the view may not call "+call.Name, http.StatusForbidden)
		return
	}
	result, err := c.agent.session.CallTool(r.Context(), &call)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadGateway)
		return
	}
	_ = json.NewEncoder(rw).Encode(result)
}

// chatReply is what the chat gets for a call of the model, and gives to the view.
type chatReply struct {
	input  map[string]any
	result *mcp.CallToolResult
}

// call makes a call of the model's on the designer.
func (c *chat) call(operation string, payload map[string]any) chatReply {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	input := map[string]any{"projectRoot": c.root, "operation": operation}
	if payload != nil {
		input["payload"] = payload
	}
	result, err := c.agent.session.CallTool(ctx, &mcp.CallToolParams{Name: designer, Arguments: input})
	require.NoError(c.t, err)
	return chatReply{input, result}
}

// apply makes edits as the model.
func (c *chat) apply(list ...map[string]any) chatReply {
	c.t.Helper()
	shown := c.agent.design(c.root, map[string]any{"operation": "show"})
	got := c.call("apply_edits", map[string]any{"expectedVersion": shown.Version, "edits": list})
	require.False(c.t, got.result.IsError, "%v", got.result.StructuredContent)
	return got
}

// draws shows the view of a reply, so many pixels wide.
func (c *chat) draws(r chatReply, width int, theme string) {
	c.t.Helper()
	require.True(c.t, eval[bool](c.tab, `what => window.show(what)`, map[string]any{
		"html": c.view, "width": width, "theme": theme, "sandbox": c.sandbox, "input": r.input, "result": r.result}))
}

// look is what a function of the view's document gives.
func look[T any](c *chat, source string) T {
	c.t.Helper()
	return eval[T](c.tab, `source => window.look(source)`, source)
}

// card is the visible text of the view.
func (c *chat) card() string {
	c.t.Helper()
	return look[string](c, `() => document.body.innerText`)
}

// says waits until the view shows a text.
func (c *chat) says(text string) {
	c.t.Helper()
	c.eventually(`text => window.look("() => document.body.innerText").then(all => all.includes(text))`, text)
}

// presses clicks a button of the view, as a person does.
func (c *chat) presses(name string) {
	c.t.Helper()
	at := eval[[]float64](c.tab, `source => window.place(source)`, fmt.Sprintf(`() => {
		const box = [...document.querySelectorAll("button")].find(b => b.textContent === %q).getBoundingClientRect()
		return [box.x + box.width / 2, box.y + box.height / 2]
	}`, name))
	c.tab.run(chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(1)))
}

// heard is what the view has asked of the chat.
type heard struct {
	Opened, Contexts []string
	Height           float64
}

func (c *chat) heard() heard {
	c.t.Helper()
	return eval[heard](c.tab, `window.heard`)
}
