package designer

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Guard is what a publish does under the lock of its database, which lets one
// publish at a time into a database, whoever runs it and wherever.
type Guard struct {
	Holder string // whom others are told of; "": nobody in particular
	// Ready is called with the lock held, before the first statement, and again
	// where the plan is begun again. An error ends the publish with nothing made.
	// nil: nothing is asked.
	Ready func(ctx context.Context) error
}

// LockedError means that another publish to the database is in progress, and
// that nothing was done.
type LockedError struct {
	Holder  string    // who runs it, as far as the server says; "": not known
	Session string    // the server's number of its connection; "": not known
	Since   time.Time // by this machine's clock; zero: not known
	Idle    bool      // Since is when its last statement began
	End     string    // the statement that has the server end it; "": none is known
}

func (e *LockedError) Error() string {
	var b strings.Builder
	b.WriteString("another publish to this database is in progress")
	if e.Holder != "" {
		fmt.Fprintf(&b, ": that of %s", e.Holder)
	}
	if e.Session != "" {
		fmt.Fprintf(&b, ", session %s", e.Session)
	}
	if !e.Since.IsZero() {
		word := "since"
		if e.Idle {
			word = "its last statement began at"
		}
		fmt.Fprintf(&b, ", %s %s", word, e.Since.UTC().Format("2006-01-02 15:04:05 MST"))
	}
	b.WriteString(". Publish again when it has ended")
	if e.End != "" {
		fmt.Fprintf(&b, "; if it hangs, the server ends it by: %s", e.End)
	}
	return b.String()
}
