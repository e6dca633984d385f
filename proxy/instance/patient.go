package instance

import (
	"net/http"
	"time"
)

// deadlineWriter sets a new deadline for every write of an answer: an answer
// may take as long as its call, but a write must not wait that long for a
// client that does not read. net/http clears the deadline before the
// connection's next request.
type deadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration
}

func (p deadlineWriter) Write(text []byte) (int, error) {
	if err := http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(text)
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (p deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
