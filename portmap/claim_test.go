package portmap

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDefaultsAreTheDocumentsNumbers(t *testing.T) {
	opts := NewStore("ports.json", nil).opts
	assert.Equal(t, 50001, opts.FirstPort)
	assert.Equal(t, 65535, opts.LastPort)
	assert.Equal(t, 2*time.Second, opts.LockTimeout)
	assert.Equal(t, 5*time.Millisecond, opts.LockRetry)
	assert.Equal(t, 1000, opts.MaxReservations)
	assert.NotNil(t, opts.Logger)
	assert.NotNil(t, opts.Now)
}

func TestTheFirstProjectGetsTheFirstPortAndAListenerThatServes(t *testing.T) {
	s, root := newStore(t, 4), project(t, "app")
	c := claim(t, s, root)
	assert.Equal(t, s.opts.FirstPort, c.Port)
	assert.Equal(t, root, c.Root)
	address := c.Listener.Addr().(*net.TCPAddr)
	assert.Equal(t, "127.0.0.1", address.IP.String())
	assert.Equal(t, c.Port, address.Port)

	var dialer net.Dialer
	ctx, cancel := context.WithTimeout(t.Context(), childWait)
	defer cancel()
	conn, err := dialer.DialContext(ctx, "tcp", address.String())
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	port, ok, err := s.Lookup(root)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, c.Port, port)
}

func TestTheMapIsTextForPeople(t *testing.T) {
	s := newStore(t, 4)
	now := time.Date(2026, 5, 4, 3, 2, 1, 999, time.FixedZone("", 3600))
	s.opts.Now = func() time.Time { return now }
	require.NoError(t, os.MkdirAll(s.dir(), 0o700))
	l := &ledger{entries: map[string]int{}, reserved: map[string]reservation{}}
	l.give("/b", 50002, now, 10)
	l.give("/a", 50001, now, 10)
	writeLedger(t, s, l)
	assert.Equal(t, "{\n  \"/a\": 50001,\n  \"/b\": 50002\n}\n", read(t, s.path))
	assert.Equal(t, `{
  "/a": {
    "port": 50001,
    "lastUsed": "2026-05-04T02:02:01Z"
  },
  "/b": {
    "port": 50002,
    "lastUsed": "2026-05-04T02:02:01Z"
  }
}
`, read(t, s.reservationsPath()))
}

func TestFilesAreForTheirUserAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // access there is the directory's, inherited from the profile
	}
	s := newStore(t, 4)
	claim(t, s, project(t, "app"))
	for path, want := range map[string]os.FileMode{
		s.dir(): 0o700, s.path: 0o600, s.path + ".lock": 0o600, s.reservationsPath(): 0o600,
	} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), path)
	}
}

// TestTheDocumentsTextWhenNoPortIsFree binds nothing: the map gives every port
// to another project.
func TestTheDocumentsTextWhenNoPortIsFree(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "ports.json"), nil)
	all := map[string]int{}
	for port := FirstPort; port <= LastPort; port++ {
		all[filepath.Join(s.dir(), strconv.Itoa(port))] = port
	}
	writeLedger(t, s, &ledger{entries: all})
	_, err := s.Claim(t.Context(), project(t, "app"))
	require.ErrorIs(t, err, ErrNoFreePort)
	assert.EqualError(t, err, "no free port between 50001 and 65535")
}

func TestClaimingAPortRemovesEveryOtherEntryThatNamesIt(t *testing.T) {
	s := newStore(t, 4)
	mine, other := project(t, "mine"), project(t, "other")
	text, err := encode(map[string]int{mine: s.opts.FirstPort, other: s.opts.FirstPort})
	require.NoError(t, err)
	write(t, s.path, string(text))
	c := claim(t, s, mine)
	assert.Equal(t, map[string]int{mine: c.Port}, entries(t, s))
}

