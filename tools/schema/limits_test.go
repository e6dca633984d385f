package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/schema"
)

const maxReceipt = 4 << 10

// reply is any reply, as far as tests look into it.
type reply struct {
	Success        bool
	Reason         string
	Message        string
	Version        string
	CurrentVersion string
	AppliedEdits   int
	Warning        string
	Overview       struct {
		Tables         []map[string]any
		ColumnsOmitted bool
		Total          int
		NextOffset     int
		Truncated      bool
	}
	Table struct {
		Columns         []map[string]any
		ColumnCount     int
		NextOffset      int
		Truncated       bool
		ForeignKeys     []map[string]any
		ForeignKeyCount int
		Checks          []map[string]any
	}
	Receipt struct {
		AppliedEdits int
		Changes      map[string][]any
		Counts       map[string]int
		Warnings     []string
		Truncated    bool
	}
	Relationships []map[string]any
	Total         int
	NextOffset    int
	Hints         map[string][]string
}

// ask calls the tool and reads the reply, which is within the limit.
func (w *world) ask(operation, rest string, args ...any) (reply, string) {
	w.t.Helper()
	arguments := fmt.Sprintf(`{"operation":%q,"projectRoot":"/p"`, operation)
	if more := fmt.Sprintf(rest, args...); more != "" {
		arguments += "," + more
	}
	r := w.call(arguments+"}", nil)
	require.NotEmpty(w.t, r.Content, "%s", arguments)
	text := r.Content[0]
	assert.LessOrEqual(w.t, len(text), catalog.MaxDesignerReplyBytes)
	var parsed reply
	require.NoError(w.t, json.Unmarshal([]byte(text), &parsed), text)
	assert.Equal(w.t, parsed.Success, !r.IsError)
	return parsed, text
}

func (w *world) show() string {
	w.t.Helper()
	r, _ := w.ask("show", "")
	require.True(w.t, r.Success, r.Message)
	return r.Version
}

func (w *world) showID(connectionID string) string {
	w.t.Helper()
	r, _ := w.ask("show", `"connectionId":%q`, connectionID)
	require.True(w.t, r.Success, r.Message)
	return r.Version
}

func (w *world) edit(version, edits string) (reply, string) {
	w.t.Helper()
	return w.ask("apply_edits", `"payload":{"expectedVersion":%q,"edits":%s}`, version, edits)
}

// The first rule of the contract: no mutation and no error carries the schema.
func TestNoMutationOrErrorCarriesTheSchema(t *testing.T) {
	w := newWorld(t, "columns 300", 1, "")
	version := w.show()
	for name, call := range map[string][2]string{
		"an edit":               {"apply_edits", fmt.Sprintf(`"payload":{"expectedVersion":%q,"edits":[{"op":"set_table","table":{"name":"Wide"},"set":{"name":"WIDE"}}]}`, version)},
		"a trial":               {"apply_edits", fmt.Sprintf(`"options":{"dryRun":true},"payload":{"expectedVersion":%q,"edits":[{"op":"drop_table","table":{"name":"Wide"}}]}`, version)},
		"a missing column":      {"apply_edits", fmt.Sprintf(`"payload":{"expectedVersion":%q,"edits":[{"op":"drop_column","table":{"name":"Wide"},"column":{"name":"nope"}}]}`, version)},
		"a missing table":       {"get_table", `"payload":{"table":{"name":"nope"}}`},
		"a missing key":         {"apply_edits", fmt.Sprintf(`"payload":{"expectedVersion":%q,"edits":[{"op":"drop_foreign_key","table":{"name":"Wide"},"foreignKey":{"name":"nope"}}]}`, version)},
		"an unknown type":       {"apply_edits", fmt.Sprintf(`"payload":{"expectedVersion":%q,"edits":[{"op":"set_column","table":{"name":"Wide"},"column":{"name":"C001"},"set":{"dataType":"nope"}}]}`, version)},
		"a wrong target":        {"get_table", `"payload":{"targetHint":{"database":"nope"},"table":{"name":"Wide"}}`},
		"a missing version":     {"apply_edits", `"payload":{"edits":[{"op":"drop_table","table":{"name":"Wide"}}]}`},
		"an unknown connection": {"get_overview", `"connectionId":"nope"`},
		"nothing to undo":       {"redo", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			_, text := w.ask(call[0], "%s", call[1])
			assert.LessOrEqual(t, len(text), maxReceipt)
			assert.Less(t, strings.Count(text, `"C`), 20, "columns of the schema in %s", text)
		})
	}
}

