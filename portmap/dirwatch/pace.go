package dirwatch

import "time"

// Longest is how often files are looked at that do not change, at least.
const Longest = 30 * time.Second

// Pace says when to look at files. Where the system reports their changes, a
// look each [Longest] finds what a lost report left out. Where it does not, a
// change is noticed after no more than the time that passed since the one before
// it, between Shortest and Longest; files that stay as they are cost next to
// nothing.
type Pace struct {
	Shortest time.Duration // from a change to the next look; more than 0
	now      time.Duration // 0: a change was just seen
}

// Next returns how long to wait for the next look. reported says that the system
// reports changes, changed that one has just been seen.
func (p *Pace) Next(reported, changed bool) time.Duration {
	if reported {
		return Longest
	}
	if changed {
		p.now = 0
	}
	p.now = min(max(p.Shortest, 2*p.now), Longest)
	return p.now
}
