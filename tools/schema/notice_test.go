package schema_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// pulled has the design's file come in with what the database has: every edit
// is taken back.
func (w *world) pulled() {
	w.t.Helper()
	d, ok := w.manager.Active()
	require.True(w.t, ok)
	def, err := w.sources[0].Read(context.Background())
	require.NoError(w.t, err)
	out, err := d.Import(context.Background(), session.Import{Definition: def, Replace: true, Origin: "file",
		Description: "Take over the file", File: ".berth/designs/" + strings.Repeat("m", 300) + ".json"})
	require.NoError(w.t, err)
	require.Nil(w.t, out.Err)
	require.NotNil(w.t, out.FileRevert)
}

// hears is what a client's call is told beside its answer.
func (w *world) hears(client, operation, payload string) string {
	w.t.Helper()
	if payload == "" {
		payload = "{}"
	}
	r := w.call(fmt.Sprintf(`{"operation":%q,"projectRoot":"/p","payload":%s}`, operation, payload), func(c *tools.Call) {
		c.Client.ID = client
		if client == "page" {
			c.Origin = tools.OriginPage
		}
	})
	var got struct{ Notice string }
	require.NoError(w.t, json.Unmarshal([]byte(r.Content[0]), &got), r.Content[0])
	return got.Notice
}

func TestEachAgentHearsOnceWhatAFileTookBack(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	first := w.show()
	made, _ := w.edit(first, `[{"op":"drop_table","table":{"name":"Orders"}}]`)
	require.True(t, made.Success, made.Message)
	assert.Empty(t, w.hears("a", "get_overview", ""))
	w.pulled()
	d, _ := w.manager.Active()
	assert.Empty(t, w.hears("page", "get_overview", ""), "a page has the event")
	for _, client := range []string{"a", "b"} {
		notice := w.hears(client, "get_overview", "")
		assert.Contains(t, notice, "took back 1 edit that")
		assert.Contains(t, notice, d.Version())
		assert.Contains(t, notice, "One undo brings back")
		assert.Less(t, len(notice), 640)
		assert.Empty(t, w.hears(client, "get_overview", ""))
	}
	stale := fmt.Sprintf(`{"expectedVersion":%q,"edits":[{"op":"drop_table","table":{"name":"Orders"}}]}`, made.Version)
	assert.Contains(t, w.hears("a", "apply_edits", stale), "took back", "a second agent behind one front-end, most likely")
	more, _ := w.edit(d.Version(), `[{"op":"set_table","table":{"name":"Orders"},"set":{"name":"Sales"}}]`)
	require.True(t, more.Success, more.Message)
	assert.Empty(t, w.hears("a", "apply_edits", stale), "what it missed now is something else")
	assert.Contains(t, w.hears("c", "get_overview", ""), `undo with payload {"steps":2}`)
	w.pulled()
	w.restart()
	w.show()
	assert.Contains(t, w.hears("a", "get_overview", ""), "took back 2 edits that had been acknowledged. That happened 2 times.", "after a restart it is not known who was told")
	w.now = time.Now().Add(25 * time.Hour)
	assert.Empty(t, w.hears("d", "get_overview", ""), "it is news for a day")
}

// What a reply has to say beside its answer has room in its limit.
func TestANoticeKeepsWithinTheLimits(t *testing.T) {
	w := newWorld(t, "long 300", 1, "")
	version := w.show()
	var list []string
	for i := range 60 {
		list = append(list, fmt.Sprintf(`{"op":"drop_table","table":{"name":"%s%05d"}}`, strings.Repeat("T", 100), i))
	}
	dropped, _ := w.edit(version, "["+strings.Join(list, ",")+"]")
	require.True(t, dropped.Success, dropped.Message)
	w.pulled()
	_, text := w.ask("get_overview", "") // within its limit, which ask checks
	assert.Contains(t, text, `"notice":".berth`)
	d, _ := w.manager.Active()
	drop := "[" + strings.Join(list, ",") + "]"
	again, _ := w.edit(d.Version(), drop)
	require.True(t, again.Success, again.Message)
	w.pulled()
	again, text = w.edit(d.Version(), drop)
	require.True(t, again.Success, again.Message)
	assert.Contains(t, text, `"notice":".berth`)
	assert.LessOrEqual(t, len(text), maxReceipt)
	assert.True(t, again.Receipt.Truncated)
}
