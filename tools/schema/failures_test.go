package schema_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/schema"
)

// logged replaces the world's tool by one that logs to the buffer and opens
// pages by open.
func logged(t *testing.T, w *world, open func(context.Context) error) *bytes.Buffer {
	t.Helper()
	var log bytes.Buffer
	tool, err := schema.New(schema.Options{Manager: w.manager, Connections: w, OpenPage: open,
		URL:    func() string { return "http://127.0.0.1:50001/" },
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	handlers := map[string]tools.Handler{}
	for _, d := range catalog.All() {
		handlers[d.Name] = tool.Handle
	}
	handlers[catalog.ChangeCard] = tool.SettleCard
	w.set, err = tools.NewSet(handlers)
	require.NoError(t, err)
	return &log
}

func TestADatabaseThatCannotBeReadIsAnInternalErrorWithoutItsWords(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	log := logged(t, w, nil)
	w.sources[0].breakOff(errors.New("login failed for ann:s3cret"))
	r, text := w.ask("show", "")
	assert.Equal(t, "internal_error", r.Reason)
	assert.Equal(t, "connection 'Shop' could not be opened or read; berth doctor tells why", r.Message)
	assert.NotContains(t, text, "s3cret")
	assert.Contains(t, log.String(), "login failed")
	r, _ = w.ask("get_overview", "")
	assert.Equal(t, "no_active_designer", r.Reason, "a show that failed opens nothing")
}

func TestADatabaseThatDoesNotExistIsNamed(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	w.sources[0].breakOff(&fs.PathError{Op: "open", Path: "/home/ann/shop.db", Err: fs.ErrNotExist})
	r, text := w.ask("show", "")
	assert.Equal(t, "the database of connection 'Shop' does not exist", r.Message)
	assert.NotContains(t, text, "/home")
}

func TestADriftedDesignSaysSo(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	w.edit(w.show(), `[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Mine","dataType":"date"}}]`)
	w.sources[0].def = database(t, "empty")
	r, _ := w.ask("show", "")
	assert.True(t, r.Success)
	assert.Contains(t, r.Warning, "the design keeps its own changes")
}

func TestADesignOutlivesItsConnection(t *testing.T) {
	w := newWorld(t, "orders", 2, "")
	version := w.showID("shop")
	w.sources = w.sources[1:]
	for _, by := range []string{`"connectionId":"shop"`, `"connectionName":"SHOP"`} {
		r, _ := w.ask("get_overview", "%s", by)
		assert.Equal(t, version, r.Version, by)
	}
}

// A person is asked about edits that would be made, not about others.
func TestWhatIsRefusedIsNotAskedAbout(t *testing.T) {
	w := newWorld(t, "orders", 1, "destructive")
	version := w.show()
	elicit := func(c *tools.Call) { c.Client.Elicitation = true }
	arguments := func(options, edits string) string {
		return `{"operation":"apply_edits","projectRoot":"/p","options":` + options + `,"payload":{"expectedVersion":"` + version + `","edits":` + edits + `}}`
	}
	const bad, good = `{"op":"drop_table","table":{"name":"Nope"}}`, `{"op":"drop_table","table":{"name":"Orders"}}`
	got := w.call(arguments(`{}`, `[`+bad+`,`+good+`]`), elicit)
	require.Nil(t, got.Ask)
	assert.Contains(t, got.Content[0], `"not_found"`)
	got = w.call(arguments(`{"atomic":true}`, `[`+good+`,`+bad+`]`), elicit)
	require.Nil(t, got.Ask)
	got = w.call(arguments(`{}`, `[`+good+`,`+bad+`]`), elicit)
	require.NotNil(t, got.Ask, "the first edit would stay")
	assert.Contains(t, string(got.Ask.Requests), "Allow 1 change(s)")
	got = w.call(`{"operation":"undo","projectRoot":"/p"}`, elicit)
	require.Nil(t, got.Ask)
	assert.Contains(t, got.Content[0], "There is nothing to undo")
}

func TestARefusalNamesItsFieldToAPageOnly(t *testing.T) {
	w := newWorld(t, "orders", 1, "never")
	version := w.show()
	asPage := func(c *tools.Call) { c.Origin = tools.OriginPage }
	for edit, field := range map[string]string{
		`{"op":"add_table","table":{"name":"Orders"}}`:                                     "table.name",
		`{"op":"add_column","table":{"name":"Orders"},"column":{"name":"a","dataType":7}}`: "column",
	} {
		arguments := `{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"` + version + `","edits":[` + edit + `]}}`
		agents, pages := w.call(arguments, nil).Content[0], w.call(arguments, asPage).Content[0]
		assert.Contains(t, pages, `"failedEditIndex":0,"field":"`+field+`",`)
		assert.Equal(t, agents, strings.Replace(pages, `"field":"`+field+`",`, "", 1), "an agent's reply is as it was")
	}
}

func TestADesignOpenedBeforeIsShownWithoutItsDatabase(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	w.sources[0].breakOff(errors.New("gone"))
	r, _ := w.ask("show", `"options":{"includeOverview":true}`)
	assert.True(t, r.Success)
	assert.Equal(t, version, r.Version)
	assert.Equal(t, "the database could not be read now; this is the design as last stored", r.Warning)
	assert.Len(t, r.Overview.Tables, 1)
}

func TestAnInstanceThatStopsSaysSo(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	require.NoError(t, w.manager.Close())
	for _, operation := range []string{"get_overview", "undo", "get_metadata", "get_relationships", "show"} {
		r, _ := w.ask(operation, "")
		assert.Equal(t, "internal_error", r.Reason, operation)
		assert.Equal(t, "the instance is shutting down; call again in a moment", r.Message, operation)
	}
	r, _ := w.edit(version, `[{"op":"drop_table","table":{"name":"Orders"}}]`)
	assert.Equal(t, "internal_error", r.Reason)
}

func TestACancelledCallChangesNothing(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := w.set.Call(ctx, tools.Call{Tool: catalog.SchemaDesigner, Origin: tools.OriginAgent, Arguments: []byte(
		`{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"` + version + `","edits":[{"op":"drop_table","table":{"name":"Orders"}}]}}`)})
	assert.Contains(t, got.Content[0], "the call was cancelled")
	r, _ := w.ask("get_overview", "")
	assert.Equal(t, version, r.Version)
}

func TestShowOpensThePageAndSucceedsWithoutIt(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	opened := 0
	log := logged(t, w, func(context.Context) error { opened++; return errors.New("no desktop") })
	w.show()
	assert.Equal(t, 1, opened)
	assert.Contains(t, log.String(), "no desktop")
	w.ask("show", `"connectionId":"nope"`)
	assert.Equal(t, 1, opened, "a show that is refused opens no page")
}

// What is told of calls is operations, counts and reasons; names and data
// never are, nor does the tool log a call that was answered.
func TestObservationsHoldNoNamesAndNoData(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	log := logged(t, w, nil)
	version := w.show()
	for _, told := range []struct {
		arguments string
		want      schema.Observation
	}{
		{`{"operation":"apply_edits","payload":{"expectedVersion":"` + version + `","edits":[
			{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Placed"}},{"op":"drop_table","table":{"name":"Secretive"}}]}}`,
			schema.Observation{Operation: "apply_edits", Edits: 2, Ops: map[string]int{"drop_column": 1, "drop_table": 1}, Reason: "not_found"}},
		{`{"operation":"get_table","payload":{"table":{"name":"Orders"}}}`, schema.Observation{Operation: "get_table", Success: true}},
		{`{"operation":"get_overview"}`, schema.Observation{Operation: "get_overview", Tables: 1, Success: true}},
		{`{"operation":"get_overview","options":{"includeColumns":"none"}}`, schema.Observation{Operation: "get_overview", Tables: 1, ColumnsOmitted: true, Success: true}},
		{`{"operation":"drop_the_secretive"}`, schema.Observation{Operation: "unknown", Reason: "invalid_request"}},
		{`{"operation":7}`, schema.Observation{Operation: "unknown", Reason: "invalid_request"}},
	} {
		call := tools.Call{Tool: catalog.SchemaDesigner, Origin: tools.OriginAgent, Arguments: []byte(told.arguments)}
		assert.Equal(t, told.want, schema.Observe(call, w.set.Call(t.Context(), call)), told.arguments)
	}
	asked := schema.Observe(tools.Call{Arguments: []byte(`{"operation":"undo"}`)}, tools.Reply{Ask: &tools.Ask{}})
	assert.Equal(t, schema.Observation{Operation: "undo", Reason: "ask"}, asked)
	assert.Empty(t, log.String())
}

func TestAQuestionExpires(t *testing.T) {
	w := newWorld(t, "orders", 1, "always")
	version := w.show()
	arguments := `{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"` + version + `","edits":[{"op":"drop_table","table":{"name":"Orders"}}]}}`
	question := w.call(arguments, func(c *tools.Call) { c.Client.Elicitation = true })
	require.NotNil(t, question.Ask)
	answer := func(c *tools.Call) {
		asking(c)
		c.State, c.Answers = question.Ask.State, approving(question.Ask)
	}
	w.now = w.now.Add(11 * time.Minute)
	assert.Contains(t, w.call(arguments, answer).Content[0], "it came too late")

	question = w.call(arguments, func(c *tools.Call) { c.Client.Elicitation = true })
	w.restart()
	assert.Contains(t, w.call(arguments, answer).Content[0], "berth was restarted meanwhile")
	for _, forged := range []string{"%%", "AAAA", strings.Repeat("A", 200)} {
		question.Ask.State = forged
		assert.Contains(t, w.call(arguments, answer).Content[0], "its state was not issued by this process")
	}
}

func TestAQuestionAboutManyEditsIsBounded(t *testing.T) {
	w := newWorld(t, "orders", 1, "always")
	version := w.show()
	var edits string
	for i := range 500 {
		edits += fmt.Sprintf(`{"op":"add_table","table":{"name":"%03d%s"}},`, i, strings.Repeat("n", 100))
	}
	got := w.call(`{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"`+version+`","edits":[`+strings.TrimSuffix(edits, ",")+`]}}`,
		func(c *tools.Call) { c.Client = tools.Client{Name: "berth", Elicitation: true} })
	require.NotNil(t, got.Ask)
	assert.Less(t, len(got.Ask.Requests), 4<<10)
	assert.Contains(t, string(got.Ask.Requests), "… and 480 more")
}

// Of many agents that edit at one version exactly one wins; the others are
// told that the schema changed.
func TestConcurrentEditsAtOneVersion(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	var mu sync.Mutex
	var wg sync.WaitGroup
	reasons := map[string]int{}
	for range 16 {
		wg.Go(func() {
			got := w.set.Call(context.Background(), tools.Call{Tool: catalog.SchemaDesigner, Origin: tools.OriginAgent, Arguments: []byte(
				`{"operation":"apply_edits","projectRoot":"/p","payload":{"expectedVersion":"` + version + `","edits":[{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"Note"}}]}}`)})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case strings.HasPrefix(got.Content[0], `{"success":true`):
				reasons["done"]++
			case strings.Contains(got.Content[0], `"stale_state"`):
				reasons["stale"]++
			}
		})
	}
	wg.Wait()
	assert.Equal(t, map[string]int{"done": 1, "stale": 15}, reasons)
}

var _ schema.Connections = (*world)(nil)
var _ session.Source = (*source)(nil)
