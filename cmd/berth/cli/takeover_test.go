package cli

import (
	"context"
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
	l := testLink(t)
	root, err := portmap.Canonical(t.TempDir())
	require.NoError(t, err)
	state, err := session.OpenStore(l.home.StateDir(root))
	require.NoError(t, err)
	claim, err := l.store.Claim(t.Context(), root)
	require.NoError(t, err)
	vacated := make(chan struct{})
	go func() {
		defer close(vacated)
		time.Sleep(2 * takeoverPause) // the newcomer finds the state locked first
		assert.NoError(t, state.Close())
		time.Sleep(vacateWait / 4)
		assert.NoError(t, claim.Listener.Close())
	}()
	mine, _, err := l.takeOver(t.Context(), root, leaveAlone)
	require.NoError(t, err)
	again, err := l.store.Claim(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, claim.Port, again.Port)
	<-vacated
	require.NoError(t, again.Listener.Close())
	require.NoError(t, mine.Close())
}

// Asked to hand over, the instance would end, and nobody would be left.
func TestANewcomerThatCannotWriteAsksNobodyToHandOver(t *testing.T) {
	i := instanceOf{link: testLink(t), root: t.TempDir()} // its home is not there, and so cannot be written to
	_, err := (&app{}).meeting(i, serveFlags{json: true})(t.Context(), &wire.Instance{PID: 4711})
	require.ErrorContains(t, err, "process 4711 keeps serving "+i.root)
}

// testLink is a link to a directory of the test's own.
func testLink(t *testing.T) *link {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	home, err := portmap.FindHome(func(name string) string { return map[string]string{portmap.EnvHome: dir}[name] })
	require.NoError(t, err)
	free, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	first := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	store := portmap.NewStore(home.MapFile(), &portmap.Options{FirstPort: first})
	l := &link{home: home, store: store, client: proxy.NewClient(proxy.Options{Home: home, Store: store})}
	t.Cleanup(l.close)
	return l
}
