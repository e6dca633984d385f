package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
)

// settleWait is how long a statement that may change something has to end
// after its time: its outcome is worth waiting for.
const settleWait = 5 * time.Second

// unknownOutcomeError says that nobody knows whether a statement was made.
type unknownOutcomeError struct{ cause error }

func (e *unknownOutcomeError) Error() string {
	return fmt.Sprintf("%s; it did not end within %v after that, so look into the database whether it was made", Message(e.cause), settleWait)
}

func (e *unknownOutcomeError) Unwrap() error { return e.cause }

// Settle runs work that may change the database, for at most limit. Unlike
// [Connections.ReadIn] it waits for work to end after ctx did, and its error
// says what became of the change.
func (c *Connections) Settle(ctx context.Context, limit time.Duration, work func(ctx context.Context) error) error {
	ctx, done, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	ended := make(chan error, 1)
	go func() {
		defer done()
		defer stop()
		ended <- undone(ctx, containedWrite(c.contained(work)(ctx)))
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(settleWait):
		return &unknownOutcomeError{context.Cause(ctx)}
	}
}

// containedWrite says of a statement whose answer could not be read that it
// may have been made.
func containedWrite(err error) error {
	if safedriver.IsPanic(err) {
		return fmt.Errorf("%w; %w: look into the database", err, driver.ErrUncertain)
	}
	return err
}

// undone says of a statement that was ended that nothing of it was made: a
// server takes back what a single statement had begun.
func undone(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if errors.Is(err, driver.ErrUncertain) {
		return &cancelledError{driver.ErrUncertain}
	}
	return &cancelledError{context.Cause(ctx)}
}

// cancelledError says what became of a statement that was ended.
type cancelledError struct{ cause error }

func (e *cancelledError) Error() string {
	if errors.Is(e.cause, driver.ErrUncertain) {
		return "the statement was ended, and " + e.cause.Error() + ": look into the database"
	}
	return Message(e.cause) + "; nothing was changed"
}

func (e *cancelledError) Unwrap() error { return e.cause }
