package instance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// checkAlone is how often an instance whose folder is away checks that it can
// still be found, and the shortest [dirwatch.Pace] of its checks otherwise. A
// check reads two small files; waking up is what it costs.
const checkAlone = time.Second

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
	if !s.goneSince.IsZero() {
		return checkAlone
	}
	return s.pace.Next(s.cfg.Changes != nil, false)
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
