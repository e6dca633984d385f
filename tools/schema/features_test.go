package schema_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// features are what an edit can say beside tables, columns, keys and checks.
var features = []struct {
	name, edit string
}{
	{name: "comment on a table", edit: `{"op":"set_table","table":{"name":"orders"},"set":{"comment":"what was bought"}}`},
	{name: "comment on a column", edit: `{"op":"set_column","table":{"name":"orders"},"column":{"name":"status"},"set":{"comment":"open, paid or sent"}}`},
	{name: "unique column (`isUnique`)", edit: `{"op":"set_column","table":{"name":"customers"},"column":{"name":"email"},"set":{"isUnique":true}}`},
	{name: "index on an expression", edit: `{"op":"add_index","table":{"name":"customers"},"index":{"name":"ix_lower","columns":[{"expression":"lower(email)"}]}}`},
	{name: "index of another method", edit: `{"op":"add_index","table":{"name":"customers"},"index":{"name":"ix_method","columns":["email"],"method":"$METHOD"}}`},
	{name: "index with a condition", edit: `{"op":"add_index","table":{"name":"orders"},"index":{"name":"ix_open","columns":["placed_at"],"where":"status = 'open'"}}`},
	{name: "index with included columns", edit: `{"op":"add_index","table":{"name":"orders"},"index":{"name":"ix_status_total","columns":["status"],"include":["total"]}}`},
	{name: "index of the beginning of a column", edit: `{"op":"add_index","table":{"name":"customers"},"index":{"name":"ix_begin","columns":[{"name":"email","length":10}]}}`},
	{name: "enum type", edit: `{"op":"add_type","type":{"name":"state","values":["open","paid"]}}`},
	{name: "domain type", edit: `{"op":"add_type","type":{"name":"amount","dataType":"numeric(10,2)","check":"VALUE >= 0"}}`},
	{name: "values of a column's enum", edit: `{"op":"add_column","table":{"name":"orders"},"column":{"name":"state","dataType":"enum","values":["open","paid"],"isNullable":true}}`},
}

// methods are those of an index that are not the ordinary one.
var methods = map[string]string{"postgres": "hash", "mysql": "fulltext", "sqlite": "hash", "mssql": "columnstore"}

// Each of them is edited, undone, redone, and comes back out of a file as it
// was, or is refused in words, and docs/features.md says which.
func TestWhatAnEditCanSayOnEachDatabase(t *testing.T) {
	dialects := []string{"postgres", "mysql", "sqlite", "mssql"}
	var table, refusals strings.Builder
	table.WriteString("\n| | PostgreSQL | MySQL, MariaDB | SQLite | SQL Server |\n| --- | --- | --- | --- | --- |\n")
	refusals.WriteString("\nWhat a refusal says:\n\n")
	for _, f := range features {
		fmt.Fprintf(&table, "| %s |", f.name)
		for _, dialect := range dialects {
			refused := comesThrough(t, dialect, strings.ReplaceAll(f.edit, "$METHOD", methods[dialect]))
			if refused == "" {
				table.WriteString(" yes |")
				continue
			}
			table.WriteString(" no |")
			fmt.Fprintf(&refusals, "- %s, %s: %s\n", dialect, f.name, refused)
		}
		table.WriteString("\n")
	}
	path := filepath.Join("..", "..", "docs", "features.md")
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	const mark = "<!-- written by go test ./tools/schema -run TestWhatAnEditCanSay -update -->\n"
	head, had, found := strings.Cut(string(page), mark)
	require.True(t, found, mark)
	text := table.String() + refusals.String()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(head+mark+text), 0o644))
		return
	}
	assert.Equal(t, text, had, "docs/features.md; if it is meant, run this test with -update")
}

// comesThrough makes an edit and takes it through undo, redo and a file. It
// returns the refusal if the dialect has nothing of the kind.
func comesThrough(t *testing.T, dialect, edit string) (refused string) {
	t.Helper()
	w, before := newDialectWorld(t, dialect)
	made := w.apply(before, edit)
	if !made.Success {
		require.NotEmpty(t, made.Message)
		return made.Message
	}
	require.NotEqual(t, before, made.Version, "%s: %s", dialect, edit)
	undone := w.does("undo", "", nil)
	require.True(t, undone.Success, undone.text)
	require.Equal(t, before, undone.Version, "%s: undo of %s", dialect, edit)
	redone := w.does("redo", "", nil)
	require.Equal(t, made.Version, redone.Version, "%s: redo of %s", dialect, edit)
	exported := w.does("export", `"payload":{"format":"json","path":"out.json"}`, nil)
	require.True(t, exported.Success, exported.text)
	require.Equal(t, before, w.does("undo", "", nil).Version)
	imported := w.does("import", `"payload":{"path":"out.json","expectedVersion":"`+before+`"}`, nil)
	require.True(t, imported.Success, imported.text)
	assert.Equal(t, made.Version, imported.Version, "%s: import of %s", dialect, edit)
	for _, format := range []string{"sql", "dbml"} {
		exported := w.does("export", `"payload":{"format":"`+format+`","path":"out.`+format+`"}`, nil)
		require.True(t, exported.Success, exported.text)
	}
	return ""
}
