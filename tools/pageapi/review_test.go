package pageapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/pageapi"
)

func TestAReviewIsAcceptedOrTakenBackByKeys(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	o.edit(d, `[{"op":"set_column","table":{"name":"Person"},"column":{"name":"Name"},"set":{"dataType":"BLOB","isNullable":true}},
		{"op":"add_table","table":{"name":"Toy"},"initialColumns":[{"name":"Id","dataType":"INTEGER","isPrimaryKey":true}]}]`)
	body, err := o.Review(t.Context(), id)
	got := read(t, body, err)
	assert.Equal(t, 2.0, got["count"])
	tables := got["tables"].([]any)
	person, toy := tables[0].(map[string]any), tables[1].(map[string]any)
	assert.Nil(t, toy["before"])
	assert.Equal(t, "agent", person["last"].(map[string]any)["origin"])
	name := person["before"].(map[string]any)["columns"].([]any)[1].(map[string]any)
	assert.Equal(t, "TEXT", name["dataType"])

	ask := func(verdict, version string, keys ...string) map[string]any {
		t.Helper()
		reply, err := o.SetReview(t.Context(), id, pageapi.ReviewRequest{Verdict: verdict, Keys: keys, ExpectedVersion: version})
		return read(t, reply, err)
	}
	key := person["id"].(string) + "/" + name["id"].(string)
	stale := ask("accept", "old", key)
	assert.Equal(t, "stale_state", stale["reason"])
	assert.Equal(t, d.Version(), stale["currentVersion"])
	assert.Empty(t, o.announced())
	assert.Equal(t, true, ask("take_back", d.Version(), key+"/type")["success"])
	assert.Equal(t, true, ask("accept", d.Version(), toy["id"].(string))["success"])
	assert.Equal(t, []map[string]any{{"type": "review", "connectionId": id, "counter": 1.0}}, o.announced())
	body, err = o.Review(t.Context(), id)
	got = read(t, body, err)
	require.Equal(t, 1.0, got["count"])
	after := got["tables"].([]any)[0].(map[string]any)["after"].(map[string]any)["columns"].([]any)[1].(map[string]any)
	assert.Equal(t, []any{"TEXT", true}, []any{after["dataType"], after["isNullable"]}, "the other field is still the agent's")

	for _, bad := range []pageapi.ReviewRequest{{}, {Verdict: "take_back"}, {Verdict: "keep"},
		{Verdict: "accept", Keys: []string{"a/b/c/d"}}, {Verdict: "accept", Keys: []string{""}}, {Verdict: "accept", Keys: make([]string, 5001)}} {
		_, err := o.SetReview(t.Context(), id, bad)
		assert.Error(t, err, bad.Verdict)
	}
}

func TestANoteIsShortAndOneLine(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	_, err := o.SetNotes(t.Context(), id, pageapi.NoteRequest{Text: " use\n\tbigint\x00 \u202ehere "})
	require.NoError(t, err)
	assert.Equal(t, []map[string]any{{"type": "notes", "connectionId": id}}, o.announced())
	list, err := d.Notes(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "use  bigint here", list[0].Text)
	_, err = o.SetNotes(t.Context(), id, pageapi.NoteRequest{Drop: list[0].ID})
	require.NoError(t, err)
	got, err := o.Notes(t.Context(), id)
	assert.Equal(t, map[string]any{"notes": []any{}}, read(t, got, err))
	for _, bad := range []string{"", " \n", strings.Repeat("x", 400), strings.Repeat(`"`, 200)} {
		_, err := o.SetNotes(t.Context(), id, pageapi.NoteRequest{Text: bad})
		assert.Error(t, err, bad)
	}
	for range 20 {
		_, err := o.SetNotes(t.Context(), id, pageapi.NoteRequest{Text: "again"})
		require.NoError(t, err)
	}
	_, err = o.SetNotes(t.Context(), id, pageapi.NoteRequest{Text: "one too many"})
	assert.ErrorContains(t, err, "20 notes wait")
}
