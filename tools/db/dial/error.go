package dial

import (
	"fmt"

	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// ConnectError says that a database could not be opened.
type ConnectError struct {
	Connection string // "": there is none
	Cause      string // for people; no secrets
	Fix        string // what to do about it; "": the cause says so, or nothing helps
	Err        error  // nil: only the words are known
}

func (e *ConnectError) Unwrap() error { return e.Err }

func (e *ConnectError) Error() string {
	if e.Connection == "" {
		return e.Cause
	}
	return fmt.Sprintf("connection %s: %s", replytext.Quote(e.Connection), e.Cause)
}

// Plain is all of it in one line, for people and models.
func (e *ConnectError) Plain() string {
	if e.Fix == "" {
		return replytext.Shown(e.Error())
	}
	return replytext.Shown(e.Error() + "; " + e.Fix)
}

// Hint is Fix, as a command prints it on a line of its own.
func (e *ConnectError) Hint() string { return e.Fix }
