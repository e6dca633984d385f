package session

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/merge"
)

func TestEditsReachTheOthers(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	events, stop := ben.Subscribe(ben.LastEvent())
	defer stop()
	out := ann.edit(addColumn("A", "z"), addTable("C"))
	assert.Equal(t, 2, out.Applied)
	e := <-events
	assert.Equal(t, Committed, e.Type)
	assert.Equal(t, "ann", e.Author)
	assert.Equal(t, out.Version, e.Version)
	assert.Equal(t, out.BatchID, e.BatchID)
	require.Len(t, e.Tables, 2)
	settled(t, b, ann, ben)
	ben.edit(dropTable("B"))
	settled(t, b, ann, ben)
	assert.Equal(t, map[string][]string{"A": {"Id", "x", "z"}, "C": {"Id"}}, names(t, ann.d))
	assert.Equal(t, Proposed, ann.d.Info().Sync)
	assert.Equal(t, 2, ann.d.Info().UndoSteps, "ben's is ben's")
	assert.Equal(t, 1, ben.d.Info().UndoSteps)
}

func TestAReplicaContinuesAfterARestart(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "z"))
	settled(t, b, ann, ben)
	require.NoError(t, ben.Close())
	ann.edit(addColumn("A", "zz"))
	ann.undo(Steps{})
	ben.open()
	ben.d = ben.designer("db")
	assert.Equal(t, []*Designer{ben.d}, ben.Shared())
	out := ben.try(addColumn("B", "b"))
	require.NotNil(t, out.Err, "not connected yet")
	assert.Equal(t, designer.TeamUnreachable, out.Err.Reason)
	require.NoError(t, ben.d.Connect(ben.link))
	settled(t, b, ann, ben)
	ben.edit(addColumn("B", "b"))
	settled(t, b, ann, ben)
}

// Another edit takes the place between proposing and appending.
func TestALostRaceIsRebasedByTheInstance(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ben.link.before = func() { ann.edit(addColumn("A", "first")) }
	out := ben.edit(addColumn("B", "second"))
	settled(t, b, ann, ben)
	assert.Equal(t, ben.d.Version(), out.Version)
	assert.Equal(t, map[string][]string{"A": {"Id", "x", "first"}, "B": {"Id", "y", "second"}}, names(t, ann.d))

	ben.link.before = func() { ann.edit(addColumn("B", "third")) }
	out = ben.try(addColumn("B", "fourth"))
	require.NotNil(t, out.Err, "the same table")
	assert.Equal(t, designer.StaleState, out.Err.Reason)
	settled(t, b, ann, ben)

	ben.link.before = func() { ann.edit(addTable("New")) }
	out = ben.try(addTable("New"))
	require.NotNil(t, out.Err, "the name is taken now, which the rules of edits say")
	assert.Equal(t, designer.ValidationError, out.Err.Reason)
	settled(t, b, ann, ben)
}

func TestUndoTakesBackOnesOwnLastStep(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "a1"))
	settled(t, b, ann, ben)
	ben.edit(addColumn("A", "b1"))
	settled(t, b, ann, ben)

	undo, redo, err := ann.d.History(context.Background(), 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"ann: Add column a1 to main.A"}, withAuthors(undo))
	assert.Empty(t, redo)
	out := ann.undo(Steps{})
	require.Nil(t, out.Err)
	assert.Equal(t, 1, out.Applied)
	settled(t, b, ann, ben)
	assert.Equal(t, []string{"Id", "x", "b1"}, names(t, ben.d)["A"], "what ben did stays")

	out = ann.undo(Steps{})
	require.NotNil(t, out.Err)
	assert.Equal(t, "There is nothing of ann to undo: what others did is reverted by its step", out.Err.Message)

	out = ann.redo(Steps{})
	require.Nil(t, out.Err)
	settled(t, b, ann, ben)
	assert.ElementsMatch(t, []string{"Id", "x", "b1", "a1"}, names(t, ben.d)["A"])
	assert.NotNil(t, ann.redo(Steps{}).Err, "once")
	require.Nil(t, ann.undo(Steps{}).Err)
	ann.reopen()
	require.Nil(t, ann.redo(Steps{}).Err, "after a restart, too")
	settled(t, b, ann, ben)
	ann.edit(addColumn("B", "new"))
	assert.Equal(t, 0, ann.d.Info().RedoSteps)
}

