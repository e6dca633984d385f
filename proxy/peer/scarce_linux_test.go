package peer_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/proxy/peer"
)

// Whoever takes all descriptors for a moment must not open the door for good.
func TestAGuardThatCannotBeTriedIsNoGuard(t *testing.T) {
	var was unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &was))
	t.Cleanup(func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &was)) })
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	refused, made := 0, 0
	for n := uint64(len(entries)); n < uint64(len(entries))+12; n++ {
		require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: was.Max}))
		g, err := peer.NewGuard(peer.Options{})
		if err != nil {
			refused++
			assert.ErrorIs(t, err, unix.EMFILE)
			continue
		}
		made++
		assert.NoError(t, g.Err(), "%d descriptors: it would let everybody in", n)
	}
	assert.Positive(t, refused)
	assert.Positive(t, made)
}
