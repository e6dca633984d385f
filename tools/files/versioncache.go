package files

import (
	"sync"

	"github.com/berth-dev/berth/tools/files/text"
)

// Limits on the cache of versions that were shown.
const (
	heldVersions = 64
	heldBytes    = 16 << 20
	heldLines    = 1 << 20 // fingerprints, 8 bytes each
)

// versionCache keeps the texts of the last versions, so that the error for a
// stale edit can say what changed. Of earlier versions it keeps fingerprints of
// their lines.
type versionCache struct {
	seed text.Seed

	mu    sync.Mutex
	list  []*cachedVersion // most recently used last
	lines int              // fingerprints of all
}

// cachedVersion is one version.
type cachedVersion struct {
	version string
	text    string // unified; "" where whole is not set
	whole   bool
	prints  []uint64
}

func newHeld() *versionCache { return &versionCache{seed: text.NewSeed()} }

// put holds a version and its unified text.
func (h *versionCache) put(version, unified string) {
	if h.use(version) {
		return
	}
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
	h.list = append(h.list, &cachedVersion{version: version, text: unified, whole: true, prints: prints})
	h.lines += len(prints)
	h.limitLocked()
}

// use makes a version that is held whole the most recently used one.
func (h *versionCache) use(version string) (held bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, old := range h.list {
		if old.version == version && old.whole {
			h.list = append(append(h.list[:i], h.list[i+1:]...), old)
			return true
		}
	}
	return false
}

// limitLocked evicts the oldest texts, then the oldest fingerprints.
func (h *versionCache) limitLocked() {
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

func (h *versionCache) removeLocked(i int) {
	h.lines -= len(h.list[i].prints)
	h.list = append(h.list[:i], h.list[i+1:]...)
}

// get returns a copy of a version; ok is false if it is not in the cache.
func (h *versionCache) get(version string) (found cachedVersion, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.list) - 1; i >= 0; i-- {
		if h.list[i].version == version {
			return *h.list[i], true
		}
	}
	return cachedVersion{}, false
}

// changed returns the lines in which a text differs from a version.
func (h *versionCache) changed(old cachedVersion, unified string) []text.Range {
	return text.ChangedLines(old.prints, h.seed.Fingerprints(unified))
}
