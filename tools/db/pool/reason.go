package pool

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/tools/db/dial"
)

// Reason returns the kind of an error of a call, of a closed list: for logs,
// which say nothing of what a call held.
func Reason(err error) string {
	var usage *UsageError
	var connect *dial.ConnectError
	var overloaded *OverloadedError
	var timeout *timeoutError
	var unsettled *unknownOutcomeError
	switch {
	case errors.As(err, &usage):
		return "invalid_request"
	case errors.As(err, &connect):
		return "no_connection"
	case errors.As(err, &overloaded):
		return "overloaded"
	case errors.As(err, &unsettled):
		return "outcome_unknown"
	case errors.As(err, &timeout), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return "query_failed"
}
