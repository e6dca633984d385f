package dial

import "fmt"

// AnswerError says that a server sent what it should not have.
type AnswerError struct {
	What string // what was wrong with it
	Err  error  // nil: only the words are known
}

func (e *AnswerError) Error() string {
	return "the server's answer cannot be understood: " + e.What +
		"; check that the connection's dialect, host and port are those of the server, and look into the server's log"
}

// Plain is the message.
func (e *AnswerError) Plain() string { return e.Error() }

// ServersAnswer marks it as one: the server was reached.
func (e *AnswerError) ServersAnswer() {}

func (e *AnswerError) Unwrap() error { return e.Err }

// BadAnswer returns an [*AnswerError] of these words, which name what was wrong.
func BadAnswer(format string, args ...any) error {
	return &AnswerError{What: fmt.Sprintf(format, args...)}
}
