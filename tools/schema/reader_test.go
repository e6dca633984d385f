package schema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

func (w *world) readBy(operation, rest string) (reply, string) {
	w.t.Helper()
	got := w.call(fmt.Sprintf(`{"operation":%q,"projectRoot":"/p"%s}`, operation, rest), func(c *tools.Call) { c.Tool = catalog.SchemaReader })
	var r reply
	require.NoError(w.t, json.Unmarshal([]byte(got.Content[0]), &r), got.Content[0])
	return r, got.Content[0]
}

// The annotation of the reading tool says that it changes nothing. Every other
// operation, by any spelling that the designer takes, is refused.
func TestTheReadingToolRefusesWhatWrites(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	for _, operation := range append(catalog.Operations(), "replace_schema", "add_table", "APPLY_EDITS", "") {
		if slices.Contains(catalog.ReadingOperations(), operation) {
			continue
		}
		for _, rest := range []string{``, `,"payload":{"expectedVersion":"` + version + `","edits":[{"op":"add_table","table":{"name":"t"}}]}`,
			`,"payload":{"expectedVersion":"` + version + `"}`, `,"payload":{"path":"x.sql","format":"sql"}`, `,"connectionId":"shop"`} {
			r, text := w.readBy(operation, rest)
			assert.False(t, r.Success, text)
			assert.Equal(t, "invalid_request", r.Reason, text)
		}
	}
	r, _ := w.readBy("publish", "")
	assert.Contains(t, r.Message, "schema_designer_read only reads: call mssql_schema_designer for publish")
	for _, operation := range catalog.ReadingOperations() {
		payload := ""
		if operation == "get_table" {
			payload = `,"payload":{"table":{"name":"Orders"}}`
		}
		r, text := w.readBy(operation, payload)
		if operation != "get_changes" { // these connections cannot be compared with
			assert.Equal(t, version, r.Version, "%s: %s", operation, text)
		}
		_, whole := w.ask(operation, "%s", strings.TrimPrefix(payload, ","))
		assert.Equal(t, whole, text, "the same reply by either tool")
	}
}

func TestTheReadingToolOpensADesignAndLeavesTheActiveOne(t *testing.T) {
	w := newWorld(t, "orders", 2, "")
	r, _ := w.readBy("get_overview", "")
	assert.Contains(t, r.Message, "several connections are known", "it does not choose")
	r, text := w.readBy("get_overview", `,"connectionName":"Shop"`)
	assert.True(t, r.Success, text)
	active, ok := w.manager.Active()
	require.True(t, ok, "there was none")
	assert.Equal(t, "shop", active.ID())

	r, text = w.readBy("get_overview", `,"connectionName":"CRM"`)
	assert.True(t, r.Success, text)
	assert.Contains(t, text, `"database":"Crm"`)
	for range 2 {
		active, _ = w.manager.Active()
		assert.Equal(t, "shop", active.ID(), "edits go where they went")
		list := w.manager.List()
		require.Len(t, list, 2)
		assert.Equal(t, []bool{true, false}, []bool{list[0].Active, list[1].Active})
		w.restart()
	}
	r, text = w.readBy("get_overview", `,"connectionName":"nobody"`)
	assert.False(t, r.Success, text)
}

// A failure is shorter than what clients cut: the overview of a stale edit gives
// up its columns.
func TestAStaleRefusalIsShort(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version, edits := w.show(), ""
	for i := range 36 {
		columns := ""
		for j := range 9 {
			columns += fmt.Sprintf(`{"name":"a_rather_long_name_of_a_column_%d","dataType":"int","isNullable":false},`, j)
		}
		edits += fmt.Sprintf(`{"op":"add_table","table":{"name":"table_%d"},"initialColumns":[%s]},`, i, columns[:len(columns)-1])
	}
	r, text := w.edit(version, "["+edits[:len(edits)-1]+"]")
	require.True(t, r.Success, text)
	r, text = w.edit(version, `[{"op":"drop_table","table":{"name":"table_1"}}]`)
	assert.Equal(t, "stale_state", r.Reason)
	assert.LessOrEqual(t, len(text), catalog.MaxFailureBytes)
	assert.Contains(t, text, `"columnsOmitted":true`)
	assert.Contains(t, text, `"name":"table_35"`, "all tables are named")
}
