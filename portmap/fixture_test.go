package portmap

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// newStore returns a store in a directory of its own that claims from a span
// of ports that were free a moment ago, below the range from which the system
// takes ports for outgoing connections.
func newStore(tb testing.TB, ports int, change ...func(*Options)) *Store {
	tb.Helper()
	first := freeSpan(tb, ports)
	opts := &Options{FirstPort: first, LastPort: first + ports - 1}
	for _, c := range change {
		c(opts)
	}
	return NewStore(filepath.Join(tb.TempDir(), "berth", "ports.json"), opts)
}

func freeSpan(tb testing.TB, ports int) int {
	tb.Helper()
	for range 1000 {
		if first := 10000 + rand.IntN(20000); isFree(first, ports) {
			return first
		}
	}
	require.FailNow(tb, "no free ports for the test", "wanted %d in a row", ports)
	return 0
}

func isFree(first, ports int) bool {
	for port := first; port < first+ports; port++ {
		listener, err := listen(context.Background(), port)
		if err != nil {
			return false
		}
		_ = listener.Close()
	}
	return true
}

// project makes a directory and returns its canonical path.
func project(tb testing.TB, name string) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.MkdirAll(dir, 0o700))
	root, err := Canonical(dir)
	require.NoError(tb, err)
	return root
}

// claim claims and closes the listener at the end of the test.
func claim(tb testing.TB, s *Store, root string) *Claim {
	tb.Helper()
	c, err := s.Claim(tb.Context(), root)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = c.Listener.Close() })
	return c
}

// stop releases a claim and closes it, as an instance does that ends cleanly.
func stop(tb testing.TB, s *Store, c *Claim) {
	tb.Helper()
	released, err := s.Release(tb.Context(), c.Root, c.Port)
	require.NoError(tb, err)
	require.True(tb, released)
	require.NoError(tb, c.Listener.Close())
}

// occupy takes a port as a process that knows nothing of berth would.
func occupy(tb testing.TB, port int) {
	tb.Helper()
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
}

// write puts a file in place that was not written by this package.
func write(tb testing.TB, path, text string) {
	tb.Helper()
	require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(tb, os.WriteFile(path, []byte(text), 0o600))
}

func read(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(path)
	require.NoError(tb, err)
	return string(text)
}

// entries is the map of a store that can be read.
func entries(tb testing.TB, s *Store) map[string]int {
	tb.Helper()
	m, err := s.Entries()
	require.NoError(tb, err)
	return m
}

// logBook is a log whose lines a test can look at.
type logBook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBook) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBook) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// writeLedger brings a ledger to the disk as an update would.
func writeLedger(t *testing.T, s *Store, l *ledger) {
	t.Helper()
	require.NoError(t, s.write(content[int]{byRoot: l.entries}, nil, content[reservation]{byRoot: l.reserved}, nil))
}
