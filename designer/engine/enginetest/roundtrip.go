package enginetest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// roundTrip shows that nothing is lost on the way from a database to a model
// to a script to a database.
func roundTrip(t *testing.T, target Target) {
	scripts := map[string]string{"everything": target.Everything, "shop": target.Shop}
	maps.Copy(scripts, target.Samples)
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		t.Run(name, func(t *testing.T) { roundTripOf(t, target, scripts[name]) })
	}
	t.Run("tried new", func(t *testing.T) { triedNew(t, target) })
	t.Run("nothing", func(t *testing.T) {
		empty := newBench(t, target)
		plan, err := target.Engine.Script(empty.base)
		require.NoError(t, err)
		assert.Empty(t, plan.Steps, "a script of nothing does something:\n%s", plan.Script())
	})
}

// triedNew shows that a plan for a new database is tried beside a database that
// has its tables already, and that what the server refuses is known by its step.
func triedNew(t *testing.T, target Target) {
	b := newBench(t, target)
	execute(t, b.db, target.Shop)
	before := b.read()
	plan, err := target.Engine.Script(target.build(t, before))
	require.NoError(t, err)
	require.NoError(t, target.Engine.VerifyNew(context.Background(), b.db, plan, nil))
	twice := plan
	twice.Steps = append(slices.Clone(plan.Steps), designer.Step{Statement: "CREATE TABLE", Comment: "half a statement"})
	var refused *designer.StepError
	require.ErrorAs(t, target.Engine.VerifyNew(context.Background(), b.db, twice, nil), &refused)
	assert.Equal(t, len(plan.Steps), refused.Index)
	assert.Zero(t, refused.Applied)
	assert.Empty(t, differences(t, before, b.read()), "trying left something behind")
}

func roundTripOf(t *testing.T, target Target, script string) {
	b := newBench(t, target)
	execute(t, b.db, script)
	def := b.read()
	require.NotEmpty(t, def.Tables)
	s := target.build(t, def)
	require.NoError(t, s.Check())

	again := b.read()
	require.Empty(t, differences(t, def, again), "read twice")
	require.Equal(t, s.Version(), target.build(t, again).Version(), "read twice")
	itself, err := s.Adopt(again)
	require.NoError(t, err)
	require.Empty(t, describe(t, designer.DiffOf(s, itself)), "the diff with itself")

	plan, err := target.Engine.Script(s)
	require.NoError(t, err)
	require.NotEmpty(t, plan.Steps)
	other := newBench(t, target)
	err = other.apply(plan)
	require.NoError(t, err, "%s", plan.Script())
	made := other.read()
	assert.Empty(t, differences(t, s.Definition(), target.build(t, made).Definition()), "made of\n%s", plan.Script())
	assert.Equal(t, s.Version(), target.build(t, made).Version())

	loaded, err := target.Engine.Load(context.Background(), other.db, plan.Script())
	require.NoError(t, err)
	assert.Empty(t, differences(t, s.Definition(), target.build(t, loaded.Definition).Definition()), "loaded from\n%s", plan.Script())
	assert.Empty(t, differences(t, made, other.read()), "loading left something behind")
}
