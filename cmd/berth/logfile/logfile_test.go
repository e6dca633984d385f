package logfile

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALogFileOpensNothingBeforeTheFirstRecord(t *testing.T) {
	l := &File{path: filepath.Join(t.TempDir(), "logs", "berth.log"), limit: maxBytes}
	require.NoError(t, l.Close())
	assert.NoDirExists(t, filepath.Dir(l.path))
	_, err := l.Write([]byte("one\n"))
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.FileExists(t, l.path)
}

func TestAFullLogFileIsSetAsideOnce(t *testing.T) {
	l := &File{path: filepath.Join(t.TempDir(), "berth.log"), limit: 20}
	defer l.Close()
	for _, record := range []string{"first line\n", "second\n", "third line\n", "fourth\n", "fifth line\n"} {
		_, err := l.Write([]byte(record))
		require.NoError(t, err)
	}
	assert.Equal(t, "fifth line\n", read(t, l.path))
	assert.Equal(t, "third line\nfourth\n", read(t, l.path+".1"), "the older one is gone")
}

func TestARecordLargerThanTheLimitIsKeptWhole(t *testing.T) {
	l := &File{path: filepath.Join(t.TempDir(), "berth.log"), limit: 4}
	defer l.Close()
	_, err := l.Write([]byte("long record\n"))
	require.NoError(t, err)
	_, err = l.Write([]byte("next\n"))
	require.NoError(t, err)
	assert.Equal(t, "next\n", read(t, l.path))
}

// Writers of several processes see each other's renames; two files on one
// path in one process do the same.
func TestWritersShareALogFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "berth.log")
	const writers, records, limit = 4, 200, 2000
	record := []byte("0123456789012345678\n")
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			l := &File{path: path, limit: limit}
			defer l.Close()
			for range records {
				if _, err := l.Write(record); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, file := range []string{path, path + ".1"} {
		text := read(t, file)
		assert.LessOrEqual(t, len(text), limit+writers*len(record), "a record of each may pass the limit")
		assert.Empty(t, bytes.ReplaceAll([]byte(text), record, nil), "no record is torn")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// Another process may set the file aside, and a person may remove it, while it
// is far from full.
func TestTheFileThatThePathNamesIsWrittenTo(t *testing.T) {
	l := New(filepath.Join(t.TempDir(), "berth.log"))
	defer l.Close()
	write := func(record string) {
		_, err := l.Write([]byte(record))
		require.NoError(t, err)
	}
	write("first\n")
	require.NoError(t, os.Rename(l.path, l.path+".1"))
	require.Eventually(t, func() bool {
		write("next\n")
		_, err := os.Stat(l.path)
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	assert.Contains(t, read(t, l.path), "next\n")
}
