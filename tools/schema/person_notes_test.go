package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
)

func TestTheAgentsNextCallGetsAPersonsNotesOnce(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	w.show()
	d, _ := w.manager.Active()
	notes := func(origin tools.Origin, request string) []string {
		t.Helper()
		r := w.call(request, func(c *tools.Call) {
			c.Origin, c.Client.Name, c.Client.Version = origin, "some client", "1.2"
		})
		assert.LessOrEqual(t, len(r.Content[0]), 32<<10)
		var got struct{ PersonNotes []string }
		require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &got), r.Content[0])
		return got.PersonNotes
	}
	const look, wrong = `{"operation":"get_overview","projectRoot":"/p"}`, `{"operation":"apply_edits","projectRoot":"/p","payload":{}}`
	assert.Empty(t, notes(tools.OriginAgent, look))
	_, err := d.AddNote(t.Context(), "name it bills", "main.Orders")
	require.NoError(t, err)
	assert.Empty(t, notes(tools.OriginPage, look), "they are for agents")
	assert.Equal(t, []string{"person's note on table main.Orders, typed at berth's page: name it bills"}, notes(tools.OriginAgent, wrong), "in a refusal, too")
	assert.Empty(t, notes(tools.OriginAgent, look))
	list, err := d.Notes(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "some client 1.2", list[0].Client)
	assert.False(t, list[0].Read.IsZero())

	for _, text := range []string{strings.Repeat("a", 398), strings.Repeat("b", 398)} {
		_, err := d.AddNote(t.Context(), text, "main."+strings.Repeat("t", 64))
		require.NoError(t, err)
	}
	assert.Contains(t, notes(tools.OriginAgent, look)[0], "aaaa")
	assert.Contains(t, notes(tools.OriginAgent, look)[0], "bbbb", "what did not fit comes with the next call")
}
