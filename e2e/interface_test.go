package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dictionary is a file's words.
func dictionary(t *testing.T, path ...string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{".."}, path...)...))
	require.NoError(t, err)
	return regexp.MustCompile(`[A-Za-z_]+`).FindAllString(string(text), -1)
}

// memberNames collects the names of all members of a JSON value, but for the
// objects below the members named: those hold ids or texts of their own.
func memberNames(value any, into map[string]bool, but ...string) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			memberNames(item, into, but...)
		}
	case map[string]any:
		for name, item := range v {
			into[name] = true
			if !slices.Contains(but, name) {
				memberNames(item, into, but...)
			}
		}
	}
}

func TestEveryMemberThatTheInstanceSendsIsDocumentedAndTyped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables+`CREATE VIEW totals AS SELECT count(*) AS n FROM purchase;`))
	w.serve(w.project("other", ""))
	d := w.desk(in)
	id := d.designer("show", map[string]any{})["connectionId"].(string)
	design := "/designs/" + escaped(id)
	stream := events(t, in, d.key)
	version := d.get(design)["version"]
	applied := d.designer("apply_edits", map[string]any{"expectedVersion": version, "edits": []map[string]any{
		addTable("invoice"),
		{"op": "add_index", "table": map[string]any{"name": "invoice"}, "index": map[string]any{"columns": []string{"id"}, "unique": true}},
		{"op": "add_check", "table": map[string]any{"name": "invoice"}, "check": map[string]any{"expression": "id > 0"}}}})
	require.Equal(t, true, applied["success"], applied)
	status, answer := d.ask("PUT", design+"/layout", map[string]any{"positions": map[string]any{"t": map[string]any{"x": 1, "y": 2}}})
	require.Equal(t, 200, status, answer)
	status, answer = d.ask("POST", design+"/notes", map[string]any{"text": "name it bills"})
	require.Equal(t, 200, status, answer)
	version = d.get(design)["version"]
	status, answer = d.ask("POST", design+"/review", map[string]any{"verdict": "accept", "expectedVersion": version})
	require.Equal(t, 200, status, answer)
	w.agent().ask(d.root, "execute-sql", map[string]any{"statement": "DELETE FROM customer"}) // waits for a person

	sent := map[string]bool{}
	for _, path := range []string{"/designs", design + "/types", design + "/history?tables=true", design + "/changes", design + "/plan", design + "/script?format=sql",
		design + "/layout", design + "/review", design + "/notes", "/projects", "/approvals", "/keys", "/status", "/tables", "/database-type", "/tables/customer/schema"} {
		memberNames(d.get(path), sent, "positions", "before", "after")
	}
	whole := d.get(design)
	tables := map[string]bool{}
	memberNames(whole["tables"], tables, "options")
	delete(whole, "tables")
	memberNames(whole, sent)
	for _, kind := range []string{"committed", "layout", "notes", "review"} {
		event := await(t, stream, kind)
		memberNames(event["tables"], tables, "options")
		delete(event, "tables")
		memberNames(event, sent, "positions", "changes") // the receipt's lists
	}
	status, refused := d.ask("POST", design+"/revert", map[string]any{"steps": []int{99}, "expectedVersion": "old"})
	require.Equal(t, 200, status)
	memberNames(refused, sent)

	docs := dictionary(t, "docs", "http.md")
	typed := dictionary(t, "designer", "page", "src", "panels", "lib", "api.ts")
	for _, file := range []string{"types.ts", "dialect.ts", "namedType.ts", "notices.ts", "team.ts", "edits.ts"} {
		typed = append(typed, dictionary(t, "designer", "page", "src", "api", file)...)
	}
	elsewhere := []string{"keys", "created", "designFiles", "idleEnd", "leases", "pages", "type", "tables", "schema"} // of routes that the page does not ask
	for _, name := range sorted(sent) {
		assert.True(t, slices.Contains(docs, name), "docs/http.md does not speak of %s", name)
		if !slices.Contains(elsewhere, name) {
			assert.True(t, slices.Contains(typed, name), "the page's types lack %s", name)
		}
	}
	for _, name := range sorted(tables) {
		assert.True(t, slices.Contains(typed, name), "the page's types lack %s of a table", name)
	}
	lists, err := json.Marshal(d.get(design + "/plan"))
	require.NoError(t, err)
	assert.False(t, strings.Contains(string(lists), ":null"), "a list that is empty is none, not null")
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
