package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoTables = `
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id));
INSERT INTO customer (name) VALUES ('Ada');`

func addTable(name string) map[string]any {
	return map[string]any{"op": "add_table", "table": map[string]any{"name": name},
		"initialColumns": []map[string]any{{"name": "id", "dataType": "INTEGER", "isPrimaryKey": true}}}
}

func TestSameProjectOpenedTwiceLastOneWinsAndNothingIsLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	version := client.design(root, map[string]any{"operation": "get_overview"}).Version

	// An agent keeps editing while the newcomer takes over.
	type receipt struct {
		table, version string
	}
	stop, done := make(chan struct{}), make(chan []receipt)
	go func() {
		var all []receipt
		defer func() { done <- all }()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := fmt.Sprintf("t%d", i)
			r, err := tryEdit(client, root, version, addTable(name))
			if err == nil && r.Success {
				version = r.Version
				all = append(all, receipt{name, r.Version})
			} else if err == nil && r.Reason == "stale_state" {
				version = r.CurrentVersion
			}
		}
	}()
	require.Eventually(t, func() bool { return client.design(root, map[string]any{"operation": "get_overview"}).Version != "" }, patience, 10*time.Millisecond)

	newer := w.serve(root)
	old.wait()
	assert.Equal(t, old.Port, newer.Port, "pages and front-ends reconnect where they were")
	assert.NotEqual(t, old.PID, newer.PID)
	assert.Equal(t, map[string]int{root: newer.Port}, w.portMap())
	close(stop)
	all := receive(t, done, "the edits that were acknowledged")

	overview := client.design(root, map[string]any{"operation": "get_overview", "options": map[string]any{"includeColumns": "none"}})
	require.True(t, overview.Success, overview.text)
	have := map[string]bool{}
	for _, table := range overview.Overview.Tables {
		have[table.Name] = true
	}
	for _, a := range all {
		assert.True(t, have[a.table], "acknowledged %s is gone", a.table)
	}
	t.Logf("%d edits acknowledged around the hand-over", len(all))
}

func TestNewcomerRefusesWhenTheOldInstanceDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	old := w.serve(root)
	freeze(t, old)
	_, err := w.tryServe(root)
	require.Error(t, err)
	assert.Contains(t, err.Error(), fmt.Sprint(old.PID), "names the process")
	assert.Contains(t, err.Error(), "berth stop --force")
	assert.Equal(t, map[string]int{root: old.Port}, w.portMap(), "the map is untouched")

	forced := w.berth("stop", root, "--force")
	assert.Equal(t, 0, forced.code, forced.stderr)
	old.wait()
	w.serve(root)
}

func TestStopEndsAnInstanceCleanly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	got := w.berth("stop", root)
	assert.Equal(t, 0, got.code, got.stderr)
	in.wait()
	assert.Empty(t, w.portMap())
	left, err := filepath.Glob(filepath.Join(w.home, "instances", "*.json"))
	require.NoError(t, err)
	assert.Empty(t, left, "the instance file goes with the instance")
}
