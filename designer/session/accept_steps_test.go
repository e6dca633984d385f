package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStepsAreAcceptedAsTheyLeftTheDesign(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x", "y")))
	apply(t, d, retype("A", "x", "text"), addColumn("A", "n"), addTable("N"))
	require.Nil(t, apply(t, d, retype("A", "n", "text"), addColumn("N", "later")).Err)
	undo, _, err := d.History(t.Context(), 10)
	require.NoError(t, err)
	var first []int64
	for _, s := range undo {
		if s.BatchID == undo[len(undo)-1].BatchID {
			first = append(first, s.Number)
		}
	}
	require.Less(t, len(first), len(undo))

	counter, err := d.AcceptSteps(t.Context(), first)
	require.NoError(t, err)
	assert.Positive(t, counter)
	later := []string{"A: ~n int→text", "N: +later"}
	assert.Equal(t, later, toReview(t, d), "what came later waits, from what was accepted")
	p.restart()
	d = p.designer("db")
	assert.Equal(t, later, toReview(t, d), "kept")

	counter, err = d.AcceptSteps(t.Context(), nil)
	require.NoError(t, err)
	assert.Zero(t, counter)
	counter, err = d.AcceptSteps(t.Context(), []int64{999})
	require.NoError(t, err)
	assert.Zero(t, counter, "a step that is not there")
	assert.Equal(t, later, toReview(t, d), "no steps are not all steps")

	_, err = d.Accept(t.Context(), nil, d.Version())
	require.NoError(t, err)
	_, err = d.AcceptSteps(t.Context(), first)
	require.NoError(t, err)
	assert.Empty(t, toReview(t, d), "an older acceptance takes none back")
}
