package schema_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

const customers = `"payload":{"table":{"schema":"dbo","name":"customers"}}`

func TestAnUndoHasACardThatTakesItBack(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	with := w.cardOf(addsFax).Version
	c := w.cardOfCall("undo", `{}`)
	assert.Equal(t, "undo", c.Did)
	require.Len(t, c.Tables, 1)
	assert.Equal(t, "drop_column", c.Tables[0].Lines[0].Kind)
	text, refused := w.settle("take_back", c.Nonce, viewing)
	require.False(t, refused, text)
	assert.Equal(t, with, w.does("show", "", nil).Version)

}

func TestAnUndoIsNotTakenBackOnceTheDesignHasChanged(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	w.cardOf(addsFax)
	c := w.cardOfCall("undo", `{}`)
	w.cardOf(strings.ReplaceAll(addsFax, "fax", "telex"))
	text, refused := w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused)
	assert.Contains(t, text, "has changed since")
	text, refused = w.settle("keep", c.Nonce, viewing)
	assert.False(t, refused, "it can still be put away: %s", text)
}

// The version is of what the design holds: other steps lead to the same one.
func TestAnUndoIsNotTakenBackByTheStepsOfAnotherEdit(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	w.cardOf(addsFax)
	c := w.cardOfCall("undo", `{}`)
	w.cardOf(strings.ReplaceAll(addsFax, "fax", "telex"))
	w.steps("undo")
	require.Equal(t, c.Version, w.does("show", "", nil).Version)
	text, refused := w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused)
	assert.Contains(t, text, "has changed since")
	assert.Equal(t, c.Version, w.does("show", "", nil).Version)
}

func TestARedoHasACardThatTakesItBack(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	before := w.does("show", "", nil).Version
	w.cardOf(addsFax)
	w.cardOf(strings.ReplaceAll(addsFax, "fax", "telex"))
	w.cardOfCall("undo", `{"steps":2}`)
	c := w.cardOfCall("redo", `{"steps":2}`)
	assert.Equal(t, 2, c.Edits)
	text, refused := w.settle("take_back", c.Nonce, viewing)
	require.False(t, refused, text)
	assert.Equal(t, before, w.does("show", "", nil).Version)
}

func TestTheCardOfALargeImportIsBoundedAndCountsTheRest(t *testing.T) {
	w := newServerWorld(t, "sqlite")
	var script strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&script, "CREATE TABLE t%04d (id INTEGER PRIMARY KEY, %s INTEGER);\n", i, strings.Repeat("n", 100))
	}
	require.NoError(t, os.WriteFile(filepath.Join(w.root, "large.sql"), []byte(script.String()), 0o644))
	before := w.does("show", "", nil).Version
	c := w.cardOfCall("import", `{"path":"large.sql","format":"sql","expectedVersion":"`+before+`"}`)
	assert.Equal(t, "import", c.Did)
	assert.Len(t, c.Tables, 40)
	assert.Equal(t, 960, c.More)
	text, refused := w.settle("take_back", c.Nonce, viewing)
	require.False(t, refused, text)
	assert.Equal(t, before, w.does("show", "", nil).Version)
}

func TestAPlanHasACardThatNobodySettles(t *testing.T) {
	w := newServerWorld(t, "sqlite")
	w.exec("CREATE TABLE film (id INTEGER PRIMARY KEY)")
	w.cardOf(`{"op":"add_column","table":{"name":"film"},"column":{"name":"title","dataType":"varchar(40)"}}`)
	for operation, message := range map[string]string{"get_changes": "", "verify": "the database accepted every step of the plan in a trial; nothing was changed"} {
		c := w.cardOfCall(operation, `{}`)
		assert.Equal(t, "plan", c.Kind)
		assert.Equal(t, message, c.Message)
		assert.Empty(t, c.Nonce)
		assert.Equal(t, 1, c.Steps)
		require.Len(t, c.Tables, 1)
		assert.Equal(t, "varchar(40)", c.Tables[0].Lines[0].To)
	}
}

func TestACardOfLongTextsIsBounded(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	long := strings.Repeat("x", 10_000)
	var edits []string
	for i := range 100 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_column","table":{"schema":"dbo","name":"customers"},"column":{"name":"c%d","dataType":"nvarchar(40)","defaultValue":"'%s'","comment":%q}}`, i, long, long))
	}
	c := w.cardOf(strings.Join(edits, ","))
	require.Len(t, c.Tables, 1)
	for _, l := range c.Tables[0].Lines {
		assert.Less(t, len(l.To), 500)
	}
}

// A model that is told of the tool, by a client that shows it what is for views,
// has no nonce.
func TestACallOfTheCardsToolWithoutItsNonceIsRefused(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	c := w.cardOf(addsFax)
	other := newWorld(t, "shop", 1, "")
	foreign := other.cardOf(addsFax)
	plain := func(*tools.Call) {}
	for name, tt := range map[string]struct {
		arguments string
		change    func(*tools.Call)
		says      string
	}{
		"none":                {`"action":"take_back"`, viewing, "nonce is required"},
		"an empty one":        {`"action":"take_back","nonce":""`, viewing, "nonce is required"},
		"one that is made up": {`"action":"take_back","nonce":"AAAAAAAAAAAAAAAAAAAAAAAAAA"`, viewing, "no card waits"},
		"another design's":    {`"action":"keep","nonce":"` + foreign.Nonce + `"`, viewing, "no card waits"},
		"no text":             {`"action":"keep","nonce":["` + c.Nonce + `"]`, viewing, "arguments of a card"},
		"another action":      {`"action":"publish","nonce":"` + c.Nonce + `"`, viewing, "keep or take_back"},
		"a plain client":      {`"action":"take_back","nonce":"` + c.Nonce + `"`, plain, "in the view"},
	} {
		reply := w.call(`{"projectRoot":"/home/ann/shop",`+tt.arguments+`}`, func(call *tools.Call) {
			call.Tool = catalog.ChangeCard
			tt.change(call)
		})
		assert.True(t, reply.IsError, name)
		assert.Contains(t, reply.Content[0], tt.says, name)
	}
	assert.Contains(t, w.does("get_table", customers, nil).text, "fax")
	assert.Contains(t, other.does("get_table", customers, nil).text, "fax")
	text, refused := w.settle("keep", c.Nonce, viewing)
	assert.False(t, refused, "none of these has used it up: %s", text)
	text, refused = w.settle("take_back", c.Nonce, viewing)
	assert.True(t, refused, "an old one: %s", text)
}
