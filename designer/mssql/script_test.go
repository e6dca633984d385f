package mssql

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

var update = flag.Bool("update", false, "rewrite the expected scripts")

// golden compares a script with the one kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// planText is a plan as its script, with what a reader has to be told.
func planText(p designer.Plan) string {
	text := p.Script()
	for _, n := range p.Notes {
		text += "\n-- Note: " + n
	}
	return text
}

func TestScriptMakesEverything(t *testing.T) {
	plan, err := Engine{}.Script(build(t, everything()))
	require.NoError(t, err)
	assert.True(t, plan.Transactional)
	golden(t, "everything.sql", planText(plan))
	understood(t, plan)
	var statements []string
	for _, s := range plan.Steps {
		statements = append(statements, s.Statement)
	}
	assert.Equal(t, statements, withoutComments(Batches(plan.Script())), "the script is what runs")
}

// withoutComments drops the line comments before each batch.
func withoutComments(batches []string) []string {
	out := make([]string, len(batches))
	for i, b := range batches {
		tokens := scan(b)
		for len(tokens) > 0 && (tokens[0].Kind == sqltext.Comment || tokens[0].Kind == sqltext.Space) {
			b = b[len(tokens[0].Text):]
			tokens = tokens[1:]
		}
		out[i] = b
	}
	return out
}

func TestTheScriptOfNothingIsEmpty(t *testing.T) {
	plan, err := Engine{}.Script(build(t, designer.Definition{Schemas: []string{"dbo"}}))
	require.NoError(t, err)
	assert.Empty(t, plan.Steps)
	assert.Empty(t, plan.Script())
}

// A table cannot be made before the XML schema collection of its column is
// ("CREATE TABLE": it "must first be created in the database"); one whose text
// the server does not give is said to be missing.
func TestTypedXMLComesWithItsSchemaCollection(t *testing.T) {
	def := designer.Definition{
		Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{
			{Name: "a", DataType: "xml", TypeText: "xml([dbo].[known])"}, {Name: "b", DataType: "xml", TypeText: "xml([dbo].[hidden])"}, {Name: "c", DataType: "xml"}}}},
		Objects: []designer.Object{{Kind: designer.ObjectXMLSchema, Schema: "dbo", Name: "hidden"},
			{Kind: designer.ObjectXMLSchema, Schema: "dbo", Name: "known", Definition: "CREATE XML SCHEMA COLLECTION [dbo].[known] AS N'<a/>'"}},
	}
	plan, err := Engine{}.Script(build(t, def))
	require.NoError(t, err)
	understood(t, plan)
	text := plan.Script()
	assert.Less(t, strings.Index(text, "CREATE XML SCHEMA COLLECTION [dbo].[known]"), strings.Index(text, "CREATE TABLE"))
	assert.Contains(t, text, "[a] xml([dbo].[known]) NOT NULL,\n    [b] xml NOT NULL,\n    [c] xml NOT NULL")
	assert.Equal(t, []string{"The text of XML schema collection dbo.hidden is not known: it is left out.",
		"Column dbo.t.b is of XML schema collection [dbo].[hidden], whose text is not known: it is made for any XML."}, plan.Notes)
}

// A file may say what no server takes: the script makes the table without it,
// and says so.
func TestAScriptMakesNothingThatTheServerRefuses(t *testing.T) {
	column := func(name string, nullable bool, options map[string]string) designer.Column {
		return designer.Column{Name: name, DataType: "int", IsNullable: nullable, Options: options}
	}
	key := func(name, column string, onDelete, onUpdate designer.Action) designer.ForeignKeyDefinition {
		return designer.ForeignKeyDefinition{Name: name, ReferencedTable: designer.TableRef{Name: "one"}, OnDelete: onDelete, OnUpdate: onUpdate,
			Mappings: []designer.NameMapping{{Column: column, ReferencedColumn: "id"}}}
	}
	def := designer.Definition{Tables: []designer.TableDefinition{
		{Name: "one", Columns: []designer.Column{column("id", false, nil)}, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}}},
		{Name: "t", Options: map[string]string{OptionCompression: "page"},
			Columns: []designer.Column{column("a", true, map[string]string{OptionSparse: "true"}), column("b", false, nil), column("c", true, nil), column("d", true, nil),
				{Name: "x", DataType: "xml"}},
			Indexes: []designer.IndexDefinition{{Name: "px", Method: MethodXML, Parts: []designer.IndexKeyDefinition{{Column: "x"}}}},
			ForeignKeys: []designer.ForeignKeyDefinition{key("null", "b", designer.SetNull, ""), key("standard", "b", "", designer.SetDefault),
				key("first", "c", designer.Cascade, ""), key("second", "d", designer.SetNull, "")}},
	}}
	plan, err := Engine{}.Script(build(t, def))
	require.NoError(t, err)
	understood(t, plan)
	text := plan.Script()
	assert.NotContains(t, text, "COMPRESSION")
	assert.NotContains(t, text, "XML INDEX")
	assert.Equal(t, 1, strings.Count(text, " ON DELETE "), text)
	assert.NotContains(t, text, " ON UPDATE ")
	const refused = ". The server refuses that, and it is made without."
	assert.Equal(t, []string{
		"Table dbo.t: a table with sparse columns cannot be compressed" + refused,
		"Table dbo.t: index px is of xml, which needs a clustered primary key" + refused,
		"Table dbo.t: foreign key null would set column b to NULL, which is NOT NULL" + refused,
		"Table dbo.t: foreign key standard would set column b to its default, and it has none and is NOT NULL" + refused,
		"Table dbo.t: foreign key second has an action as foreign key first has, to the same table" + refused,
	}, plan.Notes)
}
