package edits

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// decode reads edits as a caller writes them.
func decode(t testing.TB, edits string) []designer.Edit {
	t.Helper()
	list, err := Decode(json.RawMessage(edits))
	if err != nil {
		require.FailNow(t, "the edits do not decode", "%v", err)
	}
	return list
}

func TestEditsThatAreRead(t *testing.T) {
	orders := designer.TableRef{Name: "Orders"}
	tests := []struct {
		name, edit string
		want       designer.Edit
	}{
		{"a table", `{"op":"add_table","table":{"schema":"dbo","name":"Orders","id":"7"}}`,
			designer.Edit{Op: designer.AddTable, Table: designer.TableRef{Schema: "dbo", Name: "Orders", ID: "7"}}},
		{"null counts as not given", `{"op":"set_table","table":{"name":"Orders","id":null},"set":{"name":"b","schema":null}}`,
			designer.Edit{Op: designer.SetTable, Table: orders, SetTable: designer.TableSet{Name: new("b")}}},
		{"a length as a number", addsColumn(`{"name":"c","dataType":"nvarchar","maxLength":200}`),
			designer.Edit{Op: designer.AddColumn, Table: orders, Column: designer.ColumnSpec{Name: new("c"), DataType: new("nvarchar"), MaxLength: new("200")}}},
		{"a length in a table's first columns", `{"op":"add_table","table":{"name":"Orders"},"initialColumns":[{"name":"c","maxLength":5}]}`,
			designer.Edit{Op: designer.AddTable, Table: orders, InitialColumns: []designer.ColumnSpec{{Name: new("c"), MaxLength: new("5")}}}},
		{"actions as numbers", setsKey(`{"onDeleteAction":0,"onUpdateAction":3}`),
			designer.Edit{Op: designer.SetForeignKey, Table: orders, ForeignKeyRef: designer.ObjectRef{Name: "fk_orders_customers"},
				SetForeignKey: designer.ForeignKeySpec{OnDelete: new(designer.Cascade), OnUpdate: new(designer.SetDefault)}}},
		{"actions as words of any spelling", setsKey(`{"onDeleteAction":"SET NULL","onUpdateAction":"No-Action"}`),
			designer.Edit{Op: designer.SetForeignKey, Table: orders, ForeignKeyRef: designer.ObjectRef{Name: "fk_orders_customers"},
				SetForeignKey: designer.ForeignKeySpec{OnDelete: new(designer.SetNull), OnUpdate: new(designer.NoAction)}}},
		{"a foreign key set in the flat form", `{"op":"set_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"k"},"name":"n","onDeleteAction":2,
			"referencedTable":{"name":"T"},"mappings":[{"column":"a","referencedColumn":"b"}]}`,
			designer.Edit{Op: designer.SetForeignKey, Table: orders, ForeignKeyRef: designer.ObjectRef{Name: "k"}, SetForeignKey: designer.ForeignKeySpec{Name: new("n"), OnDelete: new(designer.SetNull),
				ReferencedTable: &designer.TableRef{Name: "T"}, Mappings: []designer.NameMapping{{Column: "a", ReferencedColumn: "b"}}}}},
		{"index columns as bare names", addsIndex("Orders", `{"unique":true,"columns":["a",{"name":"b","descending":true}]}`),
			designer.Edit{Op: designer.AddIndex, Table: orders, Index: designer.IndexSpec{Unique: new(true), Columns: []designer.IndexPart{{Name: "a"}, {Name: "b", Descending: true}}}}},
		{"an empty list is a list", setsKey(`{"mappings":[]}`),
			designer.Edit{Op: designer.SetForeignKey, Table: orders, ForeignKeyRef: designer.ObjectRef{Name: "fk_orders_customers"}, SetForeignKey: designer.ForeignKeySpec{Mappings: []designer.NameMapping{}}}},
		{"a check", addsCheck("Orders", `{"expression":"a > 0"}`), designer.Edit{Op: designer.AddCheck, Table: orders, Check: designer.CheckSpec{Expression: new("a > 0")}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, []designer.Edit{tt.want}, decode(t, "["+tt.edit+"]"))
		})
	}
	assert.Equal(t, []designer.Edit{}, decode(t, " [ ] "))
}

