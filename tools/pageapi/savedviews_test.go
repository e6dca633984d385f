package pageapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/pageapi"
)

// saves sends a request about the saved views and returns the reply.
func (o *office) saves(id, body string) (map[string]any, error) {
	reply, err := o.SetSavedView(o.t.Context(), id, request[pageapi.SavedViewRequest](o.t, body))
	if err != nil {
		return nil, err
	}
	return read(o.t, reply, nil), nil
}

// refuses requires that a request about the saved views is refused.
func (o *office) refuses(id, body, code, part string) {
	o.t.Helper()
	_, err := o.saves(id, body)
	var refused *pageapi.Error
	require.ErrorAs(o.t, err, &refused, body)
	assert.Equal(o.t, code, refused.Code, "%.80s: %s", body, refused.Message)
	assert.Contains(o.t, refused.Message, part, "%.80s", body)
}

func (o *office) savedViews(id string) []any {
	o.t.Helper()
	body, err := o.SavedViews(o.t.Context(), id)
	return read(o.t, body, err)["views"].([]any)
}

func TestAViewIsSavedChangedAndRemoved(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	assert.Empty(t, o.savedViews(id))

	pets, err := o.saves(id, `{"name":" Pets\nonly ","tables":{"p":{"x":1,"y":2}}}`)
	require.NoError(t, err)
	assert.EqualValues(t, 1, pets["counter"])
	_, err = o.saves(id, `{"name":"All","tables":{"p":{"x":0,"y":0},"q":{"x":9,"y":-9}}}`)
	require.NoError(t, err)
	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"name":"Animals"}`, pets["id"]))
	require.NoError(t, err)
	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"tables":{"q":{"x":3,"y":4}}}`, pets["id"]))
	require.NoError(t, err)

	views := o.savedViews(id)
	require.Len(t, views, 2)
	assert.Equal(t, map[string]any{"id": pets["id"], "name": "Animals", "tables": map[string]any{"q": map[string]any{"x": 3.0, "y": 4.0}}}, views[0])
	assert.Equal(t, "All", views[1].(map[string]any)["name"])

	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"remove":true}`, pets["id"]))
	require.NoError(t, err)
	require.Len(t, o.savedViews(id), 1)
	told := o.announced()
	require.Len(t, told, 5)
	assert.Equal(t, map[string]any{"type": "views", "connectionId": id, "counter": 5.0}, told[4], "other pages read them again")
}

func TestSavedViewsAreNoChangeOfTheDesign(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	before, seq := d.Info(), o.manager.LastEvent()
	_, err := o.saves(id, `{"name":"Pets","tables":{"p":{"x":1,"y":2}}}`)
	require.NoError(t, err)
	assert.Equal(t, before, d.Info())
	assert.Equal(t, seq, o.manager.LastEvent())
}

func TestWhatNoSavedViewCanBeIsRefused(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	one, err := o.saves(id, `{"name":"Pets","tables":{"p":{"x":1,"y":2}}}`)
	require.NoError(t, err)
	before := o.savedViews(id)
	for _, c := range []struct{ body, code, part string }{
		{`{"name":"x"}`, "invalid_request", "takes a name and tables"},
		{`{"tables":{"p":{"x":1,"y":2}}}`, "invalid_request", "takes a name and tables"},
		{`{"name":"x","tables":{}}`, "invalid_request", "a table at least"},
		{`{"name":" \n","tables":{"p":{"x":1,"y":2}}}`, "invalid_request", "name is required"},
		{`{"name":"` + strings.Repeat("ä", 81) + `","tables":{"p":{"x":1,"y":2}}}`, "invalid_request", "81 characters, at most 80"},
		{`{"name":"pETS","tables":{"p":{"x":1,"y":2}}}`, "invalid_request", "another view is called that"},
		{`{"name":"x","tables":{"p":{"x":1e9,"y":2}}}`, "invalid_request", "a table lies at most"},
		{`{"name":"x","tables":{"":{"x":1,"y":2}}}`, "invalid_request", "an id of 0 bytes"},
		{`{"name":"x","tables":{"` + strings.Repeat("i", 65) + `":{"x":1,"y":2}}}`, "invalid_request", "an id of 65 bytes"},
		{`{"id":"gone","name":"x"}`, "not_found", "save it as a new one"},
		{`{"id":"gone","remove":true}`, "not_found", "is no more"},
		{`{"remove":true}`, "invalid_request", "id is required"},
	} {
		o.refuses(id, c.body, c.code, c.part)
	}
	assert.Equal(t, before, o.savedViews(id))
	assert.Len(t, o.announced(), 1, "what was refused is told to nobody")
	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"name":"PETS"}`, one["id"]))
	require.NoError(t, err, "a view may be called as it was called")
}

func TestSavedViewsAreBounded(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	tables := func(n int) string {
		all := map[string]map[string]float64{}
		for i := range n {
			all[fmt.Sprintf("%036d", i)] = map[string]float64{"x": float64(i), "y": -12345}
		}
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return string(text)
	}
	o.refuses(id, `{"name":"x","tables":`+tables(5_001)+`}`, "too_large", "at most 5000 tables, not 5001")
	full := tables(5_000)
	kept := 0
	for err := error(nil); err == nil; {
		if _, err = o.saves(id, fmt.Sprintf(`{"name":"large %d","tables":%s}`, kept, full)); err == nil {
			kept++
		}
	}
	assert.Greater(t, kept, 5)
	o.refuses(id, `{"name":"x","tables":`+full+`}`, "too_large", "4 MiB; remove some first")
	assert.Len(t, o.savedViews(id), kept, "what was refused changed nothing")
}

func TestADesignKeepsAHundredViews(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	for i := range 100 {
		_, err := o.saves(id, fmt.Sprintf(`{"name":"small %d","tables":{"a":{"x":1,"y":1}}}`, i))
		require.NoError(t, err)
	}
	o.refuses(id, `{"name":"one more","tables":{"a":{"x":1,"y":1}}}`, "too_large", "at most 100 views")
}
