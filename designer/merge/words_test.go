package merge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

func TestAConflictTellsTheTypesApart(t *testing.T) {
	for want, c := range map[string]designer.Column{
		"int":            {DataType: "int"},
		"varchar(40)":    {DataType: "varchar", MaxLength: "40"},
		"decimal(12,2)":  {DataType: "decimal", Precision: 12, Scale: 2},
		"decimal(12)":    {DataType: "decimal", Precision: 12},
		"enum('a', 'b')": {DataType: "enum", Values: []string{"'a'", "'b'"}},
	} {
		assert.Equal(t, want, typeWords(c))
	}
}
