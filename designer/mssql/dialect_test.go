package mssql

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoTypeIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range types() {
		for _, name := range append(info.Aliases, info.Name) {
			assert.False(t, seen[strings.ToLower(name)], name)
			seen[strings.ToLower(name)] = true
		}
	}
}

func TestForeignKeyColumnsHaveToBeOfOneTypeAndLength(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b designer.Column
		want bool
	}{
		{"the same type", designer.Column{DataType: "int"}, designer.Column{DataType: "INT"}, true},
		{"an alias", designer.Column{DataType: "int"}, designer.Column{DataType: "integer"}, true},
		{"another integer", designer.Column{DataType: "int"}, designer.Column{DataType: "bigint"}, false},
		{"decimal and numeric", designer.Column{DataType: "decimal", Precision: 9}, designer.Column{DataType: "numeric", Precision: 9}, false},
		{"another length", designer.Column{DataType: "varchar", MaxLength: "10"}, designer.Column{DataType: "varchar", MaxLength: "20"}, false},
		{"MAX", designer.Column{DataType: "varchar", MaxLength: "max"}, designer.Column{DataType: "varchar", MaxLength: "MAX"}, true},
		{"another scale", designer.Column{DataType: "decimal", Precision: 9, Scale: 1}, designer.Column{DataType: "decimal", Precision: 9, Scale: 2}, false},
		{"a precision of the same room", designer.Column{DataType: "decimal", Precision: 10}, designer.Column{DataType: "decimal", Precision: 19}, true},
		{"a precision of more room", designer.Column{DataType: "decimal", Precision: 10}, designer.Column{DataType: "decimal", Precision: 20}, false},
		{"another collation", designer.Column{DataType: "char", MaxLength: "5"}, designer.Column{DataType: "char", MaxLength: "5", Collation: "Latin1_General_BIN2"}, false},
		{"a type of the user's", designer.Column{DataType: "Flag"}, designer.Column{DataType: "bit"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Dialect().ForeignKeys.Pairs(tt.a, tt.b))
			assert.Equal(t, tt.want, Dialect().ForeignKeys.Pairs(tt.b, tt.a))
		})
	}
}

func TestAttributesGoWithWhatTheyAreOf(t *testing.T) {
	s, err := designer.Build(Dialect(), designer.Definition{Tables: []designer.TableDefinition{{Name: "t", Columns: []designer.Column{
		{Name: "a", DataType: "int", DefaultValue: "0", Options: map[string]string{OptionDefaultName: "DF_a", OptionSparse: "true"}},
		{Name: "b", DataType: "int", DefaultValue: "0", Options: map[string]string{OptionDefaultName: "DF_b"}},
		{Name: "c", DataType: "int", IsIdentity: true, Options: map[string]string{OptionNotForReplication: "true"}},
		{Name: "d", DataType: "int", Options: map[string]string{OptionSparse: "true"}},
	}}}}, nil)
	require.NoError(t, err)
	edit(t, s, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"defaultValue":""}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"defaultValue":"1"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"isIdentity":false}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"d"},"set":{"isComputed":true,"computedFormula":"a+1"}}]`)
	table, refused := s.Table(designer.TableRef{Name: "t"})
	require.Nil(t, refused)
	assert.Equal(t, map[string]string{OptionSparse: "true"}, table.Columns[0].Options)
	assert.Equal(t, map[string]string{OptionDefaultName: "DF_b"}, table.Columns[1].Options)
	assert.Empty(t, table.Columns[2].Options)
	assert.Empty(t, table.Columns[3].Options)
}

// edit applies edits that have to be valid.
func edit(t testing.TB, s *designer.Schema, raw string) {
	t.Helper()
	list, refused := edits.Decode([]byte(raw))
	require.Nil(t, refused, "%v", refused)
	for _, e := range list {
		_, refused := s.Apply(e)
		require.Nil(t, refused)
	}
	require.NoError(t, s.Check())
}
