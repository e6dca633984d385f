package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func addsIndex(table, index string) string {
	return `{"op":"add_index","table":{"name":"` + table + `"},"index":` + index + `}`
}

func setsIndex(table, index, set string) string {
	return `{"op":"set_index","table":{"name":"` + table + `"},"index":{"name":"` + index + `"},"set":` + set + `}`
}

func addsCheck(table, check string) string {
	return `{"op":"add_check","table":{"name":"` + table + `"},"check":` + check + `}`
}

func TestIndexAndCheckRules(t *testing.T) {
	breaks := func(rule, edit, message string) refusal {
		return refusal{rule: rule, edit: edit, reason: ValidationError, message: message}
	}
	nearTotal := &Hints{NearestColumns: []string{"Total", "Note", "OrderId", "CustomerId"}}
	runRefusals(t, []refusal{
		breaks("an index has columns", addsIndex("Orders", `{"name":"x"}`), "Index needs at least one column: give columns"),
		breaks("an index keeps columns", setsIndex("Orders", "IX_Total", `{"columns":[]}`), "Index 'IX_Total' needs at least one column: give columns"),
		{"an index's columns exist", addsIndex("Orders", `{"columns":["Totl"]}`), NotFound, "Column 'Totl' not found in table 'dbo.Orders'", nearTotal},
		{"an index exists", `{"op":"drop_index","table":{"name":"Orders"},"index":{"name":"IX"}}`,
			NotFound, "Index 'IX' not found in table 'dbo.Orders'", &Hints{NearestNames: []string{"IX_Total"}}},
		breaks("a column goes into an index once", addsIndex("Orders", `{"columns":["Total","Note","TOTAL"]}`), "Index names column 'Total' twice"),
		breaks("an index's name is unique in its table", addsIndex("Orders", `{"name":"ix_total","columns":["Note"]}`), "Index 'ix_total' already exists"),
		breaks("an index's name must be one", addsIndex("Orders", `{"name":" x","columns":["Note"]}`), "Index name ' x' starts or ends with a space: remove it"),
		breaks("a condition is one expression", addsIndex("Orders", `{"columns":["Note"],"where":"a > 'x"}`), "where of the index has a string, name or comment that does not end: close it"),
		{"a check needs an expression", addsCheck("Orders", `{"name":"c"}`), InvalidRequest, "check needs an expression", nil},
		breaks("a check's expression is not empty", addsCheck("Orders", `{"expression":" "}`), "expression of the check is empty: give an SQL expression"),
		breaks("a check does not end in a comment", addsCheck("Orders", `{"expression":"a > 0 -- b"}`), "expression of the check has a string, name or comment that does not end: close it"),
		breaks("a check's parentheses are balanced", addsCheck("Orders", `{"expression":"a) > (0"}`), "expression of the check has unbalanced parentheses"),
		breaks("a check's name must be one", addsCheck("Orders", `{"name":"a\tb","expression":"1=1"}`), "Check name 'a\ufffdb' holds characters no name may have"),
		breaks("a check's name is unique in its schema", addsCheck("Lines", `{"name":"ck_TOTAL","expression":"1=1"}`), "Check 'ck_TOTAL' already exists"),
		{"a check exists", `{"op":"drop_check","table":{"name":"Orders"},"check":{"name":"CK"}}`,
			NotFound, "Check 'CK' not found in table 'dbo.Orders'", &Hints{NearestNames: []string{"CK_Total"}}},
	})
}

