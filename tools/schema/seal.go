package schema

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

// errSeal says that a state was not sealed here, or not for this use.
var errSeal = errors.New("the state is not one of ours, or no longer valid")

// consent is what a question was about. Sealed, it travels through the
// client and back, so that the instance keeps nothing while a person thinks.
type consent struct {
	Digest  string    `json:"d"` // of the design and the arguments
	Version string    `json:"v"` // of the design when the question was put
	Expires time.Time `json:"e"`
	Nonce   string    `json:"n"`
}

// sealer seals consents under a key of this process and opens each once.
type sealer struct {
	aead cipher.AEAD
	now  func() time.Time

	mu   sync.Mutex
	used map[string]time.Time // nonces opened, with the time their consent expires
}

func newSealer(now func() time.Time) *sealer {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has the block size it wants
	}
	return &sealer{aead: aead, now: now, used: map[string]time.Time{}}
}

// seal returns c as a state that nobody outside can read or make.
func (s *sealer) seal(c consent) string {
	c.Nonce = rand.Text()
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, encode(c), nil))
}

// open returns the consent of a state for the call with that digest. A state
// opens once, and not after its time.
func (s *sealer) open(state, digest string) (consent, error) {
	var c consent
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return c, errSeal
	}
	text, err := s.aead.Open(nil, nil, raw, nil)
	if err != nil {
		return c, errSeal
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Digest != digest || !s.now().Before(c.Expires) {
		return c, errSeal
	}
	return c, s.use(c)
}

func (s *sealer) use(c consent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for nonce, expires := range s.used {
		if !s.now().Before(expires) {
			delete(s.used, nonce)
		}
	}
	if _, again := s.used[c.Nonce]; again {
		return errSeal
	}
	s.used[c.Nonce] = c.Expires
	return nil
}
