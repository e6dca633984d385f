package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// folders is a project in two versions, "first" and "second", of which one is
// at its path. Each has a file and a database that say which it is.
type folders struct {
	*world
	root string
}

func newFolders(t *testing.T) *folders {
	f := &folders{world: newWorld(t)}
	require.NoError(t, os.MkdirAll(f.home, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(f.home, "config.yaml"), []byte("files: {mode: fast}\n"), 0o600))
	f.root = f.version("app", "first")
	return f
}

// version makes a folder of a name that holds a version.
func (f *folders) version(name, which string) string {
	root := f.project(name, fmt.Sprintf("CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('%s'); CREATE TABLE only_%s (id INTEGER)", which, which))
	require.NoError(f.t, os.WriteFile(filepath.Join(root, "who.txt"), []byte(which+"\n"), 0o644))
	return root
}

// calls are what an agent asks; each names the version in its reply.
func (f *folders) calls() map[string]map[string]any {
	return map[string]map[string]any{
		"fs_read_file":      {"path": "who.txt"},
		"fs_search_content": {"query": "first", "path_prefix": "who"},
		"run-query":         {"query": "SELECT name FROM t"},
		"get-tables":        {},
	}
}

// about reports which version a reply speaks of.
func about(got answer, tool string) string {
	text := strings.Join(got.items, "\n")
	switch {
	case got.isError:
		return "error"
	case tool == "fs_search_content" && strings.Contains(text, `"total":0`):
		return "second"
	case strings.Contains(text, "first"):
		return "first"
	case strings.Contains(text, "second"):
		return "second"
	}
	return text
}

// settles waits until every call is answered from a version.
func (f *folders) settles(a *agent, version string) {
	f.t.Helper()
	require.EventuallyWithT(f.t, func(c *assert.CollectT) {
		for tool, args := range f.calls() {
			got := a.ask(f.root, tool, args)
			assert.Equal(c, version, about(got, tool), "%s: %s", tool, got.items)
		}
	}, patience, 50*time.Millisecond)
}

// The folder is moved away and another one takes its path: from the first call
// on, no reply and no edit belongs to the old one.
func TestEveryReplyBelongsToTheFolderAtThePath(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(f *folders, old string){
		"moved away": func(f *folders, old string) {
			require.NoError(f.t, os.Rename(f.root, old))
			f.version("app", "second")
		},
		"removed and made again": func(f *folders, _ string) {
			require.NoError(f.t, os.RemoveAll(f.root))
			f.version("app", "second")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolders(t)
			f.serve(f.root)
			a := f.agent()
			f.settles(a, "first")
			read := fileReplyOf(t, a.ask(f.root, "fs_read_file", map[string]any{"path": "who.txt"}))
			old := filepath.Join(f.dir, "old")
			replace(f, old)
			edit := a.ask(f.root, "fs_edit_file", map[string]any{"path": "who.txt", "version": read.Version,
				"edits": []map[string]any{{"old_text": "first", "new_text": "EDITED"}}})
			assert.True(t, edit.isError, edit.items)
			for tool, args := range f.calls() {
				got := a.ask(f.root, tool, args)
				assert.NotEqual(t, "first", about(got, tool), "%s: %s", tool, got.items)
			}
			f.settles(a, "second")
			if content, err := os.ReadFile(filepath.Join(old, "who.txt")); err == nil {
				assert.Equal(t, "first\n", string(content), "the folder that was moved away is not edited")
			}
			read = fileReplyOf(t, a.ask(f.root, "fs_read_file", map[string]any{"path": "who.txt"}))
			edit = a.ask(f.root, "fs_edit_file", map[string]any{"path": "who.txt", "version": read.Version,
				"edits": []map[string]any{{"old_text": "second", "new_text": "EDITED"}}})
			require.False(t, edit.isError, edit.items)
			content, err := os.ReadFile(filepath.Join(f.root, "who.txt"))
			require.NoError(t, err)
			assert.Equal(t, "EDITED\n", string(content))
			f.designsAre(a)
		})
	}
}

// designsAre requires that the designer shows the second version's database.
func (f *folders) designsAre(a *agent) {
	f.t.Helper()
	require.True(f.t, a.design(f.root, map[string]any{"operation": "show"}).Success)
	r := a.design(f.root, map[string]any{"operation": "get_overview"})
	assert.Contains(f.t, r.text, "only_second")
	assert.NotContains(f.t, r.text, "only_first")
}

// A folder that is gone is said to be gone; back in its place it is served by
// the instance that was there.
func TestAFolderThatIsGoneIsSaidToBe(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	in := f.serve(f.root)
	a := f.agent()
	f.settles(a, "first")
	aside := filepath.Join(f.dir, "aside")
	require.NoError(t, os.Rename(f.root, aside))
	for tool, args := range f.calls() {
		got := a.ask(f.root, tool, args)
		assert.True(t, got.isError, "%s: %s", tool, got.items)
		assert.Contains(t, got.text(), "does not exist", tool)
	}
	assert.Contains(t, f.berth("ls").stdout, "its folder is gone")
	doctor := f.berth("doctor", f.dir)
	assert.Equal(t, 1, doctor.code)
	assert.Contains(t, doctor.stdout, "that directory is gone")
	require.NoError(t, os.Rename(aside, f.root))
	f.settles(a, "first")
	assert.NotContains(t, f.berth("ls").stdout, "gone")
	in.stop()
}

// Two folders change places again and again, as worktrees do, while an agent
// works: a reply that was asked for and given while one of them was at the path
// is about that one.
func TestRepliesFollowFoldersThatChangePlaces(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	other := f.version("other", "second")
	aside := filepath.Join(f.dir, "aside")
	f.serve(f.root)
	a := f.agent()
	now := "first"
	replies, errors := 0, 0
	dice := long.Dice(t)
	for range long.Rounds(5, 200) {
		f.settles(a, now)
		for range dice.IntN(4) {
			for tool, args := range f.calls() {
				require.Equal(t, now, about(a.ask(f.root, tool, args), tool), tool)
				replies++
			}
		}
		require.NoError(t, os.Rename(f.root, aside))
		require.NoError(t, os.Rename(other, f.root))
		require.NoError(t, os.Rename(aside, other))
		now = map[string]string{"first": "second", "second": "first"}[now]
		for tool, args := range f.calls() {
			got := a.ask(f.root, tool, args)
			if replies++; got.isError {
				errors++
				continue
			}
			require.Equal(t, now, about(got, tool), "%s: %s", tool, got.items)
		}
	}
	f.settles(a, now)
	t.Logf("%d replies, of which %d said that the folder was replaced; none from the other folder", replies, errors)
}

// fileReply is what these tests read of a reply of a file tool.
type fileReply struct {
	Success bool   `json:"success"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Version string `json:"version"`
}

func fileReplyOf(t *testing.T, got answer) (r fileReply) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(got.text()), &r), got.text())
	return r
}
