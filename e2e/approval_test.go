package e2e

import (
	"database/sql"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools/files/version"
)

// guardedAction is something that an agent may do only after a person approved
// it.
type guardedAction struct {
	root  string
	tool  string
	args  map[string]any
	shown string     // what must be shown to a person
	done  func() int // how often it was done
	alter func(s *scene)
	told  map[string]string // what the agent reads at a moment, where the tool has words of its own
}

// deeds are all guarded actions, each in its own world.
var deeds = map[string]func(t *testing.T, w *world) guardedAction{
	"execute-sql on sqlite":   func(t *testing.T, w *world) guardedAction { return statement(t, w, "sqlite") },
	"execute-sql on postgres": func(t *testing.T, w *world) guardedAction { return statement(t, w, "postgres") },
	"fs_edit_file":            fileEdit,
	"fs_edit_file of a row":   rowEdit,
}

// statement is one that writes, and counts how often it did. The database that
// the connection names changes to another one meanwhile.
func statement(t *testing.T, w *world, dialect string) guardedAction {
	s := dialects[dialect](t, w)
	other := w.file("other", harbour)
	const update = "UPDATE boats SET berth_id = berth_id + 1 WHERE id = 10"
	return guardedAction{
		root: s.root, tool: "execute-sql", args: map[string]any{"statement": update}, shown: update,
		done: func() int { return s.count("SELECT berth_id FROM boats WHERE id = 10") - 1 + changesIn(t, other) },
		alter: func(s *scene) {
			moved := filepath.Join(s.guardedAction.root, "moved.db")
			require.NoError(t, os.Rename(w.file("moved", append(harbour, "CREATE TABLE moved (a INT)")), moved))
			require.NoError(t, os.WriteFile(filepath.Join(s.guardedAction.root, ".berth", "config.yaml"), []byte("connections: {main: {path: moved.db}}\n"), 0o644))
			require.Eventually(t, func() bool {
				return strings.Contains(s.post("run-query", map[string]any{"connection": "main", "query": "SELECT count(*) + 7 AS n FROM moved"}), "[7]")
			}, patience, 20*time.Millisecond)
			was := s.guardedAction.done
			s.guardedAction.done = func() int { return was() + changesIn(t, moved) }
		},
	}
}

// fileEdit is an edit of a file, which another program writes to meanwhile.
func fileEdit(t *testing.T, w *world) guardedAction {
	root := w.project("app", "")
	file := filepath.Join(root, "berths.txt")
	const before = "north 4\nsouth 9\n"
	require.NoError(t, os.WriteFile(file, []byte(before), 0o644))
	now := func() string {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(content)
	}
	return guardedAction{
		root: root, tool: "fs_edit_file", shown: "-north 4\n+north 5",
		args: map[string]any{"path": "berths.txt", "version": version.Of([]byte(before)),
			"edits": []any{map[string]any{"old_text": "north 4", "new_text": "north 5"}}},
		done:  func() int { return strings.Count(now(), "north 5") },
		alter: func(*scene) { require.NoError(t, os.WriteFile(file, []byte(before+"quay 2\n"), 0o644)) },
		told:  map[string]string{"accept": "stale", "changed meanwhile": "stale"},
	}
}

// rowEdit is fileEdit where the project's files are the rows of a table.
func rowEdit(t *testing.T, w *world) guardedAction {
	const before = "north 4\nsouth 9\n"
	root := w.project("app", rowsTable+`; INSERT INTO files (path, content) VALUES ('/berths.txt', '`+before+`')`)
	w.trustAll()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("connections: {main: {path: app.db}}\nfiles: {store: {connection: main, table: files}}\n"), 0o644))
	action := fileEdit(t, w) // of the file of the same name, which must not be touched
	action.root = root
	action.done = func() (n int) {
		content, err := os.ReadFile(filepath.Join(root, "berths.txt"))
		require.NoError(t, err)
		inDatabase(t, root, func(db *sql.DB) {
			require.NoError(t, db.QueryRow("SELECT (length(content) - length(replace(content, 'north 5', ''))) / 7 FROM files WHERE path = '/berths.txt'").Scan(&n))
		})
		return n + 100*strings.Count(string(content), "north 5")
	}
	action.alter = func(*scene) {
		inDatabase(t, root, func(db *sql.DB) {
			_, err := db.Exec("UPDATE files SET content = content || 'quay 2\n'")
			require.NoError(t, err)
		})
	}
	return action
}

