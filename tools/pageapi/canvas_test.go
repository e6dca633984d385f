package pageapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/pageapi"
)

// draws sends a request about areas and notes.
func (o *office) draws(id, body string) error {
	_, err := o.SetCanvas(o.t.Context(), id, request[pageapi.CanvasRequest](o.t, body))
	return err
}

func (o *office) drawn(id string) map[string]any {
	o.t.Helper()
	body, err := o.Canvas(o.t.Context(), id)
	return read(o.t, body, err)["items"].(map[string]any)
}

// refusedDrawing requires that a request about areas and notes is refused.
func (o *office) refusedDrawing(id, body, code, part string) {
	o.t.Helper()
	var refused *pageapi.Error
	require.ErrorAs(o.t, o.draws(id, body), &refused, "%.200s", body)
	assert.Equal(o.t, code, refused.Code, "%.200s: %s", body, refused.Message)
	assert.Contains(o.t, refused.Message, part, "%.200s", body)
}

const area = `{"kind":"area","text":" Billing\n","colour":"blue","x":1,"y":2,"width":300,"height":200}`

func TestAnAreaAndANoteAreMadeChangedAndRemoved(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	assert.Empty(t, o.drawn(id))
	require.NoError(t, o.draws(id, `{"items":{"a":`+area+`,"n":{"kind":"note","text":"\r\n one \u0007two\r\n\tthree  \n","x":-5,"y":0,"width":120,"height":60}}}`))
	assert.Equal(t, map[string]any{
		"a": map[string]any{"kind": "area", "text": "Billing", "colour": "blue", "x": 1.0, "y": 2.0, "width": 300.0, "height": 200.0},
		"n": map[string]any{"kind": "note", "text": " one two\n three", "colour": "grey", "x": -5.0, "y": 0.0, "width": 120.0, "height": 60.0},
	}, o.drawn(id))

	require.NoError(t, o.draws(id, `{"items":{"a":{"text":"Money"}}}`), "one page renames it")
	require.NoError(t, o.draws(id, `{"items":{"a":{"x":40,"y":50}}}`), "and another moves it: both are kept")
	got := o.drawn(id)["a"].(map[string]any)
	assert.Equal(t, []any{"Money", "blue", 40.0, 50.0, 300.0}, []any{got["text"], got["colour"], got["x"], got["y"], got["width"]})

	require.NoError(t, o.draws(id, `{"items":{"a":null,"never":null}}`), "what is gone already may be removed")
	assert.Len(t, o.drawn(id), 1)
	require.NoError(t, o.draws(id, `{"items":{"a":`+area+`}}`), "undo puts it back under its id")
	assert.Len(t, o.drawn(id), 2)
	told := o.announced()
	require.Len(t, told, 5)
	assert.Equal(t, map[string]any{"type": "canvas", "connectionId": id, "counter": 5.0}, told[4], "other pages read them again")
}

func TestAreasAndNotesAreNoChangeOfTheDesign(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	before, seq := d.Info(), o.manager.LastEvent()
	require.NoError(t, o.draws(id, `{"items":{"a":`+area+`}}`))
	assert.Equal(t, before, d.Info())
	assert.Equal(t, seq, o.manager.LastEvent())
}

func TestWhatNoAreaOrNoteCanBeIsRefused(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	require.NoError(t, o.draws(id, `{"items":{"a":`+area+`}}`))
	before := o.drawn(id)
	item := func(fields string) string { return `{"items":{"b":` + area + `,"a":{` + fields + `}}}` }
	for _, c := range []struct{ body, code, part string }{
		{`{}`, "invalid_request", "items is required"},
		{`{"items":{"gone":{"x":1}}}`, "not_found", "gone is no more"},
		{`{"items":{"a b":` + area + `}}`, "invalid_request", `the id "a b" is none`},
		{`{"items":{"` + strings.Repeat("i", 65) + `":` + area + `}}`, "invalid_request", "1 to 64 letters"},
		{item(`"kind":"area","text":"x","x":1,"y":1,"width":50`), "invalid_request", "takes x, y, width and height"},
		{item(`"kind":"circle","x":1,"y":1,"width":50,"height":50`), "invalid_request", `kind is "circle"; it takes area or note`},
		{item(`"text":" "`), "invalid_request", "the area's title is required"},
		{item(`"text":"` + strings.Repeat("ä", 81) + `"`), "invalid_request", "81 characters, at most 80"},
		{item(`"colour":"#ff0000;` + strings.Repeat("x", 40) + `"`), "invalid_request", "it takes grey, blue, green, yellow, red, purple"},
		{item(`"x":1e8`), "invalid_request", "lies at most 10000000"},
		{item(`"width":39`), "invalid_request", "width and height are 40 to 100000, not 39 by 200"},
		{item(`"height":100001`), "invalid_request", "not 300 by 100001"},
		{`{"items":{"n":{"kind":"note","text":"` + strings.Repeat("ä", 1001) + `","x":1,"y":1,"width":50,"height":50}}}`, "invalid_request", "the note has 1001 characters, at most 1000"},
	} {
		o.refusedDrawing(id, c.body, c.code, c.part)
	}
	assert.Equal(t, before, o.drawn(id), "all that a request names, or none")
	assert.Len(t, o.announced(), 1, "what was refused is told to nobody")
}

func TestACanvasHoldsTwoHundredAreasAndNotes(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	var full []string
	for i := range 200 {
		full = append(full, fmt.Sprintf(`"i%d":{"kind":"note","text":%q,"x":1,"y":1,"width":50,"height":50}`, i, strings.Repeat("漢", 1000)))
	}
	require.NoError(t, o.draws(id, `{"items":{`+strings.Join(full, ",")+`}}`))
	o.refusedDrawing(id, `{"items":{"more":`+area+`}}`, "too_large", "at most 200 areas and notes, not 201")
	require.NoError(t, o.draws(id, `{"items":{"more":`+area+`,"i7":null}}`), "one goes and one comes")
	assert.Len(t, o.drawn(id), 200)
	full = append(full, `"more":`+area)
	o.refuses(id, `{"name":"x","tables":{"p":{"x":1,"y":2}},"items":{`+strings.Join(full, ",")+`}}`, "too_large", "at most 200 areas and notes")
}

func TestASavedViewHasAreasAndNotesOfItsOwn(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	one, err := o.saves(id, `{"name":"Pets","tables":{"p":{"x":1,"y":2}},"items":{"a":`+area+`}}`)
	require.NoError(t, err)
	items := func() any { return o.savedViews(id)[0].(map[string]any)["items"] }
	want := map[string]any{"a": map[string]any{"kind": "area", "text": "Billing", "colour": "blue", "x": 1.0, "y": 2.0, "width": 300.0, "height": 200.0}}
	assert.Equal(t, want, items())
	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"name":"Animals"}`, one["id"]))
	require.NoError(t, err)
	assert.Equal(t, want, items(), "a request that names none leaves them")
	o.refuses(id, fmt.Sprintf(`{"id":%q,"items":{"a":{"kind":"area","text":""}}}`, one["id"]), "invalid_request", "the area's title is required")
	o.refuses(id, fmt.Sprintf(`{"id":%q,"items":{"":%s}}`, one["id"], area), "invalid_request", "none of an area or note")
	_, err = o.saves(id, fmt.Sprintf(`{"id":%q,"items":{}}`, one["id"]))
	require.NoError(t, err)
	assert.Nil(t, items())
	assert.Empty(t, o.drawn(id), "the layout has none of them")
}
