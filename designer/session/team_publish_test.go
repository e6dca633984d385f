package session

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
)

// published is two people with a shared design that has a check, and a server
// of ann's that words checks in its own way.
func published(t *testing.T) (b *broker, ann, ben *mate, s *server) {
	t.Helper()
	b = newBroker()
	s = newServer(false, table("A", "x"), table("B", "y"))
	s.spell = func(def *designer.Definition) {
		for i := range def.Tables {
			for j := range def.Tables[i].Checks {
				def.Tables[i].Checks[j].Expression = "(x > 0)"
			}
		}
	}
	ann = &mate{project: newProject(t), name: "ann", db: s.database, link: &link{broker: b, name: "shop"}}
	ann.d = ann.show(s)
	id, body, err := ann.d.Genesis("ann")
	require.NoError(t, err)
	_, err = b.put(journal.Position{}, id, body)
	require.NoError(t, err)
	ann.attach()
	ben = newMate(t, b, "ben", table("A", "x"), table("B", "y"))
	ben.attach()
	ann.edit(designer.Edit{Op: designer.AddCheck, Table: ref("A"),
		Check: designer.CheckSpec{Name: new("positive"), Expression: new("x>0")}})
	settled(t, b, ann, ben)
	return b, ann, ben, s
}

// oneDatabase is two people with a shared design and one and the same database.
func oneDatabase(t *testing.T) (b *broker, ann, ben *mate, s *server) {
	t.Helper()
	b, mates := found(t, "ann", "ben")
	s = newServer(true, table("A", "x"), table("B", "y"))
	for _, m := range mates {
		m.d = m.show(s)
	}
	mates[0].edit(addColumn("A", "z"))
	settled(t, b, mates...)
	return b, mates[0], mates[1], s
}

func checkOf(t *testing.T, d *Designer) (text string) {
	t.Helper()
	require.NoError(t, d.View(func(s *designer.Schema) {
		for _, tbl := range s.Tables() {
			for _, c := range tbl.Checks {
				text = c.Expression
			}
		}
	}))
	return text
}

// What publishing changes in the design reaches the others as an entry; each
// database stays its host's own.
func TestPublishingASharedDesign(t *testing.T) {
	b, ann, ben, s := published(t)
	events, stop := ben.Subscribe(ben.LastEvent())
	defer stop()
	done, err := publish(t, ann.d, s)
	require.NoError(t, err)
	require.Nil(t, done.Err)
	assert.Empty(t, done.Left)
	settled(t, b, ann, ben)
	assert.Equal(t, "(x > 0)", checkOf(t, ben.d), "in the words of the database")
	e := <-events
	assert.Equal(t, Committed, e.Type, "nothing was published to ben's database")
	assert.Len(t, e.Tables, 1)
	assert.Equal(t, Synced, ann.d.Info().Sync)
	assert.Equal(t, Proposed, ben.d.Info().Sync, "ben's database has it not")
	assert.Equal(t, 1, ann.d.Info().UndoSteps, "the wording is nobody's step")
	out := ann.undo(Steps{})
	require.NotNil(t, out.Err, "what the database has reworded since is another thing")
	assert.Contains(t, out.Err.Message, "no longer fits")
	settled(t, b, ann, ben)
}

// A publish that ended with its process is settled as soon as the broker takes
// the entry, and not before: the design is read meanwhile.
func TestAnInterruptedPublishOfASharedDesignIsSettledLater(t *testing.T) {
	b, ann, ben, s := published(t)
	s.killAt(len(s.def.Tables), true) // all is made, and nobody sees it
	_, err := publish(t, ann.d, s)
	require.Error(t, err)
	s.revive()
	ann.link.cut(true)
	ann.reopen()
	ann.show(s)
	assert.True(t, ann.d.Info().Interrupted)
	assert.Equal(t, "x>0", checkOf(t, ann.d))
	ann.link.cut(false)
	_, err = ann.d.Refresh(context.Background(), s)
	require.NoError(t, err)
	assert.False(t, ann.d.Info().Interrupted)
	assert.Equal(t, Synced, ann.d.Info().Sync)
	settled(t, b, ann, ben)
	assert.Equal(t, "(x > 0)", checkOf(t, ben.d))
}

