package designer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWarnings(t *testing.T) {
	const keyed = `"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true}]`
	indexed := addsIndex("Orders", `{"columns":["CustomerId"]}`) + ","
	tests := []struct {
		name, before, edits string
		want                []string
	}{
		{"nothing to say", "", `{"op":"add_table","table":{"name":"T"},` + keyed + `}`, nil},
		{"a table without columns", "", `{"op":"add_table","table":{"name":"T"}}`, []string{"Table 'dbo.T' has no columns yet"}},
		{"a table without a key", "", `{"op":"add_table","table":{"name":"T"},"initialColumns":[{"name":"a","dataType":"int"}]}`,
			[]string{"Table 'dbo.T' has no primary key"}},
		{"a table that got its key later", "", `{"op":"add_table","table":{"name":"T"}},
			{"op":"add_column","table":{"name":"T"},"column":{"name":"Id","dataType":"int","isPrimaryKey":true}}`, nil},
		{"a table that went again", "", `{"op":"add_table","table":{"name":"T"}},{"op":"drop_table","table":{"name":"T"}}`, nil},
		{"reserved words as names", "", `{"op":"add_table","table":{"name":"Order"},"initialColumns":[{"name":"user","dataType":"int","isPrimaryKey":true}]}`,
			[]string{"Table name 'Order' is a reserved word: it must be quoted in SQL", "Column name 'user' is a reserved word: it must be quoted in SQL"}},
		{"a name that has another type elsewhere", "", addsColumn(`{"name":"Region","dataType":"bigint"}`),
			[]string{"Column 'Region' of dbo.Orders is bigint; columns of that name elsewhere are int"}},
		{"a name that has the same type elsewhere", "", addsColumn(`{"name":"REGION","dataType":"integer"}`), nil},
		{"a name that is computed elsewhere", "", addsColumn(`{"name":"Region","isComputed":true,"computedFormula":"1"}`), nil},
		{"a foreign key without an index", "", addsKey("Lines", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Parent","referencedColumn":"Id"}]}`),
			[]string{"Foreign key 'FK_Lines_Customers' has no index on its columns"}},
		{"a foreign key with an index", "", addsIndex("Lines", `{"columns":["Parent","Line"]}`) + "," +
			addsKey("Lines", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Parent","referencedColumn":"Id"}]}`), nil},
		{"a partial index does not count", "", addsIndex("Lines", `{"columns":["Parent"],"where":"Parent > 0"}`) + "," +
			addsKey("Lines", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Parent","referencedColumn":"Id"}]}`),
			[]string{"Foreign key 'FK_Lines_Customers' has no index on its columns"}},
		{"a primary key that begins with the columns does", "", addsKey("Lines", `{"name":"k","referencedTable":{"name":"Orders"},"mappings":[{"column":"OrderId","referencedColumn":"OrderId"}]}`), nil},
		{"an index that a foreign key loses", indexed, `{"op":"drop_index","table":{"name":"Orders"},"index":{"name":"IX_Orders_CustomerId"}}`,
			[]string{"Foreign key 'FK_Orders_Customers' has no index on its columns"}},
		{"a foreign key that never had one is not said again", "", setsColumn("Orders", "Note", `{"name":"Memo"}`), nil},
		{"a cycle of references", addsIndex("Customers", `{"columns":["Region"]}`) + ",",
			addsKey("Customers", `{"name":"k","referencedTable":{"name":"Orders"},"mappings":[{"column":"Region","referencedColumn":"OrderId"}]}`),
			[]string{"Foreign key 'k' closes a cycle of references"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			apply(t, s, "["+strings.TrimSuffix(tt.before, ",")+"]")
			assert.Equal(t, tt.want, s.Warnings(apply(t, s, "["+tt.edits+"]")))
		})
	}
}

func TestWarningsOfWhatWasRead(t *testing.T) {
	s := odd(t)
	empty := emptySchema(serverDialect())
	id := tableOf(t, s, "Child").ForeignKeys[0].ID
	got := s.Warnings([]Change{empty.ChangeTo(s)})
	assert.Contains(t, got, "A foreign key of table 'dbo.Child' has no name: it can be addressed by id only")
	assert.Contains(t, got, "Foreign key '(unnamed, id "+string(id)+")' refers to a table or column that does not exist")
	assert.Contains(t, got, "Foreign key 'FK_NoColumn' refers to a table or column that does not exist")
}

func TestCascadesAreWarnedOfWhereTheyAreAllowed(t *testing.T) {
	s := graph(t, openDialect(), "b>a", "c>a", "d>b")
	got := s.Warnings(apply(t, s, "["+cascading("d>c")+"]"))
	assert.Contains(t, got, "Foreign key 'FK_d_c' makes multiple cascade paths to table 'public.d': use no_action")
}

func TestWarningsAreBounded(t *testing.T) {
	var edits []string
	for i := range 30 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_table","table":{"name":"T%d"}}`, i))
	}
	s := emptySchema(serverDialect())
	changes := apply(t, s, "["+strings.Join(edits, ",")+"]")
	got := s.Warnings(append(changes, changes...))
	require.Len(t, got, MaxWarnings+1)
	assert.Equal(t, "and 10 more warnings", got[MaxWarnings])
}
