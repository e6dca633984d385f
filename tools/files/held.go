package files

import (
	"sync"

	"github.com/berth-dev/berth/tools/files/text"
)

// Limits of what is held of versions that were shown.
const (
	heldVersions = 64
	heldBytes    = 16 << 20
	heldLines    = 1 << 20 // fingerprints, 8 bytes each
)

// held keeps the texts of the last versions, so that a stale edit can be told
// what changed; of those before, fingerprints of their lines.
type held struct {
	seed text.Seed

	mu    sync.Mutex
	list  []*holding // the one used last is last
	lines int        // fingerprints of all
}

// holding is one version.
type holding struct {
	version string
	text    string // unified; "" where whole is not set
	whole   bool
	prints  []uint64
}

func newHeld() *held { return &held{seed: text.NewSeed()} }

// put holds a version and its unified text.
func (h *held) put(version, unified string) {
	prints := h.seed.Fingerprints(unified)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, old := range h.list {
		if old.version == version {
			h.removeLocked(i)
			break
		}
	}
	if len(prints) > heldLines {
		return
	}
	h.list = append(h.list, &holding{version: version, text: unified, whole: true, prints: prints})
	h.lines += len(prints)
	h.limitLocked()
}

// limitLocked drops the oldest texts, then the oldest fingerprints.
func (h *held) limitLocked() {
	whole := 0
	bytes := 0
	for i := len(h.list) - 1; i >= 0; i-- {
		old := h.list[i]
		if !old.whole {
			continue
		}
		whole++
		bytes += len(old.text)
		if whole > heldVersions || bytes > heldBytes {
			old.text, old.whole = "", false
		}
	}
	for len(h.list) > 0 && h.lines > heldLines {
		h.removeLocked(0)
	}
}

func (h *held) removeLocked(i int) {
	h.lines -= len(h.list[i].prints)
	h.list = append(h.list[:i], h.list[i+1:]...)
}

// get finds a version. The result is a copy; ok is false of one that is not
// known at all.
func (h *held) get(version string) (found holding, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.list) - 1; i >= 0; i-- {
		if h.list[i].version == version {
			return *h.list[i], true
		}
	}
	return holding{}, false
}

// changed compares the lines of a version with a text.
func (h *held) changed(old holding, unified string) []text.Range {
	return text.ChangedLines(old.prints, h.seed.Fingerprints(unified))
}
