package schema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// mistake is a wrong call that models make; testdata/mistakes/README.md says
// what its members are.
type mistake struct {
	Name    string
	From    string
	Dialect string
	Edits   []json.RawMessage
	Right   []json.RawMessage
	Names   []string
}

func mistakes(t *testing.T, file string) []mistake {
	t.Helper()
	text, err := os.ReadFile("testdata/mistakes/" + file)
	require.NoError(t, err)
	var all []mistake
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// mistakesShop is the design that the mistakes are made on.
const mistakesShop = `
	{"op": "add_table", "table": {"name": "customers"}, "initialColumns": [
		{"name": "id", "dataType": "int", "isPrimaryKey": true}, {"name": "email", "dataType": "varchar(200)"},
		{"name": "name", "dataType": "varchar(100)", "isNullable": true}]},
	{"op": "add_table", "table": {"name": "orders"}, "initialColumns": [
		{"name": "id", "dataType": "int", "isPrimaryKey": true}, {"name": "customer_id", "dataType": "int"},
		{"name": "total", "dataType": "decimal(10,2)"}, {"name": "status", "dataType": "varchar(20)"}, {"name": "placed_at", "dataType": "date"}]},
	{"op": "add_foreign_key", "table": {"name": "orders"}, "foreignKey": {"name": "fk_orders_customers",
		"referencedTable": {"name": "customers"}, "mappings": [{"column": "customer_id", "referencedColumn": "id"}]}},
	{"op": "add_index", "table": {"name": "orders"}, "index": {"name": "ix_orders_status", "columns": ["status"]}},
	{"op": "add_check", "table": {"name": "orders"}, "check": {"name": "ck_orders_total", "expression": "total >= 0"}}`

// newDialectWorld is a world whose connection is of a dialect, with the shop
// of the mistakes, and the version of its design.
func newDialectWorld(t *testing.T, dialect string) (*world, string) {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), root: t.TempDir()}
	w.sources = []*source{{id: "app", name: "app", dialect: dialects(dialect),
		target: designer.Target{Server: "localhost", Database: "app"}}}
	if dialect == "mysql" {
		w.sources[0].schema = "app"
	}
	w.open()
	t.Cleanup(func() { require.NoError(t, w.manager.Close()) })
	shown := w.does("show", "", nil)
	require.True(t, shown.Success, shown.text)
	done := w.apply(shown.Version, mistakesShop)
	require.True(t, done.Success, done.text)
	return w, done.Version
}

func (w *world) apply(version, edits string) refusal {
	w.t.Helper()
	a := w.does("apply_edits", `"payload":{"expectedVersion":"`+version+`","edits":[`+edits+`]}`, nil)
	r := refusal{text: a.text}
	require.NoError(w.t, json.Unmarshal([]byte(a.text), &r))
	return r
}

// refusal is what a model reads of a reply to its edits.
type refusal struct {
	Success        bool
	Version        string
	Message        string
	CurrentVersion string
	AppliedEdits   int
	Hints          struct {
		NearestNames          []string
		AllowedSchemas        []string
		AllowedDataTypeSample []string `json:"allowedDataTypesSample"`
		CorrectedEdits        []struct {
			Index int
			Edits []json.RawMessage
		}
	}
	text string
}

// second derives the second call from the reply, where it says which: the
// edits that were not applied, those that are corrected in their corrected
// form.
func (r refusal) second(edits []json.RawMessage) (list []json.RawMessage, given bool) {
	for i, edit := range edits {
		switch at := slices.IndexFunc(r.Hints.CorrectedEdits, func(c struct {
			Index int
			Edits []json.RawMessage
		}) bool {
			return c.Index == i
		}); {
		case i < r.AppliedEdits:
		case at >= 0:
			list = append(list, r.Hints.CorrectedEdits[at].Edits...)
		default:
			list = append(list, edit)
		}
	}
	return list, len(r.Hints.CorrectedEdits) > 0
}

