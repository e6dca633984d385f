package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walked is what a walk visits: paths, folders with a trailing slash, links
// with an @, hidden ones with a !; sorted.
func walked(t testing.TB, root *os.Root, prefix string, opts Options) ([]string, Counts) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	counts, err := Walk(t.Context(), root, prefix, opts, func(worker int, e *Entry) error {
		mu.Lock()
		defer mu.Unlock()
		mark := map[Kind]string{File: "", Folder: "/", Symlink: "@", Other: "?"}[e.Kind]
		if e.Ignored {
			mark += "!"
		}
		all = append(all, e.Path+mark)
		return nil
	})
	require.NoError(t, err)
	slices.Sort(all)
	return all, counts
}

// project makes files; a content of "-> x" makes a link to x.
func project(t testing.TB, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if to, ok := strings.CutPrefix(content, "-> "); ok {
			require.NoError(t, os.Symlink(to, path))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

func TestAWalkVisitsWhatGitSees(t *testing.T) {
	root := project(t, map[string]string{
		".gitignore": "node_modules/\n*.log\n", ".git/config": "", ".git/info/exclude": "private\n",
		"a.go": "", "a.log": "", "private": "", "node_modules/x/y.js": "", "src/b.go": "", "src/c.log": "", "src/.GIT/x": "", "sub/.git": "gitdir: elsewhere",
	})
	all, counts := walked(t, root, "", Options{})
	assert.Equal(t, []string{".gitignore", "a.go", "src/", "src/b.go", "sub/"}, all)
	assert.Equal(t, Counts{Files: 3, Folders: 2, HiddenFiles: 3, HiddenFolders: 1}, counts)
}

func TestAWalkShowsHiddenFilesWhenAsked(t *testing.T) {
	root := project(t, map[string]string{".gitignore": "out/\n*.log\n", ".git/config": "", "a.log": "", "out/.gitignore": "!*\n", "out/x/y": "", "b": ""})
	all, counts := walked(t, root, "", Options{IncludeIgnored: true})
	assert.Equal(t, []string{".gitignore", "a.log!", "b", "out/!", "out/.gitignore!", "out/x/!", "out/x/y!"}, all)
	assert.Equal(t, Counts{Files: 5, Folders: 2}, counts)
}

func TestAPrefixIsAString(t *testing.T) {
	root := project(t, map[string]string{"src/a": "", "src/sub/b": "", "src2/c": "", "s": "", "lib/src/d": "", ".gitignore": "/hidden\n*.o\n", "hidden/x": "", "src/x.o": ""})
	for prefix, want := range map[string][]string{
		"src":        {"src/", "src/a", "src/sub/", "src/sub/b", "src2/", "src2/c"},
		"src/":       {"src/a", "src/sub/", "src/sub/b"},
		"/src/s":     {"src/sub/", "src/sub/b"},
		"./src/sub/": {"src/sub/b"},
		"src/a":      {"src/a"},
		"s":          {"s", "src/", "src/a", "src/sub/", "src/sub/b", "src2/", "src2/c"},
		"hidden/":    nil,
		"hidden/x":   nil,
		"src/a/":     nil,
		"nowhere/x":  nil,
		"src//a":     nil,
		".git/":      nil,
	} {
		all, counts := walked(t, root, prefix, Options{})
		assert.Equal(t, want, all, prefix)
		assert.Equal(t, len(want), counts.Files+counts.Folders, prefix)
	}
	for _, whole := range []string{"", "/", ".", "./"} {
		all, _ := walked(t, root, whole, Options{})
		assert.Len(t, all, 11, whole)
	}
	_, counts := walked(t, root, "hidden/x", Options{})
	assert.Equal(t, 1, counts.HiddenFolders, "why there is nothing")
	_, counts = walked(t, root, "src/", Options{})
	assert.Equal(t, 1, counts.HiddenFiles, "only those under the prefix")
	all, _ := walked(t, root, "hidden/", Options{IncludeIgnored: true})
	assert.Equal(t, []string{"hidden/x!"}, all)
}

func TestAPrefixThatLeadsOutIsRefused(t *testing.T) {
	root := project(t, map[string]string{"a": ""})
	for _, prefix := range []string{"..", "../x", "a/../b", "a/./b", "a\x00"} {
		_, err := Walk(t.Context(), root, prefix, Options{}, func(int, *Entry) error { return nil })
		assert.ErrorContains(t, err, "relative to the project's root", prefix)
		_, err = Check(root, prefix, false)
		assert.Error(t, err, prefix)
	}
}

func TestNoLinkIsFollowed(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644))
	root := project(t, map[string]string{"real/a": "", "file": "-> real/a", "folder": "-> real", "out": "-> " + outside, "loop": "-> .", "real/.gitignore": "-> ../rules", "rules": "a\n"})
	all, counts := walked(t, root, "", Options{})
	assert.Equal(t, []string{"file@", "folder@", "loop@", "out@", "real/", "real/.gitignore@", "real/a", "rules"}, all)
	assert.Equal(t, 5, counts.Symlinks)
	all, _ = walked(t, root, "out/", Options{})
	assert.Empty(t, all)
	_, err := Walk(t.Context(), root, "", Options{}, func(_ int, e *Entry) error {
		_, err := e.Read(nil, 1<<20)
		assert.Equal(t, e.Kind == File, err == nil, "%s: %v", e.Path, err)
		return nil
	})
	require.NoError(t, err)
}

