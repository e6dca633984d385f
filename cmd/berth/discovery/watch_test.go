package discovery_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/discovery"
)

func TestAChangeOfAFileThatCountsIsReported(t *testing.T) {
	root := project(t, map[string]string{".env": "A=1\n", "notes.txt": "x"})
	ctx, end := context.WithCancel(t.Context())
	changes, ended := make(chan string, 16), make(chan struct{})
	folders := []string{root, filepath.Join(root, ".berth")}
	go func() {
		defer close(ended)
		discovery.Watch(ctx, folders, func() []string {
			text, _ := os.ReadFile(filepath.Join(root, ".env"))
			changes <- string(text)
			return folders
		})
	}()
	next := func() string {
		select {
		case text := <-changes:
			return text
		case <-time.After(20 * time.Second):
			require.Fail(t, "no change was reported")
			return ""
		}
	}
	// The watch may begin after a first write, so write until one is seen.
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for begun := false; !begun; {
		write(".env", "A=2\n")
		select {
		case <-changes:
			begun = true
		case <-ticker.C:
		}
	}
	write("notes.txt", "y") // nobody's business
	write("next.env", "A=3\n")
	require.NoError(t, os.Rename(filepath.Join(root, "next.env"), filepath.Join(root, ".env"))) // as editors save
	for next() != "A=3\n" {
	}

	require.NoError(t, os.Mkdir(filepath.Join(root, ".berth"), 0o700))
	next()
	write(".berth/config.yaml", "{}")
	next()
	end()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		assert.Fail(t, "the watch did not end with its context")
	}
}

// The folder comes to be, is read, and gets its file before it is watched.
func TestAChangeWhileAnotherIsTakenInIsReported(t *testing.T) {
	root := project(t, map[string]string{".env": "A=1\n"})
	folder := filepath.Join(root, ".berth")
	folders := []string{root, folder}
	ctx, end := context.WithCancel(t.Context())
	ended, reported := make(chan struct{}), make(chan bool, 16)
	go func() {
		defer close(ended)
		discovery.Watch(ctx, folders, func() []string {
			_, err := os.Stat(filepath.Join(folder, "config.yaml"))
			reported <- err == nil
			if _, there := os.Stat(folder); there == nil && err != nil {
				assert.NoError(t, os.WriteFile(filepath.Join(folder, "config.yaml"), []byte("{}"), 0o600))
			}
			return folders
		})
	}()
	require.Eventually(t, func() bool { // until the watch has begun
		require.NoError(t, os.WriteFile(filepath.Join(root, ".env"), []byte("A=2\n"), 0o600))
		return len(reported) > 0
	}, 20*time.Second, 50*time.Millisecond)
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.Eventually(t, func() bool {
		select {
		case read := <-reported:
			return read
		default:
			return false
		}
	}, 10*time.Second, 10*time.Millisecond, "the settings were never read")
	end()
	<-ended
}
