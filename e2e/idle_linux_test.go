package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnInstanceThatNobodyUsesSleeps: a person has many projects open, and each
// wake-up of each of their instances costs all the others. An instance that
// wakes every second does so some dozen times in each window.
func TestAnInstanceThatNobodyUsesSleeps(t *testing.T) {
	long.Thoroughly(t)
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("shop", "CREATE TABLE t (a INTEGER)"))
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		before := wakeups(t, in.PID)
		time.Sleep(5 * time.Second)
		assert.LessOrEqual(c, wakeups(t, in.PID)-before, 3)
	}, patience, time.Millisecond)
}

// TestAnInstanceUsesOneOfTheUsersWatches: Linux gives a user 128 of them for all
// programs. With five an instance, 25 projects left none for the editor, and the
// instances after them looked at their files five times a second.
func TestAnInstanceUsesOneOfTheUsersWatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.serve(w.project("shop", "CREATE TABLE t (a INTEGER)"))
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		assert.Equal(c, 1, inotifies(t, in.PID))
	}, patience, time.Millisecond)
}

// inotifies is how many watches of the system's a process has open.
func inotifies(t *testing.T, pid int) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil && strings.Contains(target, "inotify") {
			n++
		}
	}
	return n
}

// wakeups is how often the threads of a process have waited for something.
func wakeups(t *testing.T, pid int) int {
	t.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/status")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := 0
	for _, file := range files {
		status, err := os.ReadFile(file)
		require.NoError(t, err)
		_, after, found := strings.Cut(string(status), "\nvoluntary_ctxt_switches:")
		require.True(t, found)
		text, _, _ := strings.Cut(after, "\n")
		n, err := strconv.Atoi(strings.TrimSpace(text))
		require.NoError(t, err)
		all += n
	}
	return all
}
