package catalog_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/catalog"
)

func designerSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	d, ok := catalog.Lookup(catalog.SchemaDesigner)
	require.True(t, ok)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(d.InputSchema, &schema))
	return &schema
}

func TestDesignerEnumsAreTheCodesOwnLists(t *testing.T) {
	schema := designerSchema(t)
	var operations, ops []any
	for _, o := range catalog.Operations() {
		operations = append(operations, o)
	}
	for _, o := range designer.Ops() {
		ops = append(ops, string(o))
	}
	assert.Equal(t, operations, schema.Properties["operation"].Enum)
	assert.Equal(t, ops, schema.Defs["edit"].Properties["op"].Enum)
}

// A model sees each name under one definition only.
func TestDesignerShapesStandOnce(t *testing.T) {
	schema := designerSchema(t)
	for name := range schema.Defs {
		d, _ := catalog.Lookup(catalog.SchemaDesigner)
		assert.Contains(t, string(d.InputSchema), `"#/$defs/`+name+`"`, "defined and never used")
	}
}

// Clients that check schemas strictly warn of a type that is a list, on their
// user's terminal: a member that may be a word or a number has none.
func TestNoSchemaHasAListOfTypes(t *testing.T) {
	for _, d := range catalog.All() {
		assert.NotContains(t, string(d.InputSchema)+string(d.OutputSchema), `"type":[`, d.Name)
	}
}

func TestTheDocumentsExamplesFitTheDesignersSchema(t *testing.T) {
	resolved, err := designerSchema(t).Resolve(nil)
	require.NoError(t, err)
	for name, example := range map[string]string{
		"show":         `{"operation":"show","connectionId":"..."}`,
		"get_overview": `{"operation":"get_overview","options":{"includeColumns":"namesAndTypes"}}`,
		"get_table": `{"operation":"get_table","payload":{"table":{"schema":"dbo","name":"Orders"}},
			"options":{"includeColumns":"namesAndTypes","includeForeignKeys":true}}`,
		"apply_edits": `{"operation":"apply_edits","payload":{"expectedVersion":"...","targetHint":{"server":"...","database":"..."},
			"edits":[{"op":"add_table","table":{"schema":"dbo","name":"Orders"}},
			{"op":"add_column","table":{"schema":"dbo","name":"Orders"},"column":{"name":"OrderId","dataType":"int","isPrimaryKey":true}}]}}`,
		"ColumnCreate": `{"operation":"apply_edits","payload":{"edits":[{"op":"add_column","table":{"name":"Orders"},"column":
			{"name":"OrderId","dataType":"int","maxLength":"","precision":0,"scale":0,"isPrimaryKey":true,"isIdentity":true,
			"identitySeed":1,"identityIncrement":1,"isNullable":false,"defaultValue":"","isComputed":false,"computedFormula":"","computedPersisted":false}}]}}`,
		"ForeignKeyCreate": `{"operation":"apply_edits","payload":{"edits":[{"op":"add_foreign_key","table":{"name":"Orders"},"foreignKey":
			{"name":"FK_Orders_Customers","referencedTable":{"schema":"dbo","name":"Customers"},
			"mappings":[{"column":"CustomerId","referencedColumn":"Id"}],"onDeleteAction":1,"onUpdateAction":1}}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var value map[string]any
			require.NoError(t, json.Unmarshal([]byte(example), &value))
			value["projectRoot"] = "/home/ann/shop"
			assert.NoError(t, resolved.Validate(value))
		})
	}
}
