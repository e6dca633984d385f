package journal

import (
	"context"
	"errors"
	"fmt"
)

// ErrLost means that another entry took the place: the caller applies it, and
// decides whether its own still fits.
var ErrLost = errors.New("another edit took the place in the journal")

// RefusedError means that the broker does not take the entry.
type RefusedError struct {
	Journal string
	Reason  string // what the broker says
	Hint    string // what to do next; ""
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the broker refused an entry of team design %q: %s%s", e.Journal, e.Reason, withHint(e.Hint))
}

// BrokenError means that a journal is not what a journal can be: a replica that
// went on would differ from others.
type BrokenError struct {
	Journal string
	Reason  string
	Hint    string // what to do next; ""
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("the journal of team design %q cannot be followed: %s%s", e.Journal, e.Reason, withHint(e.Hint))
}

func withHint(hint string) string {
	if hint == "" {
		return ""
	}
	return " (" + hint + ")"
}

// UnknownError means that an entry may be in the journal, or may yet get there:
// its answer did not arrive in time.
type UnknownError struct {
	Journal string
	ID      string // of the entry
	Err     error  // the last try's
	// Resolve sends the same entry until its outcome is known or ctx ends. Its
	// results are those of [Journal.Append].
	Resolve func(ctx context.Context) (Position, error)
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("it is not known whether entry %s of team design %q was committed: %v", e.ID, e.Journal, e.Err)
}

// Unwrap returns the last try's error.
func (e *UnknownError) Unwrap() error { return e.Err }

// UnreachableError means that nothing was sent: there is no broker to send it
// to.
type UnreachableError struct {
	Journal string
	Reach   Reach
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the broker of team design %q has been unreachable since %s: %s",
		e.Journal, e.Reach.Since.Format("2006-01-02 15:04:05"), e.Reach.Reason)
}
