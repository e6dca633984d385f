package serve

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePageIsOpenedOnceAndNotWhileOneListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listeners, opened := 0, []string{}
		requests := newPageRequests()
		p := (&pageOpener{
			requests:   requests,
			signInFile: func() (string, error) { return "/tmp/50001-x.html", nil },
			listeners:  func() int { return listeners },
			log:        slog.New(slog.DiscardHandler),
			open: func(_ context.Context, path string) error {
				opened = append(opened, path)
				return errors.New("no browser")
			},
		}).start()
		defer p.stop()
		show := func() {
			ctx, cancel := context.WithCancel(t.Context())
			require.NoError(t, requests.show(ctx))
			cancel() // the call that showed the designer ends before the browser is there
			synctest.Wait()
		}
		show()
		show()
		assert.Len(t, opened, 1, "it is coming up")
		time.Sleep(reopenAfter)
		listeners = 1
		show()
		assert.Len(t, opened, 1, "one listens")
		listeners = 0
		show()
		assert.Len(t, opened, 2, "it was closed")
	})
}