func TestAReferencedUniqueIndexStays(t *testing.T) {
	prepare := func() *Schema {
		s := shop(t, serverDialect())
		apply(t, s, "["+addsKey("Orders", `{"name":"FK_Mail","referencedTable":{"name":"Customers"},"mappings":[{"column":"Note","referencedColumn":"Email"}]}`)+"]")
		return s
	}
	want := "The key of table 'dbo.Customers' cannot change: foreign key 'dbo.Orders.FK_Mail' refers to it; drop the key first"
	for _, tt := range []struct{ name, edit string }{
		{"it cannot be dropped", `{"op":"drop_index","table":{"name":"Customers"},"index":{"name":"UQ_Email"}}`},
		{"it cannot become an ordinary one", setsIndex("Customers", "UQ_Email", `{"unique":false}`)},
		{"it cannot become a partial one", setsIndex("Customers", "UQ_Email", `{"where":"Email > ''"}`)},
		{"it cannot take other columns", setsIndex("Customers", "UQ_Email", `{"columns":["Email","Region"]}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, want, refuse(t, prepare(), tt.edit).Message)
		})
	}
	t.Run("it can be renamed", func(t *testing.T) {
		apply(t, prepare(), "["+setsIndex("Customers", "UQ_Email", `{"name":"uq_email"}`)+"]")
	})
	t.Run("it can go when another one takes its place", func(t *testing.T) {
		apply(t, prepare(), "["+addsIndex("Customers", `{"unique":true,"columns":["Email"]}`)+
			`,{"op":"drop_index","table":{"name":"Customers"},"index":{"name":"UQ_Email"}}]`)
	})
}

func TestUnnamedIndexesAndChecksGetFreeNames(t *testing.T) {
	index := addsIndex("Orders", `{"columns":["Note","Total"]}`)
	check := func(table string) string { return addsCheck(table, `{"expression":"1 = 1"}`) }
	names := func(d *Dialect) (indexes, checks []string) {
		s := shop(t, d)
		apply(t, s, "["+index+","+index+","+check("Orders")+","+check("Orders")+`,
			{"op":"add_check","table":{"name":"Lines"},"check":{"name":"CK_Orders_1","expression":"1 = 1"}}]`)
		for _, x := range tableOf(t, s, "Orders").Indexes {
			indexes = append(indexes, x.Name)
		}
		for _, k := range tableOf(t, s, "Orders").Checks {
			checks = append(checks, k.Name)
		}
		return indexes, checks
	}
	indexes, checks := names(openDialect())
	assert.Equal(t, []string{"IX_Total", "IX_Orders_Note_Total", "IX_Orders_Note_Total_2"}, indexes)
	assert.Equal(t, []string{"CK_Total", "CK_Orders_1", "CK_Orders_2"}, checks, "another table's checks are its own")

	s := shop(t, serverDialect())
	apply(t, s, "["+addsCheck("Lines", `{"name":"CK_Orders_1","expression":"1 = 1"}`)+","+check("Orders")+"]")
	assert.Equal(t, "CK_Orders_2", tableOf(t, s, "Orders").Checks[1].Name, "check names are unique in the schema")
}

func TestTheScopeOfAnIndexNameIsTheDialects(t *testing.T) {
	onLines := addsIndex("Lines", `{"name":"IX_Total","columns":["Line"]}`)
	apply(t, shop(t, serverDialect()), "["+onLines+"]")
	assert.Equal(t, "Index 'IX_Total' already exists", refuse(t, shop(t, openDialect()), onLines).Message)
	named := addsIndex("Lines", `{"name":"orders","columns":["Line"]}`)
	apply(t, shop(t, serverDialect()), "["+named+"]")
	assert.Equal(t, "Index 'orders' already exists", refuse(t, shop(t, openDialect()), named).Message)
	assert.Equal(t, "Table 'public.IX_Total' cannot be named so: an index has that name",
		refuse(t, shop(t, openDialect()), `{"op":"add_table","table":{"name":"IX_Total"}}`).Message)
}

func TestAUniqueConstraintStaysOne(t *testing.T) {
	s, err := Build(serverDialect(), Definition{Tables: []TableDefinition{{Name: "T", Columns: []Column{{Name: "a", DataType: "int"}},
		Indexes: []IndexDefinition{{Constraint: true, Parts: []IndexKeyDefinition{{Column: "a"}}}}}}}, &Options{NewID: counted()})
	assert.NoError(t, err)
	x := tableOf(t, s, "T").Indexes[0]
	assert.True(t, x.Unique)
	set := func(set string) string {
		return `{"op":"set_index","table":{"name":"T"},"index":{"id":"` + string(x.ID) + `"},"set":` + set + `}`
	}
	want := "'(unnamed, id " + string(x.ID) + ")' is a unique constraint: it stays unique and takes no where; drop it and add an index"
	assert.Equal(t, want, refuse(t, s, set(`{"unique":false}`)).Message)
	assert.Equal(t, want, refuse(t, s, set(`{"where":"a > 0"}`)).Message)
	apply(t, s, "["+set(`{"name":"UQ","unique":true,"where":""}`)+"]")
}

func TestAUniqueConstraintHasNoOrderWhereTheDialectHasNone(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		d := openDialect()
		d.Indexes.UnorderedConstraints = unordered
		s, err := Build(d, Definition{Tables: []TableDefinition{{Name: "T", Columns: []Column{{Name: "a", DataType: "integer"}, {Name: "b", DataType: "integer"}},
			Indexes: []IndexDefinition{{Name: "K", Constraint: true, Parts: []IndexKeyDefinition{{Column: "a"}}}, {Name: "I", Unique: true, Parts: []IndexKeyDefinition{{Column: "a"}}}}}}}, &Options{NewID: counted()})
		assert.NoError(t, err)
		set := func(index string) string {
			return `{"op":"set_index","table":{"name":"T"},"index":{"name":"` + index + `"},"set":{"columns":["a",{"name":"b","descending":true}]}}`
		}
		apply(t, s, "["+set("I")+"]")
		if !unordered {
			apply(t, s, "["+set("K")+"]")
			continue
		}
		refused := refuse(t, s, set("K"))
		assert.Equal(t, "'K' is a unique constraint, and in one "+d.Title+" sorts no column descending: leave descending out, or drop it and add an index", refused.Message)
		assert.Equal(t, "set.columns[1].descending", refused.Field)
	}
}
