package tree

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository is a git repository in a folder of its own, out of reach of this
// machine's configuration.
type repository struct {
	dir  string
	root *os.Root
	fold bool // core.ignoreCase
}

func newRepository(t testing.TB, fold bool) *repository {
	t.Helper()
	r := &repository{dir: t.TempDir(), fold: fold}
	r.git(t, nil, "init", "-q", "--template=")
	root, err := os.OpenRoot(r.dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	r.root = root
	return r
}

func (r *repository) git(t testing.TB, in []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.excludesFile=", "-c", "core.ignoreCase=" + strconv.FormatBool(r.fold)}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 && args[0] == "check-ignore" {
		err = nil // none is ignored
	}
	require.NoError(t, err, "git %v: %s", args, errs.String())
	return out
}

// write makes a file; a name with a trailing slash makes a folder.
func (r *repository) write(t testing.TB, name, content string) {
	t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if strings.HasSuffix(name, "/") {
		require.NoError(t, os.MkdirAll(path, 0o755))
		return
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// all lists what is there but git's own.
func (r *repository) all(t testing.TB) (paths []string, dirs map[string]bool) {
	t.Helper()
	dirs = map[string]bool{}
	require.NoError(t, filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(r.dir, path)
		switch {
		case err != nil || rel == ".":
			return err
		case d.Name() == ".git":
			return fs.SkipDir
		}
		rel = filepath.ToSlash(rel)
		paths = append(paths, rel)
		dirs[rel] = d.IsDir()
		return nil
	}))
	return paths, dirs
}

// asks asks git about paths.
func (r *repository) asks(t testing.TB, paths []string) map[string]Verdict {
	t.Helper()
	out := r.git(t, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	require.Len(t, fields, 4*len(paths))
	said := map[string]Verdict{}
	for f := fields; len(f) > 0; f = f[4:] {
		v := Verdict{Source: f[0], Pattern: f[2]}
		if f[1] != "" {
			line, err := strconv.Atoi(f[1])
			require.NoError(t, err)
			v.Line = line
			v.Ignored = !strings.HasPrefix(v.Pattern, "!")
		}
		said[f[3]] = v
	}
	return said
}

// agrees compares what Check does with git over all paths there are and some others.
func (r *repository) agrees(t testing.TB, others ...string) (ignored int) {
	t.Helper()
	paths, dirs := r.all(t)
	paths = append(paths, others...)
	git := r.asks(t, paths)
	for _, path := range paths {
		ours, err := check(r.root, path, dirs[path], r.fold)
		require.NoError(t, err)
		if !assert.Equal(t, git[path], ours, "%q (folder: %t)", path, dirs[path]) {
			files, _ := filepath.Glob(filepath.Join(r.dir, ".gitignore"))
			for _, f := range files {
				content, _ := os.ReadFile(f)
				t.Fatalf("with %s:\n%q", f, content)
			}
		}
		if ours.Ignored {
			ignored++
		}
	}
	return ignored
}

func TestIgnoreFilesMeanWhatTheyMeanToGit(t *testing.T) {
	for name, files := range corpus {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, foldNames)
			for path, content := range files {
				r.write(t, path, content)
			}
			r.agrees(t, "nowhere/at/all.o", "build/x", "a b/c")
		})
	}
}

func TestRandomIgnoreFilesMeanWhatTheyMeanToGit(t *testing.T) {
	const rounds = 60
	ignored, asked := 0, 0
	for seed := range uint64(rounds) {
		d := drawer{rand.New(rand.NewPCG(seed, 4))}
		r := newRepository(t, seed%4 == 0)
		var folders []string
		for range 60 {
			path := d.path(folders)
			if _, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(strings.TrimSuffix(path, "/")))); err == nil {
				continue
			}
			r.write(t, path, "")
			if strings.HasSuffix(path, "/") {
				folders = append(folders, path)
			}
		}
		r.write(t, ".gitignore", d.file(12))
		r.write(t, ".git/info/exclude", d.file(3))
		for range min(3, len(folders)) {
			r.write(t, folders[d.IntN(len(folders))]+".gitignore", d.file(4))
		}
		var others []string
		for range 40 {
			others = append(others, d.name()+"/"+strings.TrimSuffix(d.path(nil), "/")+"/"+d.name())
		}
		n := r.agrees(t, others...)
		ignored += n
		asked += 100
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	assert.Greater(t, ignored, asked/20, "the patterns drawn hide something")
	assert.Less(t, ignored, asked*19/20, "the patterns drawn do not hide all")
}

// drawer draws patterns and paths that have something to do with each other.
type drawer struct{ *rand.Rand }

func (d drawer) of(choices ...string) string { return choices[d.IntN(len(choices))] }

func (d drawer) name() string {
	s := ""
	for range 1 + d.IntN(3) {
		s += d.of("a", "b", "c", "A", "foo", "x1", "-", "]", "[", "!", "#", " ", "*", "\\", "é", ".o", "?")
	}
	return s
}

func (d drawer) path(folders []string) string {
	s := d.name()
	if len(folders) > 0 && d.IntN(3) > 0 {
		s = d.of(folders...) + s
	}
	return s + d.of("", "", "/")
}

