package disk_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools/files/disk"
)

const editorEnv = "BERTH_TEST_EDITOR"

// numbered is the content of an edit: its number on every line.
func numbered(n int) []byte { return []byte(strings.Repeat(fmt.Sprintf("edit %d\n", n), 2000)) }

// editForEver edits a file, and says which edits were acknowledged.
func editForEver(dir string) error {
	project, err := disk.Open(dir, dir+".edits")
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		was, err := project.Read("file.txt")
		if err == nil {
			_, err = project.Replace(was, numbered(n))
		}
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// The process that edits is killed at any moment, many times: the file is
// whole, with the last acknowledged edit or the next, and what is left beside
// it goes with the next edit.
func TestAKilledEditLeavesAWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	for round := range long.Rounds(30, 600) {
		require.NoError(t, os.WriteFile(path, numbered(0), 0o644))
		editor := exec.Command(os.Args[0])
		editor.Env = append(os.Environ(), editorEnv+"="+dir)
		out, err := editor.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, editor.Start())
		last := 0
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			_, err := fmt.Sscan(lines.Text(), &last)
			require.NoError(t, err)
			if last == round%5+1 {
				time.AfterFunc(time.Duration(round*137%2000)*time.Microsecond, func() { _ = editor.Process.Kill() })
			}
		}
		require.Error(t, editor.Wait(), "it was killed")
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, []string{string(numbered(last)), string(numbered(last + 1))}, string(content))
	}
	t.Logf("30 kills left %d files", len(remains(t, dir)))
	project, err := disk.Open(dir, dir+".edits")
	require.NoError(t, err)
	defer project.Close()
	project.SweepJournal()
	assert.Empty(t, remains(t, dir))
	kept, err := filepath.Glob(filepath.Join(dir, "berth-kept-*"))
	require.NoError(t, err)
	assert.Empty(t, kept, "nothing of another program's was found")
}

func remains(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, ".berth-tmp-*"))
	require.NoError(t, err)
	return list
}

func TestExtendedAttributesAreKept(t *testing.T) {
	project, dir := open(t)
	path := put(t, dir, "file", "x\n", 0o644)
	if err := unix.Setxattr(path, "user.note", []byte("kept"), 0); err != nil {
		needs.Missing(t, "file system with extended attributes", err.Error())
	}
	was, err := project.Read("file")
	require.NoError(t, err)
	_, err = project.Replace(was, []byte("y\n"))
	require.NoError(t, err)
	value := make([]byte, 100)
	n, err := unix.Getxattr(path, "user.note", value)
	require.NoError(t, err)
	assert.Equal(t, "kept", string(value[:n]))
}

func TestAProgramThatHasTheFileOpenForWritingIsWaitedFor(t *testing.T) {
	project, dir := open(t)
	path := put(t, dir, "file", "x\n", 0o644)
	was, err := project.Read("file")
	require.NoError(t, err)
	writer, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = project.Replace(was, []byte("y\n"))
	assert.Equal(t, disk.InUse, reasonOf(t, err))
	_, err = writer.WriteString("theirs\n")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "theirs\n", string(content), "it wrote into the file that has the name")

	was, err = project.Read("file")
	require.NoError(t, err)
	method, err := project.Replace(was, []byte("y\n"))
	require.NoError(t, err)
	assert.Equal(t, disk.Exchange, method)
	noRemains(t, dir)
}