func TestAProjectGetsTheSamePortAgain(t *testing.T) {
	s := newStore(t, 8)
	a, b, c := project(t, "a"), project(t, "b"), project(t, "c")
	first := claim(t, s, a)
	second := claim(t, s, b)
	stop(t, s, first)
	assert.NotContains(t, entries(t, s), a)
	third := claim(t, s, c)
	assert.NotEqual(t, first.Port, third.Port, "a port that a stopped project reserved was given away")
	stop(t, s, second)
	assert.Equal(t, first.Port, claim(t, s, a).Port)
	assert.Equal(t, second.Port, claim(t, s, b).Port)
}

func TestACrashedProjectGetsTheSamePortAgain(t *testing.T) {
	s := newStore(t, 8)
	a, b := project(t, "a"), project(t, "b")
	crashed := start(t, "claim", s, a)
	crashed.begin()
	o, ok := crashed.outcome()
	require.True(t, ok)
	require.Empty(t, o.Error)
	crashed.kill()
	assert.Equal(t, o.Port, entries(t, s)[a], "a crash leaves the entry")
	assert.NotEqual(t, o.Port, claim(t, s, b).Port, "the port is the crashed project's")
	assert.Equal(t, o.Port, claim(t, s, a).Port)
}

func TestAProjectThatIsServedMovesOn(t *testing.T) {
	s, root := newStore(t, 4), project(t, "app")
	old, renewed := claim(t, s, root), claim(t, s, root)
	assert.NotEqual(t, old.Port, renewed.Port)
	assert.Equal(t, map[string]int{root: renewed.Port}, entries(t, s))
	released, err := s.Release(t.Context(), root, old.Port)
	require.NoError(t, err)
	assert.False(t, released, "the one that was replaced released its successor's entry")
	assert.Equal(t, map[string]int{root: renewed.Port}, entries(t, s))
}

func TestReleaseOfWhatIsNotThereIsRefused(t *testing.T) {
	s := newStore(t, 4)
	c := claim(t, s, project(t, "app"))
	before := read(t, s.path)
	for name, tc := range map[string]struct {
		root string
		port int
	}{
		"another port":    {c.Root, c.Port + 1},
		"another project": {project(t, "other"), c.Port},
	} {
		t.Run(name, func(t *testing.T) {
			released, err := s.Release(t.Context(), tc.root, tc.port)
			require.NoError(t, err)
			assert.False(t, released)
			assert.Equal(t, before, read(t, s.path))
		})
	}
	stop(t, s, c)
	released, err := s.Release(t.Context(), c.Root, c.Port)
	require.NoError(t, err)
	assert.False(t, released, "released twice")
}

func TestAClaimThatCannotBeWrittenLeavesNothingBound(t *testing.T) {
	for name, tc := range map[string]struct {
		root   string
		meddle func(s *Store)
	}{
		"the root cannot be written as JSON":    {root: "app\xff"},
		"the directory is removed during claim": {root: "app", meddle: func(s *Store) { _ = os.RemoveAll(s.dir()) }},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.meddle != nil && runtime.GOOS == "windows" {
				t.Skip("Windows does not remove a directory in which a file is open")
			}
			s := newStore(t, 1)
			s.opts.Now = func() time.Time { // asked for after the bind
				assert.False(t, isFree(s.opts.FirstPort, 1))
				if tc.meddle != nil {
					tc.meddle(s)
				}
				return time.Now()
			}
			_, err := s.Claim(t.Context(), filepath.Join(t.TempDir(), tc.root))
			require.Error(t, err)
			assert.True(t, isFree(s.opts.FirstPort, 1), "the port is still bound")
			assert.Empty(t, entries(t, s))
		})
	}
}

func TestAClaimForAPathThatIsNotAbsoluteIsRefused(t *testing.T) {
	_, err := newStore(t, 1).Claim(t.Context(), "app")
	assert.ErrorIs(t, err, ErrNotAbsolute)
}

func TestAClaimEndsWithItsContext(t *testing.T) {
	s := newStore(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Claim(ctx, project(t, "app"))
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, ErrLocked)
	assert.True(t, isFree(s.opts.FirstPort, 1))
}
