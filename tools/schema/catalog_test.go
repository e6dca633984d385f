package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// properties are the names in a part of a tool's schema.
type properties map[string]struct {
	Properties properties
}

func listed(t *testing.T) (top, defs properties) {
	t.Helper()
	d, ok := catalog.Lookup(catalog.SchemaDesigner)
	require.True(t, ok)
	var schema struct {
		Properties properties
		Defs       properties `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(d.InputSchema, &schema))
	return schema.Properties, schema.Defs
}

// What a client is told of and what the tool reads are the same fields.
func TestTheListedFieldsAreThoseRead(t *testing.T) {
	assert.Equal(t, catalog.Operations(), operationNames())
	top, _ := listed(t)
	var told []string
	for name, p := range top {
		told = append(told, name)
		if name == "payload" || name == "options" {
			for inner := range p.Properties {
				told = append(told, name+"."+inner)
			}
		}
	}
	read := map[string]bool{}
	for _, operation := range operationNames() {
		for _, field := range fieldsOf(operation) {
			read[field] = true
		}
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(read)), told)
}

// Every member that a client is told of is one that edits take.
func TestTheListedShapesAreThoseDecoded(t *testing.T) {
	_, defs := listed(t)
	ref := map[string]string{"column": "drop_column", "foreignKey": "drop_foreign_key", "index": "drop_index", "check": "drop_check"}
	add := map[string]string{"column": "add_column", "foreignKey": "add_foreign_key", "index": "add_index", "check": "add_check"}
	shapes := map[string]properties{"column": defs["column"].Properties, "foreignKey": defs["foreignKey"].Properties,
		"index": defs["edit"].Properties["index"].Properties, "check": defs["edit"].Properties["check"].Properties}
	for kind, shape := range shapes {
		require.NotEmpty(t, shape, kind)
		for member := range shape {
			op := add[kind]
			if member == "id" {
				op = ref[kind]
			}
			_, err := edits.Decode(json.RawMessage(`[{"op":"` + op + `","table":{"name":"t"},"` + kind + `":{"` + member + `":"x"}}]`))
			if err != nil {
				assert.False(t, strings.Contains(err.Message, "has no field"), err.Message)
			}
		}
	}
}
