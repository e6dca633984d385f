package instance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/berth-dev/berth/portmap/dirwatch"
	"github.com/berth-dev/berth/proxy/wire"
)

// How often an instance checks that it can still be found: in case a report was
// lost; where nothing reports changes, at a [dirwatch.Pace] from checkAlone; and
// each checkAlone while its folder is away. A check reads two small files; waking
// up is what it costs.
const (
	checkAlone   = time.Second
	checkBesides = dirwatch.Longest
)

// check makes sure that the instance can be found and serves the folder that
// its path names. over reports that the instance ends, with outcome and err. It
// runs in Serve's goroutine.
func (s *Server) check(ctx context.Context) (outcome Outcome, over bool, err error) {
	if err := s.keepReachable(ctx); err != nil {
		return Failed, true, err
	}
	outcome, over = s.lookAtFolder(s.cfg.Now())
	return outcome, over, nil
}

// checkPeriod returns how long to wait until the next check.
func (s *Server) checkPeriod() time.Duration {
	switch {
	case !s.goneSince.IsZero():
		return checkAlone
	case s.cfg.Changes == nil:
		return s.pace.Next(false)
	}
	return checkBesides
}

// keepReachable makes sure that front-ends can find the instance: it writes
// files again that somebody removed. It runs in Serve's goroutine and so never
// during a handover or shutdown, which remove them. An error ends the instance.
func (s *Server) keepReachable(ctx context.Context) error {
	s.keepFile()
	if s.cfg.KeepReachable == nil {
		return nil
	}
	if err := s.cfg.KeepReachable(ctx); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// keepFile writes the instance file again if it is gone. A file that exists but
// cannot be used, such as one that others may read, is left alone: its token
// may be known, and front-ends refuse it.
func (s *Server) keepFile() {
	if _, err := os.Lstat(s.cfg.InstanceFile); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := wire.WriteInstance(s.cfg.InstanceFile, s.self); err != nil {
		s.cfg.Logger.Debug("the instance file is gone and cannot be written", "cause", err)
		return
	}
	s.cfg.Logger.Warn("wrote the instance file again, which was gone")
}
