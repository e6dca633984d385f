package text

import "hash/maphash"

// Seed makes fingerprints of one process comparable.
type Seed struct{ seed maphash.Seed }

// NewSeed returns a seed.
func NewSeed() Seed { return Seed{maphash.MakeSeed()} }

// Fingerprints returns 64 bits per line of a unified text, enough to determine
// which lines changed when the text itself is no longer cached.
func (s Seed) Fingerprints(unified string) []uint64 {
	lines := linesOf(unified)
	list := make([]uint64, lines.count())
	for i := range list {
		list[i] = maphash.String(s.seed, lines.line(i))
	}
	return list
}
