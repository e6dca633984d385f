package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// designHome is an agent and a page at one instance that serves a folder. The
// agent starts with the design's version as last acknowledged to it.
type designHome struct {
	*world
	in      *instance
	agent   *agent
	page    *desk
	id      string // of the connection
	root    string
	version string
}

func (w *world) designHome(root string) *designHome {
	w.t.Helper()
	h := &designHome{world: w, in: w.serve(root), agent: w.agent(), root: root}
	h.page = w.desk(h.in)
	shown := h.agent.design(root, map[string]any{"operation": "show"})
	require.True(w.t, shown.Success, shown.text)
	h.version = shown.Version
	list := h.page.get("/designs")["designs"].([]any)
	h.id = list[0].(map[string]any)["connection"].(string)
	return h
}

// tables are the names in the design, as a page reads them: no reply of the
// agent's is used up.
func (h *designHome) tables() []string {
	h.t.Helper()
	names := map[string]bool{}
	for _, table := range h.page.get("/designs/" + escaped(h.id))["tables"].([]any) {
		names[table.(map[string]any)["name"].(string)] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// add has the agent add a table, and requires that it is acknowledged.
func (h *designHome) add(name string) {
	h.t.Helper()
	r := h.agent.design(h.root, edits(h.version, addTable(name)))
	require.True(h.t, r.Success, r.text)
	h.version = r.Version
}

// holds waits until the design has a table.
func (h *designHome) holds(name string) {
	h.t.Helper()
	require.Eventually(h.t, func() bool { return slices.Contains(h.tables(), name) }, patience, 20*time.Millisecond, "the design has %s", name)
}

// next is the agent's next call: an edit of what it last saw, or a look.
func (h *designHome) next(edit bool) reply {
	h.t.Helper()
	if edit {
		return h.agent.design(h.root, edits(h.version, addTable("too_late")))
	}
	return h.agent.design(h.root, map[string]any{"operation": "get_overview"})
}

// file is the design's file, "" before there is one.
func (h *designHome) file() (path, text string) {
	h.t.Helper()
	found, err := filepath.Glob(filepath.Join(h.root, ".berth", "designs", "*.json"))
	require.NoError(h.t, err)
	for _, path = range found {
		if !strings.HasSuffix(path, ".layout.json") {
			raw, err := os.ReadFile(path)
			require.NoError(h.t, err)
			return path, string(raw)
		}
	}
	return "", ""
}

// withTable is a design's file in which somebody else added a table.
func withTable(t *testing.T, file, name string) []byte {
	t.Helper()
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(file), &doc))
	doc["tables"] = append(doc["tables"].([]any), map[string]any{"name": name,
		"columns": []map[string]any{{"name": "id", "dataType": "INTEGER"}}})
	text, err := json.MarshalIndent(doc, "", "  ")
	require.NoError(t, err)
	return text
}

// replaced are the two ways in which programs change a file.
var replaced = map[string]func(path string, text []byte) error{
	"renamed into place": func(path string, text []byte) error { // git, most editors
		temp := path + ".lock"
		if err := os.WriteFile(temp, text, 0o644); err != nil {
			return err
		}
		return os.Rename(temp, path)
	},
	"written in place": func(path string, text []byte) error { return os.WriteFile(path, text, 0o644) },
}

// An agent's edit is acknowledged, and then the design's file is replaced by
// one that does not have it. The file stands; the agent, the page and the log
// say so, and one undo brings the edit back.
func TestAFileThatTakesAnEditBackIsToldOf(t *testing.T) {
	t.Parallel()
	for how, replace := range replaced {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			h := w.designHome(w.project("app", twoTables))
			stream := events(t, h.in, h.page.key)
			h.add("first")
			var path, before string
			require.Eventually(t, func() bool { path, before = h.file(); return strings.Contains(before, "first") }, patience, 10*time.Millisecond)
			dice := long.Dice(t)
			for round := range long.Rounds(3, 60) {
				mine, theirs := fmt.Sprintf("mine%d", round), fmt.Sprintf("theirs%d", round)
				wait := time.Duration(dice.IntN(1500)) * time.Millisecond
				h.add(mine)
				time.Sleep(wait) // the moment itself, not a wait for something
				require.NoError(t, replace(path, withTable(t, before, theirs)))
				h.holds(theirs)
				require.NotContains(t, h.tables(), mine, "the file stands")
				h.isTold(round%2 == 0, stream)
				back := h.agent.design(h.root, map[string]any{"operation": "undo"})
				require.True(t, back.Success, back.text)
				h.version = back.Version
				require.Contains(t, h.tables(), mine, "round %d (%s): one undo brings the edit back", round, wait)
				require.NotContains(t, h.tables(), theirs)
				require.Eventually(t, func() bool { _, now := h.file(); return strings.Contains(now, mine) }, patience, 10*time.Millisecond)
			}
			log, err := os.ReadFile(filepath.Join(w.home, "logs", "berth.log"))
			require.NoError(t, err)
			assert.Contains(t, string(log), "a design's file took acknowledged edits back")
			assert.NotContains(t, string(log), "mine0", "no names of the design in the log")
		})
	}
}