func (d drawer) pattern() string {
	s := d.of("", "", "", "!", "/", "!/", "**/", "\\", "#")
	for range 1 + d.IntN(5) {
		s += d.of("a", "b", "c", "A", "Foo", "foo", "x1", "é", "É", ".o", "*", "*", "**", "/**/", "/", "?", "\\*", "\\ ", " ", "\\\\", "\\",
			"[ab]", "[!a]", "[^b-c]", "[a-]", "[]a]", "[\\]a]", "[[:alpha:]]", "[![:digit:]x]", "[[:none:]]", "[[:a]", "[[:upper:]]", "[A-F]", "[", "[a", "]", "-", "!", "#")
	}
	return s + d.of("", "", "", "/", "/*", "/**", " ", "  ", "\\ ", "\t", "\r")
}

func (d drawer) file(lines int) string {
	var s strings.Builder
	s.WriteString(d.of("", "", "", "\ufeff"))
	for range 1 + d.IntN(lines) {
		fmt.Fprintf(&s, "%s%s", d.pattern(), d.of("\n", "\n", "\n", "\r\n", "\n\n"))
	}
	return s.String() + d.of("", d.pattern())
}

// corpus is one repository per idea of the documentation of gitignore.
var corpus = map[string]map[string]string{
	"plain names, anywhere":    {".gitignore": "build\n*.o\n", "build/x": "", "src/build/y": "", "src/build.go": "", "a.o": "", "src/b.o": "", "b.ob": ""},
	"anchored by a slash":      {".gitignore": "/build\nsrc/gen\n/*.txt\n", "build/x": "", "lib/build": "", "src/gen/a": "", "lib/src/gen": "", "a.txt": "", "src/a.txt": ""},
	"folders only":             {".gitignore": "build/\nout/\n", "build/x": "", "src/build": "", "src/out/y": "", "lib/out": ""},
	"double stars":             {".gitignore": "**/logs\nfoo/**\na/**/b\nx/**/*.js\nc**d\n", "logs/a": "", "q/logs": "", "foo/a/b": "", "a/b": "", "a/x/b": "", "a/x/y/b": "", "x/a.js": "", "x/y/z/a.js": "", "cd": "", "c/d": "", "cxd": "", "foo.txt": ""},
	"a double star in a name":  {".gitignore": "foo**/bar\nab/x**\n", "foo/bar": "", "fooa/bar": "", "foobar": "", "foo/x/bar": "", "ab/xy/z": "", "ab/x": ""},
	"negation":                 {".gitignore": "*.log\n!keep.log\n/dir/\n!/dir/keep\n/half/*\n!/half/keep\n", "a.log": "", "keep.log": "", "s/keep.log": "", "dir/keep": "", "dir/x": "", "half/keep": "", "half/x": ""},
	"nested files":             {".gitignore": "*.tmp\n/only-root\n", "a.tmp": "", "sub/.gitignore": "!a.tmp\nlocal\n/anchored\nd/e\n", "sub/a.tmp": "", "sub/b.tmp": "", "sub/local": "", "sub/x/local": "", "local": "", "sub/anchored": "", "sub/x/anchored": "", "sub/only-root": "", "sub/d/e": "", "sub/x/d/e": ""},
	"not under a hidden one":   {".gitignore": "hidden/\n", "hidden/.gitignore": "!*\n", "hidden/a": "", "hidden/b/c": ""},
	"info/exclude":             {".git/info/exclude": "secret\n*.bak\n/top\n", ".gitignore": "!keep.bak\n", "secret": "", "a.bak": "", "keep.bak": "", "top": "", "s/top": ""},
	"escapes":                  {".gitignore": "\\#file\n\\!bang\n\\*star\nback\\\\slash\nq\\?\nend\\\n", "#file": "", "!bang": "", "*star": "", "xstar": "", "back\\slash": "", "q?": "", "qq": "", "end": ""},
	"spaces":                   {".gitignore": "a \nb\\ \nc d\n e\nf\\  \n \t\ng\t\n", "a": "", "a ": "", "b ": "", "b": "", "c d": "", " e": "", "e": "", "f ": "", "f": "", "g": "", "g\t": ""},
	"comments and empty lines": {".gitignore": "# build\n\n\n  # not a comment\nx#y\n", "build": "", "x#y": "", "  # not a comment": ""},
	"line endings":             {".gitignore": "a\r\nb\r\n\r\nc\rd\r\ne\r", "a": "", "b": "", "c\rd": "", "e": ""},
	"byte order mark":          {".gitignore": "\ufeffa\n\ufeffb\n", "a": "", "b": "", "\ufeffb": ""},
	"classes":                  {".gitignore": "[a-c]x\n[!a-c]y\n[[:digit:]]z\n[]]\n[a\n[z-a]w\nn[^/]m\np[/]q\n[\\]]r\n", "ax": "", "dx": "", "ay": "", "dy": "", "1z": "", "az": "", "]": "", "[a": "", "aw": "", "nxm": "", "n/m": "", "p/q": "", "]r": ""},
	"question marks":           {".gitignore": "?.c\na?b\n/??\n", "a.c": "", "aa.c": "", "axb": "", "a/b": "", "é.c": "", "zz": "", "q/zz": ""},
	"slashes only":             {".gitignore": "/\n//\n!\n!/\n/a//b\n", "a/b": "", "c": ""},
	"stars only":               {".gitignore": "*\n!*/\n!*.go\n", "a.go": "", "b.txt": "", "s/a.go": "", "s/b.txt": ""},
	"all but one folder":       {".gitignore": "/*\n!/src\n/src/*\n!/src/keep/\n", "a": "", "src/b": "", "src/keep/c": "", "lib/d": ""},
	"a zero byte":              {".gitignore": "a\x00b\nc\n", "a": "", "c": ""},
}
