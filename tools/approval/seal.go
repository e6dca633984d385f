package approval

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// sealer seals and opens the state that is sent with a question. Only this
// process can read a state; it is valid once, and only for its binding. The
// key, and with it every open question, ends with the process.
type sealer struct {
	aead cipher.AEAD
	boot string // of this process
	now  func() time.Time
	born time.Time // when the sealer was made
	life time.Duration

	mu   sync.Mutex
	used map[string]time.Duration // nonces of opened states, until they expire
}

// age is the sealer's. States expire by it and not by the wall clock: a state
// is text, which keeps no monotonic reading, and whoever sets the clock ahead
// and back must not make a used one good again.
func (s *sealer) age() time.Duration { return s.now().Sub(s.born) }

// The version and purpose of a state. States with others are refused.
const (
	sealVersion = 1
	sealPurpose = "answer"
)

// statePayload is the encrypted content of a state.
type statePayload struct {
	Version int
	Purpose string
	Boot    string
	Nonce   string
	Expires time.Duration // the sealer's age
	Binding binding
}

func newSealer(now func() time.Time, life time.Duration) (*sealer, error) {
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
	return &sealer{aead: aead, boot: rand.Text(), now: now, born: now(), life: life, used: map[string]time.Duration{}}, nil
}

// seal returns a state for a question with the binding b.
func (s *sealer) seal(b binding) (string, error) {
	text, err := json.Marshal(statePayload{Version: sealVersion, Purpose: sealPurpose, Boot: s.boot,
		Nonce: rand.Text(), Expires: s.age() + s.life, Binding: b})
	if err != nil {
		return "", fmt.Errorf("seal the question: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, text, nil)), nil
}

// open verifies that state was sealed by this process for the same binding, has
// not expired and was never opened before. The error says which check failed. A
// state of this process is used up even if it does not match.
func (s *sealer) open(state string, b binding) error {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return errors.New("its state was not issued by this process")
	}
	text, err := s.aead.Open(nil, nil, raw, nil)
	if err != nil {
		return errors.New("its state was not issued by this process, or berth was restarted meanwhile")
	}
	var content statePayload
	if err := json.Unmarshal(text, &content); err != nil || content.Version != sealVersion ||
		content.Purpose != sealPurpose || content.Boot != s.boot {
		return errors.New("its state was not issued by this process")
	}
	if err := s.spend(content); err != nil {
		return err
	}
	return content.Binding.differs(b)
}

// spend marks the nonce as used.
func (s *sealer) spend(content statePayload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	age := s.age()
	for nonce, expires := range s.used {
		if age > expires {
			delete(s.used, nonce)
		}
	}
	if age > content.Expires {
		return errors.New("it came too late")
	}
	if _, used := s.used[content.Nonce]; used {
		return errors.New("it was used before")
	}
	s.used[content.Nonce] = content.Expires
	return nil
}
