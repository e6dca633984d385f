package serve

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// A predecessor gives up its state, then its instance file, then its port.
// Between the last two it can prove nothing any more and still has the port:
// a newcomer that claimed now would move the project to another.
func TestANewcomerWaitsForThePortOfAPredecessorWithoutAFile(t *testing.T) {
	r := testRun(t)
	state, err := session.OpenStore(r.Home.StateDir(r.Root))
	require.NoError(t, err)
	claim, err := r.Store.Claim(t.Context(), r.Root)
	require.NoError(t, err)
	vacated := make(chan struct{})
	go func() {
		defer close(vacated)
		time.Sleep(2 * takeoverPause) // the newcomer finds the state locked first
		assert.NoError(t, state.Close())
		time.Sleep(vacateWait / 4)
		assert.NoError(t, claim.Listener.Close())
	}()
	mine, _, err := r.takeOver(t.Context(), leaveAlone)
	require.NoError(t, err)
	again, err := r.Store.Claim(t.Context(), r.Root)
	require.NoError(t, err)
	assert.Equal(t, claim.Port, again.Port)
	<-vacated
	require.NoError(t, again.Listener.Close())
	require.NoError(t, mine.Close())
}

// Asked to hand over, the instance would end, and nobody would be left.
func TestANewcomerThatCannotWriteAsksNobodyToHandOver(t *testing.T) {
	r := testRun(t) // its home is not there, and so cannot be written to
	_, err := r.meeting()(t.Context(), &wire.Instance{PID: 4711})
	require.ErrorContains(t, err, "process 4711 keeps serving "+r.Root)
}

// testRun is a run in directories of the test's own.
func testRun(t *testing.T) run {
	t.Helper()
	root, err := portmap.Canonical(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "home")
	home, err := portmap.FindHome(func(name string) string { return map[string]string{portmap.EnvHome: dir}[name] })
	require.NoError(t, err)
	free, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	first := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	store := portmap.NewStore(home.MapFile(), &portmap.Options{FirstPort: first})
	client := proxy.NewClient(proxy.Options{Home: home, Store: store})
	t.Cleanup(client.Close)
	return run{Options{Root: root, Home: home, Store: store, Client: client, Logger: slog.New(slog.DiscardHandler)}}
}