func TestUndoOfWhatNoLongerFitsIsRefused(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(renameTable("A", "A1"))
	settled(t, b, ann, ben)
	ben.edit(renameTable("A1", "A2"))
	settled(t, b, ann, ben)
	out := ann.undo(Steps{})
	require.NotNil(t, out.Err)
	assert.Equal(t, designer.ValidationError, out.Err.Reason)
	assert.Contains(t, out.Err.Message, "no longer fits")
	assert.Equal(t, 1, ann.d.Info().UndoSteps)
	settled(t, b, ann, ben)
}

func TestUndoOfABatchAndOfAnotherByItsName(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "a1"), addColumn("B", "a2"), addTable("C"))
	settled(t, b, ann, ben)
	ben.edit(addColumn("A", "b1"))
	settled(t, b, ann, ben)
	out := ann.undo(Steps{Batch: true})
	require.Nil(t, out.Err)
	assert.Equal(t, 3, out.Applied)
	settled(t, b, ann, ben)
	assert.Equal(t, map[string][]string{"A": {"Id", "x", "b1"}, "B": {"Id", "y"}}, names(t, ann.d))
	require.Nil(t, ann.redo(Steps{Batch: true}).Err)
	settled(t, b, ann, ben)
	assert.Contains(t, names(t, ben.d), "C")

	out, conflicts, err := ann.d.Revert(context.Background(), Revert{Steps: []int64{4}, Origin: "page"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	assert.Empty(t, conflicts)
	settled(t, b, ann, ben)
	assert.NotContains(t, names(t, ben.d)["A"], "b1", "ann named ben's step")
	assert.Equal(t, 0, ben.d.Info().UndoSteps, "which ben has no longer to undo")
}

func TestWithoutTheBrokerReadingGoesOn(t *testing.T) {
	_, mates := found(t, "ann", "ben")
	ann := mates[0]
	ann.link.cut(true)
	out := ann.try(addColumn("A", "z"))
	require.NotNil(t, out.Err)
	assert.Equal(t, designer.TeamUnreachable, out.Err.Reason)
	assert.Contains(t, out.Err.Message, `the broker of team design "shop" has been unreachable since 2026-08-01 11:00:00: the cable is cut`)
	assert.Equal(t, map[string][]string{"A": {"Id", "x"}, "B": {"Id", "y"}}, names(t, ann.d))
	assert.False(t, ann.d.Shared().Connected)
	assert.Equal(t, "the cable is cut", ann.d.Shared().Reason)

	dry, err := ann.d.Apply(context.Background(), Batch{Edits: []designer.Edit{addColumn("A", "z")}, ExpectedVersion: ann.d.Version(), DryRun: true})
	require.NoError(t, err)
	assert.Nil(t, dry.Err, "a trial needs nobody")

	ann.db.set(table("A", "x", "new"), table("B", "y"))
	ann.show(ann.db)
	assert.Equal(t, Drifted, ann.d.Info().Sync, "the database is this host's own")
	ann.link.cut(false)
	ann.edit(addColumn("A", "z"))
}

func unknown() error { return &journal.UnknownError{Journal: "shop", Err: errors.New("no answer")} }

func TestAnUnknownOutcomeIsSaidAndResolved(t *testing.T) {
	for name, other := range map[string]bool{"it was committed": false, "another came first": true} {
		t.Run(name, func(t *testing.T) {
			b, mates := found(t, "ann", "ben")
			ann, ben := mates[0], mates[1]
			resolve := make(chan struct{})
			ann.link.fate = func() error {
				ann.link.fate = func() error { <-resolve; return nil }
				return unknown()
			}
			out := ann.try(addColumn("A", "z"))
			require.NotNil(t, out.Err)
			assert.Equal(t, designer.TeamUnknown, out.Err.Reason)
			assert.Contains(t, out.Err.Message, "batch "+out.BatchID)
			assert.Equal(t, out.BatchID, ann.d.Shared().Unknown)
			again := ann.try(addColumn("A", "other"))
			require.NotNil(t, again.Err, "read-only until it is known")
			assert.Equal(t, designer.TeamUnknown, again.Err.Reason)
			if other {
				ben.edit(addColumn("B", "b"))
			}
			close(resolve)
			require.Eventually(t, func() bool { return ann.d.Shared().Unknown == "" }, patience, time.Millisecond)
			settled(t, b, ann, ben)
			if other {
				assert.NotContains(t, names(t, ann.d)["A"], "z")
			} else {
				assert.Contains(t, names(t, ben.d)["A"], "z")
			}
			ann.edit(addColumn("A", "next"))
			settled(t, b, ann, ben)
		})
	}
}

func TestAFullBrokerIsSaid(t *testing.T) {
	_, mates := found(t, "ann")
	ann := mates[0]
	ann.link.fate = func() error {
		return &journal.RefusedError{Journal: "shop", Reason: "maximum bytes exceeded", Hint: "free some"}
	}
	out := ann.try(addColumn("A", "z"))
	require.NotNil(t, out.Err)
	assert.Equal(t, designer.TeamRefused, out.Err.Reason)
	assert.Contains(t, out.Err.Message, "maximum bytes exceeded (free some). Nothing was changed")
	ann.edit(addColumn("A", "z"))
}

func TestJoiningWithChangesOfOnesOwn(t *testing.T) {
	b, mates := found(t, "ann")
	ann := mates[0]
	ann.edit(addColumn("A", "a1"))
	ben := newMate(t, b, "ben", table("A", "x"), table("B", "y"))
	apply(t, ben.d, addColumn("B", "b1"), addTable("Own"))
	events, stop := ben.Subscribe(ben.LastEvent())
	defer stop()
	defer func() { assert.Equal(t, Refreshed, (<-events).Type, "a page must read all of it") }()
	got, err := ben.d.Attach(context.Background(), ben.link, "ben")
	require.NoError(t, err)
	assert.True(t, got.Brought)
	settled(t, b, ann, ben)
	assert.Equal(t, map[string][]string{"A": {"Id", "x", "a1"}, "B": {"Id", "y", "b1"}, "Own": {"Id"}}, names(t, ann.d))
	assert.Equal(t, Proposed, ben.d.Info().Sync)

	cas := newMate(t, b, "cas", table("A", "x"), table("B", "y"))
	apply(t, cas.d, renameTable("A", "Other"), addColumn("Other", "a1"))
	before := names(t, cas.d)
	_, err = cas.d.Attach(context.Background(), cas.link, "cas")
	if err != nil { // two that changed the same things
		assert.Contains(t, err.Error(), "both changed the same things")
		assert.Equal(t, before, names(t, cas.d))
		assert.Nil(t, cas.d.Shared())
	} else {
		settled(t, b, ann, ben, cas)
	}
}

func TestWhatCannotBeJoined(t *testing.T) {
	b, mates := found(t, "ann")
	_, err := mates[0].d.Attach(context.Background(), mates[0].link, "ann")
	assert.ErrorIs(t, err, ErrShared)

	other := *plain
	other.Name, other.Title = "other", "Other"
	ben := &mate{project: newProject(t), name: "ben", db: newDatabase("db", table("A")), link: &link{broker: b, name: "shop"}}
	ben.db.dialect = &other
	ben.d = ben.show(ben.db)
	_, err = ben.d.Attach(context.Background(), ben.link, "ben")
	assert.ErrorContains(t, err, "the team's design is for plain and this connection is other")

	_, err = newMate(t, newBroker(), "cas").d.Attach(context.Background(), &link{broker: newBroker(), name: "empty"}, "cas")
	assert.ErrorContains(t, err, "it is empty")
}

func TestDetachedADesignIsTheProjectsAlone(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "a1"))
	settled(t, b, ann, ben)
	ben.edit(addColumn("B", "b1"))
	settled(t, b, ann, ben)
	require.NoError(t, ben.d.Detach(context.Background()))
	assert.Nil(t, ben.d.Shared())
	assert.Equal(t, 2, ben.d.Info().UndoSteps, "all that came before, as steps of one stack")
	apply(t, ben.d, addColumn("B", "alone"))
	require.Nil(t, ben.undo(Steps{Count: 3}).Err)
	assert.Equal(t, map[string][]string{"A": {"Id", "x"}, "B": {"Id", "y"}}, names(t, ben.d))
	assert.Equal(t, []string{"Id", "x", "a1"}, names(t, ann.d)["A"])
	assert.ErrorIs(t, ben.d.Detach(context.Background()), ErrNotShared)
	ben.restart()
	ben.d = ben.designer("db")
	assert.Nil(t, ben.d.Shared())
	ben.attach()
	settled(t, b, ann, ben)
}

