package disk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/disk"
)

// A folder changes places with a link to one outside while files in it are
// read, edited and made: nothing outside is read or written.
func TestAFolderThatBecomesALinkLeadsNowhere(t *testing.T) {
	project, dir := open(t)
	outside := t.TempDir()
	put(t, outside, "file", "secret\n", 0o644)
	put(t, dir, "folder/file", "inside 0\n", 0o644)
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))

	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swaps := 0
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "folder"), unix.AT_FDCWD, filepath.Join(dir, "link"), unix.RENAME_EXCHANGE)
			swaps++
			for start, wait := time.Now(), time.Duration(rand.IntN(2000))*time.Microsecond; time.Since(start) < wait; {
				runtime.Gosched()
			}
		}
	})
	reads, edits, made := 0, 0, 0
	for i := 0; (edits < 50 || made < 50) && i < 1_000_000; i++ {
		was, err := project.Read("folder/file")
		if err == nil {
			require.Contains(t, string(was.Content), "inside")
			reads++
			if _, err := project.Replace(was, fmt.Appendf(nil, "inside %d\n", i)); err == nil {
				edits++
			}
		}
		name := fmt.Sprintf("folder/new %d", i)
		if _, err := project.Make(name, []byte("made\n")); err == nil {
			made++
		}
	}
	close(stop)
	swapping.Wait()
	t.Logf("%d swaps, %d reads, %d edits, %d made", swaps, reads, edits, made)
	assert.Positive(t, reads)
	assert.Positive(t, edits)
	assert.Positive(t, made)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "something was made outside")
	content, err := os.ReadFile(filepath.Join(outside, "file"))
	require.NoError(t, err)
	assert.Equal(t, "secret\n", string(content))
}

func TestAnEditOfAFolderThatBecameALinkIsRefused(t *testing.T) {
	project, dir := open(t)
	put(t, dir, "folder/file", "x\n", 0o644)
	was, err := project.Read("folder/file")
	require.NoError(t, err)
	outside := t.TempDir()
	put(t, outside, "file", "x\n", 0o644) // the same content: only where it lies tells them apart
	require.NoError(t, errors.Join(os.Rename(filepath.Join(dir, "folder"), filepath.Join(dir, "aside")), os.Symlink(outside, filepath.Join(dir, "folder"))))
	_, err = project.Replace(was, []byte("edited\n"))
	assert.Equal(t, disk.NotFile, reasonOf(t, err))
	content, err := os.ReadFile(filepath.Join(outside, "file"))
	require.NoError(t, err)
	assert.Equal(t, "x\n", string(content))
}
