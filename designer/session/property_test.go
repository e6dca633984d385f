package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"

	"github.com/berth-dev/berth/e2e/long"
)

// reference is the designer as it should behave, without disk, pipeline or
// restarts: a list of the versions that the steps lead through.
type reference struct {
	schema     *designer.Schema
	undo, redo []referenceStep // the next to take last
	batches    int
}

type referenceStep struct {
	change designer.Change
	batch  int
}

func (r *reference) apply(edits []designer.Edit, atomic bool) (applied int, refused bool) {
	r.batches++
	var steps []referenceStep
	for _, e := range edits {
		c, err := r.schema.Apply(e)
		if err != nil {
			refused = true
			break
		}
		applied++
		steps = append(steps, referenceStep{c, r.batches})
	}
	if refused && atomic {
		for i := len(steps) - 1; i >= 0; i-- {
			r.schema.Undo(steps[i].change)
		}
		return 0, true
	}
	if len(steps) > 0 {
		r.undo, r.redo = append(r.undo, steps...), nil
	}
	return applied, refused
}

func (r *reference) move(from, to *[]referenceStep, make func(designer.Change), n int, batch bool) (taken int) {
	for len(*from) > 0 {
		s := (*from)[len(*from)-1]
		if batch && taken > 0 && s.batch != (*to)[len(*to)-1].batch || !batch && taken == n {
			break
		}
		make(s.change)
		*from, *to = (*from)[:len(*from)-1], append(*to, s)
		taken++
	}
	return taken
}

// anyEdit draws an edit from few enough names that it often fits and often
// does not.
func anyEdit(t *rapid.T) designer.Edit {
	name := func(what string) string {
		return fmt.Sprint(what, rapid.IntRange(0, 3).Draw(t, what))
	}
	switch rapid.IntRange(0, 6).Draw(t, "edit") {
	case 0:
		return addTable(name("T"))
	case 1:
		return dropTable(name("T"))
	case 2:
		return renameTable(name("T"), name("T"))
	case 3:
		return dropColumn(name("T"), name("c"))
	case 4:
		return designer.Edit{Op: designer.AddForeignKey, Table: ref(name("T")), ForeignKey: designer.ForeignKeySpec{
			ReferencedTable: new(ref(name("T"))),
			Mappings:        []designer.NameMapping{{Column: name("c"), ReferencedColumn: "Id"}},
		}}
	case 5:
		return designer.Edit{Op: designer.AddIndex, Table: ref(name("T")), Index: designer.IndexSpec{
			Name: new(name("ix")), Columns: []designer.IndexPart{{Name: name("c")}},
		}}
	default:
		return addColumn(name("T"), name("c"))
	}
}

func TestWhateverIsDoneARestartChangesNothing(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		p := newProject(t)
		db := newDatabase("db", table("T0", "c0"), table("T1"))
		d := p.show(db)
		r := &reference{}
		var err error
		r.schema, err = designer.Build(plain, db.def, &designer.Options{DefaultSchema: "main"})
		require.NoError(rt, err)

		steps := rapid.IntRange(1, 12).Draw(rt, "steps")
		for range steps {
			switch rapid.IntRange(0, 4).Draw(rt, "action") {
			case 0:
				n, batch := rapid.IntRange(1, 4).Draw(rt, "n"), rapid.Bool().Draw(rt, "batch")
				out, err := d.Undo(context.Background(), Steps{Count: n, Batch: batch})
				require.NoError(rt, err)
				require.Equal(rt, r.move(&r.undo, &r.redo, r.schema.Undo, n, batch), out.Applied)
			case 1:
				n, batch := rapid.IntRange(1, 4).Draw(rt, "n"), rapid.Bool().Draw(rt, "batch")
				out, err := d.Redo(context.Background(), Steps{Count: n, Batch: batch})
				require.NoError(rt, err)
				require.Equal(rt, r.move(&r.redo, &r.undo, r.schema.Redo, n, batch), out.Applied)
			case 2:
				before := modelOf(t, d)
				p.restart()
				d = p.designer("db")
				require.Equal(rt, before, modelOf(t, d))
			default:
				b := Batch{ExpectedVersion: d.Version(), Atomic: rapid.Bool().Draw(rt, "atomic"),
					Edits: rapid.SliceOfN(rapid.Custom(anyEdit), 1, 6).Draw(rt, "edits")}
				out, err := d.Apply(context.Background(), b)
				require.NoError(rt, err)
				applied, refused := r.apply(b.Edits, b.Atomic)
				require.Equal(rt, applied, out.Applied)
				require.Equal(rt, refused, out.Err != nil)
			}
			m := modelOf(t, d)
			require.Equal(rt, r.schema.Version(), m.Info.Version)
			require.Len(rt, m.Undo, len(r.undo))
			require.Len(rt, m.Redo, len(r.redo))
		}
		before := modelOf(t, d)
		p.restart()
		require.Equal(rt, before, modelOf(t, p.designer("db")))
	})
}
