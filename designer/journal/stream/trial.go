package stream

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
)

// Codes of JetStream's answers to a publish (errors.json of nats-server). Codes
// are compared and never texts, which change between versions.
const (
	codeWrongSequence  = 10071 // the stream's last sequence is another
	codeWrongSequence2 = 10164 // likewise, without the number
	codeInProcess      = 10158 // an earlier try of this id is being committed
	codeStoreFailed    = 10077 // full; the text says of what
	codeTooLarge       = 10054
	codeNoStream       = 10059
	codeNotSetUp       = 10039 // JetStream is not enabled for the account
	codeNoStorage      = 10047
	codeNoResources    = 10023
	codeNoMemory       = 10028
	codeNoLeader       = 10008 // JetStream is not there just now
)

// answer is what one try of a publish came back with.
type answer struct {
	seq  uint64 // of an acknowledgement
	code int    // of a refusal; 0: none
	http int    // its HTTP-like status
	text string // its words
	err  error  // no answer, and why; nil: there was one
	deny string // the server forbids it, in its words; ""
}

// verdict is what to do after an answer.
type verdict int

const (
	tryAgain  verdict = iota // send the same bytes again
	committed                // it is the entry at n+1
	lost                     // n+1 is another entry
	refused                  // it is not in the journal and will not be
	readPlace                // only n+1 itself can say
)

// trial is one entry's way into the journal, over all of its tries. The zero
// value is before the first.
type trial struct {
	after uint64 // expected last sequence
	// open means that some try has had no answer: it may have been committed,
	// or may still be.
	open bool
}

// judge takes the answer to a try.
func (t *trial) judge(a answer) verdict {
	switch {
	case a.deny != "":
		return t.unless(refused)
	case a.err != nil:
		if !unsent(a.err) {
			t.open = true
		}
		return tryAgain
	case a.code == 0 && a.seq == t.after+1:
		return committed
	case a.code == 0: // an id that somebody else has used
		return readPlace
	case a.code == codeWrongSequence, a.code == codeWrongSequence2:
		return t.unless(lost)
	case a.code == codeInProcess:
		t.open = true
		return tryAgain
	case isFull(a.code):
		return t.unless(refused)
	case a.http == 503:
		t.open = true
		return tryAgain
	}
	return t.unless(refused)
}

// unless is a verdict that holds only where every try has had its answer.
func (t *trial) unless(v verdict) verdict {
	if t.open {
		return readPlace
	}
	return v
}

// isFull reports whether a broker has no room, which another try does not
// change. Some of these codes come with the status 503.
func isFull(code int) bool {
	switch code {
	case codeStoreFailed, codeNoStorage, codeNoResources, codeNoMemory:
		return true
	}
	return false
}

// unsent reports whether a try that failed never left this process.
// nats.ErrConnectionClosed does not say so: a request that waits for its answer
// ends with it, too.
func unsent(err error) bool {
	return errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrInvalidConnection)
}

// place is what is at n+1.
type place struct {
	id  string // of the entry there; "": none yet
	err error  // it could not be read
}

// settle decides by what is at n+1, for an entry of that id.
func (t *trial) settle(p place, id string) verdict {
	switch {
	case p.err != nil, p.id == "":
		return tryAgain
	case p.id == id:
		return committed
	}
	return lost
}

// isPatience reports whether a wait ended because of its own context.
func isPatience(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
