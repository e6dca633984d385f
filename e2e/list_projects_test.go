package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// projectList is a reply of list-projects.
type projectList struct {
	Projects []struct {
		Host         *string
		ProjectRoot  string
		State        string
		Note         string
		ActiveDesign *struct{ Connection, State string }
		Databases    []struct {
			Name, Dialect, Database string
			Default                 bool
		}
	}
	Total, Omitted int
	Note           string
}

// list calls list-projects, which takes no projectRoot.
func (a *agent) list(args map[string]any) (projectList, answer) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: "list-projects", Arguments: args})
	require.NoError(a.t, err)
	return readProjects(a.t, res)
}

func readProjects(t *testing.T, res *mcp.CallToolResult) (projectList, answer) {
	t.Helper()
	got := answer{isError: res.IsError}
	for _, item := range res.Content {
		got.items = append(got.items, item.(*mcp.TextContent).Text)
	}
	var list projectList
	if !got.isError {
		require.NoError(t, json.Unmarshal([]byte(got.text()), &list), got.text())
	}
	return list, got
}

func TestAgentListsTheProjectsThatRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.agent()
	list, got := client.list(nil)
	assert.False(t, got.isError)
	assert.Empty(t, list.Projects)
	assert.Contains(t, list.Note, "berth serve", "none runs: what a person does")

	shop, blog := w.project("shop", twoTables), w.project("blog", "")
	w.serve(shop)
	w.serve(blog)
	crashed := w.serve(w.project("crashed", twoTables))
	crashed.kill()
	require.True(t, client.design(shop, map[string]any{"operation": "show"}).Success)

	list, got = client.list(map[string]any{})
	require.Len(t, list.Projects, 2, got.text())
	assert.NotContains(t, got.text(), `"host"`, "every project is on this machine")
	assert.Equal(t, blog, list.Projects[0].ProjectRoot)
	assert.Empty(t, list.Projects[0].Databases)
	assert.Contains(t, got.text(), `"databases":[]`, "known to have none")
	assert.Nil(t, list.Projects[0].ActiveDesign)
	p := list.Projects[1]
	assert.Equal(t, [2]string{shop, "live"}, [2]string{p.ProjectRoot, p.State})
	require.Len(t, p.Databases, 1)
	assert.Equal(t, "sqlite app.db true", fmt.Sprint(p.Databases[0].Dialect, " ", p.Databases[0].Name, " ", p.Databases[0].Default))
	require.NotNil(t, p.ActiveDesign)
	assert.Equal(t, "app.db synced", p.ActiveDesign.Connection+" "+p.ActiveDesign.State)

	list, _ = client.list(map[string]any{"contains": "SHO"})
	require.Len(t, list.Projects, 1)
	assert.Equal(t, shop, list.Projects[0].ProjectRoot)
	list, _ = client.list(map[string]any{"projectRoot": "/any"})
	assert.Len(t, list.Projects, 2, "the habit of sending projectRoot costs nothing")
	_, got = client.list(map[string]any{"filter": "x"})
	assert.True(t, got.isError)
	assert.Contains(t, got.text(), "list-projects takes contains")

	ls := w.berth("ls", "--json")
	assert.Contains(t, ls.stdout, `"databases":[{"name":"app.db","dialect":"sqlite","database":"app.db","default":true}]`)
	assert.Contains(t, w.berth("call", "list-projects").stdout, shop)
}

func TestHungInstanceIsListedAsNotAnswering(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hung, well := w.project("a-hung", twoTables), w.project("well", twoTables)
	stuck := w.serve(hung)
	w.serve(well)
	client := w.agent()
	client.ask(hung, "get-tables", nil) // a connection to it is kept
	freeze(t, stuck)
	list, got := client.list(nil)
	require.Len(t, list.Projects, 2, got.text())
	assert.Equal(t, [2]string{well, "live"}, [2]string{list.Projects[0].ProjectRoot, list.Projects[0].State})
	assert.Len(t, list.Projects[0].Databases, 1, "what hangs takes nothing from the others")
	assert.Equal(t, [2]string{hung, "not answering"}, [2]string{list.Projects[1].ProjectRoot, list.Projects[1].State})
	assert.Contains(t, list.Projects[1].Note, "berth stop --force "+hung)

	wrong := client.ask(filepath.Join(w.dir, "none"), "get-tables", nil)
	require.Len(t, wrong.items, 2)
	assert.Contains(t, wrong.items[1], well)
	assert.NotContains(t, wrong.items[1], hung, "what does not answer is no advice")
}

// Sixty instances are stand-ins: each answers the proof and its status as a
// real one, in this process.
func TestListOfManyProjectsIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.serve(w.project("real", twoTables))
	const many = 60
	roots := make([]string, many)
	for i := range roots {
		roots[i] = w.standIn(fmt.Sprintf("p%02d", i))
	}
	client := w.agent()
	list, got := client.list(nil)
	assert.Equal(t, many+1, list.Total, got.text())
	assert.Less(t, len(list.Projects), many)
	assert.Equal(t, list.Total, len(list.Projects)+list.Omitted)
	assert.LessOrEqual(t, len(got.text()), 16<<10)
	assert.Contains(t, list.Note, "contains")
	list, _ = client.list(map[string]any{"contains": "p59"})
	require.Len(t, list.Projects, 1)
	assert.Equal(t, roots[59], list.Projects[0].ProjectRoot)
	assert.Equal(t, "shop", list.Projects[0].Databases[0].Name)

	wrong := client.ask(filepath.Join(w.dir, "elsewhere", "p42"), "get-tables", nil)
	require.Len(t, wrong.items, 2)
	assert.Equal(t, "Error: projectRoot does not exist", wrong.text())
	assert.Contains(t, wrong.items[1], "projectRoot: "+roots[42]+",", "the one of that name first")
	assert.Contains(t, wrong.items[1], "51 more: list-projects names all")
	assert.Less(t, len(wrong.items[1]), 4<<10)
}

