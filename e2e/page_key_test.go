package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a page without a browser: what a page's key can do over HTTP.
type desk struct {
	t    *testing.T
	in   *instance
	root string
	key  string
}

func (w *world) desk(in *instance) *desk {
	return &desk{t: w.t, in: in, root: in.ProjectRoot, key: w.signIn(in)}
}

// ask sends a request with the page key and reads the answer as JSON.
func (d *desk) ask(method, path string, body any) (status int, answer map[string]any) {
	d.t.Helper()
	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		require.NoError(d.t, err)
		text = string(raw)
	}
	status, got := request(d.t, d.in, method, path, text, map[string]string{"Authorization": d.key})
	require.NoError(d.t, json.Unmarshal([]byte(got), &answer), "%s %s: %s", method, path, got)
	return status, answer
}

// get requires a good answer.
func (d *desk) get(path string) map[string]any {
	d.t.Helper()
	status, answer := d.ask("GET", path, nil)
	require.Equal(d.t, 200, status, answer)
	return answer
}

// lines runs a designer operation as the page does and returns the line that
// ends the reply.
func (d *desk) lines(arguments map[string]any, more map[string]any) map[string]any {
	d.t.Helper()
	arguments["projectRoot"] = d.root
	call := map[string]any{"arguments": arguments, "client": map[string]any{"name": "berth page", "elicitation": true}, "wantProgress": true}
	for k, v := range more {
		call[k] = v
	}
	raw, err := json.Marshal(call)
	require.NoError(d.t, err)
	status, text := request(d.t, d.in, "POST", "/tools/"+designer, string(raw), map[string]string{"Authorization": d.key})
	require.Equal(d.t, 200, status, text)
	var last map[string]any
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		last = nil
		require.NoError(d.t, json.Unmarshal(s.Bytes(), &last))
	}
	return last
}

// designer runs an operation and returns the designer's reply.
func (d *desk) designer(operation string, payload map[string]any) map[string]any {
	d.t.Helper()
	line := d.lines(map[string]any{"operation": operation, "payload": payload}, nil)
	return d.reply(line)
}

func (d *desk) reply(line map[string]any) map[string]any {
	d.t.Helper()
	require.Contains(d.t, line, "result", "%v", line)
	var reply map[string]any
	require.NoError(d.t, json.Unmarshal([]byte(line["result"].(map[string]any)["content"].([]any)[0].(string)), &reply))
	return reply
}

func TestAPageKeyDesignsAndPublishes(t *testing.T) {
	t.Parallel()
	for name, made := range dialects {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := made(t, w)
			d := w.desk(w.serve(s.root))
			shown := d.designer("show", map[string]any{})
			require.Equal(t, true, shown["success"], shown)
			id := shown["connectionId"].(string)
			design := "/designs/" + escaped(id)
			version := d.get(design)["version"].(string)

			edits := []map[string]any{{"op": "add_column", "table": map[string]any{"name": "boats"},
				"column": map[string]any{"name": "length_m", "dataType": "decimal", "precision": 6, "scale": 2, "isNullable": true}}}
			if name == "sqlite" {
				edits[0]["column"] = map[string]any{"name": "length_m", "dataType": "NUMERIC", "isNullable": true}
			}
			dry := d.lines(map[string]any{"operation": "apply_edits", "options": map[string]any{"dryRun": true},
				"payload": map[string]any{"expectedVersion": version, "edits": edits}}, nil)
			assert.Equal(t, true, d.reply(dry)["dryRun"])
			applied := d.designer("apply_edits", map[string]any{"expectedVersion": version, "edits": edits})
			require.Equal(t, true, applied["success"], applied)
			undone := d.designer("undo", map[string]any{"steps": 1})
			assert.Equal(t, version, undone["version"])
			redone := d.designer("redo", map[string]any{"steps": 1})
			assert.Equal(t, applied["version"], redone["version"])
			assert.Equal(t, "page", d.get(design + "/history")["undo"].([]any)[0].(map[string]any)["origin"])
			assert.EqualValues(t, 1, d.get(design + "/changes")["count"])

			plan := d.get(design + "/plan")
			require.NotEmpty(t, plan["steps"], plan)
			assert.Contains(t, plan["script"], "length_m")
			verified := d.designer("verify", map[string]any{})
			require.Equal(t, true, verified["success"], verified)

			publish := func() map[string]any { return map[string]any{"operation": "publish"} }
			question := d.lines(publish(), nil)
			require.Contains(t, question, "inputRequired", question)
			assert.Equal(t, "proposed", d.get(design)["sync"], "asking changes nothing")
			asked := question["inputRequired"].(map[string]any)
			assert.Contains(t, fmt.Sprint(asked["requests"]), "length_m")
			answer := func(action string) map[string]any {
				return map[string]any{"requestState": asked["state"], "inputResponses": map[string]any{"confirm": map[string]any{"action": action, "content": map[string]any{"decision": "approve"}}}}
			}
			done := d.reply(d.lines(publish(), answer("accept")))
			require.Equal(t, true, done["success"], done)
			assert.Equal(t, "synced", d.get(design)["sync"])
			again := d.reply(d.lines(publish(), answer("accept")))
			assert.NotEqual(t, 1.0, again["steps"], "an answer is good once: %v", again)
			s.exec("UPDATE boats SET length_m = 9.5 WHERE id = 10")
		})
	}
}

