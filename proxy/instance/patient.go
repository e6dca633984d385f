package instance

import (
	"net/http"
	"time"
)

// patientWriter gives every write of an answer a deadline of its own: an
// answer may take as long as its call does, a write may not wait that long
// for a reader that does not read.
type patientWriter struct {
	http.ResponseWriter
	timeout time.Duration
}

// newPatientWriter also lifts the deadline that the connection kept from its
// last request: an answer without a body writes past Write.
func newPatientWriter(w http.ResponseWriter, timeout time.Duration) patientWriter {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // else the first Write fails and says so
	return patientWriter{w, timeout}
}

func (p patientWriter) Write(text []byte) (int, error) {
	if err := http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (p patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