func TestEditsThatAreNot(t *testing.T) {
	const orders = `"table":{"name":"Orders"}`
	tests := []struct {
		name, edits string
		message     string
		nearest     string // the first name hinted at
	}{
		{"no array", `{}`, "edits must be an array of edit objects: expected an array", ""},
		{"null", `null`, "edits must be an array of edit objects", ""},
		{"no JSON", `[{]`, "edits must be an array of edit objects: ", ""},
		{"nothing", ``, "edits must be an array of edit objects: ", ""},
		{"text after it", `[] []`, "edits must be an array of edit objects: ", ""},
		{"no object", `[7]`, "edits[0]: the edit must be an object", ""},
		{"no op", `[{` + orders + `}]`, "edits[0]: op is missing: name the edit's operation", "add_table"},
		{"an op that is no string", `[{"op":1}]`, "edits[0]: op must be a string", ""},
		{"an unknown op", `[{"op":"add_colum",` + orders + `}]`, "edits[0]: op 'add_colum' is unknown", "add_column"},
		{"a missing field", `[{"op":"add_column",` + orders + `}]`, "edits[0]: add_column needs column", ""},
		{"the second edit", `[{"op":"drop_table",` + orders + `},{"op":"drop_table"}]`, "edits[1]: drop_table needs table", ""},
		{"an unknown field of an edit", `[{"op":"drop_table","tabel":{}}]`, "edits[0]: drop_table has no field 'tabel': did you mean 'table'?", "table"},
		{"an unknown field of a table", `[{"op":"drop_table","table":{"nam":"a"}}]`, "edits[0]: table has no field 'nam': did you mean 'name'?", "name"},
		{"an unknown field of a column", `[{"op":"add_column",` + orders + `,"column":{"nullable":true}}]`,
			"edits[0]: column has no field 'nullable': did you mean 'isNullable'?", "isNullable"},
		{"a field cut short", `[{"op":"add_column",` + orders + `,"column":{"type":"int"}}]`,
			"edits[0]: column has no field 'type': did you mean 'dataType'?", "dataType"},
		{"an unknown field of a mapping", `[{"op":"add_foreign_key",` + orders + `,"foreignKey":{"mappings":[{"referenced":"a"}]}}]`,
			"edits[0]: foreignKey.mappings has no field 'referenced': did you mean 'referencedColumn'?", "referencedColumn"},
		{"a field in another case", `[{"op":"drop_table","Table":{"name":"a"}}]`, "edits[0]: drop_table has no field 'Table': did you mean 'table'?", "table"},
		{"an unknown field in the flat form", `[{"op":"set_foreign_key",` + orders + `,"foreignKey":{"name":"k"},"onDelete":1}]`,
			"edits[0]: set has no field 'onDelete': did you mean 'onDeleteAction'?", "onDeleteAction"},
		{"both forms at once", `[{"op":"set_foreign_key",` + orders + `,"foreignKey":{"name":"k"},"set":{},"name":"n"}]`,
			"edits[0]: set_foreign_key has no field 'name': did you mean 'table'?", "table"},
		{"a field that another operation takes", `[{"op":"drop_table",` + orders + `,"set":{}}]`, "edits[0]: drop_table has no field 'set': did you mean 'op'?", "op"},
		{"a field twice", `[{"op":"drop_table",` + orders + `,` + orders + `}]`, "edits must be an array of edit objects: ", ""},
		{"a field twice far below", `[{"op":"drop_table","table":{"name":"a","name":"b"}}]`, "edits must be an array of edit objects: ", ""},
		{"a number for a name", `[{"op":"drop_table","table":{"name":1}}]`, "edits[0]: table: name must be a string", ""},
		{"a text for a flag", `[{"op":"add_column",` + orders + `,"column":{"isNullable":"no"}}]`, "edits[0]: column: isNullable must be true or false", ""},
		{"a fraction for a number", `[{"op":"add_column",` + orders + `,"column":{"precision":1.5}}]`, "edits[0]: column: precision must be a whole number", ""},
		{"a number too large", `[{"op":"add_column",` + orders + `,"column":{"identitySeed":9223372036854775808}}]`, "edits[0]: column: identitySeed must be a whole number", ""},
		{"one column for a list", `[{"op":"add_index",` + orders + `,"index":{"columns":"a"}}]`, "edits[0]: index.columns must be an array", ""},
		{"one mapping for a list", `[{"op":"add_foreign_key",` + orders + `,"foreignKey":{"mappings":{"column":"a"}}}]`, "edits[0]: foreignKey.mappings must be an array", ""},
		{"a name for a table", `[{"op":"add_foreign_key",` + orders + `,"foreignKey":{"referencedTable":"T"}}]`, "edits[0]: foreignKey.referencedTable must be an object", ""},
		{"a list for a table", `[{"op":"add_foreign_key",` + orders + `,"foreignKey":{"referencedTable":[]}}]`, "edits[0]: foreignKey.referencedTable must be an object", ""},
		{"first columns that are no list", `[{"op":"add_table",` + orders + `,"initialColumns":{}}]`, "edits[0]: initialColumns must be an array", ""},
		{"an action of another kind", `[{"op":"add_foreign_key",` + orders + `,"foreignKey":{"onDeleteAction":true}}]`, "edits[0]: foreignKey: onDeleteAction must be a string", ""},
		{"text that is no UTF-8", "[{\"op\":\"drop_table\",\"table\":{\"name\":\"a\xff\"}}]", "edits must be an array of edit objects: ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(json.RawMessage(tt.edits))
			require.NotNil(t, err)
			assert.Equal(t, designer.InvalidRequest, err.Reason)
			if strings.HasSuffix(tt.message, ": ") {
				assert.Contains(t, err.Message, tt.message)
			} else {
				assert.Equal(t, tt.message, err.Message)
			}
			if tt.nearest != "" {
				require.NotNil(t, err.Hints)
				assert.Equal(t, tt.nearest, err.Hints.NearestNames[0])
			}
			assert.Equal(t, strings.Count(tt.message, "edits[0]")*1+strings.Count(tt.message, "edits[1]")*2-1, err.Index)
		})
	}
}

