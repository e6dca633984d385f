package pageapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
)

func TestADesignComesWholeWithWhatIdsMean(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	body, tag, err := o.Design(t.Context(), id)
	got := read(t, body, err)
	assert.Equal(t, fmt.Sprintf("1-%s", d.Version()), tag)
	assert.Equal(t, "sqlite", got["dialect"])
	assert.Equal(t, "synced", got["sync"])
	assert.EqualValues(t, 1, got["seq"])
	assert.Equal(t, []any{map[string]any{"schema": "main", "name": "Owners"}}, got["views"])
	assert.Equal(t, []any{}, got["types"])
	tables := got["tables"].([]any)
	require.Len(t, tables, 2)
	person, pet := tables[0].(map[string]any), tables[1].(map[string]any)
	assert.Equal(t, "Person", person["name"])
	key := pet["foreignKeys"].([]any)[0].(map[string]any)
	assert.Equal(t, person["id"], key["refTable"])
	mapping := key["mappings"].([]any)[0].(map[string]any)
	assert.Equal(t, pet["columns"].([]any)[1].(map[string]any)["id"], mapping["column"])
	assert.Equal(t, person["columns"].([]any)[0].(map[string]any)["id"], mapping["refColumn"])

	_, again, err := o.Design(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, tag, again)
	o.edit(d, `[{"op":"add_table","table":{"name":"Toy"}}]`)
	_, later, err := o.Design(t.Context(), id)
	require.NoError(t, err)
	assert.NotEqual(t, tag, later)
}

func TestTheListSaysWhichConnectionsHaveADesign(t *testing.T) {
	o := newOffice(t, people)
	body, err := o.Designs(t.Context())
	assert.Empty(t, read(t, body, err)["designs"])
	d, id := o.open()
	o.edit(d, `[{"op":"add_table","table":{"name":"Toy"}}]`)
	body, err = o.Designs(t.Context())
	got := read(t, body, err)
	designs := got["designs"].([]any)
	require.Len(t, designs, 1)
	entry := designs[0].(map[string]any)
	assert.Equal(t, id, entry["connection"])
	assert.EqualValues(t, 3, entry["tables"])
	assert.EqualValues(t, 1, entry["undoSteps"])
	assert.Equal(t, "proposed", entry["sync"])
	assert.Equal(t, true, entry["active"])
	assert.Equal(t, []any{
		map[string]any{"id": "main", "name": "main", "dialect": "sqlite", "database": "app.db", "open": true},
		map[string]any{"id": "other", "name": "other", "dialect": "sqlite", "database": "other.db", "open": false},
	}, got["connections"])
}

func TestADesignThatWasNeverShownIsNotFound(t *testing.T) {
	o := newOffice(t, people)
	for name, call := range map[string]func() (any, error){
		"design":  func() (any, error) { b, _, err := o.Design(t.Context(), "x"); return b, err },
		"types":   func() (any, error) { return o.Types(t.Context(), "x") },
		"history": func() (any, error) { return o.History(t.Context(), "x", 0, true) },
		"changes": func() (any, error) { return o.Changes(t.Context(), "x") },
		"plan":    func() (any, error) { return o.Plan(t.Context(), "x") },
		"script":  func() (any, error) { return o.Script(t.Context(), "x", schema.TextForm{Format: "sql"}) },
		"layout":  func() (any, error) { return o.Layout(t.Context(), "x") },
		"move":    func() (any, error) { return o.SetLayout(t.Context(), "x", pageapi.LayoutRequest{}) },
		"canvas":  func() (any, error) { return o.Canvas(t.Context(), "x") },
		"draw":    func() (any, error) { return o.SetCanvas(t.Context(), "x", pageapi.CanvasRequest{}) },
		"views":   func() (any, error) { return o.SavedViews(t.Context(), "x") },
		"save":    func() (any, error) { return o.SetSavedView(t.Context(), "x", pageapi.SavedViewRequest{}) },
		"review":  func() (any, error) { return o.Review(t.Context(), "x") },
		"keep":    func() (any, error) { return o.SetReview(t.Context(), "x", pageapi.ReviewRequest{Verdict: "accept"}) },
		"notes":   func() (any, error) { return o.Notes(t.Context(), "x") },
		"note":    func() (any, error) { return o.SetNotes(t.Context(), "x", pageapi.NoteRequest{Text: "x"}) },
		"import":  func() (any, error) { return o.Import(t.Context(), "x", schema.TextImport{}) },
		"revert":  func() (any, error) { return o.Revert(t.Context(), "x", pageapi.RevertRequest{}) },
	} {
		_, err := call()
		var refused *pageapi.Error
		require.ErrorAs(t, err, &refused, name)
		assert.Equal(t, "not_found", refused.Code, name)
	}
}

