package instance

import (
	"errors"
	"time"

	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
)

// Folder is the project's folder as the instance opened it.
type Folder interface {
	// Check returns nil while Config.Root names that folder, else an error
	// that is projectroot.ErrReplaced or ErrGone.
	Check() error
}

// The messages for a folder that is not the one that was opened.
const (
	textReplaced     = "Error: the folder of this project was replaced: another one is at its path now. Nothing was done; the new one is being opened. Call again."
	textGone         = "Error: the folder of this project is gone: it was deleted or moved. Nothing was done. The instance ends if it does not come back."
	textMovedDuring  = "Error: the folder of this project was replaced or moved while the call ran, so the reply is not shown; what the call changed may be in the folder that was there before. Look before you repeat it."
	defaultGonePause = time.Minute
)

// checkFolder returns an error if the project's folder is not the one that was
// opened. during means that the call has already run. Every call is checked
// before and after it runs, so that each reply belongs to the folder that the
// project's path names.
func (s *Server) checkFolder(during bool) error {
	if s.cfg.Folder == nil {
		return nil
	}
	err := s.cfg.Folder.Check()
	if err == nil {
		return nil
	}
	select {
	case s.moved <- struct{}{}: // so that Serve checks at once
	default:
	}
	text := textGone
	switch {
	case during:
		text = textMovedDuring
	case errors.Is(err, projectroot.ErrReplaced):
		text = textReplaced
	}
	return &folderError{fail(wire.CodeShuttingDown, "%s", text[len("Error: "):]), text}
}

// folderError is a failure that also has the text of a tool's reply.
type folderError struct {
	*failure
	text string
}

func (e *folderError) Unwrap() error { return e.failure }

// whole returns err, or, if err is nil, the reason why the answer must not be
// given.
func (s *Server) whole(err error) error {
	if err != nil {
		return err
	}
	return s.checkFolder(true)
}

// lookAtFolder ends an instance whose folder was replaced, so that a new
// instance opens the new folder, or whose folder has been gone for
// GonePatience. It runs in Serve's goroutine.
func (s *Server) lookAtFolder(now time.Time) (outcome Outcome, over bool) {
	if s.cfg.Folder == nil {
		return 0, false
	}
	err := s.cfg.Folder.Check()
	switch {
	case err == nil:
		if !s.goneSince.IsZero() {
			s.cfg.Logger.Info("the project's folder is back")
		}
		s.goneSince = time.Time{}
	case errors.Is(err, projectroot.ErrReplaced):
		s.cfg.Logger.Warn("the project's folder was replaced; opening the new one")
		return Replaced, true
	case s.goneSince.IsZero():
		s.goneSince = now
		s.cfg.Logger.Warn("the project's folder is gone", "cause", err, "ends in", s.cfg.GonePatience)
	case now.Sub(s.goneSince) >= s.cfg.GonePatience:
		return Gone, true
	}
	return 0, false
}
