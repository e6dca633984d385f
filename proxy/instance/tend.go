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

// reachablePeriod is how often an instance checks that it can still be found. A
// check reads two small files.
const reachablePeriod = time.Second

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
