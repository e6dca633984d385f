package session

import (
	"context"
	"testing"

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