// Two who publish to one database at once: the first makes the plan, the other
// is told, makes nothing, and finds the change there.
func TestOneOfTwoPublishesToOneDatabaseIsMade(t *testing.T) {
	b, ann, ben, s := oneDatabase(t)
	made := 0
	s.meanwhile = func() { // ben has tried the plan, and has no lock yet
		s.meanwhile = nil
		done, err := publish(t, ann.d, s)
		require.NoError(t, err)
		assert.Equal(t, 2, done.Steps)
		made++
	}
	_, err := publish(t, ben.d, s)
	require.ErrorIs(t, err, ErrPlanChanged)
	require.ErrorContains(t, err, "the database is another one than when the plan was made")
	assert.Equal(t, 1, made)
	assert.False(t, ben.d.Info().Interrupted, "ben's was not begun")
	settled(t, b, ann, ben)
	p, err := ben.d.Propose(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, p.Empty(), "it is there already")
	assert.Equal(t, Synced, ben.d.Info().Sync)
	for _, m := range []*mate{ann, ben} {
		require.Len(t, m.d.Shared().Published, 1, m.name)
		assert.Equal(t, Publication{Author: "ann", Server: "Plain", Database: "db.db", Statements: 2,
			At: time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC), Seq: 3}, m.d.Shared().Published[0], m.name)
	}
	ben.reopen()
	assert.Len(t, ben.d.Shared().Published, 1, "after a restart, too")
}

// Whoever has a later design than the one that was published continues from there.
func TestAnotherPublishOfAnEarlierDesignIsNoDrift(t *testing.T) {
	b, ann, ben, s := oneDatabase(t)
	s.meanwhile = func() {
		s.meanwhile = nil
		ben.edit(addColumn("B", "later"))
		settled(t, b, ann, ben)
	}
	_, err := publish(t, ann.d, s)
	require.ErrorIs(t, err, ErrPlanChanged)
	require.ErrorContains(t, err, `ben has changed team design "shop" meanwhile, in entry 3`)
	assert.False(t, ann.d.Info().Interrupted)

	s.set(table("A", "x", "z"), table("B", "y")) // as somebody published it before that
	_, err = ben.d.Refresh(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, Proposed, ben.d.Info().Sync, "nothing of it is new to the design")
	p, err := ben.d.Propose(t.Context(), s)
	require.NoError(t, err)
	assert.Len(t, p.Items(), 1, "what is left: %v", p.Items())
	settled(t, b, ann, ben)
}

func TestTwoPublishToTheirOwnDatabases(t *testing.T) {
	b, mates := found(t, "ann", "ben")
	servers := map[string]*server{}
	for _, m := range mates {
		s := newServer(true, table("A", "x"), table("B", "y"))
		s.place = m.name + "'s"
		servers[m.name], m.d = s, m.show(s)
	}
	ann, ben := mates[0], mates[1]
	ann.edit(addColumn("A", "z"))
	settled(t, b, ann, ben)
	servers["ben"].meanwhile = func() {
		_, err := publish(t, ann.d, servers["ann"])
		require.NoError(t, err)
	}
	_, err := publish(t, ben.d, servers["ben"])
	require.NoError(t, err, "a report of another database makes nothing stale")
	settled(t, b, ann, ben)
	for _, m := range mates {
		var where []string
		for _, p := range m.d.Shared().Published {
			where = append(where, p.Author+" to "+p.Database)
		}
		assert.Equal(t, []string{"ben to ben's", "ann to ann's"}, where, m.name)
		assert.Equal(t, Synced, m.d.Info().Sync)
	}
}

// The plan is bound to the journal, so that it takes one that can be asked; what
// was made is settled here, whether others can be told or not.
func TestPublishingTakesABroker(t *testing.T) {
	_, ann, _, s := oneDatabase(t)
	ann.link.cut(true)
	p, err := ann.d.Propose(t.Context(), s)
	require.NoError(t, err, "looking goes on")
	_, err = ann.d.Publish(t.Context(), s, p.Digest(), Caller{Origin: "agent"}, nil)
	require.ErrorContains(t, err, "team_unreachable")
	assert.Zero(t, s.verified, "nothing was tried")
	ann.link.cut(false)
	s.stop = func(step int, done bool) error {
		if step == 1 && done {
			ann.link.cut(true)
		}
		return nil
	}
	done, err := publish(t, ann.d, s)
	require.NoError(t, err)
	assert.Empty(t, done.Left)
	assert.Equal(t, Synced, ann.d.Info().Sync)
	assert.False(t, ann.d.Info().Interrupted)
}

