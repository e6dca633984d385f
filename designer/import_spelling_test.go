package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatHasNoNameIsFoundAgainInAnotherSpelling(t *testing.T) {
	def := Definition{Tables: []TableDefinition{{Name: "t", Columns: []Column{{Name: "a", DataType: "int"}, {Name: "b", DataType: "int"}},
		Checks:  []CheckDefinition{{Expression: "a > 0"}, {Expression: "b > 0"}},
		Indexes: []IndexDefinition{{Parts: []IndexKeyDefinition{{Column: "b"}, {Expression: "a + b"}}}}}}}
	s, err := Build(serverDialect(), def, nil)
	require.NoError(t, err)
	other := s.Definition()
	other.Tables[0].Checks = []CheckDefinition{{Expression: "[b]>0"}, {Expression: "(a>0)"}}
	other.Tables[0].Indexes[0].Parts[1].Expression = "( a+b )"
	c, refused := s.Import(other, true)
	require.Nil(t, refused)
	assert.Empty(t, c.Tables)
	assert.Equal(t, "[b]>0", other.Tables[0].Checks[0].Expression, "the caller's definition is as it was")

	kept := s.Tables()[0].Checks[1]
	other.Tables[0].Checks = other.Tables[0].Checks[:1]
	c, refused = s.Import(other, true)
	require.Nil(t, refused)
	require.Len(t, c.Tables, 1)
	assert.Equal(t, []Check{kept}, c.Tables[0].After.Checks)
}

func TestParenthesesThatSayNothingAreNoChange(t *testing.T) {
	def := Definition{Tables: []TableDefinition{{Name: "t", Columns: []Column{{Name: "a", DataType: "int", DefaultValue: "1"}, {Name: "b", DataType: "int"}},
		Checks: []CheckDefinition{{Name: "k", Expression: "(a > 0 AND b > 0) OR a IS NULL"}}}}}
	for expression, changes := range map[string]int{
		"((a > 0) AND (b > 0)) OR (a IS NULL)": 0, "a > 0 AND b > 0 OR a IS NULL": 0, "a > 0 AND (b > 0 OR a IS NULL)": 1,
	} {
		s, err := Build(serverDialect(), def, nil) // an import changes it
		require.NoError(t, err)
		other := s.Definition()
		other.Tables[0].Checks[0].Expression = expression
		c, refused := s.Import(other, true)
		require.Nil(t, refused)
		assert.Len(t, c.Tables, changes, expression)
	}
}
