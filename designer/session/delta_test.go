package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"

	"github.com/berth-dev/berth/e2e/long"
)

// TestADeltaHoldsEveryFieldOfATable draws tables by reflection, so that a
// field added to the model later is covered too.
func TestADeltaHoldsEveryFieldOfATable(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *designer.Table {
		tbl := throughJSON(t, rapid.Make[designer.Table]().Draw(t, "table"))
		tbl.ID = "t"
		if tbl.Columns == nil {
			tbl.Columns = []designer.Column{}
		}
		return &tbl
	})
	long.Check(t, func(t *rapid.T) {
		before, after := draw.Draw(t, "before"), draw.Draw(t, "after")
		if rapid.Bool().Draw(t, "alike") { // as edits leave them
			after = new(throughJSON(t, *before))
			after.Columns = append(after.Columns, designer.Column{ID: "new"})
		}
		delta := throughJSON(t, deltaOf(designer.TableChange{Before: before, After: after}))
		got, err := delta.other(after, true)
		require.NoError(t, err)
		assert.Equal(t, before, got)
		got, err = delta.other(before, false)
		require.NoError(t, err)
		assert.Equal(t, after, got)
	})
}

func throughJSON[T any](t *rapid.T, v T) (out T) {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}
