package schema

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/session"
)

// Limits on the cards that wait to be settled.
const (
	maxCards     = 256
	cardLifetime = 24 * time.Hour
)

// cards are those that nobody has settled. The zero value has none.
type cards struct {
	mu   sync.Mutex
	open map[string]openCard // by nonce
}

// openCard is what a card's nonce stands for.
type openCard struct {
	designer *session.Designer
	did      string         // the operation
	batch    string         // of edits and of an import
	steps    []session.Step // that were undone or redone, next one first
	version  string         // of the design that the card shows
	made     time.Time
}

// add keeps a card and returns its nonce. If there are too many, the oldest is
// dropped: what it shows can still be reverted on the page.
func (c *cards) add(o openCard) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := ""
	for nonce, other := range c.open {
		if o.made.Sub(other.made) > cardLifetime {
			delete(c.open, nonce)
		} else if oldest == "" || other.made.Before(c.open[oldest].made) {
			oldest = nonce
		}
	}
	if len(c.open) >= maxCards {
		delete(c.open, oldest)
	}
	if c.open == nil {
		c.open = map[string]openCard{}
	}
	nonce := rand.Text()
	c.open[nonce] = o
	return nonce
}

// take returns the card of a nonce and removes it, so that of two presses one
// counts.
func (c *cards) take(nonce string) (openCard, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[nonce]
	delete(c.open, nonce)
	return o, ok
}

// putBack keeps a card that could not be settled.
func (c *cards) putBack(nonce string, o openCard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[nonce] = o
}
