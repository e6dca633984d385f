package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// within waits for what has no deadline of its own. A test that waited for
// good would end the whole run, and say nothing of itself.
func within(t *testing.T, what string, do func()) (ended bool) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		stacks := make([]byte, 1<<20)
		assert.Fail(t, "waited in vain: "+what, "%s", stacks[:runtime.Stack(stacks, true)])
		return false
	}
}

// inspect logs what a process that answers nothing is doing: what the kernel
// knows of its threads, and the goroutines that Go prints as SIGQUIT ends it.
func inspect(t *testing.T, cmd *exec.Cmd, stderr fmt.Stringer) {
	t.Helper()
	if cmd.Process == nil {
		t.Log("it was not started")
		return
	}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", cmd.Process.Pid)) // Linux alone has them
	for _, thread := range threads {
		for _, what := range []string{"stat", "wchan", "syscall"} {
			text, err := os.ReadFile(filepath.Join(thread, what))
			t.Logf("%s/%s: %s %v", thread, what, bytes.TrimSpace(text), err)
		}
	}
	_ = cmd.Process.Signal(syscall.SIGQUIT) // Windows has none
	time.Sleep(2 * time.Second)
	t.Log(stderr.String())
}

// receive is the next value of a channel.
func receive[T any](t *testing.T, from <-chan T, what string) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		require.FailNow(t, "waited in vain: "+what)
	}
	return got
}

// await is the next event of a type, of those that come.
func await(t *testing.T, stream <-chan map[string]any, kind string) map[string]any {
	t.Helper()
	var others []any
	for {
		event := receive(t, stream, fmt.Sprintf("an event %s after %v", kind, others))
		require.NotNil(t, event, "the stream ended before an event %s", kind)
		if event["type"] == kind {
			return event
		}
		others = append(others, event["type"])
	}
}
