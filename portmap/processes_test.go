package portmap

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// manyProcesses are 64, or 16 where tests are not thorough.
func manyProcesses() int { return long.Rounds(64, 64) }

// startClaiming starts many processes that wait to claim a port each for a
// project of their own.
func startClaiming(t *testing.T, s *Store) map[string]*child {
	children := make(map[string]*child, manyProcesses())
	parent := project(t, "projects")
	for i := range manyProcesses() {
		root := filepath.Join(parent, "p"+strconv.Itoa(i))
		children[root] = start(t, "claim", s, root)
	}
	return children
}

func TestManyProcessesAtOnceEachGetAPortOfTheirOwn(t *testing.T) {
	s := newStore(t, 2*manyProcesses())
	children := startClaiming(t, s)
	began := time.Now()
	for _, c := range children {
		c.begin()
	}
	want := map[string]int{}
	for root, c := range children {
		o, ok := c.outcome()
		require.True(t, ok, "the process for %s died", root)
		require.Empty(t, o.Error)
		want[root] = o.Port
	}
	t.Logf("%d claims at once took %v", manyProcesses(), time.Since(began))
	assert.Equal(t, want, entries(t, s), "the map has lost or invented entries")
	assertDistinct(t, want)
	for root, port := range want {
		assertBound(t, port, root)
	}
}

func TestProcessesKilledWhileClaimingLeaveAValidMap(t *testing.T) {
	s := newStore(t, 4*manyProcesses())
	children := startClaiming(t, s)
	for _, c := range children {
		c.begin()
	}
	survivors := map[string]*child{}
	for root, c := range children {
		if rand.IntN(2) == 0 {
			survivors[root] = c
			continue
		}
		c.kill() // wherever it is: before the lock, with it, after
	}
	want := map[string]int{}
	for root, c := range survivors {
		o, ok := c.outcome()
		require.True(t, ok, "the process for %s died", root)
		require.Empty(t, o.Error)
		want[root] = o.Port
	}
	got := entries(t, s)
	assertDistinct(t, got) // the dead ones' entries included
	for root, port := range want {
		assert.Equal(t, port, got[root], root)
		assertBound(t, port, root)
	}
}

// TestReadersNeverSeeHalfAFile kills writers at random moments while others
// continue, and reads all the time: one entry is there throughout, so a reader
// that does not see it has seen a map that never was.
func TestReadersNeverSeeHalfAFile(t *testing.T) {
	s := newStore(t, 32)
	constant := claim(t, s, project(t, "constant"))
	var writers []*child
	for i := range 4 {
		c := start(t, "churn", s, project(t, "churn"+strconv.Itoa(i)))
		c.begin()
		writers = append(writers, c)
	}
	reads, states := 0, map[string]bool{}
	for round := range 8 {
		for deadline := time.Now().Add(250 * time.Millisecond); time.Now().Before(deadline); reads++ {
			m := entries(t, s)
			require.Equal(t, constant.Port, m[constant.Root], "a reader saw a map without the entry that is always there")
			for root := range m {
				states[root] = true
			}
		}
		if round%2 == 0 && len(writers) > 1 {
			writers[0].kill()
			writers = writers[1:]
		}
	}
	assert.Greater(t, reads, 100)
	assert.Greater(t, len(states), 1, "no writer was seen at work")
	claim(t, s, project(t, "after")) // the lock of the dead is free
}

func TestAWriterThatDiesBeforeTheRenameChangesNothing(t *testing.T) {
	s := newStore(t, 4)
	before := claim(t, s, project(t, "before"))
	dying := start(t, "die halfway", s, "/never")
	dying.begin()
	_, said := dying.outcome()
	require.False(t, said, "the process should have died without a word")
	leftovers, err := filepath.Glob(s.path + tempMark + "*")
	require.NoError(t, err)
	require.Len(t, leftovers, 1, "the process should have died with its file not yet renamed")

	assert.Equal(t, map[string]int{before.Root: before.Port}, entries(t, s))
	after := claim(t, s, project(t, "after"))
	assert.Equal(t, map[string]int{before.Root: before.Port, after.Root: after.Port}, entries(t, s))
	assert.NoFileExists(t, leftovers[0])
}

func TestALockHeldByAnotherProcessIsReportedWithItsPID(t *testing.T) {
	const timeout = 100 * time.Millisecond
	s := newStore(t, 4, func(o *Options) { o.LockTimeout = timeout })
	claim(t, s, project(t, "first")) // makes the directory
	holder := start(t, "hold lock", s, "")
	holder.begin()
	o, ok := holder.outcome()
	require.True(t, ok)
	require.Empty(t, o.Error)

	began := time.Now()
	_, err := s.Claim(t.Context(), project(t, "second"))
	assert.Less(t, time.Since(began), timeout+2*time.Second)
	require.ErrorIs(t, err, ErrLocked)
	var locked *LockError
	require.ErrorAs(t, err, &locked)
	assert.Equal(t, s.path+".lock", locked.Path)
	assert.Contains(t, err.Error(), locked.Path)
	if runtime.GOOS == "linux" {
		assert.Equal(t, holder.cmd.Process.Pid, locked.PID)
		assert.Contains(t, err.Error(), strconv.Itoa(locked.PID))
	}

	holder.kill()
	claim(t, s, project(t, "second")) // a dead process holds no lock
}

func assertDistinct(t *testing.T, entries map[string]int) {
	t.Helper()
	owner := map[int]string{}
	for root, port := range entries {
		assert.Empty(t, owner[port], "port %d is also %s's", port, root)
		owner[port] = root
	}
}

// assertBound checks that a port has a listener: nobody else can bind it.
func assertBound(t *testing.T, port int, root string) {
	t.Helper()
	listener, err := listen(t.Context(), port)
	if err == nil {
		_ = listener.Close()
	}
	assert.Error(t, err, "port %d of %s is not bound", port, root)
}
