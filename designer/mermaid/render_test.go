package mermaid

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
)

var update = flag.Bool("update", false, "write the golden files")

func column(name, typ string) designer.Column { return designer.Column{Name: name, DataType: typ} }

func nullable(name, typ string) designer.Column {
	return designer.Column{Name: name, DataType: typ, IsNullable: true}
}

func refersTo(table string, pairs ...string) designer.ForeignKeyDefinition {
	k := designer.ForeignKeyDefinition{ReferencedTable: designer.TableRef{Name: table}}
	for i := 0; i < len(pairs); i += 2 {
		k.Mappings = append(k.Mappings, designer.NameMapping{Column: pairs[i], ReferencedColumn: pairs[i+1]})
	}
	return k
}

func harbour() designer.Definition {
	price := nullable("price", "numeric")
	price.Precision, price.Scale = 10, 2
	seen := nullable("seen", "timestamptz")
	seen.Scale, seen.Comment = 6, `when "last" seen,
on any day`
	return designer.Definition{Tables: []designer.TableDefinition{
		{Name: "boat", PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}},
			Columns: []designer.Column{column("id", "integer"), column("name", "text"), price, seen, nullable("fk", "double precision"), nullable("tags", "text[]")},
			Indexes: []designer.IndexDefinition{{Name: "u", Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "name"}}}}},
		{Name: "papers", PrimaryKey: &designer.KeyDefinition{Columns: []string{"boat"}}, Columns: []designer.Column{column("boat", "integer")},
			ForeignKeys: []designer.ForeignKeyDefinition{refersTo("boat", "boat", "id")}},
		{Schema: "app", Name: "Crew List", PrimaryKey: &designer.KeyDefinition{Columns: []string{"boat", "seat no"}},
			Columns: []designer.Column{column("boat", "integer"), column("seat no", "integer"), nullable("boss boat", "integer"), nullable("boss seat", "integer")},
			ForeignKeys: []designer.ForeignKeyDefinition{refersTo("boat", "boat", "id"), refersTo("gone", "boat", "id"),
				{ReferencedTable: designer.TableRef{Schema: "app", Name: "Crew List"}, Mappings: []designer.NameMapping{
					{Column: "boss boat", ReferencedColumn: "boat"}, {Column: "boss seat", ReferencedColumn: "seat no"}}}}},
		{Name: "to", Columns: []designer.Column{column("1st", "integer"), column("größe", "integer"), column("???", "integer"), column("!!!", "integer")}},
		{Name: "draft"}, {Schema: "app", Name: "boat", Columns: []designer.Column{column("x", "integer")}}, {Name: "app_boat", Columns: []designer.Column{column("x", "integer")}},
	}}
}

func TestADesignIsDrawn(t *testing.T) {
	s, err := designer.Build(postgres.Dialect(), harbour(), nil)
	require.NoError(t, err)
	got := Render(s)
	golden := filepath.Join("testdata", "harbour.mmd")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// The lines that the grammar knows, as far as Render writes them.
var (
	entityLine    = regexp.MustCompile(`^    [A-Za-z_]\w*(\["[^"%\\\n]+"\])?( \{)?$`)
	attributeLine = regexp.MustCompile(`^        [A-Za-z_][\w()\[\]-]* [A-Za-z_]\w*( (PK|FK|UK)(, (FK|UK))*)?( "[^"\n]*")?$`)
	relationLine  = regexp.MustCompile(`^    [A-Za-z_]\w* (\|\||\|o)(--|\.\.)(o\{|o\|) [A-Za-z_]\w* : "[^"\n]+"$`)
)

func TestADiagramIsLegalWhateverThingsAreCalled(t *testing.T) {
	names := []string{"a", "one", "END", "pk", "", " ", "\"", "a\nb", "a%b", `a\b`, "日本", "-->", "erDiagram", "o", "x.y", "{", "😀", "1", strings.Repeat("long ", 99)}
	var def designer.Definition
	for i, name := range names {
		if strings.TrimSpace(name) == "" {
			name += "_"
		}
		t := designer.TableDefinition{Name: name, Schema: names[len(names)-1-i] + "s", Comment: name}
		for j, c := range names {
			col := nullable(c+"c"+strings.Repeat("'", j), "weird type (1, 2) '"+name)
			col.Comment, col.TypeText = name, name
			t.Columns = append(t.Columns, col)
		}
		t.ForeignKeys = []designer.ForeignKeyDefinition{{ReferencedTable: designer.TableRef{Schema: t.Schema, Name: t.Name},
			Mappings: []designer.NameMapping{{Column: t.Columns[0].Name, ReferencedColumn: t.Columns[1].Name}}}}
		def.Tables = append(def.Tables, t)
	}
	s, err := designer.Build(mysql.Dialect(), def, &designer.Options{DefaultSchema: "as"})
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(Render(s), "\n"), "\n")
	require.Equal(t, "erDiagram", lines[0])
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		legal := line == "    }" || entityLine.MatchString(line) || attributeLine.MatchString(line) || relationLine.MatchString(line)
		assert.True(t, legal, "%q", line)
		if entityLine.MatchString(line) {
			id := strings.ToLower(strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '[' || r == '{' })[0])
			assert.False(t, seen[id] || reserved[id], id)
			seen[id] = true
		}
	}
	assert.Len(t, seen, len(names))
}

func TestAnEnumsValuesAreLeftOut(t *testing.T) {
	s, err := designer.Build(mysql.Dialect(), designer.Definition{Tables: []designer.TableDefinition{
		{Name: "t", Columns: []designer.Column{{Name: "a", DataType: "enum", Values: []string{"x", "y"}}}}}}, nil)
	require.NoError(t, err)
	assert.Equal(t, "erDiagram\n    t {\n        enum a\n    }\n", Render(s))
}
