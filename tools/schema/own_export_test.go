package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A type of a schema that is neither the default one nor on every path is
// there all the same: MusicBrainz has all its types so.
func TestAnOwnExportWithATypeOfAnotherSchemaIsImported(t *testing.T) {
	w := newServerWorld(t, "postgres")
	w.exec(`CREATE SCHEMA music; CREATE TYPE music.presence AS ENUM ('absent', 'present');
		CREATE TABLE music.release (id integer PRIMARY KEY, cover music.presence, past music.presence[]);`)
	shown := w.does("show", "", nil)
	require.True(t, shown.Success, shown.text)
	for _, format := range []string{"json", "dbml", "sql"} {
		exported := w.does("export", `"payload":{"format":"`+format+`","path":"own.`+format+`"}`, nil)
		require.True(t, exported.Success, exported.text)
		imported := w.does("import", `"payload":{"path":"own.`+format+`","expectedVersion":"`+shown.Version+`"}`, nil)
		assert.True(t, imported.Success, "%s: %s", format, imported.text)
		assert.Equal(t, shown.Version, imported.Version, format)
	}
}
