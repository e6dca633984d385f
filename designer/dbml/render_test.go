package dbml

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

var update = flag.Bool("update", false, "write the golden files")

// harbour is a definition with everything that DBML can say and much that it
// cannot.
func harbour() designer.Definition {
	column := func(name, typ string) designer.Column {
		return designer.Column{Name: name, DataType: typ, IsNullable: true}
	}
	id := designer.Column{Name: "id", DataType: "integer", IsIdentity: true}
	name := designer.Column{Name: "name", DataType: "varchar", MaxLength: "80", Comment: "as painted on the bow", DefaultValue: "'it''s new'"}
	price := designer.Column{Name: "price", DataType: "numeric", Precision: 10, Scale: 2, DefaultValue: "-1.5"}
	computed := designer.Column{Name: "gross", DataType: "numeric", Precision: 18, IsComputed: true, ComputedFormula: "price *\n1.2", ComputedPersisted: true, IsNullable: true}
	mood := column("state", "state")
	mood.DefaultValue = "'open'"
	made := column("made", "some wide type")
	made.DefaultValue = "now()"
	odd := column(`odd "name`, "varchar")
	odd.MaxLength, odd.Collation = "20", "C"
	return designer.Definition{
		Objects: []designer.Object{{Kind: designer.ObjectType, Schema: "public", Name: "state", Values: []string{"open", "sunk, alas", "table"}},
			{Kind: designer.ObjectRoutine, Name: "f()"}},
		Views: []designer.View{{Name: "v"}},
		Tables: []designer.TableDefinition{
			{Name: "boat", Comment: "Boats.\n\n  They float, don't they?", Columns: []designer.Column{id, name, price, computed, mood, made, odd, column("active", "boolean")},
				PrimaryKey: &designer.KeyDefinition{Name: "boat_pkey", Columns: []string{"id"}},
				Indexes: []designer.IndexDefinition{
					{Name: "boat_name", Unique: true, Parts: []designer.IndexKeyDefinition{{Column: "name"}, {Expression: "lower(name)"}}},
					{Name: "boat's price", Method: "gin", Where: "price > 0", Parts: []designer.IndexKeyDefinition{{Column: "price", Descending: true}}},
					{Unique: true, Constraint: true, Parts: []designer.IndexKeyDefinition{{Column: "made"}}},
				},
				Checks: []designer.CheckDefinition{{Name: "price_ok", Expression: "price >= 0 AND name <> ''"}}},
			{Name: "Crew List", Schema: "app", Columns: []designer.Column{{Name: "boat", DataType: "integer"}, {Name: "seat", DataType: "integer"}, column("boss boat", "integer"), column("boss seat", "integer")},
				PrimaryKey: &designer.KeyDefinition{Name: "crew_pk", Columns: []string{"seat", "boat"}},
				ForeignKeys: []designer.ForeignKeyDefinition{
					{Name: "crew_boat", ReferencedTable: designer.TableRef{Name: "boat"}, Mappings: []designer.NameMapping{{Column: "boat", ReferencedColumn: "id"}}, OnDelete: designer.Cascade, OnUpdate: designer.SetNull},
					{Name: "crew_boss", ReferencedTable: designer.TableRef{Schema: "app", Name: "Crew List"}, Deferrable: designer.DeferrableInitEnd,
						Mappings: []designer.NameMapping{{Column: "boss boat", ReferencedColumn: "boat"}, {Column: "boss seat", ReferencedColumn: "seat"}}},
					{Name: "crew_gone", ReferencedTable: designer.TableRef{Name: "gone"}, Mappings: []designer.NameMapping{{Column: "boat", ReferencedColumn: "id"}}},
				}},
			{Name: "log", Columns: []designer.Column{id, column("note", "text")}, PrimaryKey: &designer.KeyDefinition{Columns: []string{"id"}},
				ForeignKeys: []designer.ForeignKeyDefinition{{ReferencedTable: designer.TableRef{Name: "boat"}, Mappings: []designer.NameMapping{{Column: "id", ReferencedColumn: "id"}}}}},
			{Name: "draft"},
		},
	}
}

func TestADesignIsWrittenAsDBML(t *testing.T) {
	got := Render(build(t, typesDialect(), harbour()))
	golden := filepath.Join("testdata", "harbour.dbml")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// withoutComments is a rendering without what Parse passes over.
func withoutComments(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		at := strings.Index(line, "// ")
		switch {
		case at == 0:
			continue
		case at > 0:
			line = strings.TrimRight(line[:at], " ")
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

func TestWhatWasParsedFromARenderingIsRenderedTheSame(t *testing.T) {
	enum := designer.TableDefinition{Name: "e", Columns: []designer.Column{
		{Name: "a", DataType: "enum", Values: []string{"x", `y\'`, ""}}, {Name: "b", DataType: "set", Values: []string{"x", "y"}, IsNullable: true},
		{Name: "c", DataType: "longtext", DefaultValue: "concat(`a`, 'x')"}},
		Checks: []designer.CheckDefinition{{Name: "k", Expression: "`a` <> `odd name`"}, {Name: "l", Expression: "(`a` <> 'z')"}}}
	plain := harbour()
	plain.Objects = nil
	for _, c := range []struct {
		d   *designer.Dialect
		def designer.Definition
	}{{typesDialect(), harbour()}, {plainDialect(), plain}, {valuesDialect(), designer.Definition{Tables: []designer.TableDefinition{enum}}}} {
		first := Render(build(t, c.d, c.def))
		again := Render(read(t, c.d, first))
		assert.Equal(t, withoutComments(first), withoutComments(again), c.d.Name)
		assert.Equal(t, again, Render(read(t, c.d, again)), c.d.Name)
	}
}

func TestADefaultSchemaThatIsNotPublicIsWrittenBesidePublic(t *testing.T) {
	def := designer.Definition{Tables: []designer.TableDefinition{
		{Schema: "app", Name: "t", Columns: []designer.Column{{Name: "a", DataType: "integer"}}},
		{Schema: "public", Name: "t", Columns: []designer.Column{{Name: "b", DataType: "integer"}}}}}
	s, err := designer.Build(typesDialect(), def, &designer.Options{DefaultSchema: "app"})
	require.NoError(t, err)
	assert.Contains(t, Render(s), "Table app.t {")
	assert.Contains(t, Render(s), "Table public.t {")
}
