package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// failure is an error that a route's handler returns. It holds only what is
// sent to the caller.
type failure struct {
	code    wire.Code
	message string
}

func (f *failure) Error() string { return f.message }

func fail(code wire.Code, format string, args ...any) *failure {
	return &failure{code: code, message: fmt.Sprintf(format, args...)}
}

// DatabaseError is an error of [Database] that determines how it is reported.
type DatabaseError struct {
	Code    wire.Code
	Message string // for the caller; no secret, no internals
}

func (e *DatabaseError) Error() string { return e.Message }

// failureOf converts an error to what the caller gets. The text of an error
// that was not written for the caller is not shown.
func failureOf(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	var d *DatabaseError
	var told interface{ Refusal() (code, message string) }
	switch {
	case errors.As(err, &told):
		code, message := told.Refusal()
		return &failure{code: wire.Code(code), message: message}
	case errors.As(err, &d):
		return &failure{code: d.Code, message: d.Message}
	case errors.Is(err, errShuttingDown):
		return fail(wire.CodeShuttingDown, "the instance is shutting down; look up the project's port again")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(wire.CodeTimeout, "the call took too long; ask for less or allow more time")
	default:
		return fail(wire.CodeInternal, "the instance failed inside; its log has the cause")
	}
}

// writeFailure answers with f. If the request has a body, the connection is
// closed afterwards: the rest of the body is not needed, and a caller without a
// credential must not be able to hold the connection by sending it slowly.
func writeFailure(w http.ResponseWriter, r *http.Request, f *failure) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		// net/http continues to read for a moment, so that the client gets the
		// answer.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second))
	}
	writeJSON(w, f.code.HTTPStatus(), wire.Failure{Message: f.message, Error: string(f.code)})
}

// writeJSON answers with body. A write error is ignored: the caller has gone.
func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status = http.StatusInternalServerError
		text = []byte(`{"message":"the reply could not be encoded","error":"internal"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}
