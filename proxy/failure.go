package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// maxFailureBytes bounds the body of an HTTP error.
const maxFailureBytes = 64 << 10

// RefusedError is an HTTP error that a proven instance answered itself.
type RefusedError struct {
	Code    wire.Code
	Status  int
	Message string // the instance's words
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the instance answered %d %s: %s", e.Status, e.Code, e.Message)
}

// Is reports an instance that is shutting down as [ErrNotRunning]: it did not
// take the call, and looking it up again finds its successor.
func (e *RefusedError) Is(target error) bool {
	return target == ErrNotRunning && e.Code == wire.CodeShuttingDown
}

func readFailure(resp *http.Response) error {
	refused := &RefusedError{Status: resp.StatusCode, Code: wire.CodeInternal, Message: http.StatusText(resp.StatusCode)}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFailureBytes+1))
	if err != nil {
		return fmt.Errorf("read the instance's error: %w", err)
	}
	var f wire.Failure
	if wire.Decode(body, wire.MaxDepth, maxFailureBytes, &f) == nil && f.Error != "" {
		refused.Code, refused.Message = wire.Code(f.Error), f.Message
	}
	return refused
}

// refusedBy returns the error for a call that was refused with f.
func refusedBy(f *wire.Failure) error {
	code := wire.Code(f.Error)
	return &RefusedError{Code: code, Status: code.HTTPStatus(), Message: f.Message}
}

// refusal returns an error result of the front-end itself: plain text.
func refusal(format string, args ...any) wire.Line {
	return errorResult(fmt.Sprintf(format, args...))
}

func errorResult(content ...string) wire.Line {
	return wire.Line{Result: &wire.Result{Content: content, IsError: true}}
}

// failureLine returns the result that reports err to the agent.
func (c *Client) failureLine(ctx context.Context, given, root string, def catalog.Definition, err error, o CallOptions) wire.Line {
	// The agent is told what to do next; the cause goes to the log only.
	c.opts.Logger.Debug("call failed", "root", root, "tool", def.Name, "cause", err)
	if isNotRunning(err) {
		return c.notRunning(ctx, given, root, err, o)
	}
	return failedLine(err, def)
}

// failedLine returns the result for a call that failed on its way.
func failedLine(err error, def catalog.Definition) wire.Line {
	if errors.Is(err, errTooLarge) {
		return refusal("Error: %v: send less at once", err)
	}
	var overloaded *overloadedError
	if errors.As(err, &overloaded) && def.Failure != catalog.Structured {
		return refusal("%v", err)
	}
	message := explain(err, def)
	if def.Failure != catalog.Structured {
		return errorResult(wire.TextNoConnection, message)
	}
	if errors.Is(err, ErrNoAnswer) {
		message = wire.TextNoConnection + ". " + message
	}
	text := structured(message)
	return wire.Line{Result: &wire.Result{Content: []string{text}, Structured: json.RawMessage(text), IsError: true}}
}

// structured returns a failure of the hop in the form used by tools that
// answer in JSON.
func structured(message string) string {
	text, err := json.Marshal(struct {
		Success bool   `json:"success"`
		Reason  string `json:"reason"`
		Message string `json:"message"`
	}{false, "internal_error", message})
	if err != nil { // cannot happen: message is a string
		return `{"success":false,"reason":"internal_error","message":"the call failed"}`
	}
	return string(text)
}

// afterSending returns the sentence about the effect of a call that was sent
// but not answered.
func afterSending(def catalog.Definition) string {
	if def.Annotations.ReadOnly {
		return "Nothing was changed; repeat the call later."
	}
	return "outcome unknown: the call may have taken effect or not, so look before you repeat it."
}

// explainWay returns what happened to a call to another machine.
func explainWay(err *WayError, def catalog.Definition) string {
	text, cause := "The host "+err.Host, strings.TrimSuffix(err.Cause.Error(), ".")
	switch {
	case err.Silent:
		text += " stopped answering while the call was in progress: "
	case err.Sent:
		text += " was lost while the call was in progress: "
	default:
		return text + " cannot be reached: " + cause + ". Nothing was done. A person sees more with: berth hosts"
	}
	return text + cause + ". " + afterSending(def)
}

// explain returns what happened to a call that failed and what to do about it.
func explain(err error, def catalog.Definition) string {
	var refused *RefusedError
	var overloaded *overloadedError
	var large *replyError
	var way *WayError
	switch {
	case errors.As(err, &way):
		return explainWay(way, def)
	case errors.As(err, &overloaded):
		return overloaded.Error()
	case errors.As(err, &large):
		return large.Error() + " " + afterSending(def)
	case errors.Is(err, errHung):
		return "The project's instance stopped answering while the call was in progress. " + afterSending(def) +
			" If this persists, stop it with berth stop --force and start it again."
	case errors.Is(err, ErrNoAnswer):
		return "The project's instance accepts connections but does not answer. If this persists, stop it with berth stop --force and start it again."
	case errors.Is(err, context.DeadlineExceeded):
		return "The call took too long and was cancelled. " + afterSending(def)
	case !errors.As(err, &refused):
		return "The connection to the project's instance broke before the answer. " + afterSending(def)
	}
	switch refused.Code {
	case wire.CodeUnauthorized, wire.CodeForbidden, wire.CodeForbiddenHost, wire.CodeForbiddenOrigin:
		return "The project's instance refused this front-end (" + string(refused.Code) + "). Restart both so that they are of one version."
	case wire.CodeOverloaded:
		return "overloaded: the project's instance has too many calls at once. Nothing was done: repeat the call a little later."
	case wire.CodeTimeout:
		return "The call took too long in the project's instance and was cancelled: " + refused.Message
	default:
		return fmt.Sprintf("The project's instance answered %d (%s): %s", refused.Status, refused.Code, refused.Message)
	}
}
