package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
)

func TestPathsAreThoseBelowTheProject(t *testing.T) {
	for given, want := range map[string]string{
		"a.go": "a.go", "/src/a.go": "src/a.go", "src/a.go": "src/a.go", "/.env": ".env", "...": notOnWindows("..."), "a b/c": "a b/c",
		"aux.go": notOnWindows("aux.go"), "con/x": "", "": "", "/": "", "//": "", "//x": "", "a//b": "", "a/": "", "/a/b/": "",
		"..": "", "../x": "", "a/../b": "", "a/..": "", "./a": "", "a/./b": "", ".": "",
		"a\x00b": "", "a\xff": "", `a\b`: "", `\\server\share`: "", `\\.\NUL`: "", "C:/x": "", "c:x": "", "C:": "",
		"NUL": "", "nul": "", "a/CON": "", "COM1": "", "lpt9": "", "COM¹": "", "CONIN$": "", "aux ": "", "prn.": "", "com10": "com10",
		strings.Repeat("a", 1025): "",
	} {
		got, err := disk.ParsePath(given)
		if want == "" {
			var refused *disk.Error
			require.ErrorAs(t, err, &refused, "%q", given)
			assert.Equal(t, disk.BadPath, refused.Reason)
			assert.Less(t, len(err.Error()), 200, "the caller's path does not come back")
			continue
		}
		require.NoError(t, err, "%q", given)
		assert.Equal(t, want, got)
	}
}

// notOnWindows returns a path, or "" on Windows, where the name is refused: the
// system drops a dot at its end, or some versions open a device.
func notOnWindows(path string) string {
	if runtime.GOOS == "windows" {
		return ""
	}
	return path
}

func TestPrefixesMayEndAnywhere(t *testing.T) {
	for given, want := range map[string]string{"": "", "/": "", ".": "", "src": "src", "/src/": "src/", "src/a.": notOnWindows("src/a.")} {
		got, err := disk.ParsePrefix(given)
		if given != "" && want == "" && strings.HasSuffix(given, "a.") {
			assert.Error(t, err, "%q", given)
			continue
		}
		require.NoError(t, err, "%q", given)
		assert.Equal(t, want, got)
	}
	for _, given := range []string{"../", "a//", "a/../b", "C:/", "a\x00", `a\`} {
		_, err := disk.ParsePrefix(given)
		assert.Error(t, err, "%q", given)
	}
}

// No path, however written, reads or makes anything outside the project.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"a", "../secret", "/../secret", "in/../../secret", "out/secret", "in/out/secret", "./a", "a/./b", "NUL", "C:\\x", "a\x00b", "/etc/passwd", "in", "in/", "deep/er/x"} {
		f.Add(s)
	}
	dir := f.TempDir()
	root := filepath.Join(dir, "project")
	require.NoError(f, os.MkdirAll(filepath.Join(root, "in"), 0o755))
	require.NoError(f, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o644))
	require.NoError(f, os.WriteFile(filepath.Join(root, "a"), []byte("a"), 0o644))
	for _, link := range []string{"out", "in/out"} {
		if err := os.Symlink(dir, filepath.Join(root, link)); err != nil {
			f.Skip(err) // a system where only administrators make links
		}
	}
	project, err := disk.Open(root, "")
	require.NoError(f, err)
	f.Cleanup(func() { _ = project.Close() })
	f.Fuzz(func(t *testing.T, given string) {
		name, err := disk.ParsePath(given)
		if err != nil {
			return
		}
		if s, err := project.Read(name); err == nil && string(s.Content) == "secret" {
			t.Fatalf("%q reads outside", given)
		}
		var refused *disk.Error
		if _, err := project.Make(name, []byte("made")); err != nil && !errors.As(err, &refused) {
			t.Fatalf("%q: %T %v", given, err, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 {
			t.Fatalf("%q made something outside: %v %v", given, entries, err)
		}
	})
}
