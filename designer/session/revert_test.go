package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

func revert(t *testing.T, d *Designer, steps ...int64) (Outcome, []merge.Conflict) {
	t.Helper()
	out, conflicts, err := d.Revert(t.Context(), Revert{Steps: steps, ExpectedVersion: d.Version(), Origin: "page"})
	require.NoError(t, err)
	return out, conflicts
}

func TestRevertingAStepLeavesLaterOnes(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x"), table("B")))
	apply(t, d, dropColumn("A", "x"))     // 1
	apply(t, d, addColumn("A", "later"))  // 2
	apply(t, d, renameTable("B", "Bee"))  // 3
	apply(t, d, addColumn("Bee", "more")) // 4
	column := func(table, name string) (id designer.ID) {
		require.NoError(t, d.View(func(s *designer.Schema) {
			for _, t := range s.Tables() {
				for _, c := range t.Columns {
					if t.Name == table && c.Name == name {
						id = c.ID
					}
				}
			}
		}))
		return id
	}
	past, _, err := d.Past(t.Context(), 4)
	require.NoError(t, err)
	lost := past[3].Tables[0].Before.Columns[1].ID

	out, conflicts := revert(t, d, 1, 3)
	require.Nil(t, out.Err)
	assert.Empty(t, conflicts)
	assert.Equal(t, 2, out.Applied)
	assert.Equal(t, map[string][]string{"A": {"Id", "later", "x"}, "B": {"Id", "more"}}, names(t, d))
	assert.Equal(t, lost, column("A", "x"), "the database's column is back, not a new one of that name: publishing must not drop it")
	assert.Equal(t, out.Version, d.Version())

	_, err = d.Undo(t.Context(), Steps{Batch: true})
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"A": {"Id", "later"}, "Bee": {"Id", "more"}}, names(t, d), "a revert is undone like any batch")
}

func TestRevertingABatchOfATableAndItsColumnsTakesThemAll(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A")))
	version := d.Version()
	apply(t, d, addTable("N"), addColumn("N", "x"), renameTable("N", "New"))
	out, _ := revert(t, d, 3, 1, 2)
	require.Nil(t, out.Err)
	assert.Equal(t, version, d.Version())
	past, _, err := d.Past(t.Context(), 1)
	require.NoError(t, err)
	assert.Equal(t, "Revert: Add table main.N and 2 more", past[0].Description)
	assert.Equal(t, "page", past[0].Origin)
	assert.Equal(t, Synced, d.Info().Sync)
}

func TestRevertingWhatLaterStepsBuildOnIsRefusedWhole(t *testing.T) {
	cases := map[string]struct {
		first, later []designer.Edit
		revert       []int64
	}{
		"a column that was renamed since": {
			first:  []designer.Edit{renameColumn("A", "x", "y")},
			later:  []designer.Edit{renameColumn("A", "y", "z")},
			revert: []int64{1},
		},
		"a table that got a column since": {
			first:  []designer.Edit{addTable("N")},
			later:  []designer.Edit{addColumn("N", "c")},
			revert: []int64{1},
		},
		"a dropped column whose name is used again": {
			first:  []designer.Edit{dropColumn("A", "x")},
			later:  []designer.Edit{addColumn("A", "x")},
			revert: []int64{1},
		},
		"a dropped table whose name is used again": {
			first:  []designer.Edit{dropTable("B")},
			later:  []designer.Edit{addTable("B")},
			revert: []int64{1},
		},
		"one of two that can be and one that cannot": {
			first:  []designer.Edit{renameColumn("A", "x", "y"), renameTable("B", "Bee")},
			later:  []designer.Edit{renameColumn("A", "y", "z")},
			revert: []int64{1, 2},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			d := p.show(newDatabase("db", table("A", "x"), table("B")))
			require.Nil(t, apply(t, d, c.first...).Err)
			require.Nil(t, apply(t, d, c.later...).Err)
			want := modelOf(t, d)
			out, _ := revert(t, d, c.revert...)
			require.NotNil(t, out.Err)
			assert.Equal(t, designer.ValidationError, out.Err.Reason)
			assert.Zero(t, out.Applied)
			assert.Equal(t, want, modelOf(t, d))
			p.restart()
			assert.Equal(t, want, modelOf(t, p.designer("db")))
		})
	}
}

func renameColumn(tbl, name, to string) designer.Edit {
	return designer.Edit{Op: designer.SetColumn, Table: ref(tbl), ColumnRef: designer.ObjectRef{Name: name},
		SetColumn: designer.ColumnSpec{Name: &to}}
}

func TestRevertingSaysWhatConflicts(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x")))
	apply(t, d, renameColumn("A", "x", "y"))
	apply(t, d, renameColumn("A", "y", "z"))
	_, conflicts := revert(t, d, 1)
	require.Len(t, conflicts, 1)
	assert.Equal(t, "column z", conflicts[0].Part)
	assert.Equal(t, "name", conflicts[0].What)
}

func TestOnlyStepsThatAreDoneCanBeReverted(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A")))
	apply(t, d, addTable("B"))
	_, err := d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	for _, steps := range [][]int64{nil, {1}, {2}, {0}, {-1}} {
		out, _ := revert(t, d, steps...)
		assert.NotNil(t, out.Err, "%v", steps)
	}
	out, _, err := d.Revert(t.Context(), Revert{Steps: []int64{1}, ExpectedVersion: "old"})
	require.NoError(t, err)
	assert.Equal(t, designer.StaleState, out.Err.Reason)
}
