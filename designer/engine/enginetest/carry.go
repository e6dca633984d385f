package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// carry tests that what the model carries but does not edit survives plans for
// the tables it belongs to: every table is changed three times, so that a
// dialect that re-creates tables must do so, and must then be unchanged.
func carry(t *testing.T, target Target) {
	scripts := map[string]string{"everything": target.Everything, "shop": target.Shop}
	maps.Copy(scripts, target.Samples)
	maps.Copy(scripts, target.Carried)
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		t.Run(name, func(t *testing.T) {
			target.parallel(t)
			carryOf(t, target, scripts[name])
		})
	}
}

func carryOf(t *testing.T, target Target, script string) {
	b := newBench(t, target)
	execute(t, b.db, script)
	b.base = target.build(t, b.read())
	for _, table := range parentsFirst(b.base) {
		b.insert(table, 3) // as far as the suite knows what the table takes
	}
	before, fixed := b.base.Definition(), map[string]bool{}
	for _, table := range b.base.Tables() {
		fixed[table.Schema+"."+table.Name] = len(table.Columns) == 0 // the last column cannot be dropped
	}
	for _, edit := range []string{
		`{"op":"add_column","table":{"id":%q},"column":{"name":"added","dataType":"<int32>"}}`,
		`{"op":"set_column","table":{"id":%q},"column":{"name":"added"},"set":{"dataType":"<text>"}}`,
		`{"op":"drop_column","table":{"id":%q},"column":{"name":"added"}}`,
	} {
		b.changeAll(edit, fixed)
	}
	maps.DeleteFunc(fixed, func(_ string, alone bool) bool { return !alone })
	require.Less(t, 3*len(fixed), b.base.Len(), "too many tables cannot be changed")
	after := b.design()
	for _, table := range after.Tables() {
		if c, err := table.Column(designer.ObjectRef{Name: "added"}); err == nil && target.Lacks != nil {
			_, err := after.Apply(designer.Edit{Op: designer.DropColumn, Table: refTo(table), ColumnRef: designer.ObjectRef{ID: c.ID}})
			require.Nil(t, err) // it was left out, and stayed
		}
	}
	assert.Empty(t, differences(t, before, after.Definition()), "something was lost on the way")
}

// changeAll publishes an edit for every table but the fixed ones, and adds to
// them those that the dialect cannot change.
func (b *bench) changeAll(edit string, fixed map[string]bool) {
	b.t.Helper()
	for {
		design, leftOut := b.design(), false
		for _, table := range b.base.Tables() {
			if fixed[table.Schema+"."+table.Name] {
				continue
			}
			edits, err := b.decode(kind{edits: fmt.Sprintf(edit, table.ID)})
			require.NoError(b.t, err)
			c, refused := design.Apply(edits[0])
			require.True(b.t, refused == nil, "%s: %v", table.Name, refused)
			if lacking := b.lacks(b.base, design); lacking != "" {
				b.t.Logf("table %s left out, as the server lacks %s: %s", table.Name, lacking, designer.Describe(edits[0]))
				design.Undo(c)
				leftOut = true
			}
		}
		if designer.DiffOf(b.base, design).Empty() {
			require.True(b.t, leftOut, "the edits come to nothing")
			return
		}
		_, refusal := b.publish(design)
		if refusal == nil {
			return
		}
		var none *designer.PlanError
		require.ErrorAs(b.t, refusal, &none)
		b.t.Logf("left alone: %v", none)
		require.False(b.t, fixed[none.Table.Schema+"."+none.Table.Name], "it is left alone")
		fixed[none.Table.Schema+"."+none.Table.Name] = true
	}
}
