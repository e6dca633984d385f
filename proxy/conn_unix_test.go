//go:build unix

package proxy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A killed instance has closed the connections that were kept. A call that was
// never sent did not take effect, whatever it is.
func TestACallAfterTheInstanceWasKilledIsNotSent(t *testing.T) {
	w := newWorld(t)
	root := w.project("a")
	f := w.start(root, echo)
	c := w.client(nil)
	require.False(t, call(t, c, root).IsError)
	f.crash()
	require.Eventually(t, func() bool { return f.open.Load() == 0 }, time.Minute, time.Millisecond)
	assertNotRunning(t, callTool(t, c, "mssql_schema_designer", arguments(t, root)), root)
}
