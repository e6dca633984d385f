package driver

import (
	"fmt"
	"time"
)

// Load is what many parallel calls took.
type Load struct {
	Elapsed time.Duration   // from the first call to the last answer
	Took    []time.Duration // of each answered call
	Refused int             // answers that report a failure
	Why     error           // the first of them
}

// Rate is the calls that succeeded a second.
func (l Load) Rate() float64 {
	return float64(len(l.Took)-l.Refused) / l.Elapsed.Seconds()
}

// Load makes the call so many times in all, for so many callers, each of whom
// calls again as soon as its answer has come.
func (c *Client) Load(callers, calls int, call Call) (Load, error) {
	defer c.guard()()
	sent := make(map[int]time.Time, callers)
	next := func() error {
		c.id++
		sent[c.id] = time.Now()
		return c.send(message{ID: c.id, Method: "tools/call", Params: call.params()})
	}
	l := Load{Took: make([]time.Duration, 0, calls)}
	began := time.Now()
	for range min(callers, calls) {
		if err := next(); err != nil {
			return l, err
		}
	}
	for left := calls - min(callers, calls); len(l.Took) < calls; left-- {
		a, err := c.answer()
		if err != nil {
			return l, err
		}
		at, ok := sent[a.ID]
		if !ok {
			return l, fmt.Errorf("an answer has id %d, which no request in progress has", a.ID)
		}
		delete(sent, a.ID)
		l.Took = append(l.Took, a.at.Sub(at))
		l.Elapsed = a.at.Sub(began)
		if a.refused != nil {
			if l.Refused++; l.Why == nil {
				l.Why = a.refused
			}
		}
		if left > 0 {
			if err := next(); err != nil {
				return l, err
			}
		}
	}
	return l, nil
}