// A folder that is swapped for a link out of the tree again and again, while
// walks go on, is either seen as the folder or not entered at all.
func TestASwapDuringAWalkLeadsNowhere(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(outside, "in"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "in", "f"), []byte("SECRET"), 0o644))
	root := project(t, map[string]string{"d/in/f": "fine", "d/in/g": "fine"})
	link, held := filepath.Join(root.Name(), "link"), filepath.Join(root.Name(), "held")
	require.NoError(t, os.Symlink(outside, link))
	stop := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() {
		d := filepath.Join(root.Name(), "d")
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.Rename(d, held)
				_ = os.Rename(link, d)
				_ = os.Rename(d, link)
				_ = os.Rename(held, d)
			}
		}
	})
	read := 0
	var mu sync.Mutex
	for range 400 {
		_, err := Walk(t.Context(), root, "", Options{Workers: 2}, func(_ int, e *Entry) error {
			if content, err := e.Read(nil, 100); err == nil {
				mu.Lock()
				defer mu.Unlock()
				read++
				assert.Equal(t, "fine", string(content), e.Path)
			}
			return nil
		})
		require.NoError(t, err)
	}
	close(stop)
	swapper.Wait()
	assert.Positive(t, read)
}

func TestEveryFileOfALargeFolderIsVisitedOnce(t *testing.T) {
	files := map[string]string{}
	for i := range 3 * chunk {
		files[fmt.Sprintf("flat/%04d", i)] = ""
		if i%50 == 0 {
			files[fmt.Sprintf("flat/d%04d/x/y", i)] = ""
		}
	}
	root := project(t, files)
	all, counts := walked(t, root, "", Options{Workers: 4})
	assert.Equal(t, len(files), counts.Files)
	assert.Len(t, slices.Compact(all), counts.Files+counts.Folders)
}

func TestAVisitMayLeaveAFolderOutOrEndTheWalk(t *testing.T) {
	root := project(t, map[string]string{"a/x": "", "b/y": ""})
	var mu sync.Mutex
	var seen []string
	_, err := Walk(t.Context(), root, "", Options{}, func(_ int, e *Entry) error {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, e.Path)
		if e.Path == "a" {
			return fs.SkipDir
		}
		return nil
	})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"a", "b", "b/y"}, seen)
	enough := errors.New("enough")
	_, err = Walk(t.Context(), root, "", Options{}, func(int, *Entry) error { return enough })
	assert.ErrorIs(t, err, enough)
}

func TestAWalkEndsWhenItsContextDoes(t *testing.T) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf("d%d/f%d", i%20, i)] = ""
	}
	root := project(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	visits := 0
	counts, err := Walk(ctx, root, "", Options{Workers: 2}, func(int, *Entry) error {
		mu.Lock()
		defer mu.Unlock()
		if visits++; visits == 10 {
			cancel()
		}
		return nil
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, visits, 20)
	assert.Equal(t, visits, counts.Files+counts.Folders)
}

func TestWhatOtherPlatformsDoSeesTheSame(t *testing.T) {
	root := project(t, map[string]string{".gitignore": "*.log\n", "a/b/c": "content", "a/x.log": "", "l": "-> a", "f": "-> a/b/c"})
	f, err := openRootFolder(root)
	require.NoError(t, err)
	defer f.close()
	entries, err := f.next(10)
	require.NoError(t, err)
	assert.Len(t, entries, 4)
	sub, err := f.open("a")
	require.NoError(t, err)
	defer sub.close()
	b, err := sub.open("b")
	require.NoError(t, err)
	defer b.close()
	content, _, err := b.read("c", make([]byte, 2), 7)
	require.NoError(t, err)
	assert.Equal(t, "content", string(content))
	st, err := b.stat("c")
	require.NoError(t, err)
	assert.EqualValues(t, 7, st.Size)
	_, _, err = b.read("c", nil, 6)
	assert.ErrorIs(t, err, ErrTooBig)
	_, _, err = f.read("f", nil, 100)
	assert.ErrorIs(t, err, ErrNotRegular, "a link")
	_, _, err = f.read("a", nil, 100)
	assert.ErrorIs(t, err, ErrNotRegular, "a folder")
	_, err = f.open("l")
	assert.Error(t, err, "a link to a folder")
	_, err = f.open("..")
	assert.Error(t, err, "out of the root")
}

func TestAListIsSortedAndCut(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%d/f%03d", i%7, i)] = "12345"
	}
	root := project(t, files)
	all, total, _, err := List(t.Context(), root, "", Listing{})
	require.NoError(t, err)
	require.Len(t, all, 307)
	assert.Equal(t, 307, total)
	paths := func(l []ListItem) (p []string) {
		for _, e := range l {
			p = append(p, e.Path)
		}
		return p
	}
	assert.True(t, slices.IsSorted(paths(all)))
	assert.Equal(t, "d0", all[0].Path)
	assert.EqualValues(t, 5, all[1].Stat.Size)
	assert.False(t, all[1].Stat.ModTime.IsZero())

	var pages []ListItem
	for after := ""; ; {
		page, total, _, err := List(t.Context(), root, "", Listing{After: after, Most: 25})
		require.NoError(t, err)
		assert.Equal(t, 307, total)
		pages = append(pages, page...)
		if len(page) < 25 {
			break
		}
		after = page[len(page)-1].Path
	}
	assert.Equal(t, paths(all), paths(pages), "the pages are the list")

	some, total, counts, err := List(t.Context(), root, "d1/", Listing{Match: func(e *Entry) bool { return strings.HasSuffix(e.Path, "1") }})
	require.NoError(t, err)
	assert.Equal(t, len(some), total)
	assert.Equal(t, 43, counts.Files)
	assert.Less(t, total, 43)
}