// standIn is a project whose instance is a server of this process. It takes
// calls if tools answers them.
func (w *world) standIn(name string, tools ...http.HandlerFunc) (root string) {
	w.t.Helper()
	root = w.project("many/"+name, "")
	store := portmap.NewStore(filepath.Join(w.home, "ports.json"), &portmap.Options{FirstPort: w.first})
	claim, err := store.Claim(w.t.Context(), root)
	require.NoError(w.t, err)
	inst := wire.Instance{ProjectRoot: root, Port: claim.Port, PID: os.Getpid(), Version: "e2e", Token: wire.NewToken()}
	require.NoError(w.t, wire.WriteInstance(filepath.Join(w.home, "instances", fmt.Sprintf("%d.json", claim.Port)), inst))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(rw http.ResponseWriter, r *http.Request) {
		nonce, err := wire.DecodeNonce(r.URL.Query().Get(wire.NonceParam))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(rw).Encode(wire.Answer(inst, nonce))
	})
	mux.HandleFunc("GET /status", func(rw http.ResponseWriter, r *http.Request) {
		if !inst.Token.CheckHeader(r.Header.Get("Authorization")) {
			http.Error(rw, "no token", http.StatusUnauthorized)
			return
		}
		var s wire.Status
		for range wire.MaxDatabases {
			s.Databases = append(s.Databases, wire.Database{Name: "shop", Dialect: "postgres", Database: strings.Repeat("long ", 40)})
		}
		_ = json.NewEncoder(rw).Encode(s)
	})
	for _, handle := range tools {
		mux.HandleFunc("POST "+wire.ToolsPath+"{name}", handle)
	}
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(claim.Listener) }()
	w.t.Cleanup(func() { _ = server.Close() })
	return root
}

func TestWrongRootsAreAdvisedByWhatRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := w.agent()
	stopped := w.project("stopped", twoTables)
	none := filepath.Join(w.dir, "projects", "none")
	got := client.ask(none, "get-tables", nil)
	require.Len(t, got.items, 2)
	assert.Equal(t, "No project runs. A person starts one with: berth serve FOLDER", got.items[1])

	shop := w.project("shop", twoTables)
	w.serve(shop)
	sub := filepath.Join(shop, "src", "cart")
	require.NoError(t, os.MkdirAll(sub, 0o755))
	file := filepath.Join(sub, "cart.js")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o644))
	linkDown, linkStopped := filepath.Join(w.dir, "to-cart"), filepath.Join(w.dir, "to-stopped")
	require.NoError(t, os.Symlink(sub, linkDown))
	require.NoError(t, os.Symlink(stopped, linkStopped))
	bare := filepath.Join(w.dir, "bare")
	require.NoError(t, os.Mkdir(bare, 0o755))

	const notExist, notRunning = "Error: projectRoot does not exist", "MCP server not running for project: "
	lies := "That path lies in the running project " + shop + ": pass that as projectRoot."
	runs := "One project runs; to use it, pass it as projectRoot: " + shop
	for _, tt := range []struct{ name, root, first, second string }{
		{"a root that does not exist", none, notExist, runs},
		{"one that is not absolute", "shop", "Error: projectRoot must be an absolute path", runs},
		{"a folder below it", sub, notRunning + sub, lies},
		{"a file below it", file, notRunning + file, lies},
		{"a folder below it that does not exist", filepath.Join(shop, "gone", "x"), notExist, lies},
		{"a link to a folder below it", linkDown, notRunning + linkDown, lies},
		{"what does not exist below a link", filepath.Join(linkDown, "gone"), notExist, lies},
		{"a project that is stopped", stopped, notRunning + stopped, "Start it with: berth serve " + stopped},
		{"a link to one", linkStopped, notRunning + linkStopped, "Start it with: berth serve " + stopped},
		{"a folder that is no project", bare, notRunning + bare, runs + "\nIf that folder is the project that is meant, start it with: berth serve " + bare},
	} {
		got := client.ask(tt.root, "get-tables", nil)
		assert.True(t, got.isError, tt.name)
		assert.Equal(t, []string{tt.first, tt.second}, got.items, tt.name)
	}
	inner := filepath.Join(shop, "packages", "api")
	require.NoError(t, os.MkdirAll(filepath.Join(inner, ".git"), 0o755))
	got = client.ask(inner, "get-tables", nil)
	assert.Equal(t, lies+"\nTo have that folder served by itself: berth serve "+inner, got.items[1], "a project within one")

	link := filepath.Join(w.dir, "to-shop")
	require.NoError(t, os.Symlink(shop, link))
	assert.False(t, client.ask(link, "get-tables", nil).isError, "a link to the root is the root")
}

func TestInstanceListsItselfAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, other := w.project("app", twoTables), w.project("other", twoTables)
	in := w.serve(root)
	w.serve(other)
	inst, err := wire.ReadInstance(filepath.Join(w.home, "instances", fmt.Sprintf("%d.json", in.Port)))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: in.URL + "/mcp",
		HTTPClient: &http.Client{Transport: tokenBearer(strings.TrimPrefix(inst.Token.Header(), "Bearer "))}}, nil)
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "list-projects"})
			assert.NoError(t, err)
		})
	}
	all.Wait()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "list-projects"})
	require.NoError(t, err)
	list, got := readProjects(t, res)
	require.Len(t, list.Projects, 1, got.text())
	assert.Equal(t, root, list.Projects[0].ProjectRoot)
	assert.Equal(t, "app.db", list.Projects[0].Databases[0].Name)
	assert.Contains(t, list.Note, "berth mcp lists")
}
