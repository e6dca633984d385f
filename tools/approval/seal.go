package approval

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// sealLife is how long a person has to answer.
const sealLife = 10 * time.Minute

// sealer makes and checks the state that travels with a question. A state is
// readable by this process only, good for one use, and only for what it was
// bound to. The key dies with the process, and every open question with it.
type sealer struct {
	aead cipher.AEAD
	now  func() time.Time

	mu   sync.Mutex
	used map[string]time.Time // nonces of used states, until they expire
}

// sealed is the content of a state.
type sealed struct {
	Bound   [sha256.Size]byte
	Expires time.Time
	Nonce   string
}

func newSealer(now func() time.Time) (*sealer, error) {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make the key for questions: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("make the key for questions: %w", err)
	}
	return &sealer{aead: aead, now: now, used: map[string]time.Time{}}, nil
}

// seal returns a state for a question about bound.
func (s *sealer) seal(bound []byte) (string, error) {
	text, err := json.Marshal(sealed{Bound: sha256.Sum256(bound), Expires: s.now().Add(sealLife), Nonce: rand.Text()})
	if err != nil {
		return "", fmt.Errorf("seal the question: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, text, nil)), nil
}

// open verifies that state was sealed here for the same bound, is not
// expired and was never opened before. The error says in words which.
func (s *sealer) open(state string, bound []byte) error {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return errors.New("its state is not ours")
	}
	text, err := s.aead.Open(nil, nil, raw, nil)
	if err != nil {
		return errors.New("its state is not ours, or berth was restarted meanwhile")
	}
	var content sealed
	if err := json.Unmarshal(text, &content); err != nil {
		return errors.New("its state is not ours")
	}
	if content.Bound != sha256.Sum256(bound) {
		return errors.New("the call or the schema is not the one that was asked about")
	}
	return s.use(content)
}

func (s *sealer) use(content sealed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	for nonce, expires := range s.used {
		if now.After(expires) {
			delete(s.used, nonce)
		}
	}
	if now.After(content.Expires) {
		return errors.New("it came after ten minutes")
	}
	if _, used := s.used[content.Nonce]; used {
		return errors.New("it was used before")
	}
	s.used[content.Nonce] = content.Expires
	return nil
}
