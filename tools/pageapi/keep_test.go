package pageapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/pageapi"
)

func TestTwoPagesThatMoveDifferentTablesKeepBoth(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	move := func(body string) map[string]any {
		reply, err := o.SetLayout(t.Context(), id, request[pageapi.LayoutRequest](t, body))
		return read(t, reply, err)
	}
	layout := func() map[string]any {
		body, err := o.Layout(t.Context(), id)
		return read(t, body, err)
	}
	assert.Equal(t, map[string]any{"counter": 0.0, "positions": map[string]any{}}, layout())
	assert.EqualValues(t, 1, move(`{"positions":{"a":{"x":1,"y":2}}}`)["counter"])
	assert.EqualValues(t, 2, move(`{"positions":{"b":{"x":-3.5,"y":0}}}`)["counter"])
	assert.Equal(t, map[string]any{"counter": 2.0, "positions": map[string]any{
		"a": map[string]any{"x": 1.0, "y": 2.0}, "b": map[string]any{"x": -3.5, "y": 0.0}}}, layout())
	move(`{"positions":{"a":null}}`)
	assert.NotContains(t, layout()["positions"], "a")
	move(`{"positions":{"c":{"x":0,"y":0}},"replace":true}`)
	assert.Equal(t, map[string]any{"c": map[string]any{"x": 0.0, "y": 0.0}}, layout()["positions"])

	move(`{"positions":{"d":{"x":1,"y":2,"collapsed":true}}}`)
	assert.Equal(t, map[string]any{"x": 1.0, "y": 2.0, "collapsed": true}, layout()["positions"].(map[string]any)["d"])
	move(`{"positions":{"d":{"x":1,"y":2}}}`)
	assert.Equal(t, map[string]any{"x": 1.0, "y": 2.0}, layout()["positions"].(map[string]any)["d"])

	told := o.announced()
	require.Len(t, told, 6)
	assert.Equal(t, map[string]any{"type": "layout", "connectionId": id, "counter": 3.0,
		"positions": map[string]any{"a": nil}, "replace": false}, told[2], "another page can do the same without asking")
	assert.Equal(t, true, told[3]["replace"])
}

func TestAPageThatPlacesTablesByItselfMovesNone(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	put := func(body string) map[string]any {
		reply, err := o.SetLayout(t.Context(), id, request[pageapi.LayoutRequest](t, body))
		return read(t, reply, err)
	}
	put(`{"positions":{"a":{"x":1,"y":2}}}`)
	there := map[string]any{"a": map[string]any{"x": 1.0, "y": 2.0}}
	assert.Equal(t, map[string]any{"counter": 2.0, "positions": there}, put(`{"positions":{"a":{"x":9,"y":9},"b":{"x":3,"y":4}},"fill":true}`))
	there["b"] = map[string]any{"x": 3.0, "y": 4.0}
	body, err := o.Layout(t.Context(), id)
	assert.Equal(t, there, read(t, body, err)["positions"])
	assert.Equal(t, map[string]any{"type": "layout", "connectionId": id, "counter": 2.0,
		"positions": map[string]any{"b": there["b"]}, "replace": false}, o.announced()[1], "others hear of what was set, and of nothing else")

	_, err = o.SetLayout(t.Context(), id, request[pageapi.LayoutRequest](t, `{"positions":{},"fill":true,"replace":true}`))
	require.ErrorContains(t, err, "ask for one of them")
}

func TestALayoutIsBounded(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	positions := func(from, to int) pageapi.LayoutRequest {
		var parts []string
		for i := from; i < to; i++ {
			parts = append(parts, fmt.Sprintf(`"t%d":{"x":1,"y":1}`, i))
		}
		return request[pageapi.LayoutRequest](t, `{"positions":{`+strings.Join(parts, ",")+`}}`)
	}
	_, err := o.SetLayout(t.Context(), id, positions(0, 20_000))
	require.NoError(t, err)
	_, err = o.SetLayout(t.Context(), id, positions(20_000, 20_001))
	var refused *pageapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "too_large", refused.Code)
	body, err := o.Layout(t.Context(), id)
	assert.EqualValues(t, 1, read(t, body, err)["counter"], "what was refused changed nothing")
	assert.Len(t, o.announced(), 1)
}
