package schema_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

type card struct {
	Kind, Did, Message, Connection, Version, Page, Nonce string
	Edits, Steps, More                                   int
	Warnings, Notes                                      []string
	Diagram                                              *cardDiagram
	Tables                                               []struct {
		Name, Does string
		Lines      []struct{ Kind, Name, From, To string }
		More       int
	}
}

func viewing(c *tools.Call) { c.Client.Views = true }

// cardOf makes edits for a client with views and returns its card.
func (w *world) cardOf(edits string) card {
	w.t.Helper()
	return w.cardOfCall("apply_edits", `{"expectedVersion":"`+w.does("show", "", nil).Version+`","edits":[`+edits+`]}`)
}

// cardOfCall makes a call for a client with views and returns its card.
func (w *world) cardOfCall(operation, payload string) card {
	w.t.Helper()
	reply := w.call(`{"operation":"`+operation+`","projectRoot":"/home/ann/shop","payload":`+payload+`}`, viewing)
	require.False(w.t, reply.IsError, reply.Content)
	require.NotEmpty(w.t, reply.View)
	var c card
	require.NoError(w.t, json.Unmarshal(reply.View, &c))
	if c.Nonce != "" {
		assert.NotContains(w.t, strings.Join(reply.Content, ""), c.Nonce)
		assert.NotContains(w.t, string(reply.Structured), c.Nonce)
	}
	assert.Less(w.t, len(reply.View), 200<<10, "a card is bounded")
	return c
}

func (w *world) settle(action, nonce string, change func(*tools.Call)) (text string, isError bool) {
	w.t.Helper()
	reply := w.call(`{"projectRoot":"/home/ann/shop","action":"`+action+`","nonce":"`+nonce+`"}`, func(c *tools.Call) {
		c.Tool = catalog.ChangeCard
		change(c)
	})
	return reply.Content[0], reply.IsError
}

const addsFax = `{"op":"add_column","table":{"schema":"dbo","name":"customers"},"column":{"name":"fax","dataType":"nvarchar(40)"}}`

func TestACardShowsWhatEditsChanged(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	c := w.cardOf(addsFax + `,{"op":"set_column","table":{"schema":"dbo","name":"customers"},"column":{"name":"fax"},"set":{"maxLength":"80"}},
		{"op":"add_table","table":{"schema":"dbo","name":"notes"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}`)
	assert.Equal(t, "change apply_edits", c.Kind+" "+c.Did)
	assert.Equal(t, 3, c.Edits)
	assert.Equal(t, "http://127.0.0.1:50001/", c.Page)
	require.Len(t, c.Tables, 2)
	for _, table := range c.Tables {
		require.Len(t, table.Lines, 1, "the net of the edits, not each")
		switch table.Does {
		case "added":
			assert.Equal(t, "dbo.notes", table.Name)
			assert.Equal(t, "id", table.Lines[0].To)
		default:
			assert.Equal(t, "add_column", table.Lines[0].Kind)
			assert.Equal(t, "nvarchar(80)", table.Lines[0].To)
		}
	}
}

func TestOnlyAClientWithViewsGetsACard(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	shown := w.does("show", "", nil)
	reply := w.call(`{"operation":"apply_edits","projectRoot":"/home/ann/shop","payload":{"expectedVersion":"`+shown.Version+`","edits":[`+addsFax+`]}}`, nil)
	require.False(t, reply.IsError, reply.Content)
	assert.Empty(t, reply.View)
}

func TestACardIsTakenBackOnce(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	before := w.does("show", "", nil).Version
	c := w.cardOf(addsFax)
	other := w.cardOf(strings.ReplaceAll(addsFax, "fax", "telex"))

	text, refused := w.settle("take_back", c.Nonce, func(*tools.Call) {})
	assert.True(t, refused, "the nonce alone is not enough: %s", text)
	text, refused = w.settle("take_back", c.Nonce, viewing)
	require.False(t, refused, text)
	assert.NotContains(t, w.does("get_table", `"payload":{"table":{"schema":"dbo","name":"customers"}}`, nil).text, "fax")
	assert.Contains(t, w.does("get_table", `"payload":{"table":{"schema":"dbo","name":"customers"}}`, nil).text, "telex", "a later edit stays")
	text, refused = w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused, text)
	assert.Contains(t, text, "was settled")

	text, refused = w.settle("take_back", other.Nonce, viewing)
	require.False(t, refused, text)
	assert.Equal(t, before, w.does("show", "", nil).Version)
}

func TestACardThatIsKeptStays(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	c := w.cardOf(addsFax)
	text, refused := w.settle("keep", c.Nonce, viewing)
	require.False(t, refused, text)
	assert.Contains(t, text, `"settled":"kept"`)
	assert.Contains(t, w.does("get_table", `"payload":{"table":{"schema":"dbo","name":"customers"}}`, nil).text, "fax")
	_, refused = w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused)
}

func TestACardWhoseEditsWereUndoneSaysSo(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	c := w.cardOf(addsFax)
	w.steps("undo")
	text, refused := w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused)
	assert.Contains(t, text, "undone already")
}

func TestCardsThatNobodySettlesDoNotPileUp(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	first := w.cardOf(addsFax)
	w.now = w.now.Add(25 * time.Hour)
	w.cardOf(strings.ReplaceAll(addsFax, "fax", "telex"))
	text, refused := w.settle("keep", first.Nonce, viewing)
	assert.True(t, refused)
	assert.Contains(t, text, "before berth was started")
}
