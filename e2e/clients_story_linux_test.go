package e2e

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A realClient is a program of others that has started berth as berth init
// told it to, and calls tools in the project shop.
type realClient interface {
	// call calls a tool and returns what the client gives its model.
	call(tool string, args map[string]any) string
	// cancel calls a tool and has the client give it up when running returns.
	cancel(tool string, args map[string]any, running func())
	// questions are those that the client put to a person, who approved;
	// nil: it puts none.
	questions() []string
	// survives reports whether the client works on after cancel.
	survives() bool
}

// clientWorld is a machine whose user has just installed berth and has an
// empty home. Clients give their servers few variables, so that berth is where
// it is without any.
func clientWorld(t *testing.T) *clientStory {
	t.Helper()
	w := newWorld(t)
	user := filepath.Join(w.dir, "user")
	require.NoError(t, os.MkdirAll(user, 0o700))
	w.home = filepath.Join(user, ".config", "berth")
	w.env = append(without(without(w.env, "PATH"), "BERTH_HOME"), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := &clientStory{world: w, t: t, program: binary}
	s.shop = w.project("shop", twoTables)
	s.blog = w.project("blog", "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT)")
	s.stopped = w.project("stopped", twoTables)
	require.NoError(t, os.WriteFile(filepath.Join(s.shop, "berths.txt"), []byte("north 4\nsouth 9\n"), 0o644))
	w.serve(s.shop)
	s.blogInstance = w.serve(s.blog)
	return s
}

// clientStory is the main job, played by a real client.
type clientStory struct {
	*world
	t                   *testing.T
	shop, blog, stopped string
	blogInstance        *instance
	client              realClient
	program             string // the berth that its user has
	native              string // the program that it becomes, if it is npm's script
}

// register has berth init register itself with a client, in the project shop.
func (s *clientStory) register(client string) {
	s.t.Helper()
	got := s.run(s.program, s.shop, "init", "--client", client, "--yes")
	require.Zero(s.t, got.code, got.stdout+got.stderr)
	if s.native != "" {
		s.startByScript()
	}
}

// startByScript writes npm's script into the file that berth init wrote, which
// names the program itself. It is what npx starts, and what a person writes.
func (s *clientStory) startByScript() {
	s.t.Helper()
	entries := 0
	require.NoError(s.t, filepath.WalkDir(s.shop, func(path string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), s.native) {
			return err
		}
		entries++
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), s.native, s.program)), 0o644)
	}))
	require.Equal(s.t, 1, entries, "files that name %s", s.native)
}

func (s *clientStory) play(c realClient) {
	s.client = c
	s.tables()
	s.design()
	s.publish()
	s.files()
	s.stoppedProject()
	s.cancelled()
}

// ask calls a tool in a project.
func (s *clientStory) ask(root, tool string, args map[string]any) string {
	s.t.Helper()
	return s.client.call(tool, with(args, "projectRoot", root))
}

// tables looks at two projects in one session.
func (s *clientStory) tables() {
	got := s.ask(s.shop, "get-tables", nil)
	assert.Contains(s.t, got, "customer")
	assert.Contains(s.t, got, "purchase")
	assert.Contains(s.t, s.ask(s.blog, "get-tables", nil), "post")
}

func (s *clientStory) versionIn(reply string) string {
	s.t.Helper()
	found := anyVersion.FindStringSubmatch(reply)
	require.NotNil(s.t, found, reply)
	return found[1]
}

// design edits, is refused with an old version, and tries the changes.
func (s *clientStory) design() {
	shown := s.ask(s.shop, designer, map[string]any{"operation": "show"})
	version := s.versionIn(shown)
	added := s.ask(s.shop, designer, edits(version, addTable("berths")))
	assert.Contains(s.t, plainJSON(added), `"success":true`)
	stale := s.ask(s.shop, designer, edits(version, addTable("quays")))
	assert.Contains(s.t, stale, "stale_state")
	changes := s.ask(s.shop, designer, map[string]any{"operation": "get_changes"})
	assert.Contains(s.t, changes, "berths")
	assert.NotContains(s.t, changes, "quays")
	assert.Contains(s.t, plainJSON(s.ask(s.shop, designer, map[string]any{"operation": "verify"})), `"success":true`)
}

// publish makes the design once a person approved it.
func (s *clientStory) publish() {
	done := s.approved(func(plan string) string {
		args := map[string]any{"operation": "publish"}
		if plan != "" {
			args["payload"] = map[string]any{"planId": plan}
		}
		return s.ask(s.shop, designer, args)
	})
	assert.Contains(s.t, plainJSON(done), `"success":true`)
	inDatabase(s.t, s.shop, func(db *sql.DB) {
		var n int
		require.NoError(s.t, db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'berths'").Scan(&n))
		assert.Equal(s.t, 1, n)
	})
}

// files reads a file and edits it.
func (s *clientStory) files() {
	read := s.ask(s.shop, "fs_read_file", map[string]any{"path": "berths.txt"})
	assert.Contains(s.t, read, "north 4")
	args := map[string]any{"path": "berths.txt", "version": s.versionIn(read),
		"edits": []any{map[string]any{"old_text": "north 4", "new_text": "north 5"}}}
	done := s.approved(func(plan string) string {
		if plan != "" {
			args = with(args, "plan_id", plan)
		}
		return s.ask(s.shop, "fs_edit_file", args)
	})
	assert.Contains(s.t, plainJSON(done), `"success":true`)
	text, err := os.ReadFile(filepath.Join(s.shop, "berths.txt"))
	require.NoError(s.t, err)
	assert.Equal(s.t, "north 5\nsouth 9\n", string(text))
}

// approved makes a call that needs a person: one who answers the client's
// question, or one at a terminal.
func (s *clientStory) approved(call func(plan string) string) string {
	s.t.Helper()
	before := len(s.client.questions())
	said := call("")
	if s.client.questions() != nil {
		require.Len(s.t, s.client.questions(), before+1, said)
		assert.Contains(s.t, s.client.questions()[before], "shop", "the question names the project")
		return said
	}
	require.Contains(s.t, said, "approval_required")
	found := planID.FindStringSubmatch(said)
	require.NotNil(s.t, found, said)
	got := s.atTTY(s.shop, terminalInput{prompt: "Approve? ", text: "y"}, "approvals", "--approve", found[1])
	require.Zero(s.t, got.code, got.stdout)
	return call(found[1])
}

// stoppedProject asks one that does not run.
func (s *clientStory) stoppedProject() {
	got := s.ask(s.stopped, "get-tables", nil)
	assert.Regexp(s.t, "MCP server not running for project: "+regexp.QuoteMeta(s.stopped)+`("|\\n|\s|$)`, got, "the line as it is, and nothing after it")
}

// cancelled gives a query up that would never end, and the database rests.
func (s *clientStory) cancelled() {
	s.client.cancel("run-query", map[string]any{"projectRoot": s.blog, "query": endless["sqlite"]}, func() {
		require.Eventually(s.t, func() bool { return busy(s.blogInstance) }, patience, time.Millisecond, "the query runs")
	})
	require.Eventually(s.t, func() bool { return !busy(s.blogInstance) }, patience/3, time.Millisecond, "the query has ended, before its time limit of 30 s")
	if s.client.survives() {
		assert.Contains(s.t, s.ask(s.blog, "get-tables", nil), "post")
	}
}

// plainJSON takes escapes of a JSON text in another out, and its spaces.
func plainJSON(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `": `, `":`)
}

// inTime bounds one step of a client.
func (s *clientStory) inTime() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), patience)
}
