package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestAnEditIsCommittedBeforeItIsAcknowledged(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	before := d.Version()
	out := apply(t, d, addTable("Customers"), addColumn("Orders", "Total"))
	assert.Nil(t, out.Err)
	assert.Equal(t, 2, out.Applied)
	assert.Equal(t, -1, out.FailedIndex)
	assert.NotEqual(t, before, out.Version)
	assert.Equal(t, d.Version(), out.Version)
	assert.Equal(t, "batch-1", out.BatchID)

	want := modelOf(t, d)
	assert.Equal(t, Proposed, want.Info.Sync)
	assert.Len(t, want.Undo, 2)
	p.restart()
	assert.Equal(t, want, modelOf(t, p.designer("db")))
}

func TestABatchIsRefusedAsAWholeInTheOrderOfTheContract(t *testing.T) {
	edits := []designer.Edit{addTable("X")}
	elsewhere := &designer.Target{Server: "plain", Database: "other.db"}
	cases := map[string]struct {
		batch  Batch
		reason designer.Reason
	}{
		"a missing version comes first": {
			Batch{Hint: elsewhere}, designer.InvalidRequest},
		"then missing edits": {
			Batch{ExpectedVersion: "stale", Hint: elsewhere}, designer.InvalidRequest},
		"then another target": {
			Batch{ExpectedVersion: "stale", Hint: elsewhere, Edits: edits}, designer.TargetMismatch},
		"then a stale version": {
			Batch{ExpectedVersion: "stale", Hint: &designer.Target{Server: " plain ", Database: "DB.db\t"}, Edits: edits},
			designer.StaleState},
	}
	d := newProject(t).show(newDatabase("db", table("Orders")))
	want := modelOf(t, d)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := d.Apply(t.Context(), c.batch)
			require.NoError(t, err)
			require.NotNil(t, out.Err)
			assert.Equal(t, c.reason, out.Err.Reason)
			assert.Equal(t, -1, out.FailedIndex)
			assert.Equal(t, 0, out.Applied)
			assert.Equal(t, want.Info.Version, out.Version)
			assert.Equal(t, want, modelOf(t, d))
		})
	}
}

func TestWhatPrecedesARefusedEditStaysUnlessTheBatchIsAtomic(t *testing.T) {
	edits := []designer.Edit{addTable("A"), addTable("B"), addTable("a"), addTable("C")}
	cases := map[string]struct {
		atomic  bool
		applied int
		tables  int
	}{
		"by default":    {false, 2, 3},
		"not if atomic": {true, 0, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			d := p.show(newDatabase("db", table("Orders")))
			before := d.Version()
			out, err := d.Apply(t.Context(), Batch{Edits: edits, ExpectedVersion: before, Atomic: c.atomic})
			require.NoError(t, err)
			require.NotNil(t, out.Err)
			assert.Equal(t, designer.ValidationError, out.Err.Reason)
			assert.Equal(t, 2, out.FailedIndex)
			assert.Equal(t, c.applied, out.Applied)
			assert.Equal(t, d.Version(), out.Version)
			assert.Equal(t, c.atomic, before == out.Version)
			assert.Len(t, names(t, d), c.tables)
			want := modelOf(t, d)
			assert.Len(t, want.Undo, c.applied)
			p.restart()
			assert.Equal(t, want, modelOf(t, p.designer("db")))
		})
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	apply(t, d, addTable("A"))
	_, err := d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	want := modelOf(t, d)
	events, cancel := p.Subscribe(p.store.seq)
	defer cancel()

	batch := Batch{Edits: []designer.Edit{addTable("B"), addColumn("B", "x")}, ExpectedVersion: want.Info.Version, DryRun: true}
	out, err := d.Apply(t.Context(), batch)
	require.NoError(t, err)
	assert.True(t, out.DryRun)
	assert.Equal(t, 2, out.Applied)
	assert.Equal(t, want.Info.Version, out.Version)
	assert.Empty(t, out.BatchID)
	assert.Len(t, out.Changes.TablesAdded, 1)
	assert.Equal(t, want, modelOf(t, d))
	assert.Empty(t, drain(events))

	batch.Edits = append(batch.Edits, dropTable("nope"))
	out, err = d.Apply(t.Context(), batch)
	require.NoError(t, err)
	assert.Equal(t, 2, out.FailedIndex)
	assert.Equal(t, want, modelOf(t, d))
}

