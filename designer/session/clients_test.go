package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// clientsOf lists a design's steps with the program that asked for each.
func clientsOf(t testing.TB, d *Designer) (list []string) {
	t.Helper()
	require.NoError(t, d.m.store.read(t.Context(), func(r reader) error {
		rows, err := r.steps(d.row.id, d.row.steps.first, d.row.steps.top)
		for _, row := range rows {
			list = append(list, row.description+": "+row.client)
		}
		return err
	}))
	return list
}

func TestTheClientIsKeptWithEveryStep(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A", "x"))
	d := p.show(db)
	events, stop := p.Subscribe(p.LastEvent())
	defer stop()
	out, err := d.Apply(t.Context(), Batch{Edits: []designer.Edit{retype("A", "x", "text")}, ExpectedVersion: d.Version(), Origin: "agent", Client: "coder 1"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	out, err = d.Undo(t.Context(), Steps{Origin: "agent", Client: "coder 2"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	out, err = d.Redo(t.Context(), Steps{Origin: "agent", Client: "coder 3"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	for _, want := range []string{"coder 1", "coder 2", "coder 3"} {
		assert.Equal(t, want, (<-events).Client)
	}
	_, err = d.Import(t.Context(), Import{Definition: designer.Definition{Tables: []designer.TableDefinition{table("B")}},
		ExpectedVersion: d.Version(), Origin: "agent", Client: "coder 4", Description: "Import b.sql"})
	require.NoError(t, err)
	_, _, err = d.Revert(t.Context(), Revert{Steps: []int64{2}, ExpectedVersion: d.Version(), Origin: "page"})
	require.NoError(t, err)
	want := []string{"Change column x of main.A: coder 1", "Import b.sql: coder 4", "Revert: Import b.sql: "}
	assert.Equal(t, want, clientsOf(t, d))
	p.restart()
	assert.Equal(t, want, clientsOf(t, p.designer("db")))
}

func TestTheClientGoesWithEveryStepOfATeam(t *testing.T) {
	b, ann, ben, s := published(t)
	_, err := ann.d.Undo(t.Context(), Steps{Origin: "agent", Client: "coder 2"})
	require.NoError(t, err)
	_, err = ann.d.Redo(t.Context(), Steps{Origin: "agent", Client: "coder 3"})
	require.NoError(t, err)
	p, err := ann.d.Propose(t.Context(), s)
	require.NoError(t, err)
	_, err = ann.d.Publish(t.Context(), s, p.Digest(), Caller{Origin: "agent", Client: "coder 4"}, nil)
	require.NoError(t, err)
	settled(t, b, ann, ben)
	assert.Equal(t, []string{"Add check positive to main.A: ", "Undo: Add check positive to main.A: coder 2",
		"Redo: Add check positive to main.A: coder 3", "Take over what publishing has made: coder 4"}, clientsOf(t, ben.d))
}

func TestTheClientIsKeptWithAChoice(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A", "x"))
	d := p.show(db)
	apply(t, d, retype("A", "x", "text"))
	db.set(table("A"))
	p.show(db)
	_, err := d.Rebase(t.Context(), db, d.Version(), Caller{Origin: "agent", Client: "coder 1"}, func(merge.Conflict) merge.Side { return merge.SideDatabase })
	require.NoError(t, err)
	assert.Equal(t, []string{"Change column x of main.A: ", "Take over what changed in the database: coder 1"}, clientsOf(t, d))
}
