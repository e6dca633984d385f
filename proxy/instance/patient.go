package instance

import (
	"net/http"
	"time"
)

// patientWriter gives every write of an answer a deadline of its own: an
// answer may take as long as its call does, a write may not wait that long
// for a reader that does not read. net/http lifts the last deadline before the
// connection's next request.
type patientWriter struct {
	http.ResponseWriter
	timeout time.Duration
}

func (p patientWriter) Write(text []byte) (int, error) {
	if err := http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (p patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
