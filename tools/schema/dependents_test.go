package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// used are databases in which much depends on the columns of one table.
var used = map[string]string{
	"postgres": `CREATE TABLE film (id serial PRIMARY KEY, title text NOT NULL, fulltext tsvector, rate integer, note text);
CREATE VIEW films AS SELECT id, title FROM film;
CREATE VIEW titles AS SELECT title FROM film;
CREATE TRIGGER film_fulltext BEFORE INSERT OR UPDATE ON film FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title');
CREATE TABLE other (id integer PRIMARY KEY, x text);
CREATE TABLE note (id integer PRIMARY KEY, body text);
CREATE TABLE asset_note (extra text) INHERITS (note);
CREATE TABLE payment (id integer, at date NOT NULL, amount integer) PARTITION BY RANGE (at);
CREATE TABLE payment_1 PARTITION OF payment FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')`,
	"mysql": `CREATE TABLE film (id integer PRIMARY KEY, title varchar(20) NOT NULL, rate integer, note text);
CREATE VIEW films AS SELECT id, title FROM film;
CREATE TRIGGER t_note BEFORE UPDATE ON film FOR EACH ROW SET NEW.note = 'x';
CREATE TABLE other (id integer PRIMARY KEY, x text);
CREATE TABLE parted (id integer PRIMARY KEY, x text) PARTITION BY HASH (id) PARTITIONS 2`,
	"sqlite": `CREATE TABLE film (id integer PRIMARY KEY, title text NOT NULL, rate integer, note text);
CREATE VIEW films AS SELECT id, title FROM film;
CREATE TRIGGER t_note AFTER UPDATE ON film BEGIN UPDATE film SET note = 'x' WHERE id = NEW.id; END;
CREATE TABLE other (id integer PRIMARY KEY, x text)`,
}

// newUsed is a world with one of those.
func newUsed(t *testing.T, dialect string) *world {
	t.Helper()
	w := newServerWorld(t, dialect)
	for statement := range strings.SplitSeq(used[dialect], ";\n") {
		w.exec(statement)
	}
	return w
}

// One accepted edit used to hide all others: get_changes answered one error,
// and nothing could be published until the edit was found and undone.
func TestAnEditThatCannotBePublishedIsRefused(t *testing.T) {
	drop := func(table, column string) string {
		return `{"op":"drop_column","table":{"name":"` + table + `"},"column":{"name":"` + column + `"}}`
	}
	set := func(table, column, set string) string {
		return `{"op":"set_column","table":{"name":"` + table + `"},"column":{"name":"` + column + `"},"set":{` + set + `}}`
	}
	for _, tt := range []struct{ dialect, edit, want string }{
		{"postgres", drop("film", "title"), "Table public.film: the view public.films, view public.titles, trigger film_fulltext of public.film use column title"},
		{"postgres", drop("film", "fulltext"), "the trigger film_fulltext of public.film uses column fulltext"},
		{"postgres", `{"op":"drop_table","table":{"name":"film"}}`, "the view public.films, view public.titles use it"},
		{"postgres", `{"op":"drop_table","table":{"name":"note"}}`, "table public.asset_note inherits from it"},
		{"postgres", set("note", "body", `"dataType":"varchar","maxLength":"20"`), "Table public.note: table public.asset_note inherits from it"},
		{"postgres", set("asset_note", "body", `"name":"text"`), "column body is inherited"},
		{"postgres", set("payment", "at", `"dataType":"timestamp"`), "column at is part of its partition key"},
		{"mysql", drop("film", "title"), "view films reads its column title"},
		{"mysql", drop("film", "note"), "trigger t_note uses its column note"},
		{"mysql", `{"op":"drop_table","table":{"name":"film"}}`, "view films reads it"},
		{"mysql", drop("parted", "id"), "column id is part of its partition key"},
		{"sqlite", drop("film", "title"), "column title is used: view films"},
		{"sqlite", drop("film", "note"), "column note is used: a trigger on update of film"},
		{"sqlite", `{"op":"drop_table","table":{"name":"film"}}`, "it is used: view films"},
	} {
		t.Run(tt.dialect, func(t *testing.T) {
			w := newUsed(t, tt.dialect)
			version := w.does("show", "", nil).Version
			good, after := set("other", "x", `"name":"y"`), set("other", "y", `"isNullable":true`)
			got := w.does("apply_edits", `"payload":{"expectedVersion":"`+version+`","edits":[`+good+`,`+tt.edit+`,`+after+`]}`, nil)
			assert.Equal(t, "validation_error", got.Reason, got.text)
			assert.Contains(t, got.Message, tt.want)
			assert.Contains(t, got.text, `"failedEditIndex":1,"appliedEdits":1`)

			changes := w.does("get_changes", "", nil)
			require.True(t, changes.Success, changes.text)
			assert.Len(t, changes.Changes, 1, "the edit before it stays")
			done := w.published()
			assert.True(t, done.Success, done.text)
			assert.Equal(t, "synced", w.does("get_changes", "", nil).Sync)
		})
	}
}

