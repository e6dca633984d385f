package session

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestEditsAreUndoneOneByOneOrAsABatch(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	versions := []string{d.Version()}
	for _, edits := range [][]designer.Edit{
		{addTable("A")},
		{addTable("B"), addColumn("B", "x"), addColumn("B", "y")},
	} {
		out := apply(t, d, edits...)
		require.Nil(t, out.Err)
		versions = append(versions, out.Version)
	}
	undo := func(n Steps, applied int, batch string) Outcome {
		t.Helper()
		out, err := d.Undo(t.Context(), n)
		require.NoError(t, err)
		require.Nil(t, out.Err)
		assert.Equal(t, applied, out.Applied)
		assert.Equal(t, batch, out.BatchID)
		p.restart()
		d = p.designer("db")
		require.Equal(t, out.Version, d.Version())
		return out
	}
	redo := func(n Steps, applied int) Outcome {
		t.Helper()
		out, err := d.Redo(t.Context(), n)
		require.NoError(t, err)
		require.Nil(t, out.Err)
		assert.Equal(t, applied, out.Applied)
		return out
	}

	undo(Steps{}, 1, "batch-2")
	assert.Equal(t, []string{"Id", "x"}, names(t, d)["B"])
	out := undo(Steps{Batch: true}, 2, "batch-2")
	assert.Equal(t, versions[1], out.Version, "what is left of the batch goes")
	out = undo(Steps{Batch: true, ExpectedVersion: versions[1]}, 1, "batch-1")
	assert.Equal(t, versions[0], out.Version)

	out, err := d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	require.NotNil(t, out.Err)
	assert.Equal(t, designer.ValidationError, out.Err.Reason)
	assert.Equal(t, 0, out.Applied)

	assert.Equal(t, versions[1], redo(Steps{Batch: true}, 1).Version)
	assert.Equal(t, versions[2], redo(Steps{Batch: true}, 3).Version)
	assert.Equal(t, versions[0], undo(Steps{Count: 99}, 4, "").Version, "as many as there are")
	assert.Equal(t, versions[2], redo(Steps{Count: 4}, 4).Version)
	out, err = d.Redo(t.Context(), Steps{Batch: true})
	require.NoError(t, err)
	require.NotNil(t, out.Err)
}

func TestUndoChecksVersionAndTargetWhenGiven(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("Orders")))
	apply(t, d, addTable("A"))
	want := modelOf(t, d)
	for reason, n := range map[designer.Reason]Steps{
		designer.StaleState:     {ExpectedVersion: "stale"},
		designer.TargetMismatch: {ExpectedVersion: "stale", Hint: &designer.Target{Server: "x"}},
	} {
		out, err := d.Undo(t.Context(), n)
		require.NoError(t, err)
		require.NotNil(t, out.Err)
		assert.Equal(t, reason, out.Err.Reason)
		assert.Equal(t, want, modelOf(t, d))
	}
}

func TestANewEditEndsWhatCanBeRedone(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	apply(t, d, addTable("A"), addTable("B"), addTable("C"))
	_, err := d.Undo(t.Context(), Steps{Count: 2})
	require.NoError(t, err)
	apply(t, d, addTable("D"))
	m := modelOf(t, d)
	assert.Equal(t, []string{"Add table main.D", "Add table main.A"}, descriptions(m.Undo))
	assert.Empty(t, m.Redo)
	p.restart()
	assert.Equal(t, m, modelOf(t, p.designer("db")))
}

func descriptions(steps []Step) []string {
	var list []string
	for _, s := range steps {
		list = append(list, s.Description)
	}
	return list
}

func TestTheOldestStepsAreForgotten(t *testing.T) {
	const bound = 20
	p := newProject(t)
	assert.Equal(t, maxSteps, p.opts.MaxSteps)
	p.opts.MaxSteps = bound
	d := p.show(newDatabase("db", table("T")))
	var edits []designer.Edit
	for i := range bound {
		name := fmt.Sprint("c", i%2)
		edits = append(edits, addColumn("T", name), dropColumn("T", name))
	}
	out := apply(t, d, edits...)
	require.Nil(t, out.Err)
	apply(t, d, addColumn("T", "last"))
	p.restart()
	d = p.designer("db")
	assert.Equal(t, bound, modelOf(t, d).Info.UndoSteps)
	out, err := d.Undo(t.Context(), Steps{Count: bound + 1})
	require.NoError(t, err)
	assert.Equal(t, bound, out.Applied)
	out, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.NotNil(t, out.Err)
	apply(t, d, addColumn("T", "z"))
	assert.Equal(t, 1, modelOf(t, d).Info.UndoSteps)
}

func TestAStepIsAsSmallAsItsEdit(t *testing.T) {
	p := newProject(t)
	columns := make([]string, 500)
	for i := range columns {
		columns[i] = fmt.Sprint("column", i)
	}
	d := p.show(newDatabase("db", table("Wide", columns...)))
	apply(t, d, addColumn("Wide", "one more"), dropColumn("Wide", "column250"), renameTable("Wide", "Wider"))
	require.NoError(t, p.store.read(t.Context(), func(r reader) error {
		steps, err := r.steps(d.row.id, 1, 3)
		for _, s := range steps {
			assert.Less(t, len(s.change), 600, s.description)
		}
		assert.Len(t, steps, 3)
		return err
	}))
}

func TestAStepThatDoesNotFitIsReportedAndChangesNothing(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("T", "a")))
	apply(t, d, addColumn("T", "b"))
	apply(t, d, addColumn("T", "c"))
	for name, spoil := range map[string]string{
		"missing":  "DELETE FROM steps WHERE seq = 1",
		"not JSON": "INSERT OR REPLACE INTO steps (design, seq, batch, origin, at, description, change) SELECT design, 1, 'x', '', 0, '', '{' FROM steps WHERE seq = 2",
		"of another state": `INSERT OR REPLACE INTO steps (design, seq, batch, origin, at, description, change)
			SELECT design, 1, 'x', '', 0, '', replace(change, '"c"', '"no such"') FROM steps WHERE seq = 2`,
	} {
		_, err := p.store.conn.ExecContext(t.Context(), spoil)
		require.NoError(t, err)
		before := names(t, d)
		_, err = d.Undo(t.Context(), Steps{Count: 2})
		require.ErrorIs(t, err, ErrDamaged, name)
		assert.Equal(t, before, names(t, d), name)
	}
}