// isTold requires that the agent's next reply and the page's stream say that a
// file took edits back, and that the reply after it does not say it again.
func (h *designHome) isTold(edit bool, stream <-chan map[string]any) {
	h.t.Helper()
	r := h.next(edit)
	require.Contains(h.t, r.Notice, ".berth/designs/", "the agent's next reply: %.300s", r.text)
	assert.Contains(h.t, r.Notice, "took back")
	assert.Contains(h.t, r.Notice, "undo")
	if edit {
		assert.Equal(h.t, "stale_state", r.Reason)
		assert.Contains(h.t, r.Notice, r.CurrentVersion)
	}
	assert.Empty(h.t, h.next(false).Notice, "once is enough")
	for {
		event := await(h.t, stream, "committed")
		if event["origin"] != "file" {
			continue
		}
		require.Contains(h.t, event, "tookBack", "the page's event")
		told := event["tookBack"].(map[string]any)
		assert.Contains(h.t, told["file"], ".berth/designs/")
		assert.GreaterOrEqual(h.t, told["edits"], 1.0)
		return
	}
}

// A pull that adds to what the design has takes nothing back, and is not said
// to.
func TestAFileThatKeepsTheEditsIsNoNews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.designHome(w.project("app", twoTables))
	h.add("mine")
	var path, text string
	require.Eventually(t, func() bool { path, text = h.file(); return strings.Contains(text, "mine") }, patience, 10*time.Millisecond)
	require.NoError(t, replaced["renamed into place"](path, withTable(t, text, "theirs")))
	h.holds("theirs")
	assert.Contains(t, h.tables(), "mine")
	assert.Empty(t, h.next(false).Notice)
}

// Two homes, as of a machine and a container on it, serve one folder and both
// edit its design: whatever the file takes back is told, and one undo away.
func TestTwoHomesOnOneFolderLoseNoEditWithoutAWord(t *testing.T) {
	long.Thoroughly(t)
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	homes := []*designHome{w.designHome(root), newWorld(t).designHome(root)}
	lost := 0
	for round := range long.Rounds(2, 40) {
		names := []string{fmt.Sprintf("one%d", round), fmt.Sprintf("two%d", round)}
		var atOnce [2]reply // the file may come in between an edit and its reply
		var both sync.WaitGroup
		for i, h := range homes {
			h.version = h.next(false).Version
			both.Go(func() {
				got, err := h.agent.try(t.Context(), root, designer, edits(h.version, addTable(names[i])))
				assert.NoError(t, err)
				assert.NoError(t, json.Unmarshal([]byte(got.text()), &atOnce[i]))
				assert.True(t, atOnce[i].Success, got.text())
			})
		}
		both.Wait()
		alike(t, homes)
		for i, h := range homes {
			if slices.Contains(h.tables(), names[i]) {
				continue
			}
			lost++
			r := h.next(false)
			require.Contains(t, atOnce[i].Notice+r.Notice, "took back", "round %d: home %d lost %s: %.300s", round, i, names[i], r.text)
			back := h.agent.design(root, map[string]any{"operation": "undo"})
			require.True(t, back.Success, back.text)
			require.Contains(t, h.tables(), names[i], "one undo brings it back")
			alike(t, homes)
			other := homes[1-i]
			require.NotContains(t, other.tables(), names[1-i])
			require.Contains(t, other.next(false).Notice, "took back", "now the other home's edit is the one that went")
			break // and that one has been looked at
		}
	}
	t.Logf("%d edits were taken back by the other home's file, each told of", lost)
	require.Positive(t, lost, "the homes never met")
}

// alike waits until both homes' designs say the same, and the file too.
func alike(t *testing.T, homes []*designHome) {
	t.Helper()
	since, last := time.Now(), ""
	require.Eventually(t, func() bool {
		_, text := homes[0].file()
		now := fmt.Sprint(homes[0].tables())
		if now != last || now != fmt.Sprint(homes[1].tables()) {
			since, last = time.Now(), now
			return false
		}
		for _, name := range homes[0].tables() {
			if !strings.Contains(text, name) {
				return false
			}
		}
		return time.Since(since) > time.Second // longer than a home takes to write or to read
	}, patience, 50*time.Millisecond, "both homes and the file come to rest")
}
