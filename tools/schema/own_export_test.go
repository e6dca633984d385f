package schema_test

import (
	"os"
	"path/filepath"
	"strings"
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

// DBML cannot express row security, how a serial counts, conditions and
// operator classes. An import of berth's own export must not take them away,
// and a change in the file must be all that changes.
func TestWhatDBMLCannotExpressStays(t *testing.T) {
	w := newServerWorld(t, "postgres")
	w.exec(`CREATE TABLE boats (id serial PRIMARY KEY, name varchar(20) COLLATE "C", owner text);
		ALTER TABLE boats ENABLE ROW LEVEL SECURITY;
		CREATE INDEX owned ON boats (owner text_pattern_ops DESC) WHERE owner <> '';`)
	shown := w.does("show", "", nil)
	require.True(t, shown.Success, shown.text)
	require.True(t, w.does("export", `"payload":{"format":"dbml","path":"own.dbml"}`, nil).Success)
	imported := w.does("import", `"payload":{"path":"own.dbml","expectedVersion":"`+shown.Version+`"}`, nil)
	require.True(t, imported.Success, imported.text)
	assert.Equal(t, shown.Version, imported.Version)

	path := filepath.Join(w.root, "own.dbml")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := strings.Replace(string(text), "varchar(20)", "varchar(40)", 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o644))
	imported = w.does("import", `"payload":{"path":"own.dbml","expectedVersion":"`+shown.Version+`"}`, nil)
	require.True(t, imported.Success, imported.text)
	changes := w.does("get_changes", "", nil)
	assert.Contains(t, changes.text, `"changes":[{"kind":"alter_column","table":{"schema":"public","name":"boats"},"name":"name","fields":["type"]}],"steps":1,`)
}

// A file of 0 bytes looks like an export that went wrong.
func TestAnExportOfNothingSaysSo(t *testing.T) {
	w := newServerWorld(t, "postgres")
	shown := w.does("show", "", nil)
	require.True(t, shown.Success)
	for _, format := range []string{"sql", "plan", "dbml", "json", "mermaid"} {
		exported := w.does("export", `"payload":{"format":"`+format+`","path":"own.`+format+`"}`, nil)
		require.True(t, exported.Success, exported.text)
		text, err := os.ReadFile(filepath.Join(w.root, "own."+format))
		require.NoError(t, err)
		assert.NotEmpty(t, text, format)
		if format == "sql" || format == "dbml" || format == "json" {
			imported := w.does("import", `"payload":{"path":"own.`+format+`","expectedVersion":"`+shown.Version+`"}`, nil)
			assert.True(t, imported.Success, "%s: %s", format, imported.text)
		}
	}
}
