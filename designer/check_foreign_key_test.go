package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// addsKey is the edit that adds a foreign key.
func addsKey(table, key string) string {
	return `{"op":"add_foreign_key","table":{"name":"` + table + `"},"foreignKey":` + key + `}`
}

// setsKey is the edit that changes the key of the shop's orders.
func setsKey(set string) string {
	return `{"op":"set_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"fk_orders_customers"},"set":` + set + `}`
}

func TestForeignKeyRules(t *testing.T) {
	invalidKey := func(rule, edit, message string) refusal {
		return refusal{rule: rule, edit: edit, reason: ValidationError, message: message}
	}
	toCustomers := func(rest string) string {
		return addsKey("Lines", `{"referencedTable":{"name":"Customers"},`+rest+`}`)
	}
	runRefusals(t, []refusal{
		{"a key needs a table", addsKey("Lines", `{"mappings":[{"column":"Line","referencedColumn":"Id"}]}`),
			InvalidRequest, "foreignKey needs referencedTable", nil},
		{"its table must exist", addsKey("Lines", `{"referencedTable":{"name":"Customer"},"mappings":[{"column":"Line","referencedColumn":"Id"}]}`),
			NotFound, "Table 'dbo.Customer' not found", &Hints{NearestTables: []string{"dbo.Customers", "dbo.Lines", "dbo.Orders"}}},
		{"its columns must exist", toCustomers(`"mappings":[{"column":"Lin","referencedColumn":"Id"}]`),
			NotFound, "Column 'Lin' not found in table 'dbo.Lines'", &Hints{NearestColumns: []string{"Line", "Parent", "OrderId", "Quantity"}}},
		{"the referenced columns must exist", toCustomers(`"mappings":[{"column":"Line","referencedColumn":"I"}]`),
			NotFound, "Column 'I' not found in table 'dbo.Customers'", &Hints{NearestColumns: []string{"Id", "Email", "Region"}}},
		{"a mapping has both columns", toCustomers(`"mappings":[{"column":"Line"}]`), InvalidRequest, "column needs a name", nil},
		{"a key must exist", `{"op":"drop_foreign_key","table":{"name":"Orders"},"foreignKey":{"name":"FK_Order"}}`,
			NotFound, "Foreign key 'FK_Order' not found in table 'dbo.Orders'", &Hints{NearestNames: []string{"FK_Orders_Customers"}}},
		invalidKey("a key has a mapping", toCustomers(`"mappings":[]`), "Foreign key needs at least one mapping: give mappings"),
		invalidKey("a key keeps a mapping", setsKey(`{"mappings":[]}`), "Foreign key 'FK_Orders_Customers' needs at least one mapping: give mappings"),
		invalidKey("a name is unique in its schema", toCustomers(`"name":"fk_orders_CUSTOMERS","mappings":[{"column":"Line","referencedColumn":"Id"}]`),
			"Foreign key 'fk_orders_CUSTOMERS' already exists in schema 'dbo'"),
		invalidKey("a new name is unique in its schema", setsKey(`{"name":"fk_lines_orders"}`),
			"Foreign key 'fk_lines_orders' already exists in schema 'dbo'"),
		invalidKey("a name must be one", toCustomers(`"name":" ","mappings":[{"column":"Line","referencedColumn":"Id"}]`),
			"Foreign key name is empty: give one"),
		invalidKey("the referenced columns are a key", toCustomers(`"mappings":[{"column":"Line","referencedColumn":"Region"}]`),
			"Referenced columns 'Region' are not, as a whole, a primary or unique key of table 'dbo.Customers'"),
		invalidKey("the referenced columns are a whole key", addsKey("Orders", `{"referencedTable":{"name":"Lines"},"mappings":[{"column":"OrderId","referencedColumn":"OrderId"}]}`),
			"Referenced columns 'OrderId' are not, as a whole, a primary or unique key of table 'dbo.Lines'"),
		invalidKey("the referenced columns are no more than a key", toCustomers(`"mappings":[{"column":"Line","referencedColumn":"Id"},{"column":"Parent","referencedColumn":"Region"}]`),
			"Referenced columns 'Id', 'Region' are not, as a whole, a primary or unique key of table 'dbo.Customers'"),
		invalidKey("a column is mapped once", toCustomers(`"mappings":[{"column":"Line","referencedColumn":"Id"},{"column":"LINE","referencedColumn":"Region"}]`),
			"Foreign key maps column 'Line' twice: each column goes into one mapping"),
		invalidKey("a column is referred to once", toCustomers(`"mappings":[{"column":"Line","referencedColumn":"Id"},{"column":"Parent","referencedColumn":"id"}]`),
			"Foreign key maps to column 'Id' twice: each column goes into one mapping"),
		invalidKey("the types match", addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Total","referencedColumn":"Id"}]}`),
			"Column 'Total' (decimal) cannot refer to 'Customers.Id' (int): the types do not match"),
		invalidKey("an action is the dialect's", setsKey(`{"onDeleteAction":"restrict"}`),
			"Foreign key action 'restrict' is not available on SQL Server: use cascade, no_action, set_null, set_default"),
		invalidKey("an action's number is the tool's", setsKey(`{"onUpdateAction":4}`),
			"Foreign key action '4' is not available on SQL Server: use cascade, no_action, set_null, set_default"),
		invalidKey("set null needs nullable columns", addsKey("Lines", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Quantity","referencedColumn":"Id"}],"onDeleteAction":2}`),
			"Foreign key action set_null needs nullable columns: column 'Quantity' is not"),
		invalidKey("set default needs defaults", setsKey(`{"onUpdateAction":3}`),
			"Foreign key action set_default needs a default value: column 'CustomerId' has none"),
		invalidKey("a self-reference may not cascade", addsKey("Customers", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Region","referencedColumn":"Id"}],"onDeleteAction":0}`),
			"Foreign key would make a cascade cycle through table 'dbo.Customers': use no_action"),
	})
}

func TestColumnsStayFitForTheirForeignKeys(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, "["+setsColumn("Orders", "CustomerId", `{"defaultValue":"1"}`)+","+setsKey(`{"onDeleteAction":"set_null","onUpdateAction":"set default"}`)+"]")
	assert.Equal(t, "Column 'CustomerId' must stay nullable: foreign key 'FK_Orders_Customers' sets it to null",
		refuse(t, s, setsColumn("Orders", "CustomerId", `{"isNullable":false}`)).Message)
	assert.Equal(t, "Column 'CustomerId' must keep a default value: foreign key 'FK_Orders_Customers' sets it to its default",
		refuse(t, s, setsColumn("Orders", "CustomerId", `{"defaultValue":""}`)).Message)
	apply(t, s, "["+setsColumn("Orders", "CustomerId", `{"name":"Buyer","defaultValue":"2"}`)+"]")
}

func TestSelfReferencesAndSeveralKeysOnOneColumnAreAllowed(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, "["+addsKey("Customers", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Region","referencedColumn":"Id"}]}`)+
		","+addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}`)+
		","+addsKey("Orders", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"CustomerId","referencedColumn":"Id"}]}`)+
		","+addsKey("Lines", `{"referencedTable":{"name":"Lines"},"mappings":[{"column":"Parent","referencedColumn":"Line"},{"column":"OrderId","referencedColumn":"OrderId"}]}`)+"]")
	var names []string
	for _, k := range tableOf(t, s, "Orders").ForeignKeys {
		names = append(names, k.Name)
	}
	assert.Equal(t, []string{"FK_Orders_Customers", "FK_Orders_Customers_2", "FK_Orders_Customers_3"}, names)
	assert.Equal(t, "FK_Customers_Customers", tableOf(t, s, "Customers").ForeignKeys[0].Name)

	apply(t, s, `[{"op":"drop_table","table":{"name":"Lines"}},{"op":"drop_table","table":{"name":"Customers"}}]`)
	assert.Empty(t, tableOf(t, s, "Orders").ForeignKeys)
}

