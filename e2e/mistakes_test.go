package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updatePage = flag.Bool("update", false, "write what was seen into docs/mistakes.md and docs/page-tasks.md")

// usual is a wrong call that models make, and the call that its reply leads to.
type usual struct {
	tool, sent string
	// leads is what the reply says of the right call; its group, if there is
	// one, goes into second in place of $1.
	leads, second string
	secondTool    string // "": the same
	right         string // a part of the reply to the second call
}

// usualMistakes are made in the project $ROOT, with two tables and a file.
var usualMistakes = []usual{
	{tool: "get-tables", sent: `{"projectRoot": "shop"}`, leads: `must be an absolute path\n.*projectRoot: (\S+)`, second: `{"projectRoot": "$1"}`, right: `["customer","purchase"]`},
	{tool: "get-tables", sent: `{"projectRoot": "$ROOT/src"}`, leads: `running project (\S+): pass that`, second: `{"projectRoot": "$1"}`, right: `["customer","purchase"]`},
	{tool: "get_tables", sent: `{}`, leads: `it is called (get-tables) here`, secondTool: "$1", second: `{}`, right: `["customer","purchase"]`},
	{tool: "get-schema", sent: `{"tableName": "customer"}`, leads: `known: projectRoot, (table),`, second: `{"$1": "customer"}`, right: "CREATE TABLE customer"},
	{tool: "get-schema", sent: `{"table": "customers"}`, leads: `the nearest are: (\w+)`, second: `{"table": "$1"}`, right: "CREATE TABLE customer"},
	{tool: "run-query", sent: `{"sql": "SELECT 1 AS one"}`, leads: `known: projectRoot, (query),`, second: `{"$1": "SELECT 1 AS one"}`, right: `"rows":[[1]]`},
	{tool: "run-query", sent: `{"query": "SELECT name FROM customers"}`, leads: `the nearest tables are: (\w+)`, second: `{"query": "SELECT name FROM $1"}`, right: "Ada"},
	{tool: "run-query", sent: `{"query": "SELECT full_name FROM customer"}`, leads: `(get-schema) shows a table's columns`, secondTool: "$1", second: `{"table": "customer"}`, right: "name TEXT"},
	{tool: "run-query", sent: `{"query": "UPDATE customer SET name = 'Ben'"}`, leads: `(execute-sql) does that`, secondTool: "$1", second: `{"statement": "UPDATE customer SET name = 'Ben'"}`, right: "approval_required"},
	{tool: "run-query", sent: `{"query": "SELECT 1; SELECT 2"}`, leads: `more than one statement`, second: `{"query": "SELECT 1"}`, right: `"rows":[[1]]`},
	{tool: "execute-sql", sent: `{"statement": "SELECT name FROM customer"}`, leads: `(run-query) answers it`, secondTool: "$1", second: `{"query": "SELECT name FROM customer"}`, right: "Ada"},
	{tool: "run-query", sent: `{"query": "SELECT 1", "connection": "shop"}`, leads: `known: (\S+)`, second: `{"query": "SELECT 1", "connection": "$1"}`, right: `"rows":[[1]]`},
	{tool: designer, sent: `{"operation": "getOverview"}`, leads: `this tool has .*(get_overview)`, second: `{"operation": "$1"}`, right: `"success":true`},
	{tool: designer, sent: `{"operation": "get_table", "table": {"name": "customer"}}`, leads: `it is (payload)\.table`, second: `{"operation": "get_table", "$1": {"table": {"name": "customer"}}}`, right: `"success":true`},
	{tool: designer, sent: `{"operation": "apply_edits", "payload": {"edits": [{"op": "drop_table", "table": {"name": "purchase"}}]}}`, leads: `(expectedVersion) is required: the version in your last reply`,
		second: `{"operation": "apply_edits", "options": {"dryRun": true}, "payload": {"$1": "$VERSION", "edits": [{"op": "drop_table", "table": {"name": "purchase"}}]}}`, right: `"success":true`},
	{tool: designer, sent: `{"operation": "apply_edits", "payload": {"expectedVersion": "5bd1", "edits": [{"op": "drop_table", "table": {"name": "purchase"}}]}}`, leads: `"currentVersion":"(\w+)"`,
		second: `{"operation": "apply_edits", "options": {"dryRun": true}, "payload": {"expectedVersion": "$1", "edits": [{"op": "drop_table", "table": {"name": "purchase"}}]}}`, right: `"success":true`},
	{tool: "fs_read_file", sent: `{"file_path": "src/cart.js"}`, leads: `(path) is what it is called here`, second: `{"$1": "src/cart.js"}`, right: "total()"},
	{tool: "fs_read_file", sent: `{"path": "$ROOT/src/Cart.js"}`, leads: `the nearest: (\S+?)"`, second: `{"path": "$1"}`, right: "total()"},
	{tool: "fs_search_content", sent: `{"pattern": "total"}`, leads: `(query) is what it is called here`, second: `{"$1": "total"}`, right: "src/cart.js"},
	{tool: "fs_edit_file", sent: `{"path": "src/cart.js", "edits": [{"old_text": "0", "new_text": "1"}]}`, leads: `read the file and pass the (version) of fs_read_file`,
		second: `{"path": "src/cart.js", "dry_run": true, "$1": "$FILE", "edits": [{"old_text": "0", "new_text": "1"}]}`, right: `"success":true`},
	{tool: "fs_edit_file", sent: `{"path": "src/cart.js", "version": "$FILE", "edits": [{"oldText": "0", "new_text": "1"}]}`, leads: `(old_text) is what it is called here`,
		second: `{"path": "src/cart.js", "dry_run": true, "version": "$FILE", "edits": [{"$1": "0", "new_text": "1"}]}`, right: `"success":true`},
}

