package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusing are a call of each tool that asks a person.
func refusing(t *testing.T, a *agent, root string) map[string]map[string]any {
	t.Helper()
	shown := a.design(root, map[string]any{"operation": "show"})
	require.True(t, shown.Success, shown.text)
	edited := a.design(root, edits(shown.Version, addTable("invoice")))
	require.True(t, edited.Success, edited.text)
	read := a.ask(root, "fs_read_file", map[string]any{"path": "a.txt"})
	var file struct{ Version string }
	require.NoError(t, json.Unmarshal([]byte(read.text()), &file))
	return map[string]map[string]any{
		designer:       {"operation": "publish", "payload": map[string]any{"expectedVersion": edited.Version}},
		"execute-sql":  {"statement": "DELETE FROM customer"},
		"fs_edit_file": {"path": "a.txt", "version": file.Version, "edits": []map[string]any{{"old_text": "one", "new_text": "two"}}},
	}
}

// shared are the fields of a refusal that are the same whatever the tool.
var shared = []string{"success", "reason", "message", "planId", "planArgument", "url", "expiresAt"}

func TestRefusalsLookAlikeInEveryTool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\n"), 0o644))
	in := w.serve(root)
	answers := map[string]func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error){
		"reject": func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "reject"}}, nil
		},
		"cancel": func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "cancel"}, nil
		},
	}
	calls := refusing(t, w.agent(), root)
	for who, a := range map[string]*agent{"cannot ask": w.agent(), "/mcp": w.atInstance(in, nil),
		"reject": w.askingAgent("", answers["reject"]), "cancel": w.askingAgent("", answers["cancel"])} {
		for tool, args := range calls {
			at := who + " " + tool
			res := a.call(root, tool, args)
			assert.True(t, res.IsError, at)
			got := structured(t, res)
			require.NotNil(t, got, "%s: %v", at, texts(res))
			var text map[string]any
			require.NoError(t, json.Unmarshal([]byte(texts(res)[0]), &text), at)
			assert.Equal(t, text, got, "the text and the object say the same: %s", at)
			var has []string
			for _, field := range shared {
				if got[field] != nil {
					has = append(has, field)
				}
			}
			assert.Equal(t, false, got["success"], at)
			if who == "reject" {
				assert.Equal(t, "declined", got["reason"], at)
				assert.Equal(t, shared[:3], has, at)
				continue
			}
			assert.Equal(t, "approval_required", got["reason"], at)
			assert.Equal(t, shared, has, at)
			until, err := time.Parse(time.RFC3339, got["expiresAt"].(string))
			require.NoError(t, err, at)
			assert.Contains(t, got["message"], until.Format("2006-01-02 15:04:05 -07:00"), "a date and a zone: %s", at)
			if who == "cancel" {
				assert.Contains(t, got["message"], "the client answered cancel", at)
			}
		}
	}
	a := w.agent()
	stale := structured(t, a.call(root, designer, edits("old", addTable("x"))))
	assert.Equal(t, "stale_state", stale["reason"])
	assert.NotEmpty(t, stale["currentVersion"])
	file := calls["fs_edit_file"]
	stale = structured(t, a.call(root, "fs_edit_file", with(map[string]any{"path": file["path"], "edits": file["edits"]}, "version", "old")))
	assert.Equal(t, "stale_version", stale["reason"])
	assert.NotEmpty(t, stale["current_version"], "as its document has it")
}

// calls of every tool that answers in more than one item, or with structured
// content.
func manyItems() map[string][]map[string]any {
	return map[string][]map[string]any{
		"get-tables": {{}, {"pattern": "cust*"}}, "get-schema": {{"table": "customer"}}, "get-database-type": {{}},
		"list-connections": {{}}, "search-schema": {{"pattern": "id"}, {"pattern": "id", "detail": "full"}},
		"run-query":     {{"query": "SELECT * FROM customer"}, {"query": "SELECT nothing"}, {"query": "DELETE FROM customer"}},
		"explain-query": {{"query": "SELECT 1"}}, "sample-table": {{"table": "customer"}},
		"mssql-query": {{"database": "shop", "query": "SELECT 1"}, {"database": "shop", "query": "DELETE FROM t"}},
		"execute-sql": {{"statement": "DELETE FROM customer"}}, "list-projects": {{}},
		"fs_list_entries": {{}}, "fs_read_file": {{"path": "a.txt"}, {"path": "b.txt"}}, "fs_search_content": {{"query": "one"}},
		"fs_edit_file": {{"path": "a.txt", "version": "old", "edits": []map[string]any{{"old_text": "one", "new_text": "two"}}}},
		designer: {{"operation": "get_overview"}, {"operation": "get_table", "payload": map[string]any{"table": map[string]any{"name": "customer"}}},
			{"operation": "nothing"}},
		"schema_designer_read": {{"operation": "get_overview"}, {"operation": "publish"}},
	}
}

