package driver

import (
	"bytes"
	"sync"
)

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

const kept = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if over := len(t.end) - kept; over > 0 {
		t.end = append([]byte(nil), t.end[over:]...)
	}
	return len(p), nil
}

// last returns the last lines, at most 300 bytes.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := bytes.TrimSpace(t.end)
	if over := len(said) - 300; over > 0 {
		said = said[over:]
	}
	return string(said)
}
