package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func encode(t *testing.T, v any) []byte {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return buf.Bytes()
}

// Every conversation pays for these bytes, so a change of one of them has to
// show in review.
func TestListedToolsArePinned(t *testing.T) {
	var lines bytes.Buffer
	for _, d := range catalog.All() {
		lines.Write(encode(t, d))
	}
	golden(t, "tools_list.jsonl", lines.Bytes())
	golden(t, "instructions.txt", []byte(catalog.Instructions+"\n"))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "%s changed: if it is meant, run go test ./tools/catalog -update", path)
}

func TestEveryToolKeepsTheRules(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range catalog.All() {
		t.Run(d.Name, func(t *testing.T) {
			assert.False(t, seen[d.Name], "two tools of one name: clients would drop one of them")
			seen[d.Name] = true
			assert.NotEmpty(t, d.Title)
			assert.NotEmpty(t, d.Description)
			assert.False(t, d.Annotations.ReadOnly && d.Annotations.Destructive, "a tool that reads only destroys nothing")

			limit := catalog.MaxDefinitionBytes
			if d.Name == catalog.SchemaDesigner {
				limit = catalog.MaxDesignerBytes
			}
			assert.Less(t, len(encode(t, d)), limit, "every conversation pays for the bytes of a definition")

			found, ok := catalog.Lookup(d.Name)
			require.True(t, ok)
			assert.Equal(t, d, found)
		})
	}
	_, ok := catalog.Lookup("GET-TABLES")
	assert.False(t, ok, "names are matched exactly")
}

func TestEveryInputSchemaIsAnObjectModelApisAccept(t *testing.T) {
	for _, d := range catalog.All() {
		t.Run(d.Name, func(t *testing.T) {
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, d.InputSchema))
			assert.Equal(t, compact.String(), string(d.InputSchema), "schemas are kept compact")

			var top map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(d.InputSchema, &top))
			assert.JSONEq(t, `"object"`, string(top["type"]))
			for _, refused := range []string{"oneOf", "anyOf", "allOf", "not", "enum"} {
				assert.NotContains(t, top, refused, "model APIs refuse it at the top of a tool's schema")
			}

			var schema jsonschema.Schema
			require.NoError(t, json.Unmarshal(d.InputSchema, &schema))
			_, err := schema.Resolve(nil)
			require.NoError(t, err, "not a valid JSON Schema")
			if d.Name == catalog.ListProjects {
				assert.Empty(t, schema.Required, "it is how an agent learns of the roots")
				return
			}
			assert.Contains(t, schema.Required, "projectRoot", "the project is named in every call: it is the routing key")
			assert.Equal(t, "string", schema.Properties["projectRoot"].Type)
		})
	}
}

func TestAnnotationsAreAllSent(t *testing.T) {
	for _, d := range catalog.All() {
		text := string(encode(t, d))
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			assert.Equal(t, 1, strings.Count(text, hint), "%s of %s", hint, d.Name)
		}
	}
}

func TestToolsSayWhatTheyChangeAndHowTheyFail(t *testing.T) {
	for _, d := range catalog.All() {
		file := strings.HasPrefix(d.Name, "fs_")
		changes := d.Name == catalog.SchemaDesigner || d.Name == catalog.ExecuteSQL || d.Name == catalog.EditFile
		assert.Equal(t, !changes, d.Annotations.ReadOnly, d.Name)
		assert.Equal(t, strings.Contains(d.Name, "schema_designer") || file, d.Failure == catalog.Structured, d.Name)
		assert.Equal(t, changes, d.Annotations.Destructive, "publish, execute-sql and edits lose what was there: %s", d.Name)
		assert.False(t, d.Annotations.OpenWorld, d.Name)
		assert.Equal(t, file, d.MaxReplyBytes == catalog.MaxFileReplyBytes, d.Name)
	}
}

// The four database tools carry the document's own words.
func TestDatabaseToolsCarryTheDocumentsWords(t *testing.T) {
	for name, words := range map[string][2]string{
		"get-tables":        {"Get tables", "Get list of tables in database"},
		"get-schema":        {"Get table schema", "Get schema for specified table"},
		"get-database-type": {"Get database type", "Get database type (e.g. mysql2, postgres, mssql) to determine SQL syntax"},
		"run-query":         {"Run a query", "Run a SQL query"},
	} {
		d, ok := catalog.Lookup(name)
		require.True(t, ok, name)
		assert.Equal(t, words, [2]string{d.Title, d.Description})
	}
}