func TestLongInputDoesNotComeBack(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	long := strings.Repeat("x", 100_000)
	for _, call := range [][2]string{
		{long, ``},
		{"get_overview", `"` + long + `":1`},
		{"get_overview", `"options":{"` + long + `":1}`},
		{"get_overview", `"options":{"includeColumns":"` + long + `"}`},
		{"get_overview", `"connectionName":"` + long + `"`},
		{"get_overview", `"payload":{"targetHint":{"server":"` + long + `","database":"` + long + `"}}`},
		{"get_table", `"payload":{"table":{"schema":"` + long + `","name":"` + long + `"}}`},
		{"get_table", `"payload":{"table":{"` + long + `":1}}`},
		{"get_table", `"payload":{"table":{"name":"Orders"}},"options":{"columns":["` + long + `"]}`},
		{"apply_edits", `"payload":{"expectedVersion":"` + long + `","edits":[{"op":"` + long + `"}]}`},
		{"apply_edits", `"payload":{"expectedVersion":"` + version + `","edits":[{"op":"drop_table","table":{"name":"` + long + `"}}]}`},
		{"apply_edits", `"payload":{"expectedVersion":"` + version + `","edits":[{"op":"add_column","table":{"name":"Orders"},"column":{"name":"n","dataType":"` + long + `"}}]}`},
		{"apply_edits", `"payload":{"expectedVersion":"` + version + `","edits":[{"op":"drop_table","` + long + `":1}]}`},
	} {
		_, text := w.ask(call[0], "%s", call[1])
		assert.LessOrEqual(t, len(text), 2<<10, text[:min(len(text), 300)])
		assert.Contains(t, text, `"success":false`)
	}
}

func TestAReceiptOfALargeBatchKeepsItsLimit(t *testing.T) {
	w := newWorld(t, "orders", 1, "")
	version := w.show()
	var edits []string
	for i := range 300 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_column","table":{"name":"Orders"},"column":{"name":"Column number %03d of many","dataType":"int"}}`, i))
	}
	for i := range 30 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_table","table":{"name":"Draft%02d"}}`, i))
	}
	r, text := w.edit(version, "["+strings.Join(edits, ",")+"]")
	require.True(t, r.Success, text)
	assert.LessOrEqual(t, len(text), maxReceipt)
	assert.NotEqual(t, version, r.Version)
	assert.Equal(t, 330, r.Receipt.AppliedEdits)
	assert.True(t, r.Receipt.Truncated)
	assert.Equal(t, map[string]int{"tablesAdded": 30, "columnsAdded": 300, "warnings": 21}, r.Receipt.Counts)
	assert.NotEmpty(t, r.Receipt.Changes["columnsAdded"], "the first entries stay")
	assert.NotEmpty(t, r.Receipt.Warnings)
}

func TestAnOverviewOfTenThousandTablesPagesThroughAllNames(t *testing.T) {
	w := newWorld(t, "tables 10000", 1, "")
	w.show()
	seen, calls := map[string]bool{}, 0
	for offset := 0; ; calls++ {
		r, _ := w.ask("get_overview", `"options":{"offset":%d}`, offset)
		o := r.Overview
		assert.True(t, o.ColumnsOmitted)
		assert.Equal(t, 10_000, o.Total)
		for _, table := range o.Tables {
			seen[table["name"].(string)] = true
			assert.NotContains(t, table, "columns")
		}
		if o.NextOffset == 0 {
			break
		}
		assert.True(t, o.Truncated)
		assert.Equal(t, offset+len(o.Tables), o.NextOffset)
		offset = o.NextOffset
	}
	assert.Len(t, seen, 10_000)
	assert.Less(t, calls, 16, "names alone, as many as fit")
}