// A publisher that stood still, and whose connection the server has ended since,
// does not take for its own what another has published meanwhile.
func TestWhatAnotherHasMadeIsNotReportedAsOnesOwn(t *testing.T) {
	b, ann, ben, s := oneDatabase(t)
	s.stop = func(step int, done bool) error {
		if step > 0 || done {
			return nil
		}
		s.stop = nil
		_, err := publish(t, ben.d, s) // with ann's lock gone
		require.NoError(t, err)
		return errKilled
	}
	_, err := publish(t, ann.d, s)
	var failed *PublishError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, MadeByAnother, failed.State)
	assert.Equal(t, Synced, ann.d.Info().Sync)
	assert.False(t, ann.d.Info().Interrupted)
	settled(t, b, ann, ben)
	require.Len(t, ann.d.Shared().Published, 1)
	assert.Equal(t, "ben", ann.d.Shared().Published[0].Author)
}

func TestALockedDatabaseIsSaid(t *testing.T) {
	_, ann, _, s := oneDatabase(t)
	s.locked = &designer.LockedError{Holder: "ben", Session: "42", End: "KILL 42"}
	_, err := publish(t, ann.d, s)
	require.EqualError(t, err, "another publish to this database is in progress: that of ben, session 42. Publish again when it has ended; if it hangs, the server ends it by: KILL 42")
	assert.False(t, ann.d.Info().Interrupted, "it was not begun")
}

// duplicate is a server's refusal of what another publish is making.
var duplicate = &designer.StepError{Err: errors.New("duplicate key value violates a unique constraint")}

// A trial that is refused while another publishes names that publish, not the
// words of the server.
func TestATrialSaysWhoPublishes(t *testing.T) {
	_, ann, _, s := oneDatabase(t)
	p, err := ann.d.Propose(t.Context(), s)
	require.NoError(t, err)
	s.refuse, s.locked = duplicate, &designer.LockedError{Holder: "ben", Session: "42", End: "KILL 42"}
	var locked *designer.LockedError
	require.ErrorAs(t, ann.d.Verify(t.Context(), s, p, nil), &locked)
	assert.Equal(t, "ben", locked.Holder)
	_, err = ann.d.Publish(t.Context(), s, p.Digest(), Caller{Origin: "agent"}, nil)
	require.ErrorAs(t, err, &locked)
	s.locked = nil
	require.ErrorIs(t, ann.d.Verify(t.Context(), s, p, nil), duplicate, "nobody publishes, nothing has changed: the refusal is the plan's own")
	s.locked = errors.New("no right to look")
	require.ErrorIs(t, ann.d.Verify(t.Context(), s, p, nil), duplicate)
}

// A trial that is refused because another publish has ended meanwhile says so.
func TestATrialSaysThatAnotherHasPublished(t *testing.T) {
	b, ann, ben, s := oneDatabase(t)
	p, err := ben.d.Propose(t.Context(), s)
	require.NoError(t, err)
	s.trying = func() {
		s.trying = nil
		_, err := publish(t, ann.d, s)
		require.NoError(t, err)
		s.refuse = duplicate
	}
	err = ben.d.Verify(t.Context(), s, p, nil)
	require.ErrorIs(t, err, ErrPlanChanged)
	require.ErrorContains(t, err, "the database is another one than when the plan was made")
	settled(t, b, ann, ben)
}

// A plan whose design has changed since says so.
func TestATrialSaysThatTheDesignHasChanged(t *testing.T) {
	b, ann, ben, s := oneDatabase(t)
	p, err := ben.d.Propose(t.Context(), s)
	require.NoError(t, err)
	ann.edit(addColumn("B", "later"))
	s.refuse = duplicate
	err = ben.d.Verify(t.Context(), s, p, nil)
	require.ErrorIs(t, err, ErrPlanChanged)
	require.ErrorContains(t, err, `ann has changed team design "shop" meanwhile`)
	settled(t, b, ann, ben)
}
