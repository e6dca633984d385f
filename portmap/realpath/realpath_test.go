package realpath_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/portmap/realpath"
)

// Both say the same of every path, also of those that do not exist or lead
// through links.
func TestResolveIsEvalSymlinksOfAnAbsolutePath(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "app", "sub"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "app", "file"), nil, 0o600))
	paths := []string{dir, "/", "/proc/self", "/proc/self/fd/0", "/dev/null"}
	for link, to := range map[string]string{
		"link": filepath.Join(dir, "app"), "relative": "app", "twice": filepath.Join(dir, "link"),
		"around": dir, "loop": "loop", "nowhere": "none", "tofile": filepath.Join("app", "file"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Logf("no links here: %v", err)
			continue
		}
		paths = append(paths, filepath.Join(dir, link), filepath.Join(dir, link, "sub"), filepath.Join(dir, link, "file"))
	}
	sep := string(filepath.Separator)
	for _, rest := range []string{"app", "app/sub", "app/file", "app/file/below", "none", "app/none", "app/", "app//sub", "app/./sub", "app/sub/..",
		"around/around/app/sub", strings.Repeat("x", 300), "app/\x00"} {
		paths = append(paths, dir+sep+filepath.FromSlash(rest))
	}
	for _, path := range paths {
		want, wantErr := filepath.EvalSymlinks(path)
		got, err := realpath.Resolve(path)
		assert.Equal(t, want, got, path)
		assert.Equal(t, wantErr, err, path)
	}
}

func TestALinkThatComesLaterIsFollowed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	app, other := filepath.Join(dir, "app"), filepath.Join(dir, "other")
	for _, d := range []string{app, other} {
		require.NoError(t, os.Mkdir(d, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(d, "file"), nil, 0o600))
	}
	file := filepath.Join(app, "file")
	got, err := realpath.Resolve(file)
	require.NoError(t, err)
	require.Equal(t, file, got)
	require.NoError(t, os.Rename(app, app+"2"))
	if err := os.Symlink(other, app); err != nil {
		t.Logf("no links here: %v", err)
		return
	}
	got, err = realpath.Resolve(file)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(other, "file"), got)
}

// BenchmarkResolve compares both for a path as projects have it.
func BenchmarkResolve(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	require.NoError(b, err)
	path := filepath.Join(dir, "work", "app")
	require.NoError(b, os.MkdirAll(path, 0o755))
	for name, resolve := range map[string]func(string) (string, error){"EvalSymlinks": filepath.EvalSymlinks, "Resolve": realpath.Resolve} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := resolve(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