func escaped(id string) string {
	return strings.NewReplacer("%", "%25", "/", "%2F", " ", "%20", "?", "%3F", "#", "%23").Replace(id)
}

func TestAPageImportsAndExportsTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.desk(w.serve(w.project("app", twoTables)))
	id := d.designer("show", map[string]any{})["connectionId"].(string)
	design := "/designs/" + escaped(id)
	version := d.get(design)["version"]
	status, reply := d.ask("POST", design+"/import", map[string]any{"format": "sql", "expectedVersion": version,
		"text": "CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id));"})
	require.Equal(t, 200, status)
	require.Equal(t, true, reply["success"], reply)
	assert.Contains(t, d.get(design + "/script?format=dbml")["text"], "invoice")
	exported := d.designer("export", map[string]any{"format": "mermaid"})
	require.Equal(t, true, exported["success"], exported)
	file, err := os.ReadFile(filepath.Join(d.root, filepath.FromSlash(exported["path"].(string))))
	require.NoError(t, err)
	assert.Contains(t, string(file), "invoice")
}

func TestAPageGoesOnToAnotherProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	desktop := w.desktop()
	here, there := w.serve(w.project("here", twoTables)), w.serve(w.project("there", twoTables))
	gone := w.serve(w.project("gone", ""))
	gone.kill()
	d := w.desk(here)

	states := map[string]string{}
	for _, p := range d.get("/projects")["projects"].([]any) {
		p := p.(map[string]any)
		states[filepath.Base(p["projectRoot"].(string))] = fmt.Sprint(p["state"], " ", p["self"])
	}
	assert.Equal(t, map[string]string{"here": "live true", "there": "live false", "gone": "stale false"}, states)

	status, opened := d.ask("POST", "/projects/open", map[string]any{"projectRoot": there.ProjectRoot})
	require.Equal(t, 200, status, opened)
	assert.Equal(t, map[string]any{"opened": true}, opened, "whoever has this page's key gets nothing that opens the other project")
	path, err := os.ReadFile(desktop)
	require.NoError(t, err)
	text, err := os.ReadFile(string(path))
	require.NoError(t, err)
	assert.Contains(t, string(text), there.URL+"/?open=", "the desktop has got the other project's page")

	for _, root := range []string{gone.ProjectRoot, filepath.Join(w.dir, "nowhere")} {
		status, refused := d.ask("POST", "/projects/open", map[string]any{"projectRoot": root})
		assert.Equal(t, 404, status, refused)
	}
	status, _ = request(t, here, "POST", "/projects/open", fmt.Sprintf(`{"projectRoot":%q}`, there.ProjectRoot),
		map[string]string{"Authorization": "Bearer " + w.token(here)})
	assert.Equal(t, 403, status, "an agent's token is no person")
}

func TestPagesHearOfLayoutsAndOfProjectsThatComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("app", twoTables))
	d := w.desk(in)
	id := d.designer("show", map[string]any{})["connectionId"].(string)
	stream := events(t, in, d.key)
	next := func(kind string) map[string]any {
		for {
			select {
			case event, open := <-stream:
				require.True(t, open, "the stream ended")
				if event["type"] == kind {
					return event
				}
			case <-time.After(patience):
				require.Fail(t, "no event of type "+kind)
			}
		}
	}
	next("shown")
	status, _ := d.ask("PUT", "/designs/"+escaped(id)+"/layout", map[string]any{"positions": map[string]any{"t": map[string]any{"x": 1, "y": 2}}})
	require.Equal(t, 200, status)
	moved := next("layout")
	assert.Equal(t, id, moved["connectionId"])
	assert.NotContains(t, moved, "seq", "a notice has no number")
	w.serve(w.project("other", ""))
	next("projects")
}
