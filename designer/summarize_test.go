package designer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheReceiptSaysWhatABatchAmountsTo(t *testing.T) {
	const (
		newTable = `{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"Id","dataType":"int"}]}`
		newPlace = `{"op":"add_column","table":{"name":"T"},"column":{"name":"a","dataType":"int","isPrimaryKey":true}}`
	)
	tests := []struct{ name, edits, want string }{
		{"the contract's example", `{"op":"add_table","table":{"schema":"dbo","name":"T"}},` + newPlace,
			`{"tablesAdded":[{"schema":"dbo","name":"T"}],"columnsAdded":[{"table":{"schema":"dbo","name":"T"},"column":{"name":"a"}}]}`},
		{"the columns a table starts with are implied", newTable + `,` + setsColumn("T", "Id", `{"name":"Key"}`),
			`{"tablesAdded":[{"schema":"dbo","name":"T"}]}`},
		{"so are those that it loses again", newTable + `,` + newPlace + `,` + dropsColumn("T", "Id"),
			`{"tablesAdded":[{"schema":"dbo","name":"T"}],"columnsAdded":[{"table":{"schema":"dbo","name":"T"},"column":{"name":"a"}}]}`},
		{"a table that came and went", newTable + `,{"op":"drop_table","table":{"name":"T"}}`, `{}`},
		{"a column that came and went", addsColumn(`{"name":"a","dataType":"int"}`) + `,` + dropsColumn("Orders", "a"), `{}`},
		{"a name that changed and changed back", setsColumn("Orders", "Note", `{"name":"x"}`) + `,` + setsColumn("Orders", "x", `{"name":"Note"}`), `{}`},
		{"a column that changed before its table went", setsColumn("Lines", "Parent", `{"name":"x"}`) + `,{"op":"drop_table","table":{"name":"Lines"}}`,
			`{"tablesDropped":[{"schema":"dbo","name":"Lines"}]}`},
		{"foreign keys that went with the table they referred to", `{"op":"drop_table","table":{"name":"Customers"}}`,
			`{"tablesDropped":[{"schema":"dbo","name":"Customers"}],"foreignKeysDropped":[{"table":{"schema":"dbo","name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers"}}]}`},
		{"a foreign key to a table that came and went", newTable + `,` + setsColumn("T", "Id", `{"isPrimaryKey":true}`) + `,` +
			addsKey("Orders", `{"referencedTable":{"name":"T"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}`) +
			`,{"op":"drop_table","table":{"name":"T"}}`, `{}`},
		{"a renamed table, its parts by its new name", `{"op":"set_table","table":{"name":"Orders"},"set":{"name":"Sales"}},` +
			`{"op":"add_column","table":{"name":"Sales"},"column":{"name":"a","dataType":"int"}}`,
			`{"tablesUpdated":[{"schema":"dbo","name":"Sales"}],"columnsAdded":[{"table":{"schema":"dbo","name":"Sales"},"column":{"name":"a"}}]}`},
		{"a renamed column, with the texts it is in", setsColumn("Orders", "Total", `{"name":"Sum"}`),
			`{"columnsUpdated":[{"table":{"schema":"dbo","name":"Orders"},"column":{"name":"Sum"}}],
			"indexesUpdated":[{"table":{"schema":"dbo","name":"Orders"},"index":{"name":"IX_Total"}}],
			"checksUpdated":[{"table":{"schema":"dbo","name":"Orders"},"check":{"name":"CK_Total"}}]}`},
		{"a name's case", setsColumn("Orders", "Note", `{"name":"NOTE"}`), `{"columnsUpdated":[{"table":{"schema":"dbo","name":"Orders"},"column":{"name":"NOTE"}}]}`},
		{"a column that enters the key", setsColumn("Lines", "Parent", `{"isPrimaryKey":true,"isNullable":false}`),
			`{"columnsUpdated":[{"table":{"schema":"dbo","name":"Lines"},"column":{"name":"Parent"}}]}`},
		{"a column that leaves the key", setsColumn("Lines", "OrderId", `{"isPrimaryKey":false}`),
			`{"columnsUpdated":[{"table":{"schema":"dbo","name":"Lines"},"column":{"name":"OrderId"}}]}`},
		{"a key column that goes, the others being as they were", `{"op":"drop_foreign_key","table":{"name":"Lines"},"foreignKey":{"name":"FK_Lines_Orders"}},` + dropsColumn("Lines", "OrderId"),
			`{"columnsDropped":[{"table":{"schema":"dbo","name":"Lines"},"column":{"name":"OrderId"}}],
			"foreignKeysDropped":[{"table":{"schema":"dbo","name":"Lines"},"foreignKey":{"name":"FK_Lines_Orders"}}]}`},
		{"a foreign key changed", setsKey(`{"onDeleteAction":0}`), `{"foreignKeysUpdated":[{"table":{"schema":"dbo","name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers"}}]}`},
		{"indexes and checks that came and went", addsIndex("Lines", `{"columns":["Line"]}`) + `,` + addsCheck("Lines", `{"expression":"Line > 0"}`) +
			`,{"op":"drop_index","table":{"name":"Orders"},"index":{"name":"IX_Total"}},{"op":"drop_check","table":{"name":"Orders"},"check":{"name":"CK_Total"}}`,
			`{"indexesAdded":[{"table":{"schema":"dbo","name":"Lines"},"index":{"name":"IX_Lines_Line"}}],
			"indexesDropped":[{"table":{"schema":"dbo","name":"Orders"},"index":{"name":"IX_Total"}}],
			"checksAdded":[{"table":{"schema":"dbo","name":"Lines"},"check":{"name":"CK_Lines_1"}}],
			"checksDropped":[{"table":{"schema":"dbo","name":"Orders"},"check":{"name":"CK_Total"}}]}`},
		{"an edit that asks for what is so", setsColumn("Orders", "Note", `{"name":"Note","dataType":"nvarchar","maxLength":"max"}`), `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			got, err := json.Marshal(Summarize(s, apply(t, s, "["+tt.edits+"]")))
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(got))
		})
	}
}

func TestTheReceiptOfAnUndoIsTheOtherWayRound(t *testing.T) {
	s := shop(t, serverDialect())
	changes := apply(t, s, "["+addsColumn(`{"name":"a","dataType":"int"}`)+`,{"op":"drop_table","table":{"name":"Orders"}}]`)
	back := InverseAll(changes)
	for _, c := range back {
		s.Redo(c)
	}
	require.NoError(t, s.Check())
	got := Summarize(s, back)
	assert.Equal(t, Changes{
		TablesAdded:      []TableName{{"dbo", "Orders"}},
		ForeignKeysAdded: []KeyChange{{TableName{"dbo", "Lines"}, ObjectName{Name: "FK_Lines_Orders"}}},
	}, got, "the column is implied by the table it came back with")
	assert.Equal(t, map[string]int{"tablesAdded": 1, "foreignKeysAdded": 1}, got.Counts())
}

func TestATableReadAgainIsUpdatedByWhatIsItsOwn(t *testing.T) {
	tests := []struct {
		name   string
		change func(*TableDefinition)
	}{
		{"its comment", func(d *TableDefinition) { d.Comment = "other" }},
		{"its options", func(d *TableDefinition) { d.Options = nil }},
		{"its triggers", func(d *TableDefinition) { d.Triggers = append(d.Triggers, "x") }},
		{"its key's name", func(d *TableDefinition) { d.PrimaryKey.Name = "x" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := built(t, full(), counted())
			def := full()
			tt.change(&def.Tables[0])
			next, err := s.Adopt(def)
			require.NoError(t, err)
			change := s.ChangeTo(next)
			s.Redo(change)
			require.NoError(t, s.Check())
			assert.Equal(t, Changes{TablesUpdated: []TableName{{"dbo", "Orders"}}}, Summarize(s, []Change{change}))
		})
	}
}
