package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/wire"
)

// Waits of an instance that has handed over.
const (
	standbyWait  = takeoverLimit         // for a successor's message
	olderWait    = time.Second           // for one of an older berth, which sends none, to take the state
	standbyLimit = time.Minute           // for one that has the state and does not serve
	standbyPause = 20 * time.Millisecond // between two looks at the state
)

// standBy waits for the process that this one has handed the project to, and
// reports whether it never served: then the state is free, and this process
// must serve again. successor is its connection, nil where it sends no message.
func (r run) standBy(ctx context.Context, successor net.Conn) (again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, standbyLimit)
	defer cancel()
	grace := olderWait
	if successor != nil {
		if hear(ctx, successor) {
			return false, nil
		}
		grace = 0
	}
	for late := time.Now().Add(grace); ; {
		_, held, _ := session.Holder(r.Home.StateDir(r.Root))
		switch {
		case held && r.live(ctx) != nil:
			return false, nil
		case !held && !time.Now().Before(late):
			return true, nil // also where it could not be looked at: who opens it says why
		}
		err := pause(ctx, standbyPause)
		if errors.Is(err, context.DeadlineExceeded) {
			return false, fmt.Errorf("the process that took %s over does not serve it", r.Root)
		}
		if err != nil {
			return false, nil // this process was stopped
		}
	}
}

// hear waits for a successor's message and reports whether it came.
func hear(ctx context.Context, successor net.Conn) bool {
	stop := context.AfterFunc(ctx, func() { _ = successor.Close() })
	defer stop()
	defer successor.Close()
	if err := successor.SetReadDeadline(time.Now().Add(standbyWait)); err != nil {
		return false
	}
	text, _ := io.ReadAll(io.LimitReader(successor, int64(len(wire.HandoverDone)))) // cut short it is not the message
	return string(text) == wire.HandoverDone
}
