package session

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func TestTheDesignShownLastIsActiveAlsoAfterARestart(t *testing.T) {
	p := newProject(t)
	_, ok := p.Active()
	assert.False(t, ok)
	one, two := newDatabase("one", table("A")), newDatabase("two", table("B"))
	p.show(one)
	p.show(two)
	p.show(one)
	active, ok := p.Active()
	require.True(t, ok)
	assert.Equal(t, "one", active.ID())
	p.restart()
	active, ok = p.Active()
	require.True(t, ok)
	assert.Equal(t, "one", active.ID())
	assert.Equal(t, designer.Target{Server: "Plain", Database: "one.db"}, active.Target())
	assert.Contains(t, names(t, active), "A", "without its database")
	list := p.List()
	require.Len(t, list, 2)
	assert.Equal(t, []bool{true, false}, []bool{list[0].Active, list[1].Active})
	assert.Equal(t, []int{1, 1}, []int{list[0].Tables, list[1].Tables}, "counted though not read yet")
	assert.Equal(t, 2, one.reads)
}

func TestDesignsAreFoundByIDAndName(t *testing.T) {
	p := newProject(t)
	p.show(newDatabase("one"))
	_, ok := p.ByID("ONE")
	assert.False(t, ok)
	_, ok = p.ByID("one")
	assert.True(t, ok)
	d, ok := p.ByName("NAME OF one")
	require.True(t, ok)
	assert.Equal(t, "one", d.ID())
	_, ok = p.ByName("two")
	assert.False(t, ok)

	again := newDatabase("later") // the name now belongs to another connection
	again.name = "name of one"
	p.show(again)
	d, _ = p.ByName("name of one")
	assert.Equal(t, "later", d.ID())
}

func TestShowReadsTheDatabaseAgain(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A"))
	d := p.show(db)
	db.set(table("A"), table("B"))
	assert.Same(t, d, p.show(db))
	assert.Len(t, names(t, d), 2)
	assert.Equal(t, Synced, d.Info().Sync)
}

func TestShowFailsOnlyWithoutDatabaseAndDesign(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A"))
	down := errors.New("the server is down")
	db.fail(down)
	_, err := p.Show(t.Context(), db)
	require.ErrorIs(t, err, down)
	_, ok := p.Active()
	assert.False(t, ok)
	assert.Empty(t, p.List())

	db.fail(nil)
	p.show(db)
	db.fail(down)
	p.restart()
	d := p.show(db)
	assert.Contains(t, names(t, d), "A")
	require.ErrorIs(t, d.Info().ReadError, down)
	db.fail(nil)
	p.show(db)
	assert.NoError(t, d.Info().ReadError)
}

func TestManyFirstShowsMakeOneDesign(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", tables(50)...)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d, err := p.Show(t.Context(), db)
			if assert.NoError(t, err) {
				assert.Len(t, names(t, d), 50)
			}
		})
	}
	wg.Wait()
	assert.Len(t, p.List(), 1)
	want := modelOf(t, p.designer("db"))
	p.restart()
	assert.Equal(t, want, modelOf(t, p.designer("db")))
}

func TestEventsTellWhatWasCommitted(t *testing.T) {
	p := newProject(t)
	events, cancel := p.Subscribe(0)
	defer cancel()
	db := newDatabase("db", table("A"))
	d := p.show(db)
	apply(t, d, addTable("B"), addTable("C"))
	_, err := d.Undo(t.Context(), Steps{Origin: "page"})
	require.NoError(t, err)
	_, err = d.Redo(t.Context(), Steps{Origin: "page"})
	require.NoError(t, err)
	db.set(table("A"), table("B"), table("C"))
	refresh(t, d, db)
	got := drain(events)
	require.Len(t, got, 5)
	for i, want := range []Event{
		{Type: Shown, Origin: "database"},
		{Type: Committed, Origin: "agent", BatchID: "batch-1"},
		{Type: Undone, Origin: "page", BatchID: "batch-1"},
		{Type: Redone, Origin: "page", BatchID: "batch-1"},
		{Type: Refreshed, Origin: "database"},
	} {
		want.Seq, want.ConnectionID, want.Version, want.Changes = uint64(i+1), "db", got[i].Version, got[i].Changes
		want.Tables, want.Dropped, want.Status = got[i].Tables, got[i].Dropped, got[i].Status
		if i > 0 {
			want.Previous = got[i-1].Version
		}
		assert.Equal(t, want, got[i])
		assert.Equal(t, want.BatchID != "", got[i].Changes != nil)
	}
	assert.Len(t, got[1].Changes.TablesAdded, 2)
	assert.Len(t, got[2].Changes.TablesDropped, 1)
	assert.Equal(t, d.Version(), got[4].Version)

	p.restart()
	events, cancel = p.Subscribe(5)
	defer cancel()
	older, cancelOlder := p.Subscribe(4)
	defer cancelOlder()
	apply(t, p.designer("db"), addTable("D"))
	assert.Equal(t, []uint64{6}, seqs(drain(events)), "numbers go on after a restart")
	reset := drain(older)
	require.Len(t, reset, 2)
	assert.Equal(t, Reset, reset[0].Type)
	assert.Equal(t, []uint64{5, 6}, seqs(reset))
}

func TestAStoredDesignThatCannotBeReadLeavesTheOthersAlone(t *testing.T) {
	p := newProject(t)
	p.show(newDatabase("good", table("A")))
	p.show(newDatabase("bad", table("B")))
	_, err := p.store.conn.ExecContext(t.Context(),
		"UPDATE tables SET body = '[' WHERE design = (SELECT id FROM designs WHERE connection_id = 'bad')")
	require.NoError(t, err)
	p.restart()
	assert.Contains(t, names(t, p.designer("good")), "A")
	err = p.designer("bad").View(func(*designer.Schema) { t.Error("viewed") })
	require.ErrorIs(t, err, ErrDamaged)
	assert.ErrorContains(t, err, "name of bad")
}

func TestAStateWithVersionsOfAnotherKindIsTakenOver(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A"))
	d := p.show(db)
	apply(t, d, addTable("B"))
	want := modelOf(t, d)
	_, err := p.store.conn.ExecContext(t.Context(),
		"UPDATE designs SET version = 'old', base_version = 'old base', seen_version = 'old base'")
	require.NoError(t, err)
	p.restart()
	d = p.designer("db")
	require.NoError(t, d.View(func(*designer.Schema) {}))
	assert.Equal(t, want, modelOf(t, d))
}