func TestARemovedPersonStopsFollowing(t *testing.T) {
	b, mates := found(t, "ann", "ben", "cas")
	ann, ben, cas := mates[0], mates[1], mates[2]
	require.NoError(t, ann.d.Remove(context.Background(), "ben"))
	settled(t, b, ann, ben, cas)
	out := ben.try(addColumn("A", "z"))
	require.NotNil(t, out.Err)
	assert.Equal(t, designer.TeamRefused, out.Err.Reason)
	assert.Contains(t, out.Err.Message, "ann removed ben from the team")
	ben.reopen()
	assert.NotNil(t, ben.try(addColumn("A", "z")).Err, "after a restart, too")
	cas.edit(addColumn("A", "z"))
	settled(t, b, ann, cas)
}

// What no replica could follow stops it, with words; what it has stays readable.
func TestAnEntryThatDoesNotFitStopsTheReplica(t *testing.T) {
	bad := func(change func(e *teamEntry)) func(t *testing.T, d *Designer) []byte {
		return func(t *testing.T, d *Designer) []byte {
			e := teamEntry{Format: teamFormat, Kind: entryEdit, Author: "eve", Before: d.Version(), After: d.Version(), Digest: d.shared.record.Digest}
			change(&e)
			text, err := encode(e)
			require.NoError(t, err)
			return []byte(text)
		}
	}
	for name, c := range map[string]struct {
		body func(t *testing.T, d *Designer) []byte
		says string
	}{
		"not an entry":       {func(*testing.T, *Designer) []byte { return []byte("hello") }, "it is no entry of berth"},
		"of a newer berth":   {bad(func(e *teamEntry) { e.Format = teamFormat + 1 }), "eve wrote it with a newer berth: upgrade this one"},
		"on another version": {bad(func(e *teamEntry) { e.Before = "other" }), "it was made on another version"},
		"to another version": {bad(func(e *teamEntry) { e.After = "other" }), "it leads to another version here"},
		"with other ids":     {bad(func(e *teamEntry) { e.Digest = identity{}.String() }), "it leads to other ids here"},
		"of a table that is none": {bad(func(e *teamEntry) {
			e.Steps = []teamStep{{Change: []byte(`[{"after":{"id":"t","schema":"main","name":"T","columns":[{"id":"c","name":"c","dataType":"int"}],"primaryKey":{"columns":["none"]},"indexes":[{"id":"c","parts":[{"column":"none"}]}]}}]`)}}
		}), "table"},
		"of nothing":          {bad(func(e *teamEntry) { e.Steps = []teamStep{{Change: []byte(`[{}]`)}} }), "it makes no sense"},
		"of an unknown table": {bad(func(e *teamEntry) { e.Steps = []teamStep{{Change: []byte(`[{"id":"none"}]`)}} }), "does not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			b, mates := found(t, "ann", "ben")
			ann, ben := mates[0], mates[1]
			_, err := b.put(ann.d.shared.record.At, "bad", c.body(t, ann.d))
			require.NoError(t, err)
			for _, m := range []*mate{ann, ben} {
				require.Eventually(t, func() bool { return m.d.Shared().Stopped != "" }, patience, time.Millisecond)
				assert.Contains(t, m.d.Shared().Stopped, c.says)
				out := m.try(addColumn("A", "z"))
				require.NotNil(t, out.Err)
				assert.Equal(t, designer.TeamRefused, out.Err.Reason)
				assert.Equal(t, map[string][]string{"A": {"Id", "x"}, "B": {"Id", "y"}}, names(t, m.d))
			}
			assert.Error(t, func() error { _, err := replicate(t.Context(), ann.link, dialects, nil); return err }())
			require.NoError(t, ben.d.Detach(context.Background()))
			apply(t, ben.d, addColumn("A", "z"))
		})
	}
}

