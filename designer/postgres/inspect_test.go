package postgres

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

var update = flag.Bool("update", false, "rewrite the expected definitions and plans")

// file reads a file of testdata.
func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

// golden compares with a file of testdata.
func golden(t testing.TB, name, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join("testdata", name), []byte(got), 0o644))
	}
	assert.Equal(t, file(t, name), got)
}

func TestInspectReadsEverythingAScriptSays(t *testing.T) {
	def, err := Inspect(context.Background(), open(t, file(t, "everything.sql")))
	require.NoError(t, err)
	got, err := json.MarshalIndent(def, "", "\t")
	require.NoError(t, err)
	golden(t, "everything.json", string(got)+"\n")

	schema, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err, "the designer takes what is read")
	require.NoError(t, schema.Check())
	again, err := designer.Build(Dialect(), schema.Definition(), &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	assert.Equal(t, schema.Version(), again.Version())
}

func TestInspectReadsAnEmptyDatabase(t *testing.T) {
	def, err := Inspect(context.Background(), open(t, ""))
	require.NoError(t, err)
	assert.Equal(t, designer.Definition{Schemas: []string{"public"}, Tables: []designer.TableDefinition{}}, def)
}
