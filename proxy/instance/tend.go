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

// tendPeriod is how often an instance looks whether it can still be found. A
// look reads two small files.
const tendPeriod = time.Second

// tend keeps the instance where front-ends find it: files that somebody
// removed are written again. It runs in Serve's own goroutine and so never
// beside a handover or an end, which remove them. An error ends the instance.
func (s *Server) tend(ctx context.Context) error {
	s.keepFile()
	if s.cfg.Tend == nil {
		return nil
	}
	if err := s.cfg.Tend(ctx); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// keepFile writes the instance file again where it is gone. One that is there
// and cannot be used stays, as one that others may read: its token may be
// known, and front-ends refuse it.
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
