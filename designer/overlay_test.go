package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// overlaid is a schema of one table, and what a format says of it that knows
// names, types, keys and columns of indexes, and nothing else.
func overlaid(t *testing.T) (s *Schema, said func() Definition) {
	t.Helper()
	def := Definition{Tables: []TableDefinition{{
		Schema: "dbo", Name: "Boats", Options: map[string]string{"storage": "heap"},
		Columns: []Column{
			{Name: "Id", DataType: "int", Options: map[string]string{"numbering": "serial"}},
			{Name: "Name", DataType: "nvarchar", MaxLength: "50", Collation: "C", DefaultValue: "'x'"},
			{Name: "Length", DataType: "int", IsNullable: true, IsComputed: true, ComputedFormula: "Id * 2"},
		},
		PrimaryKey: &KeyDefinition{Name: "PK_Boats", Columns: []string{"Id"}, Options: map[string]string{"fill": "90"}},
		Indexes: []IndexDefinition{
			{Name: "IX_a", Parts: []IndexKeyDefinition{{Column: "Name", Descending: true}}, Where: "Name <> ''"},
			{Name: "IX_z", Parts: []IndexKeyDefinition{{Expression: "lower(Name)"}}},
		},
		Checks: []CheckDefinition{{Name: "CK", Expression: "[Id] > 0"}},
	}}}
	s, err := Build(serverDialect(), def, &Options{DefaultSchema: "dbo"})
	require.NoError(t, err)
	return s, func() Definition {
		own := s.Definition()
		b := &own.Tables[0]
		b.Options, b.PrimaryKey.Options = nil, nil
		for i := range b.Columns {
			c := &b.Columns[i]
			c.Options, c.Collation, c.IsComputed, c.ComputedFormula = nil, "", false, ""
		}
		b.Indexes[0].Parts[0].Descending, b.Indexes[0].Where = false, ""
		b.Indexes = b.Indexes[:1]
		b.Checks[0].Expression = "Id>0"
		return own
	}
}

func TestAnUnchangedFileLeadsBackToTheDesign(t *testing.T) {
	s, said := overlaid(t)
	require.NotEqual(t, s.Definition(), said())
	assert.Equal(t, s.Definition(), s.Overlay(said(), said()))
}

func TestWhatAFormatCannotExpressStays(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*TableDefinition)     // in the file
		want   func(own *TableDefinition) // what differs from the design
	}{
		"a longer text keeps its collation": {
			func(b *TableDefinition) { b.Columns[1].MaxLength = "80" },
			func(own *TableDefinition) { own.Columns[1].MaxLength = "80" },
		},
		"a wider number keeps how it counts": {
			func(b *TableDefinition) { b.Columns[0].DataType = "bigint" },
			func(own *TableDefinition) { own.Columns[0].DataType = "bigint" },
		},
		"a column of another kind is taken as it is written": {
			func(b *TableDefinition) { b.Columns[1] = Column{Name: "Name", DataType: "int"} },
			func(own *TableDefinition) { own.Columns[1] = Column{Name: "Name", DataType: "int"} },
		},
		"a new column has its place": {
			func(b *TableDefinition) { b.Columns = append(b.Columns, Column{Name: "New", DataType: "int"}) },
			func(own *TableDefinition) {
				own.Columns = append(own.Columns, Column{Name: "New", DataType: "int"})
			},
		},
		"an index that the file drops goes, another that it cannot have stays": {
			func(b *TableDefinition) { b.Indexes = nil },
			func(own *TableDefinition) { own.Indexes = own.Indexes[1:] },
		},
		"an index that becomes unique keeps its order and condition": {
			func(b *TableDefinition) { b.Indexes[0].Unique = true },
			func(own *TableDefinition) { own.Indexes[0].Unique = true },
		},
		"a key over other columns keeps its options": {
			func(b *TableDefinition) { b.PrimaryKey.Columns = []string{"Name"} },
			func(own *TableDefinition) { own.PrimaryKey.Columns = []string{"Name"} },
		},
		"a check that the file changes is the file's": {
			func(b *TableDefinition) { b.Checks[0].Expression = "Id>1" },
			func(own *TableDefinition) { own.Checks[0].Expression = "Id>1" },
		},
		"an option of the file is added to the others": {
			func(b *TableDefinition) { b.Options = map[string]string{"engine": "x"} },
			func(own *TableDefinition) { own.Options["engine"] = "x" },
		},
		"a table by its name in another case is the same": {
			func(b *TableDefinition) { b.Name = "BOATS"; b.Comment = "new" },
			func(own *TableDefinition) { own.Name = "BOATS"; own.Comment = "new" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, said := overlaid(t)
			file, want := said(), s.Definition()
			tt.change(&file.Tables[0])
			tt.want(&want.Tables[0])
			assert.Equal(t, want, s.Overlay(said(), file))
		})
	}
}

// A check without a name that the format writes in another way is not there
// twice.
func TestAPartWithoutANameIsKnownByItsPlace(t *testing.T) {
	s, said := overlaid(t)
	unnamed := func(def Definition) Definition { def.Tables[0].Checks[0].Name = ""; return def }
	own, err := Build(s.Dialect(), unnamed(s.Definition()), &Options{DefaultSchema: "dbo"})
	require.NoError(t, err)
	assert.Equal(t, own.Definition(), own.Overlay(unnamed(said()), unnamed(said())))
}

func TestATableThatTheDesignLacksIsTakenAsItIs(t *testing.T) {
	s, said := overlaid(t)
	file := said()
	file.Tables[0].Name = "Ships"
	assert.Equal(t, file, s.Overlay(said(), file))
}
