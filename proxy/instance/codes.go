package instance

import (
	"crypto/rand"
	"sync"
	"time"
)

// The limits of codes.
const (
	codeLife = 60 * time.Second
	maxCodes = 16 // waiting at once; the oldest goes first
)

// codes are the sign-in codes that wait to be used.
type codes struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []code // oldest first
	sweep   *time.Timer
}

type code struct {
	text    string
	file    string // that carries it and goes with it; "": none
	expires time.Time
}

// issue makes a code of 130 random bits. file, if any, is removed when the
// code is good no more.
func (c *codes) issue(file string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := code{text: rand.Text(), file: file, expires: c.now().Add(codeLife)}
	c.waiting = append(c.waiting, fresh)
	for len(c.waiting) > maxCodes {
		removeDoorway(c.waiting[0].file)
		c.waiting = c.waiting[1:]
	}
	if file != "" {
		c.sweepLaterLocked()
	}
	return fresh.text
}

func (c *codes) sweepLaterLocked() {
	if c.sweep == nil {
		c.sweep = time.AfterFunc(codeLife+time.Second, func() { c.redeem("") })
		return
	}
	c.sweep.Reset(codeLife + time.Second)
}

// redeem uses a code up. A guess tells nothing by the time it takes: the
// codes that are compared are spent by being right, and too long to search.
func (c *codes) redeem(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, found := c.now(), false
	kept := c.waiting[:0]
	for _, w := range c.waiting {
		right := sameText(w.text, text)
		if !right && !now.After(w.expires) {
			kept = append(kept, w)
			continue
		}
		found = found || right && !now.After(w.expires)
		removeDoorway(w.file)
	}
	c.waiting = kept
	return found
}

// close forgets all codes.
func (c *codes) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sweep != nil {
		c.sweep.Stop()
	}
	for _, w := range c.waiting {
		removeDoorway(w.file)
	}
	c.waiting = nil
}
