package session

import "fmt"

// Aftermath says how a publish that failed left the database, as it was read
// afterwards.
type Aftermath string

// How a failed publish can end. One that made everything has not failed.
const (
	NothingMade      Aftermath = "nothing made" // the database is as it was
	PartMade         Aftermath = "part made"    // the next proposal is the rest
	AftermathUnknown Aftermath = "unknown"      // the database could not be read; the next proposal tells
)

// PublishError is the failure of a publish after it was begun.
type PublishError struct {
	Aftermath Aftermath
	Err       error // the database's, or the end of the context
}

func (e *PublishError) Error() string { return fmt.Sprintf("publish, %s: %v", e.Aftermath, e.Err) }

// Unwrap returns the cause.
func (e *PublishError) Unwrap() error { return e.Err }

// ended is what came of a publish: failed is the engine's error, done and
// unread what was read afterwards.
func (d *Designer) ended(done *Published, failed, unread error) (*Published, error) {
	switch {
	case unread != nil && failed == nil:
		return nil, &PublishError{AftermathUnknown, unread}
	case unread != nil:
		return nil, &PublishError{AftermathUnknown, failed}
	case failed == nil, len(done.Left) == 0: // all is there, though the answer may have been lost
		return done, nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.pending != nil {
		return nil, &PublishError{PartMade, failed}
	}
	return nil, &PublishError{NothingMade, failed}
}
