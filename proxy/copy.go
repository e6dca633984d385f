package proxy

import (
	"errors"
	"io"
	"net/http"
)

// CopyAtOnce copies the body of an answer as it comes, since it may be a stream
// of events. A body that breaks off ends the handler by [http.ErrAbortHandler]:
// the reader would else take it for the end.
func CopyAtOnce(w http.ResponseWriter, body io.Reader) {
	flush := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return // the reader has gone
			}
			if flush.Flush() != nil {
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			panic(http.ErrAbortHandler)
		}
	}
}
