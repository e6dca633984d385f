package portmap

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap/dirwatch"
)

// Every way in which a watch hears of changes has to pass the same tests.
func watchers(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Run("the system reports", func(t *testing.T) { test(t, newStore(t, 8)) })
	t.Run("the system has nothing to watch with", func(t *testing.T) {
		s := newStore(t, 8)
		s.newWatcher = func() (*dirwatch.Watcher, error) { return nil, errors.New("too many open files") }
		test(t, s)
	})
}

// expect waits for a state: a watch may show states before it, or leave them out.
func expect(t *testing.T, states <-chan map[string]int, want map[string]int) {
	t.Helper()
	var last map[string]int
	deadline := time.After(childWait)
	for {
		select {
		case state, ok := <-states:
			require.True(t, ok, "the watch ended")
			if last = state; maps.Equal(state, want) {
				return
			}
		case <-deadline:
			require.FailNow(t, "the watch did not show it", "want %v, last %v", want, last)
		}
	}
}

func TestAWatchShowsTheMapAtOnceAndAfterEachChange(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		a := claim(t, s, project(t, "a"))
		states, err := s.Watch(t.Context())
		require.NoError(t, err)
		expect(t, states, map[string]int{a.Root: a.Port})
		b := claim(t, s, project(t, "b"))
		expect(t, states, map[string]int{a.Root: a.Port, b.Root: b.Port})
		stop(t, s, a)
		expect(t, states, map[string]int{b.Root: b.Port})
	})
}

func TestAWatchBeginsBeforeThereIsAMap(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		states, err := s.Watch(t.Context())
		require.NoError(t, err)
		expect(t, states, map[string]int{})
		c := claim(t, s, project(t, "app"))
		expect(t, states, map[string]int{c.Root: c.Port})
	})
}

func TestAWatchOutlivesItsDirectory(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		c := claim(t, s, project(t, "app"))
		states, err := s.Watch(t.Context())
		require.NoError(t, err)
		expect(t, states, map[string]int{c.Root: c.Port})
		require.NoError(t, os.RemoveAll(s.dir()))
		expect(t, states, map[string]int{})
		again := claim(t, s, project(t, "again"))
		expect(t, states, map[string]int{again.Root: again.Port})
	})
}

func TestAWatchFollowsADirectoryThatReplacedItsOwn(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		c := claim(t, s, project(t, "app"))
		states, err := s.Watch(t.Context())
		require.NoError(t, err)
		expect(t, states, map[string]int{c.Root: c.Port})
		require.NoError(t, os.Rename(s.dir(), s.dir()+"-old"))
		again := claim(t, s, project(t, "again"))
		expect(t, states, map[string]int{again.Root: again.Port})
		third := claim(t, s, project(t, "third"))
		expect(t, states, map[string]int{again.Root: again.Port, third.Root: third.Port})
	})
}

func TestAWatchKeepsTheLastGoodMapOverABrokenOne(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		var book logBook
		s.opts.Logger = book.logger()
		c := claim(t, s, project(t, "app"))
		states, err := s.Watch(t.Context())
		require.NoError(t, err)
		expect(t, states, map[string]int{c.Root: c.Port})
		write(t, s.path, `{"half`)
		require.Eventually(t, func() bool { return strings.Contains(book.String(), "level=WARN") }, childWait, time.Millisecond)
		write(t, s.path, `{"/b": 7}`)
		select {
		case state := <-states:
			assert.Equal(t, map[string]int{"/b": 7}, state)
		case <-time.After(childWait):
			assert.Fail(t, "the watch did not show the map after the broken one")
		}
	})
}

func TestASlowReceiverGetsTheLatestMapAsItsOwn(t *testing.T) {
	s := newStore(t, 8)
	states, err := s.Watch(t.Context())
	require.NoError(t, err)
	first := <-states
	first["/mine"] = 1 // a receiver may change what it got
	var last map[string]int
	for i := range 20 {
		last = map[string]int{"/a": i + 1}
		_, err := save(s, s.path, content[int]{byRoot: last}, nil)
		require.NoError(t, err)
	}
	expect(t, states, last)
}

func TestAWatchEndsWithItsContext(t *testing.T) {
	watchers(t, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(t.Context())
		states, err := s.Watch(ctx)
		require.NoError(t, err)
		cancel()
		require.Eventually(t, func() bool {
			select {
			case _, open := <-states:
				return !open
			default:
				return false
			}
		}, childWait, time.Millisecond)
	})
}