// names reports whether the reply names all of the words: in its message, or
// as the first of a list.
func (r refusal) names(words []string) bool {
	said := r.Message
	for _, list := range [][]string{r.Hints.NearestNames, r.Hints.AllowedSchemas, r.Hints.AllowedDataTypeSample} {
		if len(list) > 0 {
			said += " " + list[0]
		}
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(said, word) })
}

// wordsOf are the fields, operations and types in edits, the latter without
// their arguments.
func wordsOf(t *testing.T, edits []json.RawMessage) []string {
	t.Helper()
	var words []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case map[string]any:
			for name, inner := range v {
				words = append(words, name)
				if text, ok := inner.(string); ok && (name == "op" || name == "dataType" || name == "type") {
					text, _, _ = strings.Cut(text, "(")
					words = append(words, text)
				}
				walk(inner)
			}
		}
	}
	for _, e := range edits {
		var v any
		require.NoError(t, json.Unmarshal(e, &v))
		walk(v)
	}
	return words
}

func (m mistake) words(t *testing.T) []string {
	t.Helper()
	if m.Names != nil {
		return m.Names
	}
	wrong := wordsOf(t, m.Edits)
	words := slices.DeleteFunc(wordsOf(t, m.Right), func(word string) bool { return slices.Contains(wrong, word) })
	plain := []string{"op", "name", "schema", "table", "column", "index"} // which go without saying beside others
	if rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(plain, word) }); len(rest) > 0 {
		return rest
	}
	require.NotEmpty(t, words, "the mistake needs names")
	return words
}

// version is that of the design that the call which was meant leads to.
func (m mistake) version(t *testing.T) string {
	t.Helper()
	w, version := newDialectWorld(t, m.Dialect)
	done := w.apply(version, joined(m.Right))
	require.True(t, done.Success, "%s: the right call: %s", m.Name, done.text)
	return done.Version
}

// play makes the wrong call, and the second one that its reply leads to, and
// returns the reply and what is wrong with the second call, "" for nothing.
func (m mistake) play(t *testing.T) (reply refusal, wrong string) {
	t.Helper()
	want := m.version(t)
	w, version := newDialectWorld(t, m.Dialect)
	reply = w.apply(version, joined(m.Edits))
	if reply.Success {
		return reply, "the wrong call was taken: " + reply.text
	}
	assert.Less(t, len(reply.text), 4<<10, m.Name)
	second, given := reply.second(m.Edits)
	if !given {
		if !reply.names(m.words(t)) {
			return reply, fmt.Sprintf("the reply does not name %v: %s", m.words(t), reply.text)
		}
		return reply, ""
	}
	done := w.apply(reply.CurrentVersion, joined(second))
	if done.Version != want {
		return reply, fmt.Sprintf("%s\n leads to %s\n and so to %s", reply.text, joined(second), done.text)
	}
	return reply, ""
}

func joined(edits []json.RawMessage) string {
	var list []string
	for _, e := range edits {
		list = append(list, string(e))
	}
	return strings.Join(list, ",")
}

// How often a model that makes a usual mistake is right at the second call: what
// came of each is on a page, docs/mistakes.md.
func TestMistakes(t *testing.T) {
	var page strings.Builder
	for _, file := range []string{"seen.json", "held_out.json"} {
		t.Run(file, func(t *testing.T) {
			all := mistakes(t, file)
			require.GreaterOrEqual(t, len(all), 30)
			right := 0
			var rows strings.Builder
			for _, m := range all {
				reply, wrong := m.play(t)
				rows.WriteString(m.row(reply, wrong))
				if wrong != "" {
					t.Logf("%s (%s, %s): %s", m.Name, m.From, m.Dialect, wrong)
					continue
				}
				right++
			}
			t.Logf("%s: right at the second call %d of %d", file, right, len(all))
			if file == "seen.json" {
				assert.Equal(t, len(all), right, "what the hints are made for")
			} else {
				assert.GreaterOrEqual(t, 10*right, 9*len(all), "nine of ten of what they are not made for")
			}
			fmt.Fprintf(&page, "\n### %s: %d of %d right at the second call\n\n%s%s", titles[file], right, len(all), headOfRows, &rows)
		})
	}
	t.Run("page", func(t *testing.T) { comparePage(t, page.String()+"\n") })
}