func TestFormsOfferTheDialectsTypes(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	body, err := o.Types(t.Context(), id)
	got := read(t, body, err)
	assert.Equal(t, "SQLite", got["title"])
	assert.Equal(t, "main", got["defaultSchema"])
	assert.Equal(t, true, got["identityIsKey"])
	byName := map[string]map[string]any{}
	for _, entry := range got["types"].([]any) {
		entry := entry.(map[string]any)
		byName[strings.ToLower(entry["name"].(string))] = entry
	}
	assert.Equal(t, true, byName["integer"]["identity"])
	assert.Contains(t, []any{"none", "optional", "required"}, byName["varchar"]["length"])
	assert.Equal(t, []any{map[string]any{"name": "btree", "has": []any{"unique", "columns", "expression", "descending", "collation", "where"}}}, got["indexMethods"])
	assert.NotContains(t, got, "namedTypes", "SQLite has none")
	assert.NotContains(t, got, "indexMethodsOf", "all tables have the same")
}

func TestHistoryShowsWhoDidWhatAndToWhichTables(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	o.edit(d, `[{"op":"add_table","table":{"name":"Toy"}},{"op":"set_table","table":{"name":"Pet"},"set":{"name":"Animal"}}]`)
	_, err := d.Undo(t.Context(), session.Steps{Origin: "page"})
	require.NoError(t, err)
	body, err := o.History(t.Context(), id, 0, true)
	got := read(t, body, err)
	assert.Equal(t, d.Version(), got["version"])
	undo, redo := got["undo"].([]any), got["redo"].([]any)
	require.Len(t, undo, 1)
	require.Len(t, redo, 1)
	step := undo[0].(map[string]any)
	assert.EqualValues(t, 1, step["step"])
	assert.Equal(t, "agent", step["origin"])
	assert.Equal(t, "Add table main.Toy", step["description"])
	tables := step["tables"].([]any)
	require.Len(t, tables, 1)
	states := tables[0].(map[string]any)
	assert.NotContains(t, states, "before")
	assert.Equal(t, states["id"], states["after"].(map[string]any)["id"])
	assert.Equal(t, "Rename table main.Pet to Animal", redo[0].(map[string]any)["description"])

	for _, limit := range []int{-1, 201} {
		_, err = o.History(t.Context(), id, limit, true)
		assert.Error(t, err)
	}
}

func TestChangesAreCountedWithoutAskingTheDatabase(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	require.NoError(t, o.databases.Close())
	o.edit(d, `[{"op":"set_table","table":{"name":"Pet"},"set":{"name":"Animal"}},{"op":"add_table","table":{"name":"Toy"}}]`)
	body, err := o.Changes(t.Context(), id)
	got := read(t, body, err)
	assert.EqualValues(t, 2, got["count"])
	assert.Equal(t, "proposed", got["sync"])
	var kinds []string
	for _, c := range got["changes"].([]any) {
		kinds = append(kinds, c.(map[string]any)["kind"].(string))
	}
	assert.ElementsMatch(t, []string{"rename_table", "add_table"}, kinds)
}

func TestAChangeSaysWhatWasAndWhatBecomes(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	o.edit(d, `[{"op":"set_column","table":{"name":"Person"},"column":{"name":"Name"},"set":{"dataType":"INTEGER","isNullable":true}}]`)
	body, err := o.Changes(t.Context(), id)
	got := read(t, body, err)
	require.Len(t, got["changes"], 1)
	change := got["changes"].([]any)[0].(map[string]any)
	assert.Equal(t, "alter_column", change["kind"])
	assert.Equal(t, "TEXT not null → INTEGER null", fmt.Sprint(change["from"], " → ", change["to"]))
}

