package overlay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// dialect has two types of one family and one of another.
func dialect() *designer.Dialect {
	return &designer.Dialect{Name: "test", Title: "Test", SQL: sqltext.TSQL(), Types: []designer.TypeInfo{
		{Name: "int", Family: "integer", Identity: true},
		{Name: "bigint", Family: "integer", Identity: true},
		{Name: "nvarchar", Family: "text", Length: designer.Required, MaxLength: 4000, AllowsMax: true},
	}}
}

// overlaid is a schema of one table, and what a format says of it that knows
// names, types, keys and columns of indexes, and nothing else.
func overlaid(t *testing.T) (s *designer.Schema, said func() designer.Definition) {
	t.Helper()
	def := designer.Definition{Tables: []designer.TableDefinition{{
		Schema: "dbo", Name: "Boats", Options: map[string]string{"storage": "heap"},
		Columns: []designer.Column{
			{Name: "Id", DataType: "int", Options: map[string]string{"numbering": "serial"}},
			{Name: "Name", DataType: "nvarchar", MaxLength: "50", Collation: "C", DefaultValue: "'x'"},
			{Name: "Length", DataType: "int", IsNullable: true, IsComputed: true, ComputedFormula: "Id * 2"},
		},
		PrimaryKey: &designer.KeyDefinition{Name: "PK_Boats", Columns: []string{"Id"}, Options: map[string]string{"fill": "90"}},
		Indexes: []designer.IndexDefinition{
			{Name: "IX_a", Parts: []designer.IndexKeyDefinition{{Column: "Name", Descending: true}}, Where: "Name <> ''"},
			{Name: "IX_z", Parts: []designer.IndexKeyDefinition{{Expression: "lower(Name)"}}},
		},
		Checks: []designer.CheckDefinition{{Name: "CK", Expression: "[Id] > 0"}},
	}}}
	s, err := designer.Build(dialect(), def, &designer.Options{DefaultSchema: "dbo"})
	require.NoError(t, err)
	return s, func() designer.Definition {
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
	assert.Equal(t, s.Definition(), Definition(s, said(), said()))
}

func TestWhatAFormatCannotExpressStays(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*designer.TableDefinition)     // in the file
		want   func(own *designer.TableDefinition) // what differs from the design
	}{
		"a longer text keeps its collation": {
			func(b *designer.TableDefinition) { b.Columns[1].MaxLength = "80" },
			func(own *designer.TableDefinition) { own.Columns[1].MaxLength = "80" },
		},
		"a wider number keeps how it counts": {
			func(b *designer.TableDefinition) { b.Columns[0].DataType = "bigint" },
			func(own *designer.TableDefinition) { own.Columns[0].DataType = "bigint" },
		},
		"a column of another kind is taken as it is written": {
			func(b *designer.TableDefinition) { b.Columns[1] = designer.Column{Name: "Name", DataType: "int"} },
			func(own *designer.TableDefinition) { own.Columns[1] = designer.Column{Name: "Name", DataType: "int"} },
		},
		"a new column has its place": {
			func(b *designer.TableDefinition) {
				b.Columns = append(b.Columns, designer.Column{Name: "New", DataType: "int"})
			},
			func(own *designer.TableDefinition) {
				own.Columns = append(own.Columns, designer.Column{Name: "New", DataType: "int"})
			},
		},
		"an index that the file drops goes, another that it cannot have stays": {
			func(b *designer.TableDefinition) { b.Indexes = nil },
			func(own *designer.TableDefinition) { own.Indexes = own.Indexes[1:] },
		},
		"an index that becomes unique keeps its order and condition": {
			func(b *designer.TableDefinition) { b.Indexes[0].Unique = true },
			func(own *designer.TableDefinition) { own.Indexes[0].Unique = true },
		},
		"a key over other columns keeps its options": {
			func(b *designer.TableDefinition) { b.PrimaryKey.Columns = []string{"Name"} },
			func(own *designer.TableDefinition) { own.PrimaryKey.Columns = []string{"Name"} },
		},
		"a check that the file changes is the file's": {
			func(b *designer.TableDefinition) { b.Checks[0].Expression = "Id>1" },
			func(own *designer.TableDefinition) { own.Checks[0].Expression = "Id>1" },
		},
		"an option of the file is added to the others": {
			func(b *designer.TableDefinition) { b.Options = map[string]string{"engine": "x"} },
			func(own *designer.TableDefinition) { own.Options["engine"] = "x" },
		},
		"a table by its name in another case is the same": {
			func(b *designer.TableDefinition) { b.Name = "BOATS"; b.Comment = "new" },
			func(own *designer.TableDefinition) { own.Name = "BOATS"; own.Comment = "new" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, said := overlaid(t)
			file, want := said(), s.Definition()
			tt.change(&file.Tables[0])
			tt.want(&want.Tables[0])
			assert.Equal(t, want, Definition(s, said(), file))
		})
	}
}

// A check without a name that the format writes in another way is not there
// twice.
func TestAPartWithoutANameIsKnownByItsPlace(t *testing.T) {
	s, said := overlaid(t)
	unnamed := func(def designer.Definition) designer.Definition { def.Tables[0].Checks[0].Name = ""; return def }
	own, err := designer.Build(s.Dialect(), unnamed(s.Definition()), &designer.Options{DefaultSchema: "dbo"})
	require.NoError(t, err)
	assert.Equal(t, own.Definition(), Definition(own, unnamed(said()), unnamed(said())))
}

func TestATableThatTheDesignLacksIsTakenAsItIs(t *testing.T) {
	s, said := overlaid(t)
	file := said()
	file.Tables[0].Name = "Ships"
	assert.Equal(t, file, Definition(s, said(), file))
}
