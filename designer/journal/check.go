package journal

import (
	"fmt"
	"slices"
	"strings"
)

// Outcome is what a client was told of an entry that it appended.
type Outcome string

// The outcomes.
const (
	Committed Outcome = "committed"
	Lost      Outcome = "lost"    // or refused: the entry is not in the journal
	Unknown   Outcome = "unknown" // it never learned
)

// Told is the end of one Append, as a client wrote it down.
type Told struct {
	Client  string
	ID      string
	Outcome Outcome
	At      Position // of a committed entry
}

// Seen is an entry that a client applied to its replica.
type Seen struct {
	Client string
	At     Position
}

// Check compares a journal with itself and with what its clients wrote down,
// and returns what cannot be: a gap, an id twice, an entry that does not follow
// the one before it, an acknowledged entry that is missing or somewhere else, a
// refused one that is there, and a replica that applied something else. Nil
// means that nothing was lost and nothing forked.
func Check(entries []Entry, told []Told, seen []Seen) []string {
	c := checker{at: map[uint64]Entry{}, by: map[string]uint64{}}
	previous := ""
	for i, e := range entries {
		c.entry(uint64(i)+1, previous, e)
		previous = e.Hash()
	}
	for _, t := range told {
		c.told(t)
	}
	for _, s := range seen {
		c.seen(s)
	}
	slices.Sort(c.faults)
	return slices.Compact(c.faults)
}

// Report is faults as one text, at most so many of them.
func Report(faults []string, most int) string {
	more := max(0, len(faults)-most)
	text := strings.Join(faults[:len(faults)-more], "\n")
	if more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text
}

type checker struct {
	at     map[uint64]Entry
	by     map[string]uint64
	faults []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *checker) entry(want uint64, previous string, e Entry) {
	if e.Seq != want {
		c.fault("entry %d of the journal has sequence %d", want, e.Seq)
	}
	if e.Previous != previous {
		c.fault("entry %d follows %q, and the one before it is %q", want, e.Previous, previous)
	}
	if first, twice := c.by[e.ID]; twice {
		c.fault("entries %d and %d have the id %s", first, want, e.ID)
	}
	c.at[e.Seq], c.by[e.ID] = e, e.Seq
}

func (c *checker) told(t Told) {
	seq, there := c.by[t.ID]
	switch {
	case t.Outcome == Committed && !there:
		c.fault("lost: entry %s, acknowledged to %s at %d, is not in the journal", t.ID, t.Client, t.At.Seq)
	case t.Outcome == Committed && (seq != t.At.Seq || c.at[seq].Hash() != t.At.Hash):
		c.fault("forked: entry %s, acknowledged to %s at %d, is at %d or follows something else", t.ID, t.Client, t.At.Seq, seq)
	case t.Outcome == Lost && there:
		c.fault("entry %s, which %s was told is lost, is at %d", t.ID, t.Client, seq)
	}
}

func (c *checker) seen(s Seen) {
	e, there := c.at[s.At.Seq]
	switch {
	case !there:
		c.fault("lost: %s applied an entry %d, which the journal does not have", s.Client, s.At.Seq)
	case e.Hash() != s.At.Hash:
		c.fault("forked: %s applied something else at %d", s.Client, s.At.Seq)
	}
}
