package designer

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// seedEdits are batches of every operation, valid and not.
func seedEdits() []string {
	return []string{
		`[]`, `null`, `[{}]`, `[{"op":"add_table","table":{"name":"T"}}]`,
		`[` + addsColumn(`{"name":"a","dataType":"decimal(9,2)","isPrimaryKey":true,"maxLength":5}`) + `]`,
		`[` + addsColumn(`{"name":"a","isComputed":true,"computedFormula":"Total*[Note]--\n"}`) + `,` + setsColumn("Orders", "a", `{"name":"b c"}`) + `]`,
		`[` + setsColumn("Orders", "Total", `{"name":"Sum","dataType":"nvarchar(max)","isNullable":false}`) + `]`,
		`[` + dropsColumn("Orders", "Note") + `,{"op":"drop_table","table":{"name":"Customers"}}]`,
		`[{"op":"set_table","table":{"name":"Orders"},"set":{"name":"customers","schema":"sys"}}]`,
		`[` + addsKey("Lines", `{"referencedTable":{"name":"Lines"},"mappings":[{"column":"Parent","referencedColumn":"Line"},{"column":"OrderId","referencedColumn":"OrderId"}]}`) + `]`,
		`[` + setsKey(`{"onDeleteAction":0,"referencedTable":{"name":"Orders"},"mappings":[{"column":"CustomerId","referencedColumn":"OrderId"}]}`) + `]`,
		`[{"op":"set_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers"},"onUpdateAction":"set null"}]`,
		`[{"op":"drop_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"FK_Orders_Customers"}},` + dropsColumn("Customers", "Id") + `]`,
		`[` + addsIndex("Orders", `{"unique":true,"columns":["Note",{"name":"Total"}],"where":"Total > '('"}`) + `,` + setsIndex("Orders", "IX_Total", `{"where":"","name":"x"}`) + `]`,
		`[{"op":"drop_index","table":{"name":"Customers"},"index":{"name":"UQ_Email"}},` + addsCheck("Lines", `{"expression":"\"Line\" IN (1)"}`) + `]`,
		`[{"op":"drop_check","table":{"name":"Orders"},"check":{"name":"ck_total"}}]`,
	}
}

func FuzzApply(f *testing.F) {
	for _, seed := range seedEdits() {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, open bool) {
		edits, undecoded := ReadEdits(data)
		if undecoded != nil {
			return
		}
		d := serverDialect()
		if open {
			d = openDialect()
		}
		s := shop(t, d)
		version, before := s.Version(), snapshot(s)
		var changes []Change
		for _, e := range edits[:min(len(edits), 50)] {
			c, err := s.Apply(e)
			if err != nil {
				require.Less(t, len(err.Message), 2000)
				continue
			}
			changes = append(changes, c)
		}
		require.NoError(t, s.Check())
		Summarize(s, changes)
		s.Warnings(changes)
		throughTheJournal(t, s, changes)
		for _, c := range slices.Backward(changes) {
			s.Undo(c)
		}
		require.NoError(t, s.Check())
		require.Equal(t, version, s.Version())
		require.Equal(t, before, snapshot(s))
	})
}

// throughTheJournal sees that changes read back are those written, and that
// the schema can be built again from its definition.
func throughTheJournal(t *testing.T, s *Schema, changes []Change) {
	t.Helper()
	text, err := json.Marshal(changes)
	require.NoError(t, err)
	var read []Change
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, changes, read)
	rebuilt, err := Build(s.Dialect(), s.Definition(), nil)
	require.NoError(t, err)
	require.Equal(t, s.Version(), rebuilt.Version())
}