func TestANewcomerStartsFromASnapshot(t *testing.T) {
	t.Parallel()
	b, mates := found(t, "ann")
	ann := mates[0]
	for i := range snapshotEvery + 20 {
		ann.edit(addColumn("A", fmt.Sprint("c", i)), addColumn("B", fmt.Sprint("d", i)), dropColumn("A", fmt.Sprint("c", i)))
	}
	require.Eventually(t, func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.snapshot != nil }, patience, time.Millisecond)
	assert.Equal(t, uint64(snapshotEvery), b.snapped.Seq)
	ben := newMate(t, b, "ben", table("A", "x"), table("B", "y"))
	ben.attach()
	settled(t, b, ann, ben)
	assert.Equal(t, int64(teamSteps), ben.d.row.steps.top-ben.d.row.steps.first+1)
	require.Nil(t, ann.undo(Steps{Count: 5}).Err)
	settled(t, b, ann, ben)
}

// A database's changes come into the design when a person takes them over.
func TestAChangedDatabaseIsTakenOverAsAnEdit(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ben.db.set(table("A", "x", "new"), table("B", "y"))
	ben.show(ben.db)
	assert.Equal(t, Drifted, ben.d.Info().Sync)
	settled(t, b, ann, ben)
	out, err := ben.d.Rebase(context.Background(), ben.db, ben.d.Version(), Caller{Origin: "page"}, func(merge.Conflict) merge.Side { return merge.SideDatabase })
	require.NoError(t, err)
	require.Nil(t, out.Err)
	settled(t, b, ann, ben)
	assert.Equal(t, Synced, ben.d.Info().Sync)
	assert.Equal(t, Proposed, ann.d.Info().Sync)
	assert.Equal(t, []string{"Id", "x", "new"}, names(t, ann.d)["A"])
	ann.db.set(table("A", "x", "new"), table("B", "y"))
	ann.show(ann.db)
	assert.Equal(t, Synced, ann.d.Info().Sync, "ann's database has it now")
	settled(t, b, ann, ben)
}