// anyVersion finds a version in a reply, as a client may have written it into
// other JSON.
var anyVersion = regexp.MustCompile(`[vV]ersion\\*":\s*\\*"([0-9a-zA-Z:]+)`)

// TestUsualMistakesAreRightAtTheSecondCall makes each, takes the second call from
// the reply, and compares the table in docs/mistakes.md with what was seen.
func TestUsualMistakesAreRightAtTheSecondCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("shop", twoTables)
	writeBelow(t, root, "src/cart.js", "export class Cart {\n  total() { return 0; }\n}\n")
	w.serve(root)
	agent := w.agent()
	shown := agent.design(root, map[string]any{"operation": "show"})
	require.True(t, shown.Success, shown.text)
	file := anyVersion.FindStringSubmatch(agent.ask(root, "fs_read_file", map[string]any{"path": "src/cart.js"}).text())
	require.NotNil(t, file)
	known := strings.NewReplacer("$ROOT", root, "$VERSION", shown.Version, "$FILE", file[1])
	public := strings.NewReplacer(root, "~/shop", filepath.Dir(root), "~", shown.Version, "5bd1…", file[1], "gMKo…", "|", `\|`, "\n", " ")
	var table strings.Builder
	table.WriteString("\n| tool | sent, beside `projectRoot` | the reply | bytes | so the second call is |\n| --- | --- | --- | --- | --- |\n")
	for _, m := range usualMistakes {
		said := agent.says(root, m.tool, known.Replace(m.sent))
		found := regexp.MustCompile(`(?s)` + m.leads).FindStringSubmatch(said)
		if !assert.NotNil(t, found, "%s %s: the reply does not lead to the right call: %s", m.tool, m.sent, said) {
			continue
		}
		put := func(s string) string {
			return known.Replace(strings.ReplaceAll(s, "$1", found[len(found)-1]))
		}
		tool := m.tool
		if m.secondTool != "" {
			tool = put(m.secondTool)
		}
		second := put(m.second)
		assert.Contains(t, agent.says(root, tool, second), m.right, "%s %s", tool, second)
		if tool == m.tool {
			tool = ""
		} else {
			tool = "`" + tool + "` "
		}
		fmt.Fprintf(&table, "| `%s` | `%s` | %s | %d | %s`%s` |\n", m.tool, public.Replace(known.Replace(m.sent)), around(public.Replace(said), found[0]), len(public.Replace(said)), tool, public.Replace(second))
	}
	table.WriteString("\n")
	comparePart(t, filepath.Join("..", "docs", "mistakes.md"), "tools", "TestUsualMistakes", table.String())
}

// says calls a tool and returns all that it answers, a refusal of the protocol
// too.
func (a *agent) says(root, tool, arguments string) string {
	a.t.Helper()
	if !strings.Contains(arguments, "projectRoot") {
		arguments = strings.Replace(arguments, "{", fmt.Sprintf(`{"projectRoot": %q, `, root), 1)
		arguments = strings.Replace(arguments, ", }", "}", 1)
	}
	res, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: rawJSON(arguments)})
	if err != nil {
		return err.Error()
	}
	return strings.Join(texts(res), "\n")
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// around is the message of a reply, from its first line to the words that lead
// on. What differs from run to run is replaced by the caller: where it is cut
// depends on its length.
func around(said, leads string) string {
	if message := regexp.MustCompile(`"message":"((?:[^"\\]|\\.)*)"(?:.*?"hint":"((?:[^"\\]|\\.)*)")?`).FindStringSubmatch(said); message != nil {
		said = strings.TrimSpace(message[1] + " " + message[2])
		if strings.HasPrefix(leads, `"currentVersion"`) {
			said += ", with `currentVersion` and an overview"
		}
	}
	said = regexp.MustCompile(`as plan \w+ until .*?After`).ReplaceAllString(said, "as plan … After")
	said = regexp.MustCompile(`plan_id: \\"\w+`).ReplaceAllString(said, `plan_id: \"…`)
	if runes := []rune(said); len(runes) > 240 {
		said = string(runes[:239]) + "…"
	}
	return said
}

// comparePart requires that the part of a page between two marks is text, or
// writes it there; test is what -run takes to do that.
func comparePart(t *testing.T, path, part, test, text string) {
	t.Helper()
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	begin, end := "<!-- "+part+", written by go test ./e2e -run "+test+" -update -->\n", "<!-- end of "+part+" -->\n"
	before, rest, found := strings.Cut(string(page), begin)
	require.True(t, found, begin)
	had, after, found := strings.Cut(rest, end)
	require.True(t, found, end)
	if *updatePage {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+text+end+after), 0o644))
		return
	}
	assert.Equal(t, text, had, "%s; if it is meant, run this test with -update", path)
}
