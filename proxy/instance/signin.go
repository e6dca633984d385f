package instance

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// Limits of signing in.
const (
	codeLife       = 60 * time.Second
	maxCodes       = 16 // waiting at once; the oldest goes first
	maxSignInBytes = 4 << 10
)

// codes are the sign-in codes that wait to be used.
type codes struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []code // oldest first
}

type code struct {
	text    string
	expires time.Time
}

// issue makes a code of 130 random bits.
func (c *codes) issue() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := code{text: rand.Text(), expires: c.now().Add(codeLife)}
	c.waiting = append(c.waiting, fresh)
	if len(c.waiting) > maxCodes {
		c.waiting = c.waiting[len(c.waiting)-maxCodes:]
	}
	return fresh.text
}

// redeem uses a code up. A guess tells nothing by the time it takes: the
// codes that are compared are spent by being right, and too long to search.
func (c *codes) redeem(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, found := c.now(), false
	kept := c.waiting[:0]
	for _, w := range c.waiting {
		switch {
		case now.After(w.expires):
		case sameText(w.text, text):
			found = true
		default:
			kept = append(kept, w)
		}
	}
	c.waiting = kept
	return found
}

// postSignInCode gives the holder of the token a code to open a page with.
func (s *Server) postSignInCode(w http.ResponseWriter, _ *request) error {
	code := s.NewCode()
	writeJSON(w, http.StatusOK, struct {
		Code string `json:"code"`
		URL  string `json:"url"`
	}{code, s.SignInURL(code)})
	return nil
}

// postSignIn trades a code for a page key. Wrong codes are slowed down and
// right ones are not: whoever guesses must not keep the person out, and no
// number of guesses finds 130 bits.
func (s *Server) postSignIn(w http.ResponseWriter, r *request) error {
	var body struct {
		Code string `json:"code"`
	}
	if err := readJSON(w, r.Request, maxSignInBytes, &body); err != nil {
		return err
	}
	if !s.codes.redeem(body.Code) {
		if ok, _ := s.signins.allow(); !ok {
			return fail(wire.CodeOverloaded, "too many failed sign-ins; try again in a few seconds")
		}
		return fail(wire.CodeUnauthorized, "this code is used up, too old or none; run berth open for a new one")
	}
	key := newPageKey()
	if err := s.cfg.Keys.AddPageKey(r.Context(), key.id, key.secret()); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		KeyID       string `json:"keyId"`
		Key         string `json:"key"`
		ProjectRoot string `json:"projectRoot"`
	}{key.id, key.text(), s.self.ProjectRoot})
	return nil
}