func TestADesignWithoutATeamHasNothingOfOne(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A")))
	apply(t, d, addColumn("A", "z"))
	assert.Nil(t, d.Shared())
	assert.Empty(t, p.Shared())
	assert.Nil(t, d.Info().Team)
	assert.ErrorIs(t, d.Connect(&link{}), ErrNotShared)
	assert.ErrorIs(t, d.Remove(context.Background(), "ben"), ErrNotShared)
}

// A journal whose stream is gone stops its replicas; once it was restored they
// continue by themselves.
func TestAJournalThatIsRestoredIsFollowedAgain(t *testing.T) {
	t.Parallel()
	b, mates := found(t, "ann", "ben")
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "before"))
	settled(t, b, ann, ben)
	b.lose(&journal.BrokenError{Journal: "shop", Reason: "its stream is gone from the broker", Hint: "restore it there"})
	for _, m := range mates {
		require.Eventually(t, func() bool { return m.d.Shared().Stopped != "" }, patience, time.Millisecond, m.name)
		assert.Contains(t, m.d.Shared().Stopped, "its stream is gone")
	}
	b.lose(nil)
	for _, m := range mates {
		require.Eventually(t, func() bool { return m.d.Shared().Stopped == "" }, patience, time.Millisecond, m.name)
	}
	ben.edit(addColumn("B", "after"))
	settled(t, b, ann, ben)
}
