package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// atInstance is an agent at the instance's own /mcp.
func (w *world) atInstance(in *instance, opts *mcp.ClientOptions) *agent {
	w.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, opts)
	var session *mcp.ClientSession
	var err error
	within(w.t, "a session", func() {
		session, err = client.Connect(context.Background(), &mcp.StreamableClientTransport{
			Endpoint: in.URL + "/mcp", HTTPClient: &http.Client{Transport: tokenBearer(w.token(in))}}, nil)
	})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { within(w.t, "the end of a session", func() { _ = session.Close() }) })
	return &agent{t: w.t, session: session}
}

// habits are the ways to say "no arguments" that clients have.
var habits = map[string]string{"null": `,"arguments":null`, "missing": ``, "empty": `,"arguments":{}`}

func TestNoArgumentsAreNoneHoweverAClientWritesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	r := w.raw()
	id := 0
	for habit, arguments := range habits {
		id += 2
		listed := r.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list-projects"%s,%s}}`, id, arguments, modern))
		assert.Contains(t, listed, root, habit)
		refused := r.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get-tables"%s,%s}}`, id+1, arguments, modern))
		assert.Contains(t, refused, "projectRoot is missing", habit)

		token := map[string]string{"Authorization": "Bearer " + w.token(in)}
		body := "{" + strings.TrimPrefix(arguments, ",") + "}"
		_, text := request(t, in, "POST", "/tools/get-tables", body, token)
		assert.Contains(t, text, `customer`, habit)
		_, text = request(t, in, "POST", "/tools/"+designer, body, token)
		assert.Contains(t, text, `operation is missing`, habit)
		_, text = request(t, in, "POST", "/tools/fs_list_entries", body, token)
		assert.Contains(t, text, `app.db`, habit)
		token["Accept"], token["Mcp-Protocol-Version"] = "application/json, text/event-stream", "2026-07-28"
		token["Mcp-Method"], token["Mcp-Name"] = "tools/call", "list-projects"
		_, text = request(t, in, "POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list-projects"%s,%s}}`, arguments, modern), token)
		assert.Contains(t, text, root, habit)
		token["Mcp-Name"] = "get-tables"
		_, text = request(t, in, "POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get-tables"%s,%s}}`, arguments, modern), token)
		assert.Contains(t, text, "customer", habit)
	}
}

// Clients show a model names of their own making (Codex writes _ for -), and
// some call by them.
func TestAToolCalledByAnotherSpellingIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	stdio, http := w.agent(), w.atInstance(in, nil)
	for called, name := range map[string]string{
		"get_tables": "get-tables", "mssql_query": "mssql-query", "Run_Query": "run-query",
		"fs-read-file": "fs_read_file", "mssql-schema-designer": designer,
	} {
		said := fmt.Sprintf("it is called %s here", name)
		for where, a := range map[string]*agent{"stdio": stdio, "/mcp": http} {
			_, err := a.try(t.Context(), root, called, nil)
			if assert.Error(t, err, where) {
				assert.Contains(t, err.Error(), fmt.Sprintf("unknown tool %q", called), where)
				assert.Contains(t, err.Error(), said, where)
			}
		}
		_, text := request(t, in, "POST", "/tools/"+called, "{}", map[string]string{"Authorization": "Bearer " + w.token(in)})
		assert.Contains(t, text, said)
		got := w.berthIn(root, "call", called)
		assert.Equal(t, 2, got.code)
		assert.Contains(t, got.stderr, said)
	}
	_, err := stdio.try(t.Context(), root, "make-tea", nil)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "it is called", "nothing is near it")
	assert.Contains(t, stdio.session.InitializeResult().Instructions, "_ for -")
}

// structured is the structured content of a reply; nil: it has none.
func structured(t *testing.T, res *mcp.CallToolResult) map[string]any {
	t.Helper()
	if res.StructuredContent == nil {
		return nil
	}
	raw, err := json.Marshal(res.StructuredContent)
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, json.Unmarshal(raw, &object))
	return object
}

// call is ask with the whole result.
func (a *agent) call(root, tool string, args map[string]any) *mcp.CallToolResult {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: with(args, "projectRoot", root)})
	require.NoError(a.t, err)
	return res
}

func texts(res *mcp.CallToolResult) (items []string) {
	for _, item := range res.Content {
		items = append(items, item.(*mcp.TextContent).Text)
	}
	return items
}