func TestThePlanIsWhatPublishWouldRun(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	body, err := o.Plan(t.Context(), id)
	got := read(t, body, err)
	assert.Empty(t, got["steps"])
	assert.Empty(t, got["script"])
	o.edit(d, `[{"op":"add_column","table":{"name":"Person"},"column":{"name":"Mail","dataType":"TEXT"}}]`)
	body, err = o.Plan(t.Context(), id)
	got = read(t, body, err)
	steps := got["steps"].([]any)
	require.Len(t, steps, 1)
	assert.Contains(t, steps[0].(map[string]any)["statement"], "Mail")
	assert.Contains(t, got["script"], steps[0].(map[string]any)["statement"])
	assert.NotEmpty(t, got["plan"])
	assert.Equal(t, d.Version(), got["version"])
}

func TestScriptsComeAsText(t *testing.T) {
	o := newOffice(t, people)
	_, id := o.open()
	for format, part := range map[string]string{"sql": "CREATE TABLE", "dbml": "Table ", "mermaid": "erDiagram", "json": `"name": "Person"`} {
		body, err := o.Script(t.Context(), id, schema.TextForm{Format: format})
		got := read(t, body, err)
		assert.Contains(t, got["text"], part, format)
		assert.Equal(t, format, got["format"])
	}
	body, err := o.Script(t.Context(), id, schema.TextForm{Format: "pdf"})
	got := read(t, body, err)
	assert.Equal(t, false, got["success"])
	assert.Equal(t, "invalid_request", got["reason"])
}

func TestATextIsImportedLikeAFile(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	send := func(text, format, version string, dry bool) map[string]any {
		body, err := o.Import(t.Context(), id, schema.TextImport{Text: text, Format: format, ExpectedVersion: version, DryRun: dry})
		return read(t, body, err)
	}
	before := d.Version()
	const toys = `CREATE TABLE Toy (Id INTEGER PRIMARY KEY, PetId INTEGER REFERENCES Pet (Id))`
	assert.Equal(t, "stale_state", send(toys, "sql", "old", false)["reason"])
	assert.Equal(t, true, send(toys, "sql", before, true)["dryRun"])
	assert.Equal(t, before, d.Version())
	assert.Equal(t, true, send(toys, "sql", before, false)["success"])
	assert.NotEqual(t, before, d.Version())
	assert.Equal(t, true, send("Table Shelf {\n  Id integer [pk]\n}", "dbml", d.Version(), false)["success"])
	assert.Equal(t, false, send("CREATE TABEL", "sql", d.Version(), false)["success"])
	body, err := o.History(t.Context(), id, 1, false)
	step := read(t, body, err)["undo"].([]any)[0].(map[string]any)
	assert.Equal(t, "Import text", step["description"])
	assert.Equal(t, "page", step["origin"])
}

func TestAStepIsRevertedOrTheConflictsAreNamed(t *testing.T) {
	o := newOffice(t, people)
	d, id := o.open()
	o.edit(d, `[{"op":"set_column","table":{"name":"Person"},"column":{"name":"Name"},"set":{"name":"FullName"}}]`)
	o.edit(d, `[{"op":"add_table","table":{"name":"Toy"}}]`)
	o.edit(d, `[{"op":"set_column","table":{"name":"Person"},"column":{"name":"FullName"},"set":{"name":"Label"}}]`)
	send := func(steps string) map[string]any {
		body, err := o.Revert(t.Context(), id, request[pageapi.RevertRequest](t, fmt.Sprintf(`{"steps":%s,"expectedVersion":%q}`, steps, d.Version())))
		return read(t, body, err)
	}
	refused := send(`[1]`)
	assert.Equal(t, "validation_error", refused["reason"])
	assert.Equal(t, d.Version(), refused["currentVersion"])
	assert.Equal(t, []any{map[string]any{"table": map[string]any{"schema": "main", "name": "Person"}, "part": "column Label"}}, refused["conflicts"])

	done := send(`[2]`)
	assert.Equal(t, true, done["success"])
	receipt := done["receipt"].(map[string]any)
	assert.EqualValues(t, 1, receipt["undoneEdits"])
	assert.Contains(t, receipt["changes"], "tablesDropped")
	assert.Equal(t, true, send(`[1,3]`)["success"], "together they can be taken out")

	body, err := o.Revert(t.Context(), id, pageapi.RevertRequest{Steps: []int64{1}})
	assert.Equal(t, "invalid_request", read(t, body, err)["reason"])
}
