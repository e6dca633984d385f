package portmap

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestABrokenFileIsSetAsideAndReplaced(t *testing.T) {
	cases := map[string]struct {
		path func(s *Store) string
		text string
	}{
		"a map cut off":              {(*Store).Path, `{"/a": 500`},
		"an empty map file":          {(*Store).Path, ``},
		"a map that is a list":       {(*Store).Path, `[]`},
		"reservations cut off":       {(*Store).reservationsPath, `{"/a": {"port"`},
		"reservations that are null": {(*Store).reservationsPath, `null`},
		"an empty reservation file":  {(*Store).reservationsPath, ``},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var book logBook
			s := newStore(t, 4, func(o *Options) {
				o.Logger = book.logger()
				o.Now = func() time.Time { return may }
			})
			path := tc.path(s)
			write(t, path, tc.text)
			c := claim(t, s, project(t, "app"))
			assert.Equal(t, map[string]int{c.Root: c.Port}, entries(t, s))
			assert.Equal(t, tc.text, read(t, path+".broken-20260504T030201Z"), "what was there is kept")
			assert.Contains(t, book.String(), "level=WARN")
			assert.Contains(t, book.String(), path)
		})
	}
}

func TestAReaderOfABrokenMapSaysSoAndLeavesIt(t *testing.T) {
	s := newStore(t, 4)
	write(t, s.path, `{"/a": 500`)
	_, err := s.Entries()
	require.ErrorIs(t, err, ErrBroken)
	assert.ErrorContains(t, err, s.path)
	_, _, err = s.Lookup("/a")
	require.ErrorIs(t, err, ErrBroken)
	_, err = s.Watch(t.Context())
	require.ErrorIs(t, err, ErrBroken)
	assert.Equal(t, `{"/a": 500`, read(t, s.path))
}

func TestAFileSetAsideOverwritesNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ports.json")
	kept := map[string]string{}
	for _, text := range []string{"first", "second", "third"} {
		write(t, path, text)
		aside, err := setAside(path, may)
		require.NoError(t, err)
		kept[aside] = text
	}
	require.Len(t, kept, 3)
	for aside, text := range kept {
		assert.Equal(t, text, read(t, aside))
	}
}

func TestAFileThatCannotBeReadIsNotTakenForABrokenOne(t *testing.T) {
	s := newStore(t, 4)
	require.NoError(t, os.MkdirAll(s.path, 0o700))
	_, err := s.Claim(t.Context(), project(t, "app"))
	require.Error(t, err)
	assert.NotErrorIs(t, err, ErrBroken)
	assert.DirExists(t, s.path)
	assert.True(t, isFree(s.opts.FirstPort, 1))
}

func TestAFileTooLargeIsNotRead(t *testing.T) {
	s := newStore(t, 4)
	write(t, s.path, "{")
	require.NoError(t, os.Truncate(s.path, maxFileBytes+1)) // takes no disk: a hole
	_, err := s.Entries()
	assert.ErrorContains(t, err, "more than")
}

func TestAMapThatIsNotThereIsEmpty(t *testing.T) {
	s := newStore(t, 4)
	assert.Empty(t, entries(t, s))
	_, ok, err := s.Lookup("/a")
	require.NoError(t, err)
	assert.False(t, ok)
	assert.NoDirExists(t, s.dir(), "a reader made the directory")
	released, err := s.Release(t.Context(), "/a", 1)
	require.NoError(t, err)
	assert.False(t, released)
	assert.NoFileExists(t, s.path)
}