// Who undoes as many edits as were reported applied comes back to where they
// began, and no further.
func TestAnEditThatAsksForWhatIsSoIsAStepToo(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("Orders")))
	apply(t, d, addTable("Before"))
	version := d.Version()
	out := apply(t, d, renameTable("Orders", "Orders"))
	assert.Nil(t, out.Err)
	assert.Equal(t, 1, out.Applied)
	assert.Equal(t, version, d.Version())
	undone, err := d.Undo(t.Context(), Steps{Count: out.Applied})
	require.NoError(t, err)
	assert.Equal(t, 1, undone.Applied)
	assert.Equal(t, version, d.Version(), "the edit before is still there")
}

func TestAFailedCommitLeavesTheLastAcknowledgedState(t *testing.T) {
	cases := map[string]struct {
		breakIt, mend string
		kind          error
	}{
		"disk full": {"PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", ErrFull},
		"read-only": {"PRAGMA query_only = ON", "PRAGMA query_only = OFF", ErrReadOnly},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			d := p.show(newDatabase("db", tables(20)...))
			apply(t, d, addTable("A"), addTable("B"))
			_, err := d.Undo(t.Context(), Steps{})
			require.NoError(t, err)
			want := modelOf(t, d)
			events, cancel := p.Subscribe(p.store.seq)
			defer cancel()
			_, err = p.store.conn.ExecContext(t.Context(), c.breakIt)
			require.NoError(t, err)

			batch := Batch{ExpectedVersion: want.Info.Version}
			for i := range 100 {
				batch.Edits = append(batch.Edits, addTable(fmt.Sprint("Big", i)))
			}
			_, err = d.Apply(t.Context(), batch)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, p.store.path)
			if c.kind == ErrReadOnly { // moving on the stack needs no room
				_, err = d.Undo(t.Context(), Steps{})
				require.ErrorIs(t, err, c.kind)
				_, err = d.Redo(t.Context(), Steps{})
				require.ErrorIs(t, err, c.kind)
			}
			assert.Equal(t, want, modelOf(t, d))
			assert.Empty(t, drain(events))

			_, err = p.store.conn.ExecContext(t.Context(), c.mend)
			require.NoError(t, err)
			out, err := d.Apply(t.Context(), batch)
			require.NoError(t, err)
			assert.Equal(t, 100, out.Applied)
			want = modelOf(t, d)
			p.restart()
			assert.Equal(t, want, modelOf(t, p.designer("db")))
		})
	}
}

func TestAPanicLeavesTheLastAcknowledgedState(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("Orders")))
	apply(t, d, addTable("A"))
	want := modelOf(t, d)
	newBatch := p.opts.NewBatch
	p.opts.NewBatch = func() string { panic("a bug") } // after the edits were made
	require.PanicsWithValue(t, "a bug", func() { apply(t, d, addTable("B")) })
	assert.Equal(t, want, modelOf(t, d))
	p.opts.NewBatch = newBatch
	assert.Nil(t, apply(t, d, addTable("B")).Err)
}

func TestACancelledCallDoesNothing(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("Orders")))
	want := modelOf(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Apply(ctx, Batch{Edits: []designer.Edit{addTable("A")}, ExpectedVersion: want.Info.Version})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, want, modelOf(t, d))
}

func TestAfterCloseEveryOperationSaysSo(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders"))
	d := p.show(db)
	events, _ := p.Subscribe(0)
	version := d.Version()
	require.NoError(t, p.Close())
	for name, call := range map[string]func() error{
		"apply": func() error {
			_, err := d.Apply(t.Context(), Batch{Edits: []designer.Edit{addTable("A")}, ExpectedVersion: version})
			return err
		},
		"apply of nothing": func() error { _, err := d.Apply(t.Context(), Batch{}); return err },
		"undo":             func() error { _, err := d.Undo(t.Context(), Steps{}); return err },
		"redo":             func() error { _, err := d.Redo(t.Context(), Steps{}); return err },
		"refresh":          func() error { _, err := d.Refresh(t.Context(), db); return err },
		"show":             func() error { _, err := p.Show(t.Context(), db); return err },
		"view":             func() error { return d.View(func(*designer.Schema) { t.Error("viewed") }) },
		"base":             func() error { _, err := d.Base(t.Context()); return err },
		"history":          func() error { _, _, err := d.History(t.Context(), 1); return err },
	} {
		assert.ErrorIs(t, call(), ErrClosed, name)
	}
	for range events { // ends
	}
}
