package enginetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// oneAtATime tests that a database has one publish at a time: what a second one
// is told while the first stands still, how the server ends the first, and that
// it does nothing more when it goes on.
func oneAtATime(t *testing.T, target Target) {
	b, design, plan := dying(t, target)
	first := startChild(t, b, plan)
	_, ok := first.next()
	require.True(t, ok, "the first is about to run its first statement: %s", strings.Join(first.said, "\n"))

	asked := 0
	second := func() error {
		asked = 0
		ctx, cancel := patiently()
		defer cancel()
		return b.Engine.Publish(engine.WithGuard(ctx, designer.Guard{Holder: "ben", Ready: func(context.Context) error { asked++; return nil }}), b.db, plan, 0, nil)
	}
	refused := second()
	require.Error(t, refused)
	assert.Zero(t, asked, "it has no lock")
	other := newShop(t, target)
	require.NoError(t, other.apply(plan), "a database of its own")

	var locked *designer.LockedError
	if target.Server.Name == "sqlite" {
		require.ErrorContains(t, refused, "another connection uses the database")
		require.ErrorContains(t, refused, "fuser ")
		first.kill()
	} else {
		require.ErrorAs(t, refused, &locked)
		t.Log(locked)
		var asked *designer.LockedError
		require.ErrorAs(t, b.Engine.(engine.LockReader).Locked(t.Context(), b.db), &asked, "who only looks is told, too")
		assert.Equal(t, []string{locked.Holder, locked.Session, locked.End}, []string{asked.Holder, asked.Session, asked.End})
		assert.WithinDuration(t, time.Now(), locked.Since, patience)
		if !locked.Idle {
			assert.Contains(t, locked.Holder, "ann")
		}
		_, err := b.db.Exec(locked.End)
		require.NoError(t, err)
		first.goOn()
		_, more := first.next()
		assert.False(t, more, "its connection has gone, and it runs no statement more: %s", strings.Join(first.said, "\n"))
		require.Error(t, first.cmd.Wait())
		assert.Contains(t, strings.Join(first.said, "\n"), plan.Steps[0].Comment, "and reports it")
	}
	b.becomes(func() bool { return second() == nil })
	assert.Equal(t, 1, asked)
	if reader, is := b.Engine.(engine.LockReader); is {
		require.NoError(t, reader.Locked(t.Context(), b.db), "nobody publishes any more")
	}
	b.settle(design, plan)
}

// notReady tests that nothing is made of a plan that turns out to be stale once
// the lock is held, and that the lock is let go.
func notReady(t *testing.T, target Target) {
	b, _, plan := dying(t, target)
	ctx, cancel := patiently()
	defer cancel()
	stale := engine.WithGuard(ctx, designer.Guard{Ready: func(context.Context) error { return errStop }})
	require.ErrorIs(t, b.Engine.Publish(stale, b.db, plan, 0, nil), errStop)
	assert.Equal(t, b.base.Version(), b.build(t, b.read()).Version())
	require.NoError(t, b.apply(plan))
}
