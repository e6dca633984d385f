package wire

import (
	"maps"
	"net/http"
	"slices"
)

// Code is the closed list of failures of the hop itself, the values of
// [Failure.Error]. What a tool refuses is not among them: that is a [Result].
type Code string

// The codes.
const (
	CodeUnauthorized     Code = "unauthorized"       // no token, a wrong one, or one of an earlier run
	CodeForbidden        Code = "forbidden"          // a good credential, but not for this route
	CodeForbiddenHost    Code = "forbidden_host"     // Host is not this instance's loopback address
	CodeForbiddenOrigin  Code = "forbidden_origin"   // Origin is not the instance's own page
	CodeForbiddenUser    Code = "forbidden_user"     // the connection is another user's
	CodeNotFound         Code = "not_found"          // no such route or tool
	CodeMethodNotAllowed Code = "method_not_allowed" // the route exists, with another method
	CodeTooLarge         Code = "too_large"          // a body over its limit
	CodeInvalidJSON      Code = "invalid_json"       // a body that is not strict JSON of the right shape
	CodeInvalidRequest   Code = "invalid_request"    // a header, parameter or field out of its range
	CodeOverloaded       Code = "overloaded"         // too many calls at once; try again
	CodeShuttingDown     Code = "shutting_down"      // the instance is shutting down; look it up again
	CodeTimeout          Code = "timeout"            // the call took longer than it may
	CodeNoConnection     Code = "no_connection"      // the project's database cannot be reached
	CodeQueryFailed      Code = "query_failed"       // the database refused the query; the message is its own
	CodeInternal         Code = "internal"           // anything else; the instance's log has the cause
)

// outcome is what a code maps to outside this package.
type outcome struct {
	status int // HTTP
	exit   int // of a command that got this failure
}

// Exit codes of commands that talk to an instance.
const (
	ExitInternal = 1 // it failed inside
	ExitRequest  = 2 // the request is wrong; repeating it will not help
	ExitRefused  = 3 // the caller may not
	ExitBusy     = 4 // the same request may succeed a moment later
)

var outcomes = map[Code]outcome{
	CodeUnauthorized:     {http.StatusUnauthorized, ExitRefused},
	CodeForbidden:        {http.StatusForbidden, ExitRefused},
	CodeForbiddenHost:    {http.StatusForbidden, ExitRefused},
	CodeForbiddenOrigin:  {http.StatusForbidden, ExitRefused},
	CodeForbiddenUser:    {http.StatusForbidden, ExitRefused},
	CodeNotFound:         {http.StatusNotFound, ExitRequest},
	CodeMethodNotAllowed: {http.StatusMethodNotAllowed, ExitRequest},
	CodeTooLarge:         {http.StatusRequestEntityTooLarge, ExitRequest},
	CodeInvalidJSON:      {http.StatusBadRequest, ExitRequest},
	CodeInvalidRequest:   {http.StatusBadRequest, ExitRequest},
	CodeOverloaded:       {http.StatusServiceUnavailable, ExitBusy},
	CodeShuttingDown:     {http.StatusServiceUnavailable, ExitBusy},
	CodeTimeout:          {http.StatusGatewayTimeout, ExitBusy},
	CodeNoConnection:     {http.StatusServiceUnavailable, ExitBusy},
	CodeQueryFailed:      {http.StatusBadRequest, ExitRequest},
	CodeInternal:         {http.StatusInternalServerError, ExitInternal},
}

// Codes lists every [Code], sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(outcomes)) }

// HTTPStatus returns the HTTP status for c; 500 for a code that is not in the
// list.
func (c Code) HTTPStatus() int {
	if o, ok := outcomes[c]; ok {
		return o.status
	}
	return http.StatusInternalServerError
}

// ExitCode returns the exit code of a command that failed with c; [ExitInternal]
// for a code that is not in the list.
func (c Code) ExitCode() int {
	if o, ok := outcomes[c]; ok {
		return o.exit
	}
	return ExitInternal
}
