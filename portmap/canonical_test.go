package portmap

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// resolvedTempDir is a temporary directory whose own path has no links, which
// that of macOS has.
func resolvedTempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	require.NoError(tb, err)
	return dir
}

func TestSpellingsOfOneProjectHaveOneCanonicalPath(t *testing.T) {
	dir := resolvedTempDir(t)
	app := filepath.Join(dir, "app")
	require.NoError(t, os.MkdirAll(filepath.Join(app, "sub"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "näme with space", "子"), 0o700))
	link(t, app, filepath.Join(dir, "link"))
	link(t, "app", filepath.Join(dir, "relative"))
	link(t, filepath.Join(dir, "link"), filepath.Join(dir, "twice"))
	link(t, dir, filepath.Join(dir, "around"))
	sep := string(filepath.Separator)
	cases := map[string]struct{ path, want string }{
		"as it is":                   {app, app},
		"with a slash at its end":    {app + sep, app},
		"with slashes twice":         {dir + sep + sep + "app", app},
		"with dots":                  {dir + sep + "." + sep + "app" + sep + ".", app},
		"through its child":          {filepath.Join(app, "sub") + sep + "..", app},
		"a link":                     {filepath.Join(dir, "link"), app},
		"a link with a relative end": {filepath.Join(dir, "relative"), app},
		"a link to a link":           {filepath.Join(dir, "twice"), app},
		"a link in between":          {filepath.Join(dir, "around", "around", "app"), app},
		"a link and a child":         {filepath.Join(dir, "link", "sub"), filepath.Join(app, "sub")},
		"letters of all kinds":       {filepath.Join(dir, "näme with space", "子"), filepath.Join(dir, "näme with space", "子")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Canonical(tc.path)
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestPathsThatAreNoProject(t *testing.T) {
	dir := resolvedTempDir(t)
	file := filepath.Join(dir, "file")
	write(t, file, "")
	link(t, filepath.Join(dir, "gone"), filepath.Join(dir, "dangling"))
	link(t, filepath.Join(dir, "loop"), filepath.Join(dir, "loop"))
	cases := map[string]struct {
		path string
		want error
	}{
		"nothing":                    {"", ErrNotAbsolute},
		"a name":                     {"app", ErrNotAbsolute},
		"a dot":                      {".", ErrNotAbsolute},
		"a way up":                   {"../app", ErrNotAbsolute},
		"a home that no shell reads": {"~/app", ErrNotAbsolute},
		"a drive without a root":     {"c:app", ErrNotAbsolute},
		"an address":                 {"file:///tmp", ErrNotAbsolute},
		"not there":                  {filepath.Join(dir, "gone"), fs.ErrNotExist},
		"below what is not there":    {filepath.Join(dir, "gone", "app"), fs.ErrNotExist},
		"below a file":               {filepath.Join(file, "app"), fs.ErrNotExist},
		"a link to nothing":          {filepath.Join(dir, "dangling"), fs.ErrNotExist},
		"a link to itself":           {filepath.Join(dir, "loop"), fs.ErrNotExist},
		"a name too long":            {filepath.Join(dir, strings.Repeat("x", 5000)), fs.ErrNotExist},
		"a zero byte":                {dir + "\x00", fs.ErrNotExist},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Canonical(tc.path)
			require.ErrorIs(t, err, tc.want)
			assert.Empty(t, got)
		})
	}
}

func TestARootThatJSONCannotHoldIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no name that is not valid UTF-8: names are UTF-16")
	}
	dir := filepath.Join(resolvedTempDir(t), "app\xff")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return // this file system has no such names
	}
	_, err := Canonical(dir)
	assert.ErrorContains(t, err, "not valid UTF-8")
}

func TestAPathOfWindowsHasOneSpelling(t *testing.T) {
	cases := map[string]struct{ path, want string }{
		"a small drive letter":       {`c:\work\App`, `C:\work\App`},
		"a large one":                {`C:\work\App`, `C:\work\App`},
		"a drive alone":              {`d:\`, `D:\`},
		"the prefix of long paths":   {`\\?\c:\work`, `C:\work`},
		"the prefix of long shares":  {`\\?\UNC\server\share`, `\\server\share`},
		"a share":                    {`\\server\share\app`, `\\server\share\app`},
		"a volume without a letter":  {`\\?\Volume{1}\app`, `\\?\Volume{1}\app`},
		"a path of another platform": {`/srv/app`, `/srv/app`},
		"not a letter":               {`1:\work`, `1:\work`},
		"nothing":                    {``, ``},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tc.want, upperDrive(tc.path)) })
	}
}

func TestLookupsIgnoreCaseWhereThePlatformDoes(t *testing.T) {
	byRoot := map[string]int{"/Srv/App": 1, "/srv/other": 2, "/SRV/OTHER": 3}
	cases := map[string]struct {
		root         string
		exact, folds int // 0: not found
	}{
		"spelled so":                    {"/Srv/App", 1, 1},
		"another case":                  {"/srv/app", 0, 1},
		"two spellings, one of them it": {"/srv/other", 2, 2},
		"two spellings, neither is it":  {"/Srv/Other", 0, 3},
		"another project":               {"/srv/apps", 0, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := tc.exact
			if foldsCase {
				want = tc.folds
			}
			got, ok := lookup(byRoot, tc.root)
			assert.Equal(t, want, got)
			assert.Equal(t, want != 0, ok)
		})
	}
	assert.Equal(t, runtime.GOOS == "windows" || runtime.GOOS == "darwin", foldsCase)
}

func TestASymlinkedRootIsTheSameProject(t *testing.T) {
	s, root := newStore(t, 4), project(t, "app")
	alias := filepath.Join(t.TempDir(), "alias")
	link(t, root, alias)
	c := claim(t, s, root)

	key, err := Canonical(alias)
	require.NoError(t, err)
	port, ok, err := s.Lookup(key)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, c.Port, port)
	stop(t, s, c)
	assert.Equal(t, c.Port, claim(t, s, key).Port)
	assert.Len(t, entries(t, s), 1)
}

func link(tb testing.TB, to, at string) {
	tb.Helper()
	require.NoError(tb, os.Symlink(to, at))
}

func FuzzCanonical(f *testing.F) {
	for _, path := range []string{"", "/", "//", "/tmp/../etc/.", "/etc/passwd/x", "~/x", `c:\x`, "/\x00", "/\xff", "/proc/self/cwd"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got, err := Canonical(path)
		if err != nil {
			return
		}
		require.True(t, filepath.IsAbs(got))
		require.Equal(t, filepath.Clean(got), got)
		require.True(t, utf8.ValidString(got))
		again, err := Canonical(got)
		if err == nil { // a link of /proc may point elsewhere by now
			require.Equal(t, got, again)
		}
	})
}

func FuzzUpperDrive(f *testing.F) {
	for _, path := range []string{"", `c:`, `c:\x`, `\\?\c:\x`, `\\?\UNC\s\d`, `\\?\`, `é:\`} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got := upperDrive(path)
		require.LessOrEqual(t, len(got), len(path))
		require.True(t, strings.EqualFold(got, path) || strings.HasPrefix(path, `\\?\`))
	})
}