func TestAnOverviewWithNamesTooLongLosesColumnsBeforeTables(t *testing.T) {
	w := newWorld(t, "long 40", 1, "")
	w.show()
	r, _ := w.ask("get_overview", "")
	assert.Len(t, r.Overview.Tables, 40)
	assert.True(t, r.Overview.ColumnsOmitted)
	assert.Zero(t, r.Overview.NextOffset)
	assert.Contains(t, r.Overview.Tables[0], "columnCount")
}

func TestAStaleReplyKeepsTheLimitOfAReply(t *testing.T) {
	for _, kind := range []string{"long 40", "tables 5000", "columns 400"} {
		w := newWorld(t, kind, 1, "")
		w.show()
		r, text := w.edit("old", `[{"op":"drop_table","table":{"name":"x"}}]`)
		assert.Equal(t, "stale_state", r.Reason, kind)
		assert.Contains(t, text, `"suggestedNextCall":`)
	}
}

func TestAVeryWideTablePagesThroughAllColumns(t *testing.T) {
	w := newWorld(t, "columns 1024", 1, "")
	w.show()
	for _, include := range []string{"names", "namesAndTypes", "full"} {
		seen := map[string]bool{}
		for offset := 0; ; {
			r, _ := w.ask("get_table", `"payload":{"table":{"name":"Wide"}},"options":{"offset":%d,"includeColumns":%q,"includeForeignKeys":true}`, offset, include)
			for _, c := range r.Table.Columns {
				seen[c["name"].(string)] = true
			}
			if r.Table.NextOffset == 0 {
				break
			}
			assert.Equal(t, 1024, r.Table.ColumnCount)
			require.Greater(t, r.Table.NextOffset, offset, "every page leads on")
			offset = r.Table.NextOffset
		}
		assert.Len(t, seen, 1024, include)
	}
}

func TestManyForeignKeysAreCountedAndPagedElsewhere(t *testing.T) {
	w := newWorld(t, "empty", 1, "")
	def := shop()
	for i := range 400 {
		c := fmt.Sprintf("Buyer%03d", i)
		def[1].Columns = append(def[1].Columns, nullable(column(c, "int")))
		def[1].ForeignKeys = append(def[1].ForeignKeys, designer.ForeignKeyDefinition{Name: "FK_" + c,
			ReferencedTable: designer.TableRef{Name: "Customers"},
			Mappings:        []designer.NameMapping{{Column: c, ReferencedColumn: "Id"}}})
	}
	def[1].Checks[0].Expression = strings.Repeat("1 = 1 AND ", 10_000)
	w.sources[0].def = designer.Definition{Schemas: []string{"dbo"}, Tables: def}
	w.show()
	r, _ := w.ask("get_table", `"payload":{"table":{"name":"Orders"}},"options":{"includeColumns":"full","includeForeignKeys":true}`)
	assert.Equal(t, 401, r.Table.ForeignKeyCount)
	assert.True(t, r.Table.Truncated)
	assert.NotEmpty(t, r.Table.Columns, "keys leave room for columns")

	seen := 0
	for offset := 0; ; {
		r, _ := w.ask("get_relationships", `"options":{"offset":%d}`, offset)
		seen += len(r.Relationships)
		if r.NextOffset == 0 {
			break
		}
		assert.Equal(t, 401, r.Total)
		offset = r.NextOffset
	}
	assert.Equal(t, 401, seen)
}

// What a name hides is shown, and the value stays what it is.
func TestInvisibleCharactersAreEscaped(t *testing.T) {
	const name = "Ord\u202eers\U000e0041<&>\u200b é"
	w := newWorld(t, "empty", 1, "")
	w.sources[0].def.Tables = []designer.TableDefinition{keyed(name)}
	w.show()
	r, text := w.ask("get_overview", "")
	assert.Contains(t, text, `Ord\u202eers\udb40\udc41<&>\u200b é`)
	assert.Equal(t, name, r.Overview.Tables[0]["name"])
}

func TestOptionsAreChecked(t *testing.T) {
	w := newWorld(t, "empty", 1, "")
	_, err := schema.New(schema.Options{})
	require.Error(t, err)
	_, err = schema.New(schema.Options{Manager: w.manager, Connections: w, URL: func() string { return "" }, Confirm: "sometimes"})
	assert.EqualError(t, err, `designer.confirm is "sometimes": it takes never, destructive or always`)
}
