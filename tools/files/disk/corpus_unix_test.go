//go:build unix

package disk_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/files/disk"
)

func open(t *testing.T) (*disk.Project, string) {
	t.Helper()
	dir := t.TempDir()
	project, err := disk.Open(dir, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = project.Close() })
	return project, dir
}

func put(t *testing.T, dir, name, content string, mode fs.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func reasonOf(t *testing.T, err error) disk.Reason {
	t.Helper()
	var refused *disk.Error
	require.ErrorAs(t, err, &refused)
	return refused.Reason
}

func noRemains(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		assert.False(t, disk.IsTemp(path), "%s is left", path)
		return err
	}))
}

func TestModeAndOwnerAreKept(t *testing.T) {
	project, dir := open(t)
	for _, mode := range []fs.FileMode{0o644, 0o600, 0o755, 0o640, 0o200 | 0o400, 0o755 | fs.ModeSetuid, 0o755 | fs.ModeSetgid} {
		path := put(t, dir, "in/script.sh", "echo 1\n", mode)
		uid, gid := os.Getuid(), os.Getgid()
		if uid == 0 {
			uid, gid = 1234, 5678
			require.NoError(t, os.Chown(path, uid, gid))
			require.NoError(t, os.Chmod(path, mode)) // chown takes the special bits away
		}
		was, err := project.Read("in/script.sh")
		require.NoError(t, err)
		method, err := project.Replace(was, []byte("echo 2\n"))
		require.NoError(t, err)
		assert.NotEmpty(t, method)
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode())
		st := info.Sys().(*syscall.Stat_t)
		assert.Equal(t, [2]int{uid, gid}, [2]int{int(st.Uid), int(st.Gid)})
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "echo 2\n", string(content))
		require.NoError(t, os.Remove(path))
	}
	noRemains(t, dir)
}

func TestWhatIsNoPlainFileIsNotOpenedAndNeverWaitedFor(t *testing.T) {
	project, dir := open(t)
	put(t, dir, "real/file", "x\n", 0o644)
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	require.NoError(t, os.Symlink("real/file", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "folder")))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "outside")))
	require.NoError(t, os.Symlink("/etc", filepath.Join(dir, "etc")))
	require.NoError(t, os.Symlink("link2", filepath.Join(dir, "link2")))
	words := map[string]string{
		"pipe": "a named pipe", "link": "leads to real/file", "folder/file": "leads to real", "outside": "symbolic link",
		"etc/passwd": "symbolic link", "link2": "symbolic link", "real": "is a folder",
	}
	if os.Getuid() == 0 && syscall.Mknod(filepath.Join(dir, "device"), syscall.S_IFCHR|0o666, 1<<8|5) == nil {
		words["device"] = "a device"
	}
	for name, word := range words {
		_, err := project.Read(name)
		assert.Equal(t, disk.NotFile, reasonOf(t, err), name)
		assert.ErrorContains(t, err, word)
		assert.NotContains(t, err.Error(), "etc/passwd leads")
		_, err = project.Make(name, nil)
		assert.Error(t, err, name)
	}
	_, err := project.Read("nothing")
	assert.Equal(t, disk.NotFound, reasonOf(t, err))
	_, err = project.Read("real/file/below")
	assert.Equal(t, disk.NotFound, reasonOf(t, err))
}

func TestFilesWhoseNatureWouldBeLostAreRefused(t *testing.T) {
	project, dir := open(t)
	put(t, dir, "read-only", "x\n", 0o444)
	path := put(t, dir, "linked", "x\n", 0o644)
	require.NoError(t, os.Link(path, filepath.Join(dir, "other")))
	large := put(t, dir, "large", "", 0o644)
	require.NoError(t, os.Truncate(large, 1<<30))
	for name, reason := range map[string]disk.Reason{"read-only": disk.ReadOnly, "linked": disk.HardLinked, "large": disk.TooLarge} {
		was, err := project.Read(name)
		require.NoError(t, err)
		_, err = project.Replace(was, []byte("y\n"))
		assert.Equal(t, reason, reasonOf(t, err), name)
	}
	info, err := os.Stat(large)
	require.NoError(t, err)
	assert.Equal(t, int64(1<<30), info.Size())
}

func TestAFileIsReplacedOnlyAsItWasRead(t *testing.T) {
	for name, meanwhile := range map[string]func(path string) error{
		"written": func(path string) error { return os.WriteFile(path, []byte("theirs\n"), 0o644) },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"2", []byte("theirs\n"), 0o644), os.Rename(path+"2", path))
		},
		"removed":              os.Remove,
		"made read-only":       func(path string) error { return os.Chmod(path, 0o444) },
		"replaced by a pipe":   func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644)) },
		"replaced by a link":   func(path string) error { return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) },
		"replaced by a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"linked":               func(path string) error { return os.Link(path, path+"2") },
	} {
		t.Run(name, func(t *testing.T) {
			project, dir := open(t)
			path := put(t, dir, "file", "ours\n", 0o644)
			was, err := project.Read("file")
			require.NoError(t, err)
			require.NoError(t, meanwhile(path))
			before, _ := os.Lstat(path)
			_, err = project.Replace(was, []byte("edited\n"))
			require.Error(t, err)
			after, _ := os.Lstat(path)
			if before != nil {
				assert.True(t, os.SameFile(before, after), "the file is another than the other program left")
			}
			content, _ := os.ReadFile(path + "2")
			assert.NotContains(t, string(content), "edited")
			noRemains(t, dir)
		})
	}
}

func TestAFileOfFiveMebibytesIsReplacedWhole(t *testing.T) {
	project, dir := open(t)
	content := bytes.Repeat([]byte("a line of a large file\r\n"), 5<<20/24)
	path := put(t, dir, "large.txt", string(content), 0o644)
	was, err := project.Read("large.txt")
	require.NoError(t, err)
	content[0] = 'A'
	_, err = project.Replace(was, content)
	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(content, got))
}

func TestAFileIsMadeOnceAndWithItsFolders(t *testing.T) {
	project, dir := open(t)
	require.NoError(t, project.Free("new/folder/file"))
	method, err := project.Make("new/folder/file", []byte("x\n"))
	require.NoError(t, err)
	assert.Equal(t, disk.Create, method)
	_, err = project.Make("new/folder/file", []byte("y\n"))
	assert.Equal(t, disk.Exists, reasonOf(t, err))
	assert.Equal(t, disk.Exists, reasonOf(t, project.Free("new/folder/file")))
	content, err := os.ReadFile(filepath.Join(dir, "new/folder/file"))
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(content))
	noRemains(t, dir)
}

func TestAFullDiskLeavesTheFileAsItWas(t *testing.T) {
	project, dir := open(t)
	path := put(t, dir, "file", "x\n", 0o644)
	was, err := project.Read("file")
	require.NoError(t, err)
	var limit, none syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	none = limit
	none.Cur = 1 << 10
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &none)) // the system's own way to refuse a write
	_, err = project.Replace(was, bytes.Repeat([]byte("y"), 1<<16))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.Error(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(content))
	noRemains(t, dir)
}
