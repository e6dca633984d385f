package designer_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A check that uses a column keeps it and follows its name, as the dialect's
// own server reads the check.
func TestTheNamesInATextAreTheServers(t *testing.T) {
	for _, tt := range []struct {
		dialect *designer.Dialect
		column  string
		text    string
		renamed string // to fresh; "": the text does not use the column
	}{
		{postgres.Dialect(), "tags", "tags@>ARRAY[1]", "fresh@>ARRAY[1]"},
		{postgres.Dialect(), "data", "data#>>'{kind}'='x'", "fresh#>>'{kind}'='x'"},
		{postgres.Dialect(), "b", "a#b>0", "a#fresh>0"},
		{postgres.Dialect(), "b", "a@>b", "a@>fresh"},
		{postgres.Dialect(), "n", "v[1:n]=v", "v[1:fresh]=v"},
		{postgres.Dialect(), "n", "v::n=v", ""},
		{postgres.Dialect(), "kind", `U&"k\0069nd">0`, `U&"fresh">0`},
		{postgres.Dialect(), "kind", `U&"k!0069nd" UESCAPE '!'>0`, `U&"fresh" UESCAPE '!'>0`},
		{postgres.Dialect(), "x", "a=x'41'", ""},
		{postgres.Dialect(), "b", "a-b>0", "a-fresh>0"},
		{mysql.Dialect(), "x", "a=x'41'", ""},
		{mysql.Dialect(), "b", "a=b'1'", ""},
		{mysql.Dialect(), "_utf8mb4", "a=_utf8mb4'1'", ""},
		{mysql.Dialect(), "_utf8mb4", "a=_utf8mb4 '1'", ""},
		{mysql.Dialect(), "a", "a>@a", "fresh>@a"},
		{mysql.Dialect(), "b", "a--b>0", ""}, // refused: other servers see a comment
		{mysql.Dialect(), "1a", "1a>0", "fresh>0"},
		{sqlite.Dialect(), "a", "a->>'$.x'>0", "fresh->>'$.x'>0"},
		{sqlite.Dialect(), "x", "a=x'41'", ""},
		{sqlite.Dialect(), "kind", "[kind]>0 AND `kind`>0", "[fresh]>0 AND `fresh`>0"},
		{mssql.Dialect(), "a#b", "a#b>0", "fresh>0"},
		{mssql.Dialect(), "a@b", "a@b>0", "fresh>0"},
		{mssql.Dialect(), "b", "a@b>0", ""},
		{mssql.Dialect(), "N", "a=N'x'", ""},
		{mssql.Dialect(), "a", "a>@a", "fresh>@a"},
	} {
		t.Run(tt.dialect.Name+" "+tt.text, func(t *testing.T) {
			s := designer.New(tt.dialect, nil)
			_, ok := apply(t, s, fmt.Sprintf(`{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"other","dataType":"%[2]s"},{"name":%[1]q,"dataType":"%[2]s"}]}`, tt.column, tt.dialect.Types[0].Name))
			require.Nil(t, ok)
			text, err := json.Marshal(tt.text)
			require.NoError(t, err)
			_, refused := apply(t, s, fmt.Sprintf(`{"op":"add_check","table":{"name":"t"},"check":{"name":"c","expression":%s}}`, text))
			if tt.renamed == "" && refused != nil {
				return
			}
			require.Nil(t, refused)
			_, refused = apply(t, s, fmt.Sprintf(`{"op":"drop_column","table":{"name":"t"},"column":{"name":%q}}`, tt.column))
			assert.Equal(t, tt.renamed != "", refused != nil, "whether it keeps the column")
			if tt.renamed == "" {
				return
			}
			_, refused = apply(t, s, fmt.Sprintf(`{"op":"set_column","table":{"name":"t"},"column":{"name":%q},"set":{"name":"fresh"}}`, tt.column))
			require.Nil(t, refused)
			assert.Equal(t, tt.renamed, s.Tables()[0].Checks[0].Expression)
		})
	}
}

func apply(t *testing.T, s *designer.Schema, edit string) (designer.Change, *designer.Error) {
	t.Helper()
	list, err := edits.Decode(json.RawMessage("[" + edit + "]"))
	if err != nil {
		require.FailNow(t, "the edit does not decode", "%v", err)
	}
	return s.Apply(list[0])
}

// A new name is written so that the server reads it as that name.
func TestANewNameReadsBackAsItself(t *testing.T) {
	for _, tt := range []struct {
		dialect       *designer.Dialect
		name, renamed string
	}{
		{postgres.Dialect(), "a#b", `"a#b">0`}, {postgres.Dialect(), "a@b", `"a@b">0`}, {postgres.Dialect(), "Sum", `"Sum">0`}, {postgres.Dialect(), "sum", "sum>0"},
		{mysql.Dialect(), "a#b", "`a#b`>0"}, {mysql.Dialect(), "a@b", "`a@b`>0"}, {mysql.Dialect(), "Sum2", "Sum2>0"},
		{sqlite.Dialect(), "a#b", `"a#b">0`}, {sqlite.Dialect(), "a@b", `"a@b">0`}, {sqlite.Dialect(), "Sum", "Sum>0"},
		{mssql.Dialect(), "a#b", "a#b>0"}, {mssql.Dialect(), "a b", "[a b]>0"},
	} {
		t.Run(tt.dialect.Name+" "+tt.name, func(t *testing.T) {
			s := designer.New(tt.dialect, nil)
			for _, edit := range []string{
				fmt.Sprintf(`{"op":"add_table","table":{"name":"t"},"initialColumns":[{"name":"old","dataType":%q}]}`, tt.dialect.Types[0].Name),
				`{"op":"add_check","table":{"name":"t"},"check":{"name":"c","expression":"old>0"}}`,
				fmt.Sprintf(`{"op":"set_column","table":{"name":"t"},"column":{"name":"old"},"set":{"name":%q}}`, tt.name),
			} {
				_, refused := apply(t, s, edit)
				require.Nil(t, refused)
			}
			assert.Equal(t, tt.renamed, s.Tables()[0].Checks[0].Expression)
		})
	}
}
