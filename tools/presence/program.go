package presence

import "time"

// programEntry is a program that holds the instance.
type programEntry struct {
	id    string
	name  string
	since time.Time
}

// Holds records that a program holds the instance, until released is called.
func (b *Board) Holds(name string) (released func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.programs) >= maxEntries {
		return func() {}
	}
	b.lastListed++
	p := &programEntry{id: listedID(KindProgram, b.lastListed), name: Clean(name, maxName), since: b.opts.Now()}
	b.programs[p.id] = p
	b.changedLocked()
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.programs, p.id)
		b.changedLocked()
	}
}

// entry is p for the list. It is heard of for as long as it holds.
func (p *programEntry) entry(b *Board) Entry {
	return Entry{Kind: KindProgram, ID: p.id, Program: p.name, since: p.since, heard: b.opts.Now()}
}