// rowsTable makes a table that can hold files.
const rowsTable = "CREATE TABLE files (path TEXT PRIMARY KEY, content TEXT NOT NULL)"

// inDatabase runs f on a project's SQLite file.
func inDatabase(t *testing.T, root string, f func(*sql.DB)) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(root, "app.db")+"?_pragma=busy_timeout(20000)")
	require.NoError(t, err)
	f(db)
	require.NoError(t, db.Close())
}

// file makes a SQLite file in a project of its own.
func (w *world) file(project string, script []string) string {
	w.t.Helper()
	return filepath.Join(w.project(project, strings.Join(script, ";")), "app.db")
}

// changesIn counts what the statement did in a SQLite file.
func changesIn(t *testing.T, file string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	require.NoError(t, db.QueryRow("SELECT berth_id - 1 FROM boats WHERE id = 10").Scan(&n))
	require.NoError(t, db.Close())
	return n
}

// moments are what may happen between a call and its effect. Only the first
// lets it.
var moments = []string{"accept", "decline", "cancel", "error", "timeout", "no capability", "forged id", "expired", "changed meanwhile", "restarted"}

// shortLife is how long a person has where a test waits for the end of it.
const shortLife = 1500 * time.Millisecond

// scene is one deed, one way to it and one moment.
type scene struct {
	*world
	t             *testing.T
	guardedAction guardedAction
	in            *instance
	moment        string
}

// ways are how an agent reaches a tool and a person decides.
func ways() map[string]func(s *scene) {
	all := map[string]func(s *scene){"MCP 2026-07-28": byMCP("2026-07-28"), "MCP 2025-11-25": byMCP("2025-11-25"), "HTTP": byHTTP}
	if atTerminal != nil {
		all["CLI"] = atTerminal
	}
	return all
}

func TestOnlyAnAcceptedCallWritesAndOnlyWhatWasShown(t *testing.T) {
	type scenario struct{ deed, way, moment string }
	var all []scenario
	for _, deed := range slices.Sorted(maps.Keys(deeds)) {
		for _, way := range slices.Sorted(maps.Keys(ways())) {
			for _, moment := range moments {
				all = append(all, scenario{deed, way, moment})
			}
		}
	}
	for _, c := range long.Sample(t, 40, all) {
		t.Run(c.deed+"/"+c.way+"/"+c.moment, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			w := newWorld(t)
			if c.moment == "expired" || c.moment == "timeout" {
				w.env = append(w.env, "BERTH_APPROVAL_LIFE="+shortLife.String())
			}
			s := &scene{world: w, t: t, guardedAction: deeds[c.deed](t, w), moment: c.moment}
			s.in = w.serve(s.guardedAction.root)
			ways()[c.way](s)
			want := 0
			if c.moment == "accept" {
				want = 1
			}
			assert.Equal(t, want, s.guardedAction.done())
		})
	}
}

// planFlow is how an agent calls and a person decides if the client cannot ask:
// the plan is filed under an id.
type planFlow struct {
	call    func(args map[string]any) string // the reply's text
	decide  func(id, decision string) bool   // whether it was recorded
	dismiss func(id string)                  // the person turns away
	garble  func(id string)                  // their answer does not arrive whole
}

var planID = regexp.MustCompile(`as plan ([a-z2-7]+) until`)

