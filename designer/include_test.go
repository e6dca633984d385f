package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAColumnThatAnIndexIncludesIsNotDropped(t *testing.T) {
	s, err := Build(serverDialect(), Definition{Tables: []TableDefinition{{Name: "t",
		Columns: []Column{{Name: "a", DataType: "int"}, {Name: "b", DataType: "int"}},
		Indexes: []IndexDefinition{{Name: "ix", Parts: []IndexKeyDefinition{{Column: "a"}}, Include: []string{"b"}}},
	}}}, &Options{NewID: counted()})
	require.NoError(t, err)
	refused := refuse(t, s, `{"op":"drop_column","table":{"name":"t"},"column":{"name":"b"}}`)
	assert.Equal(t, "Column 'b' cannot be dropped: 'index ix' uses it; change or drop that first", refused.Message)
}
