package mssql

import (
	"errors"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestARefusedBatchNamesItsLineInTheScript(t *testing.T) {
	const script = "USE x\nGO\nCREATE TABLE a (id int)\nGO\nCREATE TABLE b (\n  id nonsense\n)\nGO\nCREATE TABLE a (id int)\n"
	batches := inside(Batches(script), &designer.LoadResult{})
	require.Len(t, batches, 3)
	var place *designer.ScriptError
	err := refusalOf(script, batches[1], placeOf(script, batches[0], 0), mssql.Error{Number: 2715, Message: "no such type", LineNo: 2})
	require.ErrorAs(t, err, &place)
	assert.Equal(t, 6, place.Line)
	assert.Equal(t, "  id nonsense", place.Source)
	assert.True(t, place.Server)
	err = refusalOf(script, batches[2], placeOf(script, batches[1], 0), mssql.Error{LineNo: 1})
	require.ErrorAs(t, err, &place)
	assert.Equal(t, 9, place.Line, "not the same text further up")
	assert.NotErrorAs(t, refusalOf(script, batches[1], 0, errors.New("broken pipe")), new(*designer.ScriptError))
}