// Some clients show a model the structured content in place of the texts.
func TestStructuredContentSaysAllThatTheTextsSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\n"), 0o644))
	in := w.serve(root)
	stdio, http := w.agent(), w.atInstance(in, nil)
	listed, err := stdio.session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range listed.Tools {
		calls := manyItems()[tool.Name]
		require.NotEmpty(t, calls, "%s is not looked at", tool.Name)
		for _, args := range calls {
			for where, a := range map[string]*agent{"stdio": stdio, "/mcp": http} {
				res := a.call(root, tool.Name, args)
				items, object := texts(res), structured(t, res)
				t.Logf("%s %v over %s: %d bytes of text, %d structured", tool.Name, args, where, len(strings.Join(items, "")), len(encoded(t, object)))
				if object == nil {
					continue
				}
				notes, _ := object["notes"].([]any)
				for _, item := range items[1:] {
					assert.True(t, slices.Contains(notes, any(item)), "%s %v over %s: %q is not in %v", tool.Name, args, where, item, object)
				}
			}
		}
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// The smallest sizes beyond which a client in its default settings puts a reply
// into a file or cuts out its middle: bytes of the reply as JSON (Codex),
// characters of a failure (Claude Code), and lines (opencode).
const (
	clientBytes        = 40_000
	clientFailureBytes = 11_000
	clientLines        = 2000
)

func TestRepliesStayBelowWhatClientsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var script strings.Builder
	script.WriteString(twoTables)
	for i := range 60 {
		fmt.Fprintf(&script, "CREATE TABLE t%d (", i)
		for j := range 80 {
			fmt.Fprintf(&script, "c%d INT, ", j)
		}
		script.WriteString("id INTEGER PRIMARY KEY);")
	}
	wide := "CREATE TABLE wide (id INTEGER PRIMARY KEY"
	for i := range 1500 {
		wide += fmt.Sprintf(", a%d INT", i)
	}
	root := w.project("app", script.String()+wide+");")
	for name, content := range map[string]string{
		"short.txt": strings.Repeat("\n", 5000), "quotes.json": strings.Repeat(`{"a":"b","c":"d"}`+"\n", 5000), "one.txt": strings.Repeat("one\n", 5000),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o644))
	}
	w.serve(root)
	a := w.agent()
	first := a.design(root, map[string]any{"operation": "show"}).Version
	require.NotEmpty(t, first)
	require.True(t, a.design(root, edits(first, addTable("extra"))).Success)
	const quoted = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5000) SELECT 'a' a, 'b' b, '"c"' c, 'd' d,
		'e' e, 'f' f, 'g' g, 'h' h, 'i' i, 'j' j, 'k' k, 'l' l, 'm' m, 'n' n, 'o' o, 'p' p, 'q' q, 'r' r, 's' s, 't' t, 'u' u, 'v' v, 'w' w,
		'x' x, 'y' y, 'z' z, 'a' a1, 'b' b1, 'c' c1, 'd' d1, 'e' e1, 'f' f1, 'g' g1, 'h' h1, 'i' i1, 'j' j1, 'k' k1, 'l' l1 FROM n`
	table := func(name string) map[string]any { return map[string]any{"table": map[string]any{"name": name}} }
	version := structured(t, a.call(root, "fs_edit_file", map[string]any{"path": "one.txt", "version": "x",
		"edits": []map[string]any{{"old_text": "one", "new_text": "t", "all": true}}}))["current_version"]
	for _, c := range []struct {
		tool string
		args map[string]any
		rest string // how the reply says that there is more, and where; "": it is whole
	}{
		{"run-query", map[string]any{"query": quoted}, "toFile"},
		{"sample-table", map[string]any{"table": "wide", "rows": 50}, ""},
		{"get-schema", map[string]any{"table": "wide"}, ""},
		{"get-tables", map[string]any{}, ""},
		{"search-schema", map[string]any{"pattern": "c1*", "detail": "full"}, "narrow the pattern"},
		{"mssql-query", map[string]any{"database": "shop", "query": "SELECT 1", "maxRows": 100000}, "no more than"},
		{"fs_read_file", map[string]any{"path": "short.txt"}, "read on with from"},
		{"fs_read_file", map[string]any{"path": "quotes.json", "numbers": true}, "read on with from"},
		{"fs_search_content", map[string]any{"query": "one", "limit": 50}, "total"},
		{designer, map[string]any{"operation": "get_overview"}, "columnsOmitted"},
		{designer, map[string]any{"operation": "get_overview", "options": map[string]any{"limit": 40, "includeColumns": "namesAndTypes"}}, "nextOffset"},
		{designer, map[string]any{"operation": "get_table", "payload": table("wide"), "options": map[string]any{"includeColumns": "full"}}, "nextOffset"},
		{designer, edits(first, addTable("more")), "suggestedNextCall"},
		{"fs_edit_file", map[string]any{"path": "one.txt", "version": version, "edits": []map[string]any{{"old_text": "one", "new_text": "t", "all": true}}}, "diff_cut"},
	} {
		res := a.call(root, c.tool, c.args)
		items := texts(res)
		all := strings.Join(items, "\n")
		size, extra := len(encoded(t, items)), len(encoded(t, structured(t, res)))
		t.Logf("%s %.60s: %d bytes of text, %d as JSON, %d structured", c.tool, fmt.Sprint(c.args), len(all), size, extra)
		assert.Less(t, max(size, extra), clientBytes, "%s %v", c.tool, c.args)
		assert.Less(t, strings.Count(all, "\n"), clientLines, c.tool)
		if res.IsError {
			assert.Less(t, len(all), clientFailureBytes, "%s %v", c.tool, c.args)
		}
		assert.Contains(t, all, c.rest, "%s %v", c.tool, c.args)
	}
}
