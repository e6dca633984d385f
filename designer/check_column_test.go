package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// addsColumn is the edit that adds a column to the shop's orders.
func addsColumn(column string) string {
	return `{"op":"add_column","table":{"name":"Orders"},"column":` + column + `}`
}

// setsColumn is the edit that changes a column of the shop.
func setsColumn(table, column, set string) string {
	return `{"op":"set_column","table":{"name":"` + table + `"},"column":{"name":"` + column + `"},"set":` + set + `}`
}

func dropsColumn(table, column string) string {
	return `{"op":"drop_column","table":{"name":"` + table + `"},"column":{"name":"` + column + `"}}`
}

func TestColumnRules(t *testing.T) {
	invalidColumn := func(rule, edit, message string) refusal {
		return refusal{rule: rule, edit: edit, reason: ValidationError, message: message}
	}
	identity := &Hints{AllowedDataTypeSample: []string{"int", "bigint", "decimal", "smallint", "tinyint"}}
	runRefusals(t, []refusal{
		{"a column needs a name", addsColumn(`{"dataType":"int"}`), InvalidRequest, "column needs a name", nil},
		{"a column needs a type", addsColumn(`{"name":"a"}`), InvalidRequest, "Column 'a' needs a dataType", nil},
		{"a column must exist", dropsColumn("Orders", "Totl"), NotFound, "Column 'Totl' not found in table 'dbo.Orders'",
			&Hints{NearestColumns: []string{"Total", "Note", "OrderId", "CustomerId"}}},
		{"a person is told no id", `{"op":"drop_column","table":{"name":"Orders"},"column":{"id":"ae7b387c"}}`, NotFound,
			"The column of that id is not in table 'dbo.Orders': it was dropped, or never there; name it, or read the design again", nil},
		invalidColumn("a name must not be empty", addsColumn(`{"name":"","dataType":"int"}`), "Column name is empty: give one"),
		invalidColumn("a name is unique in its table", addsColumn(`{"name":"OrderId","dataType":"int"}`),
			"Column 'OrderId' already exists in table 'dbo.Orders'"),
		invalidColumn("a name is unique whatever its case and type", addsColumn(`{"name":"ORDERID","dataType":"bit"}`),
			"Column 'ORDERID' already exists in table 'dbo.Orders'"),
		invalidColumn("a new name is unique", setsColumn("Orders", "Note", `{"name":"total"}`),
			"Column 'total' already exists in table 'dbo.Orders'"),
		invalidColumn("a key column given as nullable", addsColumn(`{"name":"a","dataType":"int","isPrimaryKey":true,"isNullable":true}`),
			"Column 'a' is part of the primary key and cannot be nullable"),
		invalidColumn("a key column made nullable", setsColumn("Orders", "OrderId", `{"isNullable":true}`),
			"Column 'OrderId' is part of the primary key and cannot be nullable"),
		invalidColumn("an identity made nullable", setsColumn("Customers", "Id", `{"isNullable":true,"isPrimaryKey":false}`),
			"Column 'Id' is an identity column and cannot be nullable"),
		{"an identity needs a type for it", addsColumn(`{"name":"a","dataType":"bit","isIdentity":true}`), ValidationError,
			"Column 'a': data type 'bit' cannot be an identity column", identity},
		{"an identity keeps a type for it", setsColumn("Orders", "Note", `{"isIdentity":true,"isNullable":false}`), ValidationError,
			"Column 'Note': data type 'nvarchar' cannot be an identity column", identity},
		invalidColumn("an identity has no default", addsColumn(`{"name":"a","dataType":"int","isIdentity":true,"defaultValue":"1"}`),
			"Column 'a' is an identity column and cannot have a default value"),
		invalidColumn("one identity a table", `{"op":"add_column","table":{"name":"Customers"},"column":{"name":"a","dataType":"int","isIdentity":true}}`,
			"Table 'dbo.Customers' already has the identity column 'Id': a table has at most one"),
		invalidColumn("computed needs a formula", addsColumn(`{"name":"a","isComputed":true}`),
			"computedFormula of column 'a' is empty: give an SQL expression"),
		invalidColumn("a formula needs computed", addsColumn(`{"name":"a","dataType":"int","computedFormula":"1"}`),
			"Column 'a' has a computedFormula but is not computed: set isComputed"),
		invalidColumn("computed has no default", addsColumn(`{"name":"a","isComputed":true,"computedFormula":"1","defaultValue":"1"}`),
			"Column 'a' is computed and cannot have a default value"),
		invalidColumn("computed is no identity", addsColumn(`{"name":"a","dataType":"int","isComputed":true,"computedFormula":"1","isIdentity":true}`),
			"Column 'a' is computed and cannot be an identity column"),
		invalidColumn("a formula is one expression", addsColumn(`{"name":"a","isComputed":true,"computedFormula":"1; drop"}`),
			"computedFormula of column 'a' holds a semicolon: give one expression"),
		invalidColumn("a default is one expression", addsColumn(`{"name":"a","dataType":"int","defaultValue":"0)"}`),
			"defaultValue of column 'a' has unbalanced parentheses"),
		invalidColumn("a collation is a name", addsColumn(`{"name":"a","dataType":"varchar(5)","collation":"a\nb"}`),
			"Collation name 'a\ufffdb' holds characters no name may have"),
		invalidColumn("a column that a foreign key maps from stays", dropsColumn("Orders", "CustomerId"),
			"Column 'CustomerId' cannot be dropped: foreign key 'FK_Orders_Customers' uses it; drop the key first"),
		invalidColumn("a column that a foreign key maps to stays", dropsColumn("Customers", "Id"),
			"Column 'Id' cannot be dropped: foreign key 'dbo.Orders.FK_Orders_Customers' uses it; drop the key first"),
		invalidColumn("a column keeps its type for the foreign keys it has", setsColumn("Orders", "CustomerId", `{"dataType":"bigint"}`),
			"Column 'CustomerId' cannot change its type: foreign key 'FK_Orders_Customers' uses it; drop the key first"),
		invalidColumn("a column keeps its type for the foreign keys on it", setsColumn("Orders", "OrderId", `{"dataType":"bigint"}`),
			"Column 'OrderId' cannot change its type: foreign key 'dbo.Lines.FK_Lines_Orders' uses it; drop the key first"),
		invalidColumn("a column that an index and a check use stays", dropsColumn("Orders", "Total"),
			"Column 'Total' cannot be dropped: 'index IX_Total', 'check CK_Total' uses it; change or drop that first"),
		invalidColumn("a referenced key does not grow", addsColumn(`{"name":"a","dataType":"int","isPrimaryKey":true}`),
			"The key of table 'dbo.Orders' cannot change: foreign key 'dbo.Lines.FK_Lines_Orders' refers to it; drop the key first"),
		invalidColumn("a referenced key does not end", setsColumn("Orders", "OrderId", `{"isPrimaryKey":false}`),
			"The key of table 'dbo.Orders' cannot change: foreign key 'dbo.Lines.FK_Lines_Orders' refers to it; drop the key first"),
	})
}

