package portmap

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Other programs and people write into the map too. What one of them puts
// there that is no entry costs nobody else's entry, neither for a reader nor
// with the next write, and stays.
func TestAnOddMemberCostsNoOtherEntry(t *testing.T) {
	const good = `"/srv/other": 50007`
	kept := map[string]string{ // stays as it is
		"a comment of somebody's":     `{"_comment": "mine", ` + good + `}`,
		"a port in quotes":            `{"/a": "50001", ` + good + `}`,
		"port 0":                      `{"/a": 0, ` + good + `}`,
		"a port too high":             `{"/a": 70000, ` + good + `}`,
		"a port below 0":              `{"/a": -1, ` + good + `}`,
		"half a port":                 `{"/a": 50001.5, ` + good + `}`,
		"a port beyond any number":    `{"/a": 1e999, ` + good + `}`,
		"null":                        `{"/a": null, ` + good + `}`,
		"true":                        `{"/a": true, ` + good + `}`,
		"a list":                      `{"/a": [50001], ` + good + `}`,
		"an object":                   `{"/a": {"port": 50001}, ` + good + `}`,
		"an object, a name twice":     `{"/a": {"port": 1, "port": 2}, ` + good + `}`,
		"an empty name":               `{"": "x", ` + good + `}`,
		"a list in front of an entry": `{"projects": [], "version": "2", ` + good + `}`,
	}
	aside := map[string]string{ // cannot stay, and is kept beside the map
		"a byte order mark":    "\ufeff{" + good + "}",
		"a comment":            "{\n// mine\n" + good + "}",
		"a comment in between": "{" + good + " /* mine */}",
		"a comma at the end":   "{" + good + ",}",
		"an entry twice":       `{"/srv/other": 50006, ` + good + `}`,
		"a broken end":         "{" + good + `, "/a": 500`,
		"a broken middle":      "{" + good + `, "/a": 50001 "/b": 50002}`,
		"text after the end":   "{" + good + "} mine",
	}
	for name, text := range kept {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 4)
			write(t, s.path, text)
			port, ok, err := s.Lookup("/srv/other")
			require.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, 50007, port)
			c := claim(t, s, project(t, "app"))
			assert.Equal(t, map[string]int{c.Root: c.Port, "/srv/other": 50007}, entries(t, s))
			for odd := range strings.SplitSeq(text[1:strings.Index(text, good)-len(", ")], ", ") {
				assert.Contains(t, squeeze(read(t, s.path)), squeeze(odd), "the odd one stays")
			}
			assert.Empty(t, brokenBeside(t, s.path))
		})
	}
	for name, text := range aside {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, 4)
			write(t, s.path, text)
			port, ok, err := s.Lookup("/srv/other")
			require.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, 50007, port)
			c := claim(t, s, project(t, "app"))
			assert.Equal(t, map[string]int{c.Root: c.Port, "/srv/other": 50007}, entries(t, s))
			beside := brokenBeside(t, s.path)
			require.Len(t, beside, 1)
			assert.Equal(t, text, read(t, beside[0]))
		})
	}
}

func TestAnOddReservationCostsNoOther(t *testing.T) {
	s := newStore(t, 4)
	const good = `"/srv/other": {"port": 50007, "lastUsed": "2026-05-04T03:02:01Z"}`
	write(t, s.reservationsPath(), `{"_comment": "mine", "/a": 50001, "/b": {"port": 50002, "since": 1}, `+good+`}`)
	claim(t, s, project(t, "app"))
	text := squeeze(read(t, s.reservationsPath()))
	for _, member := range []string{`"_comment": "mine"`, `"/a": 50001`, `"since": 1`, good} {
		assert.Contains(t, text, squeeze(member))
	}
	assert.Empty(t, brokenBeside(t, s.reservationsPath()))
}

func TestAnEntryReplacesTheOddOneOfItsName(t *testing.T) {
	s := newStore(t, 4)
	root := project(t, "app")
	quoted := strings.ReplaceAll(root, `\`, `\\`)
	write(t, s.path, `{"`+quoted+`": "50001", "/srv/other": 50007}`)
	c := claim(t, s, root)
	assert.Equal(t, map[string]int{c.Root: c.Port, "/srv/other": 50007}, entries(t, s))
	assert.NotContains(t, read(t, s.path), `"50001"`)
}

// What a watcher sees is what readers see.
func TestAWatchSeesPastAnOddMember(t *testing.T) {
	s := newStore(t, 4)
	write(t, s.path, `{"_comment": "mine", "/a": 50001}`)
	changes, err := s.Watch(t.Context())
	require.NoError(t, err)
	select {
	case got := <-changes:
		assert.True(t, maps.Equal(map[string]int{"/a": 50001}, got), got)
	case <-time.After(10 * time.Second):
		require.Fail(t, "no map")
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func brokenBeside(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(path + ".broken-*")
	require.NoError(t, err)
	return found
}

// A pipe, a device or a link to one in the place of a file keeps nobody
// waiting, and is named.
func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	for _, file := range []string{"ports.json", "reservations.json"} {
		t.Run(file, func(t *testing.T) {
			s := newStore(t, 4)
			path := filepath.Join(s.dir(), file)
			require.NoError(t, os.MkdirAll(s.dir(), 0o700))
			notFile(t, path)
			done := make(chan error, 1)
			go func() {
				_, err := s.Claim(t.Context(), t.TempDir())
				done <- err
			}()
			select {
			case err := <-done:
				require.ErrorContains(t, err, path+" is a")
				require.ErrorContains(t, err, "move it away")
			case <-time.After(10 * time.Second):
				require.Fail(t, "the claim hangs")
			}
		})
	}
}
