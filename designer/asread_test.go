package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// odd is a schema as some databases hold it, though no edit could make it.
func odd(t *testing.T) *Schema {
	t.Helper()
	pair := func(a, b string) []NameMapping { return []NameMapping{{a, b}} }
	s, err := Build(serverDialect(), Definition{Tables: []TableDefinition{
		{Name: "Parent", Columns: []Column{{Name: "Id", DataType: "int", IsNullable: true}, {Name: "Code", DataType: "varchar", MaxLength: "9"}},
			PrimaryKey: &KeyDefinition{Columns: []string{"Id"}}},
		{Name: "Child", Columns: []Column{
			{Name: "Place", DataType: "geometry", TypeText: "geometry(7)", IsNullable: true},
			{Name: "Untyped"},
			{Name: "Parent", DataType: "character varying", TypeText: "VARCHAR(9)", MaxLength: "9"},
			{Name: "Twice", DataType: "int", IsComputed: true, ComputedFormula: "1 -- one"},
			{Name: "Number", DataType: "bit", IsIdentity: true},
		}, ForeignKeys: []ForeignKeyDefinition{
			{ReferencedTable: TableRef{Name: "Gone"}, Mappings: pair("Place", "Id"), OnDelete: Cascade},
			{Name: "FK_NoKey", ReferencedTable: TableRef{Name: "parent"}, Mappings: pair("Parent", "code"), OnDelete: SetNull, OnUpdate: SetDefault},
			{Name: "FK_NoColumn", ReferencedTable: TableRef{Name: "Parent"}, Mappings: pair("Parent", "Missing")},
		}},
	}}, &Options{NewID: counted()})
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

func TestWhatADatabaseHoldsDoesNotStopOtherEdits(t *testing.T) {
	tests := []struct{ name, edit string }{
		{"a column of an unknown type is renamed", setsColumn("Child", "Place", `{"name":"Spot","isNullable":false}`)},
		{"a column of an unknown type is repeated", setsColumn("Child", "Place", `{"dataType":"GEOMETRY","maxLength":"","precision":0,"scale":0}`)},
		{"a column without a type is renamed", setsColumn("Child", "Untyped", `{"name":"Any"}`)},
		{"a computed column with a comment is renamed", setsColumn("Child", "Twice", `{"name":"One"}`)},
		{"an identity of a strange type is renamed", setsColumn("Child", "Number", `{"name":"No"}`)},
		{"a nullable key column is renamed", setsColumn("Parent", "Id", `{"name":"ID2"}`)},
		{"a nullable key column is repeated", setsColumn("Parent", "Id", `{"isNullable":true,"isPrimaryKey":true}`)},
		{"a column that cannot be set to null is renamed", setsColumn("Child", "Parent", `{"name":"Up"}`)},
		{"a key to no key is renamed", `{"op":"set_foreign_key","table":{"name":"Child"},"foreignKey":{"name":"FK_NoKey"},"set":{"name":"FK"}}`},
		{"a key to no column is renamed", `{"op":"set_foreign_key","table":{"name":"Child"},"foreignKey":{"name":"FK_NoColumn"},"set":{"name":"FK"}}`},
		{"a key to no column gets another action", `{"op":"set_foreign_key","table":{"name":"Child"},"foreignKey":{"name":"FK_NoColumn"},"set":{"onDeleteAction":0}}`},
		{"a key to no column is dropped", `{"op":"drop_foreign_key","table":{"name":"Child"},"foreignKey":{"name":"FK_NoColumn"}}`},
		{"the table is renamed", `{"op":"set_table","table":{"name":"Child"},"set":{"name":"Kid"}}`},
		{"the table it refers to is dropped", `{"op":"drop_table","table":{"name":"Parent"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { apply(t, odd(t), "["+tt.edit+"]") })
	}
}

func TestWhatAnEditChangesHasToBeRight(t *testing.T) {
	set := func(key, set string) string {
		return `{"op":"set_foreign_key","table":{"name":"Child"},"foreignKey":{"name":"` + key + `"},"set":` + set + `}`
	}
	unnamed := `'(unnamed, id ` + string(tableOf(t, odd(t), "Child").ForeignKeys[0].ID) + `)'`
	tests := []struct{ name, edit, message string }{
		{"the parameters of an unknown type", setsColumn("Child", "Place", `{"maxLength":"5"}`), "Data type 'geometry' is invalid"},
		{"a formula", setsColumn("Child", "Twice", `{"computedFormula":"2 -- two"}`),
			"computedFormula of column 'Twice' has a string, name or comment that does not end: close it"},
		{"an identity's default", setsColumn("Child", "Number", `{"defaultValue":"1"}`), "Column 'Number': data type 'bit' cannot be an identity column"},
		{"the action of a key to no column", set("FK_NoColumn", `{"onDeleteAction":"restrict"}`),
			"Foreign key action 'restrict' is not available on SQL Server: use cascade, no_action, set_null, set_default"},
		{"the mappings of a key to no column", set("FK_NoColumn", `{"mappings":[{"column":"Parent","referencedColumn":"Code"}]}`),
			"Foreign key 'FK_NoColumn' refers to a table that does not exist: give referencedTable"},
		{"the target of a key to no key", set("FK_NoKey", `{"referencedTable":{"name":"Parent"},"mappings":[{"column":"Untyped","referencedColumn":"Code"}]}`),
			"Referenced columns 'Code' are not, as a whole, a primary or unique key of table 'dbo.Parent'"},
		{"a column that an unnamed key uses", dropsColumn("Child", "Place"),
			"Column 'Place' cannot be dropped: foreign key " + unnamed + " uses it; drop the key first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.message, refuse(t, odd(t), tt.edit).Message)
		})
	}
}

func TestADatabasesSpellingOfATypeLastsAsLongAsTheType(t *testing.T) {
	tests := []struct{ name, set, want string }{
		{"another name of the column", `{"name":"Up"}`, "VARCHAR(9)"},
		{"the same type again", `{"dataType":"CHARACTER VARYING(9)"}`, "VARCHAR(9)"},
		{"another spelling of the type", `{"dataType":"varchar"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := odd(t)
			id := columnOf(t, s, "Child", "Parent").ID
			apply(t, s, "["+setsColumn("Child", "Parent", tt.set)+"]")
			assert.Equal(t, tt.want, tableOf(t, s, "Child").ColumnByID(id).TypeText)
		})
	}
}

func TestAComputedColumnBecomesAnOrdinaryOneWithAType(t *testing.T) {
	s := shop(t, serverDialect())
	apply(t, s, "["+addsColumn(`{"name":"a","isComputed":true,"computedFormula":"Total*2"}`)+"]")
	err := refuse(t, s, setsColumn("Orders", "a", `{"isComputed":false}`))
	assert.Equal(t, "Column 'a' needs a dataType", err.Message)
	apply(t, s, "["+setsColumn("Orders", "a", `{"isComputed":false,"dataType":"int"}`)+"]")
	assert.Empty(t, columnOf(t, s, "Orders", "a").ComputedFormula)
}
