package portmap

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALockIsWaitedForWhileOthersGetOn(t *testing.T) {
	s := newStore(t, 4, func(o *Options) { o.LockTimeout = 400 * time.Millisecond })
	claim(t, s, project(t, "first"))
	lock, err := s.lock(t.Context())
	require.NoError(t, err)

	writes, done := 0, make(chan error)
	go func() { done <- s.update(context.Background(), func(*ledger) error { return nil }) }()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	began := time.Now()
	for time.Since(began) < 3*s.opts.LockTimeout/2 { // longer than the timeout, with something written in it
		<-ticker.C
		writes++
		write(t, s.reservationsPath(), `{"/a":{"port":`+strconv.Itoa(writes)+`}}`)
	}
	require.NoError(t, lock.Close())
	select {
	case err := <-done:
		assert.NoError(t, err, "gave up although others wrote")
	case <-time.After(childWait):
		assert.Fail(t, "still waiting for a lock that is free")
	}
}

func TestAWaitForALockEndsThoughOthersGetOn(t *testing.T) {
	// On a busy machine a write may be late by more than a tenth of a second,
	// after which nobody gets on.
	s := newStore(t, 4, func(o *Options) { o.LockTimeout = 300 * time.Millisecond })
	claim(t, s, project(t, "first"))
	lock, err := s.lock(t.Context())
	require.NoError(t, err)
	defer lock.Close()
	done := make(chan error)
	go func() { done <- s.update(context.Background(), func(*ledger) error { return nil }) }()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for writes := 1; ; writes++ {
		select {
		case err := <-done:
			var locked *LockError
			require.ErrorAs(t, err, &locked)
			assert.Equal(t, maxLockWaits*s.opts.LockTimeout, locked.Wait)
			assert.True(t, locked.Busy)
			return
		case <-ticker.C:
			write(t, s.reservationsPath(), `{"/a":{"port":`+strconv.Itoa(writes%60000+1)+`}}`)
		case <-time.After(childWait):
			require.FailNow(t, "still waiting")
		}
	}
}

func TestAWaitForALockEndsWithItsContext(t *testing.T) {
	s := newStore(t, 4, func(o *Options) { o.LockTimeout = childWait })
	claim(t, s, project(t, "first"))
	lock, err := s.lock(t.Context())
	require.NoError(t, err)
	defer lock.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = s.Claim(ctx, project(t, "second"))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NotErrorIs(t, err, ErrLocked)
}

func TestALockFileThatWasRemovedIsNotTheLock(t *testing.T) {
	s := newStore(t, 4)
	claim(t, s, project(t, "first"))
	lock, err := s.lock(t.Context())
	require.NoError(t, err)
	assert.True(t, isInPlace(lock, s.path+".lock"))
	if err := os.Remove(s.path + ".lock"); err != nil {
		return // Windows keeps a file that is open
	}
	assert.False(t, isInPlace(lock, s.path+".lock"))
	second, err := s.lock(t.Context())
	require.NoError(t, err)
	assert.True(t, isInPlace(second, s.path+".lock"))
	assert.False(t, isInPlace(lock, s.path+".lock"))
	require.NoError(t, second.Close())
	require.NoError(t, lock.Close())
}

func TestALockErrorSaysWhatItKnows(t *testing.T) {
	cases := map[string]struct {
		err  LockError
		want string
	}{
		"a process": {LockError{Path: "/x/ports.json.lock", PID: 42, Wait: 2 * time.Second},
			"port map is locked: process 42 held /x/ports.json.lock for the 2s that were waited; end that process or try again"},
		"nobody known": {LockError{Path: "/x/ports.json.lock", Wait: 4 * time.Second},
			"port map is locked: another process held /x/ports.json.lock for the 4s that were waited; end that process or try again"},
		"many in turn": {LockError{Path: "/x/ports.json.lock", PID: 42, Wait: time.Minute, Busy: true},
			"port map is locked: others held /x/ports.json.lock in turn for the 1m0s that were waited, process 42 now; try again"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			assert.EqualError(t, &tc.err, tc.want)
			assert.ErrorIs(t, &tc.err, ErrLocked)
		})
	}
}
