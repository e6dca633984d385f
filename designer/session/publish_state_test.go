package session

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// keepNullable makes the server leave every column named a nullable.
func keepNullable(def *designer.Definition) {
	for i := range def.Tables {
		for j := range def.Tables[i].Columns {
			def.Tables[i].Columns[j].IsNullable = def.Tables[i].Columns[j].Name == "a"
		}
	}
}

func TestWhatAWholePublishLeftIsNoInterruption(t *testing.T) {
	for _, transactional := range []bool{true, false} {
		p := newProject(t)
		s := newServer(transactional, table("Orders", "a"))
		s.spell = keepNullable
		d := p.show(s)
		apply(t, d, nullable("a", false), addColumn("Orders", "b"))
		done, err := publish(t, d, s)
		require.NoError(t, err)
		assert.NotEmpty(t, done.Left, "a is still nullable")
		assert.False(t, d.Info().Interrupted, "every statement was made; transactional: %v", transactional)

		s.spell = nil
		again, err := publish(t, d, s)
		require.NoError(t, err)
		assert.Positive(t, again.Steps, "what is left is planned again")
		assert.Empty(t, again.Left)
		assert.Equal(t, Synced, d.Info().Sync)
	}
}

func TestARenameIsStillOneWhereSomethingElseIsLeft(t *testing.T) {
	for _, transactional := range []bool{true, false} {
		p := newProject(t)
		s := newServer(transactional, table("Orders", "a", "b"))
		s.spell = func(def *designer.Definition) {
			keepNullable(def)
			def.Tables = slices.DeleteFunc(def.Tables, func(t designer.TableDefinition) bool { return t.Name == "Orders" })
		}
		d := p.show(s)
		before := names(t, d)
		require.Contains(t, before, "Orders")
		apply(t, d, nullable("a", false), renameTable("Orders", "Sales"))
		done, err := publish(t, d, s)
		require.NoError(t, err)
		assert.NotEmpty(t, done.Left)
		rest, err := d.Propose(t.Context(), s)
		require.NoError(t, err)
		assert.Empty(t, rest.Conflicts)
		for _, item := range rest.Diff.Items() {
			assert.Equal(t, designer.DiffAlterColumn, item.Kind, "%+v", item)
		}
		assert.Len(t, names(t, d), 1)
	}
}

func TestADesignThatIsBeingPublishedIsNotCalledInterrupted(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("A"))
	looked := 0
	s.stop = func(i int, done bool) error {
		looked++
		_, err := d.Propose(t.Context(), s)
		assert.ErrorIs(t, err, ErrPublishing)
		_, err = d.Rebase(t.Context(), s, d.Version(), Caller{Origin: "agent"}, nil)
		assert.ErrorIs(t, err, ErrPublishing)
		_, err = d.Publish(t.Context(), s, "", Caller{Origin: "agent"}, nil)
		assert.ErrorIs(t, err, ErrPublishing)
		return nil
	}
	_, err := publish(t, d, s)
	require.NoError(t, err)
	assert.Positive(t, looked)
	_, err = d.Propose(t.Context(), s)
	assert.NoError(t, err)
}

func TestAnInterruptedPublishThatWasTakenBackByHandIsForgotten(t *testing.T) {
	p := newProject(t)
	s := newServer(false, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("A"), addTable("B"))
	s.killAt(1, false)
	_, err := publish(t, d, s)
	require.Error(t, err)
	s.revive()
	refresh(t, d, s)
	require.True(t, d.Info().Interrupted)
	s.set(table("Orders"))
	rest, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	assert.False(t, rest.Interrupted(), "the database is as it was before the publish")
	done, err := d.Publish(t.Context(), s, rest.Digest(), Caller{Origin: "agent"}, nil)
	require.NoError(t, err)
	assert.Empty(t, done.Left)
	assert.Len(t, s.def.Tables, 3)
}

// What became of a publish that failed is read off the database, whatever the
// failure says.
func TestAFailedPublishSaysWhatBecameOfTheDatabase(t *testing.T) {
	gone := errors.New("the connection was lost")
	for _, test := range []struct {
		name          string
		transactional bool
		step          int
		done          bool
		want          PublishState
	}{
		{"nothing of a transaction", true, 1, false, NothingApplied},
		{"a commit whose answer was lost", true, 3, true, ""},
		{"nothing of the first statement", false, 0, false, NothingApplied},
		{"between statements", false, 1, false, PartlyApplied},
		{"after the last statement", false, 2, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t)
			s := newServer(test.transactional, table("Orders"))
			d := p.show(s)
			apply(t, d, addTable("A"), addTable("B"))
			s.stop = func(i int, done bool) error {
				if i == test.step && done == test.done {
					return gone
				}
				return nil
			}
			done, err := publish(t, d, s)
			if test.want == "" {
				require.NoError(t, err, "everything is made")
				assert.Empty(t, done.Left)
				return
			}
			var failed *PublishError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, test.want, failed.State)
			assert.ErrorIs(t, err, gone)
		})
	}
}

func TestAPublishWhoseEndCannotBeReadIsUnknown(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("A"))
	s.killAt(2, true)
	_, err := publish(t, d, s)
	var failed *PublishError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, StateUnknown, failed.State)
	s.revive()
	rest, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, rest.Empty())
}

// A statement that can never be made must not keep a design for good.
func TestAnInterruptedPublishCanBeGivenUp(t *testing.T) {
	p := newProject(t)
	s := newServer(false, table("Orders", "a"))
	d := p.show(s)
	apply(t, d, renameTable("Orders", "A"), addTable("B"))
	s.stop = func(i int, done bool) error {
		if i == 1 && !done {
			return errors.New("no room")
		}
		return nil
	}
	_, err := publish(t, d, s)
	var failed *PublishError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, PartlyApplied, failed.State)
	require.Len(t, s.def.Tables, 2, "the test's server makes a renamed table beside the old one")
	s.set(s.def.Tables[1])
	apply(t, d, dropTable("B"), addTable("C"))

	out, err := d.Rebase(t.Context(), s, d.Version(), Caller{Origin: "agent"}, nil)
	require.NoError(t, err)
	require.Nil(t, out.Err)
	assert.False(t, d.Info().Interrupted)
	s.stop = nil
	rest, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	items := rest.Diff.Items()
	require.Len(t, items, 1, "%v", items)
	assert.Equal(t, designer.DiffAddTable, items[0].Kind)
	assert.Equal(t, "C", items[0].Table.Name)
	p.restart()
	assert.False(t, p.designer("db").Info().Interrupted)
}
