package session

import (
	"errors"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// PublishState is the state in which a failed publish left the database, as read
// afterwards.
type PublishState string

// The outcomes of a failed publish. One that applied everything has not failed.
const (
	NothingApplied PublishState = "nothing made" // the database is unchanged
	PartlyApplied  PublishState = "part made"    // the next proposal is the rest
	StateUnknown   PublishState = "unknown"      // the database could not be read; the next proposal will show
	// MadeByAnother means that the database took everything back and is, all the
	// same, what the design says.
	MadeByAnother PublishState = "made by another"
)

// PublishError reports that a publish failed after it had begun.
type PublishError struct {
	State PublishState
	Err   error // the database's, or the end of the context
}

func (e *PublishError) Error() string { return fmt.Sprintf("publish, %s: %v", e.State, e.Err) }

// Unwrap returns the cause.
func (e *PublishError) Unwrap() error { return e.Err }

// takenBack reports whether a publish failed with nothing made by it: the plan is
// one transaction, and it was not the commit that failed.
func takenBack(plan designer.Plan, failed error) bool {
	var step *designer.StepError
	var locked *designer.LockedError
	switch {
	case !plan.Transactional:
		return false
	case errors.As(failed, &step):
		return step.Index < len(plan.Steps)
	}
	return errors.As(failed, &locked) || errors.Is(failed, ErrPlanChanged)
}

// publishResult returns the result of a publish: failed is the engine's error,
// done and unread are the result and error of reading the database afterwards.
func (d *Designer) publishResult(plan designer.Plan, done *Published, failed, unread error) (*Published, error) {
	switch {
	case unread != nil && failed == nil:
		return nil, &PublishError{StateUnknown, unread}
	case unread != nil:
		return nil, &PublishError{StateUnknown, failed}
	case len(done.Left) == 0 && takenBack(plan, failed):
		return nil, &PublishError{MadeByAnother, failed}
	case failed == nil, len(done.Left) == 0: // everything was applied, even if the answer was lost
		return done, nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.pending != nil {
		return nil, &PublishError{PartlyApplied, failed}
	}
	return nil, &PublishError{NothingApplied, failed}
}
