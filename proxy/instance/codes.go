package instance

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/origin"
)

// The limits of codes.
const (
	codeLife = 60 * time.Second
	maxCodes = 16 // waiting at once; the oldest goes first
)

// codes holds the sign-in codes that have not been used.
type codes struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []code // oldest first
	sweep   *time.Timer
}

type code struct {
	text    string
	file    string // the file that carries the code, removed with it; "": none
	expires time.Time
}

// issue creates a code of 130 random bits. The file, if any, is removed when
// the code is no longer valid.
func (c *codes) issue(file string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := code{text: rand.Text(), file: file, expires: c.now().Add(codeLife)}
	c.waiting = append(c.waiting, fresh)
	for len(c.waiting) > maxCodes {
		origin.RemoveSignInFile(c.waiting[0].file)
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

// redeem consumes a code and reports whether it was valid. Comparing it byte by
// byte leaks nothing useful: a code is valid once and too long to guess.
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
		origin.RemoveSignInFile(w.file)
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
		origin.RemoveSignInFile(w.file)
	}
	c.waiting = nil
}
