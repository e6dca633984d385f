package engine

import (
	"context"
	"fmt"
	"time"
)

// How long a publish waits for tables that others use. A statement that waits
// for a table makes everyone else wait behind it, readers too: so it waits for
// a moment, leaves the queue, lets the others pass and tries again.
const (
	// LockWait is how long a statement waits at a time.
	LockWait = time.Second
	// LockPause is the time between two attempts, in which the others have
	// their turn.
	LockPause = 2 * time.Second
	// LockAttempts is how often a publish tries: for some 43 seconds.
	LockAttempts = 15
	// LongLockWait is how long a statement waits where giving up would take
	// back what took longer than [LongWork] to make.
	LongLockWait = 10 * time.Second
	LongWork     = 5 * time.Second
)

// PastLocks calls attempt until its error is none of a lock that others hold,
// at most [LockAttempts] times. An attempt that ends with such an error has
// changed nothing. worked is the time that the attempt before spent on more
// than waiting for locks, by the clock: from [LongWork] on the attempt should
// wait [LongLockWait]. One that waited so is the last.
func PastLocks(ctx context.Context, locked func(error) bool, attempt func(worked time.Duration) error) error {
	var worked time.Duration
	for n := 1; ; n++ {
		began := time.Now()
		err := attempt(worked)
		if err == nil || !locked(err) || ctx.Err() != nil {
			return err
		}
		if n == LockAttempts || worked >= LongWork {
			return &lockedError{attempts: n, err: err}
		}
		worked = time.Since(began) - LockWait
		select {
		case <-ctx.Done():
			return err
		case <-time.After(LockPause):
		}
	}
}

// WaitAfter is how long a statement waits for others where its transaction has
// worked so long.
func WaitAfter(worked time.Duration) time.Duration {
	if worked >= LongWork {
		return LongLockWait
	}
	return LockWait
}

// Once returns a progress that tells each event once however often a plan is
// made again, and that may be nil.
func Once(progress Progress) Progress {
	begun, made := -1, -1
	return func(step int, done bool) error {
		last := &begun
		if done {
			last = &made
		}
		if progress == nil || step <= *last {
			return nil
		}
		*last = step
		return progress(step, done)
	}
}

// lockedError is the server's error of the last of several attempts.
type lockedError struct {
	attempts int
	err      error
}

func (e *lockedError) Error() string {
	return fmt.Sprintf("%v (others use the table: tried %d times)", e.err, e.attempts)
}

func (e *lockedError) Unwrap() error { return e.err }
