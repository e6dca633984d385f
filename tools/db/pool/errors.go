package pool

import (
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// UsageError says what is wrong with a call.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// Plain is the message.
func (e *UsageError) Plain() string { return replytext.Shown(e.message) }

// Usagef returns a [*UsageError] of these words.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// timeoutError ends a statement that ran for too long.
type timeoutError struct{ after time.Duration }

// Plain is the message.
func (e *timeoutError) Plain() string { return e.Error() }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("the statement was ended after its time limit of %v; ask for less, or raise timeout in the project's settings", e.after)
}

// Message is what may be said of an error of a call to its caller.
func Message(err error) string {
	var unmade *cancelledError
	var unsettled *unknownOutcomeError
	switch {
	case errors.As(err, &unmade):
		return unmade.Error()
	case errors.As(err, &unsettled):
		return unsettled.Error()
	}
	return driver.Message(err)
}
