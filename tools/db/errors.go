package db

import (
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// usageError is a mistake in a call.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// Plain is the message.
func (e *usageError) Plain() string { return replytext.Shown(e.message) }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// timeoutError ends a statement that ran for too long.
type timeoutError struct{ after time.Duration }

// Plain is the message.
func (e *timeoutError) Plain() string { return e.Error() }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("the statement was ended after its time limit of %v; ask for less, or raise timeout in the project's settings", e.after)
}

// fail makes the reply of an error: plain text, in words of the caller's
// level. Only a database that cannot be opened has the document's sentence,
// with its cause behind it.
func fail(err error) tools.Reply {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return tools.Reply{Content: []string{catalog.TextFailure, replytext.Shown(connect.Error())}, IsError: true}
	}
	return tools.Reply{Content: []string{replytext.Shown(message(err))}, IsError: true}
}

func message(err error) string {
	var unmade *unmadeError
	var unsettled *unsettledError
	switch {
	case errors.As(err, &unmade):
		return unmade.Error()
	case errors.As(err, &unsettled):
		return unsettled.Error()
	}
	return driver.Message(err)
}
