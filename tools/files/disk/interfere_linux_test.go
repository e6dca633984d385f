package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
)

// rewrite is what formatters and editors do: the new content is written beside
// the file and renamed over it.
func rewrite(t *testing.T, path, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path+".new", []byte(content), 0o644))
	require.NoError(t, os.Rename(path+".new", path))
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

// everything is the content of the file and of all that was kept beside it.
func everything(t *testing.T, path string) string {
	t.Helper()
	all := contentOf(t, path)
	kept, err := filepath.Glob(filepath.Join(filepath.Dir(path), "berth-kept-*"))
	require.NoError(t, err)
	for _, name := range kept {
		all += contentOf(t, name)
	}
	return all
}

// Another program renames a file over ours just before the exchange, so the
// edit is taken back. Meanwhile it reads the edit, and writes the file from
// that: by a rename or in place, before the edit is taken back or after.
func TestWhatWasWrittenOverAnInterimEditIsKept(t *testing.T) {
	inPlace := func(t *testing.T, path, content string) {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	for name, tt := range map[string]struct {
		write func(t *testing.T, path, content string)
		late  bool // only after the edit was refused
	}{
		"renamed at once":     {rewrite, false},
		"renamed afterwards":  {rewrite, true},
		"in place at once":    {inPlace, false},
		"in place afterwards": {inPlace, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file.txt")
			require.NoError(t, os.WriteFile(path, []byte("old\n"), 0o644))
			project, err := disk.Open(dir, "")
			require.NoError(t, err)
			was, err := project.Read("file.txt")
			require.NoError(t, err)
			read := ""
			project.OnStep(func(step string) {
				if step == "compared" {
					rewrite(t, path, "old\nfirst\n")
					return
				}
				if read = contentOf(t, path); !tt.late {
					tt.write(t, path, read+"second\n")
				}
			})
			_, err = project.Replace(was, []byte("old\nedit\n"))
			var refused *disk.Error
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, disk.Stale, refused.Reason)
			assert.Contains(t, refused.Message, "may be in the file")
			require.Equal(t, "old\nedit\n", read)
			if tt.late {
				assert.Equal(t, "old\nfirst\n", contentOf(t, path), "the edit was taken back")
				tt.write(t, path, read+"second\n")
			}
			require.NoError(t, project.Close(), "which looks for the last time")

			assert.Equal(t, "old\nedit\nsecond\n", contentOf(t, path), "what was written last stands")
			assert.Contains(t, everything(t, path), "first\n", "what was written before is kept")
			assert.Equal(t, 1, strings.Count(everything(t, path), "first\n"), "once")
			noRemains(t, dir)
			if tt.late {
				kept, err := filepath.Glob(filepath.Join(dir, "berth-kept-*"))
				require.NoError(t, err)
				require.Len(t, kept, 1)
				info, err := os.Stat(kept[0])
				require.NoError(t, err)
				assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a copy is the user's alone")
			}
		})
	}
}

// A program that only was too early costs the edit and nothing else: no file is
// kept of what stands in place.
func TestAnEditThatIsTakenBackLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("old\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	was, err := project.Read("file.txt")
	require.NoError(t, err)
	project.OnStep(func(step string) {
		if step == "compared" {
			rewrite(t, path, "theirs\n")
		}
	})
	_, err = project.Replace(was, []byte("edit\n"))
	assert.Equal(t, disk.Stale, reasonOf(t, err))
	assert.ErrorContains(t, err, "may be in the file")
	require.NoError(t, project.Close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
	assert.Equal(t, "theirs\n", contentOf(t, path))
}

// What takes the file's place may be another kind of thing: it goes back.
func TestALinkThatTookTheFilesPlaceIsBackInIt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	require.NoError(t, os.WriteFile(path, []byte("old\n"), 0o644))
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	was, err := project.Read("file.txt")
	require.NoError(t, err)
	project.OnStep(func(step string) {
		if step == "compared" {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink("elsewhere", path))
		}
	})
	_, err = project.Replace(was, []byte("edit\n"))
	assert.Equal(t, disk.Stale, reasonOf(t, err))
	require.NoError(t, project.Close())
	target, err := os.Readlink(path)
	require.NoError(t, err)
	assert.Equal(t, "elsewhere", target)
	noRemains(t, dir)
}