func TestABatchHasABound(t *testing.T) {
	edits := strings.TrimSuffix(strings.Repeat(`{"op":"drop_table","table":{"name":"T"}},`, Max+1), ",")
	_, err := Decode(json.RawMessage("[" + edits + "]"))
	require.NotNil(t, err)
	assert.Equal(t, fmt.Sprintf("edits holds %d edits: send at most %d in one call", Max+1, Max), err.Message)
}

func TestEveryOperationIsRead(t *testing.T) {
	assert.Len(t, operations, len(designer.Ops()))
	for _, op := range designer.Ops() {
		assert.Contains(t, operations, op)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `[{}]`, `[{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"c","dataType":"int","maxLength":5}]}]`,
		`[{"op":"set_table","table":{"name":"Orders"},"set":{"name":"customers","schema":null}}]`,
		`[{"op":"set_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"k"},"onUpdateAction":"set null","onDeleteAction":0}]`,
		`[` + addsIndex("Orders", `{"unique":true,"columns":["Note",{"name":"Total"}],"where":"Total > '('"}`) + `]`,
		`[` + addsCheck("Lines", `{"expression":"\"Line\" IN (1)"}`) + `,{"op":"drop_column","table":{"name":"Orders"},"column":{"name":"a"}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, err := Decode(json.RawMessage(data))
		if err != nil {
			require.Equal(t, designer.InvalidRequest, err.Reason)
			require.Less(t, len(err.Message), 600, "a message repeats the caller's input")
			require.Less(t, err.Index, Max)
			return
		}
		for _, e := range edits {
			require.Contains(t, operations, e.Op)
			require.Less(t, len(designer.Describe(e)), 2000)
		}
	})
}

// addsColumn is the edit that adds a column to the shop's orders.
func addsColumn(column string) string {
	return `{"op":"add_column","table":{"name":"Orders"},"column":` + column + `}`
}

// setsKey is the edit that changes the key of the shop's orders.
func setsKey(set string) string {
	return `{"op":"set_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"fk_orders_customers"},"set":` + set + `}`
}

func addsIndex(table, index string) string {
	return `{"op":"add_index","table":{"name":"` + table + `"},"index":` + index + `}`
}

func addsCheck(table, check string) string {
	return `{"op":"add_check","table":{"name":"` + table + `"},"check":` + check + `}`
}
