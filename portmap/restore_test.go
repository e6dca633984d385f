package portmap

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnEntryThatTheMapLostIsPutBack(t *testing.T) {
	cases := map[string]func(t *testing.T, s *Store, c *Claim){
		"the file deleted":      func(t *testing.T, s *Store, _ *Claim) { require.NoError(t, os.Remove(s.Path())) },
		"the file cut off":      func(t *testing.T, s *Store, _ *Claim) { write(t, s.Path(), `{"/a": 5`) },
		"another port":          func(t *testing.T, s *Store, c *Claim) { write(t, s.Path(), `{"`+c.Root+`": 1}`) },
		"the port's of another": func(t *testing.T, s *Store, c *Claim) { writeEntries(t, s, map[string]int{"/other": c.Port}) },
	}
	for name, lose := range cases {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 4)
			c := claim(t, s, project(t, "app"))
			lose(t, s, c)
			restored, err := s.Restore(t.Context(), c.Root, c.Port)
			require.NoError(t, err)
			assert.True(t, restored)
			assert.Equal(t, map[string]int{c.Root: c.Port}, entries(t, s))
			restored, err = s.Restore(t.Context(), c.Root, c.Port)
			require.NoError(t, err)
			assert.False(t, restored, "it is there")
		})
	}
}

func TestPuttingAnEntryBackLeavesOtherProjects(t *testing.T) {
	s := newStore(t, 4)
	a, b := claim(t, s, project(t, "a")), claim(t, s, project(t, "b"))
	writeEntries(t, s, map[string]int{b.Root: b.Port})
	_, err := s.Restore(t.Context(), a.Root, a.Port)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{a.Root: a.Port, b.Root: b.Port}, entries(t, s))
}

func writeEntries(t *testing.T, s *Store, content map[string]int) {
	t.Helper()
	text, err := encode(content)
	require.NoError(t, err)
	write(t, s.Path(), string(text))
}

func TestAStoreSaysWhetherAClaimCouldBeWritten(t *testing.T) {
	s := newStore(t, 4)
	claim(t, s, project(t, "app"))
	require.NoError(t, s.Writable())
	files, err := os.ReadDir(s.dir())
	require.NoError(t, err)
	for _, file := range files {
		assert.NotContains(t, file.Name(), tempMark)
	}
	require.NoError(t, os.RemoveAll(s.dir()))
	require.ErrorContains(t, s.Writable(), "port map")
}