// play plays the moment. It checks what the agent is told; whether the deed
// was done is checked by the caller.
func (s *scene) play(f planFlow) {
	s.t.Helper()
	said := f.call(s.guardedAction.args)
	require.Contains(s.t, said, "approval_required")
	found := planID.FindStringSubmatch(said)
	require.NotNil(s.t, found, said)
	id, told := found[1], ""
	repeat := func() string { return f.call(with(s.guardedAction.args, "plan_id", id)) }
	switch s.moment {
	case "accept":
		require.True(s.t, f.decide(id, "approve"))
		repeat()
		require.Equal(s.t, 1, s.guardedAction.done(), "it is done by the call, not by the approval or before")
		told = "is used"
	case "decline":
		require.True(s.t, f.decide(id, "reject"))
		assert.False(s.t, f.decide(id, "approve"), "what was decided stays decided")
		told = "a person rejected this"
	case "cancel":
		f.dismiss(id)
		told = "approval_required"
	case "error":
		f.garble(id)
		told = "approval_required"
	case "timeout":
		s.awaitState(id, "expired")
		assert.False(s.t, f.decide(id, "approve"))
		told = "is expired"
	case "no capability":
		told = "approval_required"
	case "forged id":
		id = strings.Repeat("a", len(id))
		assert.False(s.t, f.decide(id, "approve"))
		told = "no plan waits under this id"
	case "expired":
		f.decide(id, "approve")
		s.awaitState(id, "expired")
		told = "is expired"
	case "changed meanwhile":
		require.True(s.t, f.decide(id, "approve"))
		s.guardedAction.alter(s)
		told = "is not the one that was asked about"
	case "restarted":
		require.True(s.t, f.decide(id, "approve"))
		s.restart()
		told = "berth was restarted"
	}
	assert.Contains(s.t, repeat(), s.told(told))
	assert.NotEmpty(s.t, repeat(), "and once more, which does nothing either")
}

// told is what the agent reads at this moment.
func (s *scene) told(usual string) string {
	if own, ok := s.guardedAction.told[s.moment]; ok {
		return own
	}
	return usual
}

// byHTTP is an agent that posts to the instance and a person at the page.
func byHTTP(s *scene) {
	page := map[string]string{"Authorization": s.signIn(s.in)}
	decide := func(id, body string) int {
		status, _ := request(s.t, s.in, "POST", "/approvals/"+id, body, page)
		return status
	}
	s.play(planFlow{
		call:    func(args map[string]any) string { return s.post(s.guardedAction.tool, args) },
		decide:  func(id, decision string) bool { return decide(id, `{"decision":"`+decision+`"}`) == 200 },
		dismiss: func(string) {},
		garble:  func(id string) { assert.Equal(s.t, 400, decide(id, `{"decision":"approved"}`)) },
	})
}

// post calls a tool with the instance's token.
func (s *scene) post(tool string, args map[string]any) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"arguments": with(args, "projectRoot", s.guardedAction.root)})
	require.NoError(s.t, err)
	status, text := request(s.t, s.in, "POST", "/tools/"+tool, string(body), map[string]string{"Authorization": "Bearer " + s.token(s.in)})
	require.Equal(s.t, 200, status, text)
	return text
}

// awaitState waits until a plan is listed so.
func (s *scene) awaitState(id, state string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		_, body := request(s.t, s.in, "GET", "/approvals", "", map[string]string{"Authorization": "Bearer " + s.token(s.in)})
		var list struct{ Approvals []struct{ ID, State string } }
		require.NoError(s.t, json.Unmarshal([]byte(body), &list), body)
		for _, e := range list.Approvals {
			if e.ID == id {
				return e.State == state
			}
		}
		return false
	}, patience, 20*time.Millisecond)
}

func (s *scene) restart() {
	s.t.Helper()
	s.in.stop()
	s.in = s.serve(s.guardedAction.root)
}

// with is args and one more.
func with(args map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for k, v := range args {
		out[k] = v
	}
	return out
}
