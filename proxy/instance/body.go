package instance

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// bodyTimeout bounds reading a body, which comes in one piece from the same
// machine.
const bodyTimeout = 20 * time.Second

// readJSON reads the strict JSON body of r into out.
func readJSON(w http.ResponseWriter, r *http.Request, limit int, out any) error {
	raw, err := readBody(w, r, limit)
	if err != nil {
		return err
	}
	if err := wire.Decode(raw, wire.MaxDepth, limit, out); err != nil {
		return badJSON(err)
	}
	return nil
}

// readBody reads the body of r, up to limit. It requires the media type because
// a browser lets a web page send others without a CORS preflight.
func readBody(w http.ResponseWriter, r *http.Request, limit int) ([]byte, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, fail(wire.CodeInvalidRequest, "Content-Type must be application/json")
	}
	if r.ContentLength > int64(limit) {
		return nil, tooLarge(limit)
	}
	conn := http.NewResponseController(w)
	if err := conn.SetReadDeadline(time.Now().Add(bodyTimeout)); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fail(wire.CodeInvalidRequest, "the body did not arrive within %v", bodyTimeout)
	case err != nil:
		return nil, fail(wire.CodeInvalidRequest, "the body ended too early")
	}
	// From here on, a read only detects that the caller hung up.
	return raw, conn.SetReadDeadline(time.Time{})
}

func tooLarge(limit int) *failure {
	return fail(wire.CodeTooLarge, "the body is over the limit of %d bytes", limit)
}

func badJSON(err error) *failure {
	if errors.Is(err, wire.ErrTooLarge) {
		return fail(wire.CodeTooLarge, "%v", err)
	}
	return fail(wire.CodeInvalidJSON, "%v", err)
}
