package e2e

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// without removes a variable from an environment.
func without(env []string, name string) []string {
	var kept []string
	for _, v := range env {
		if !strings.HasPrefix(v, name+"=") {
			kept = append(kept, v)
		}
	}
	return kept
}

// free reports whether a port of 127.0.0.1 can be bound now.
func free(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	require.NoError(t, os.Symlink(target, link))
}

// killSoon starts an instance and kills it with SIGKILL after the time
// given, ready or not.
func killSoon(w *world, root string, after time.Duration) {
	cmd := exec.Command(binary, "serve", root)
	cmd.Env = w.env
	if err := cmd.Start(); err != nil {
		w.t.Errorf("start berth serve: %v", err)
		return
	}
	time.Sleep(after) // the random moment itself, not a wait for something
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