func TestAGivenNameOfAKeyFitsTheDialect(t *testing.T) {
	d := serverDialect()
	d.Names.MaxLength = 12
	s := emptySchema(d)
	apply(t, s, `[{"op":"add_table","table":{"name":"Customers"},"initialColumns":[{"name":"Id","dataType":"int","isPrimaryKey":true},{"name":"Up","dataType":"int"}]}]`)
	key := addsKey("Customers", `{"referencedTable":{"name":"Customers"},"mappings":[{"column":"Up","referencedColumn":"Id"}]}`)
	apply(t, s, "["+key+","+key+"]")
	keys := tableOf(t, s, "Customers").ForeignKeys
	assert.Equal(t, "FK_Customers", keys[0].Name)
	assert.Equal(t, "FK_Custome_2", keys[1].Name)
}

func TestAKeyCanPointElsewhere(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, `[{"op":"add_table","table":{"name":"Clients"},"initialColumns":[{"name":"ID","dataType":"bigint","isPrimaryKey":true}]}]`)
	apply(t, s, "["+setsKey(`{"referencedTable":{"name":"Clients"}}`)+"]")
	k := s.DefineTable(tableOf(t, s, "Orders")).ForeignKeys[0]
	assert.Equal(t, "Clients", k.ReferencedTable.Name, "the mappings go by the names they had")
	assert.Equal(t, []NameMapping{{"CustomerId", "ID"}}, k.Mappings)
	apply(t, s, `[{"op":"drop_table","table":{"name":"Customers"}}]`)
	require.Len(t, tableOf(t, s, "Orders").ForeignKeys, 1)
}