// What an edit needs may come later in its batch.
func TestABatchIsJudgedByItsEnd(t *testing.T) {
	w := newUsed(t, "postgres")
	w.edits(`{"op":"drop_table","table":{"name":"note"}},{"op":"drop_table","table":{"name":"asset_note"}}`)
	assert.True(t, w.published().Success)
}

// blockedPart is what get_changes says of a table.
type blockedPart struct {
	Table   designer.TableName
	Reason  string
	Changes int
}

func blockedOf(t *testing.T, a answer) []blockedPart {
	t.Helper()
	var reply struct{ Blocked []blockedPart }
	require.NoError(t, json.Unmarshal([]byte(a.text), &reply))
	return reply.Blocked
}

// What becomes impossible after it was edited blocks its own part only.
func TestABlockedPartDoesNotHideTheRest(t *testing.T) {
	for dialect, schema := range map[string]string{"postgres": "public", "mysql": "app", "sqlite": "main"} {
		t.Run(dialect, func(t *testing.T) {
			w := newUsed(t, dialect)
			w.edits(`{"op":"drop_column","table":{"name":"film"},"column":{"name":"rate"}},
				{"op":"add_column","table":{"name":"film"},"column":{"name":"year","dataType":"integer"}},
				{"op":"set_column","table":{"name":"other"},"column":{"name":"x"},"set":{"name":"y"}},
				{"op":"add_table","table":{"name":"draft"}}`)
			w.exec("CREATE VIEW rates AS SELECT rate FROM film")

			changes := w.does("get_changes", "", nil)
			require.True(t, changes.Success, changes.text)
			assert.Len(t, changes.Changes, 4, changes.text)
			blocked := blockedOf(t, changes)
			require.Len(t, blocked, 2, changes.text)
			assert.Equal(t, designer.TableName{Schema: schema, Name: "draft"}, blocked[0].Table)
			assert.Equal(t, designer.TableName{Schema: schema, Name: "film"}, blocked[1].Table)
			assert.Contains(t, blocked[1].Reason, "rates")
			assert.Equal(t, 2, blocked[1].Changes)

			asked := w.does("publish", "", asking)
			require.NotNil(t, asked.ask, asked.text)
			assert.Contains(t, string(asked.ask.Requests), "rates", "who approves is told what is left out")
			done := w.published()
			require.True(t, done.Success, done.text)
			assert.Len(t, blockedOf(t, done), 2)
			w.exec("SELECT y FROM other")
			w.exec("SELECT rate FROM film")

			rest := w.does("get_changes", "", nil)
			assert.Len(t, rest.Changes, 3, "what is blocked stays a difference")
			refused := w.does("publish", "", asking)
			assert.Equal(t, "validation_error", refused.Reason, refused.text)
			assert.Contains(t, refused.Message, "and 1 more table")
			assert.Equal(t, "validation_error", w.does("verify", "", nil).Reason)

			w.exec("DROP VIEW rates")
			done = w.published()
			require.True(t, done.Success, done.text)
			w.exec("SELECT year FROM film")
			assert.Len(t, w.does("get_changes", "", nil).Changes, 1, "the draft")
		})
	}
}

// An import is an edit: it is refused as a whole, and says why.
func TestAnImportThatCannotBePublishedIsRefused(t *testing.T) {
	w := newUsed(t, "postgres")
	require.True(t, w.does("show", "", nil).Success)
	script := `CREATE TABLE film (id serial PRIMARY KEY, fulltext tsvector, rate integer, note text);`
	require.NoError(t, os.WriteFile(filepath.Join(w.root, "film.sql"), []byte(script), 0o600))
	got := w.does("import", `"payload":{"path":"film.sql","format":"sql","expectedVersion":"`+w.does("get_changes", "", nil).Version+`"}`, asking)
	assert.Equal(t, "validation_error", got.Reason, got.text)
	assert.Contains(t, got.Message, "use column title")
	assert.Equal(t, "synced", w.does("get_changes", "", nil).Sync)
}

// A blocked part that waits does not stop edits elsewhere, nor of the same
// table, which may be mended step by step.
func TestEditsAreTakenBesideWhatIsBlocked(t *testing.T) {
	w := newUsed(t, "sqlite")
	w.edits(`{"op":"drop_column","table":{"name":"film"},"column":{"name":"rate"}}`)
	w.exec("CREATE VIEW rates AS SELECT rate FROM film")
	require.Len(t, blockedOf(t, w.does("get_changes", "", nil)), 1)
	w.edits(`{"op":"add_column","table":{"name":"film"},"column":{"name":"year","dataType":"integer"}},
		{"op":"set_column","table":{"name":"other"},"column":{"name":"x"},"set":{"name":"y"}}`)
	require.Len(t, blockedOf(t, w.does("get_changes", "", nil)), 1)
	assert.True(t, w.published().Success)
	w.exec("SELECT y FROM other")
}