func TestWhatAColumnBecomes(t *testing.T) {
	tests := []struct {
		name, edit, column string
		want               Column
	}{
		{"nullable unless it says otherwise", addsColumn(`{"name":"a","dataType":"int"}`), "a",
			Column{DataType: "int", IsNullable: true}},
		{"not nullable as part of the key", setsColumn("Customers", "Region", `{"isIdentity":false,"isNullable":false}`), "Region",
			Column{DataType: "int"}},
		{"the blanks of the contract's shape say nothing",
			addsColumn(`{"name":"a","dataType":"int","maxLength":"","precision":0,"scale":0,"isPrimaryKey":false,"isIdentity":false,
				"identitySeed":1,"identityIncrement":1,"isNullable":false,"defaultValue":"","isComputed":false,"computedFormula":"","computedPersisted":false}`), "a",
			Column{DataType: "int"}},
		{"computed without a type", addsColumn(`{"name":"a","dataType":"","isComputed":true,"computedFormula":"Total*2","computedPersisted":true}`), "a",
			Column{IsNullable: true, IsComputed: true, ComputedFormula: "Total*2", ComputedPersisted: true}},
		{"what is given is kept", setsColumn("Orders", "Note", `{"name":"Memo","defaultValue":"N'a;b'","collation":"Latin1_General_CI_AS"}`), "Memo",
			Column{DataType: "nvarchar", MaxLength: "MAX", IsNullable: true, DefaultValue: "N'a;b'", Collation: "Latin1_General_CI_AS"}},
		{"the case of a name may change alone", setsColumn("Orders", "Note", `{"name":"NOTE"}`), "NOTE",
			Column{DataType: "nvarchar", MaxLength: "MAX", IsNullable: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			apply(t, s, "["+tt.edit+"]")
			table := "Orders"
			if tt.column == "Region" {
				table = "Customers"
			}
			got := columnOf(t, s, table, tt.column)
			tt.want.ID, tt.want.Name = got.ID, tt.column
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestWhatAnIdentityStartsFrom(t *testing.T) {
	tests := []struct {
		name, given     string
		seed, increment int64
	}{
		{"nothing given", `"isIdentity":true`, 1, 1},
		{"blanks", `"isIdentity":true,"identitySeed":0,"identityIncrement":0`, 1, 1},
		{"a seed of zero", `"isIdentity":true,"identitySeed":0`, 0, 1},
		{"a seed and an increment", `"isIdentity":true,"identitySeed":-5,"identityIncrement":-1`, -5, -1},
		{"no identity", `"identitySeed":5,"identityIncrement":5`, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shop(t, serverDialect())
			apply(t, s, "["+addsColumn(`{"name":"a","dataType":"int",`+tt.given+`}`)+"]")
			c := columnOf(t, s, "Orders", "a")
			assert.Equal(t, tt.seed, c.IdentitySeed)
			assert.Equal(t, tt.increment, c.IdentityIncrement)
			assert.Equal(t, !c.IsIdentity, c.IsNullable)
		})
	}
}

func TestTheKeyFollowsItsColumns(t *testing.T) {
	s := shop(t, serverDialect())
	key := func() []string { return s.DefineTable(tableOf(t, s, "Lines")).PrimaryKey.Columns }
	require.Equal(t, []string{"OrderId", "Line"}, key())

	apply(t, s, "["+setsColumn("Lines", "Parent", `{"isPrimaryKey":true}`)+"]")
	assert.Equal(t, []string{"OrderId", "Line", "Parent"}, key(), "a new key column comes last")
	assert.False(t, columnOf(t, s, "Lines", "Parent").IsNullable)

	apply(t, s, "["+dropsColumn("Lines", "Line")+"]")
	assert.Equal(t, []string{"OrderId", "Parent"}, key(), "a composite key shrinks with its columns")

	apply(t, s, "["+setsColumn("Lines", "Parent", `{"isPrimaryKey":false,"isNullable":true}`)+"]")
	assert.Equal(t, []string{"OrderId"}, key())
	assert.True(t, columnOf(t, s, "Lines", "Parent").IsNullable)

	apply(t, s, "["+setsColumn("Lines", "OrderId", `{"isPrimaryKey":false}`)+"]")
	assert.Nil(t, tableOf(t, s, "Lines").PrimaryKey)
	assert.False(t, columnOf(t, s, "Lines", "OrderId").IsNullable, "a column that leaves the key stays as it is")
}
