package presence

import (
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// Page is what a designer page says of itself.
type Page struct {
	Key        string `json:"-"`          // page key that it was said with
	ID         string `json:"page"`       // of the tab, random
	Program    string `json:"program"`    // the browser
	Connection string `json:"connection"` // of the design that it shows; "": none
	Table      string `json:"table"`      // id of the table that is selected or edited; "": none
	Editing    bool   `json:"editing"`
	View       string `json:"view"` // id of the open panel; "": none
	Away       bool   `json:"away"` // it is in the background
	Gone       bool   `json:"gone"` // it is being closed
}

var (
	pageID   = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)
	pageView = lazyregexp.New(`^[a-z-]{0,32}$`)
)

// maxConnection bounds a connection's id, and a table's.
const maxConnection = 1024

// Check refuses what no page sends.
func (p Page) Check() error {
	switch {
	case !pageID().MatchString(p.ID):
		return fmt.Errorf("page takes 1 to %d letters, digits, dashes and underscores", maxID)
	case !pageView().MatchString(p.View):
		return fmt.Errorf("view takes up to 32 lower-case letters and dashes")
	case len(p.Connection) > maxConnection || len(p.Table) > maxConnection:
		return fmt.Errorf("connection and table take up to %d bytes", maxConnection)
	}
	return nil
}

// pageEntry is a page that is here.
type pageEntry struct {
	Page
	since, heard time.Time
}

// Saw records what a page says, which has passed [Page.Check]. It is here until
// it says that it is gone, its key is revoked, or nothing is heard of it for 90
// seconds. Of more than 64 pages those heard of last are kept.
func (b *Board) Saw(p Page) {
	p.Program = Clean(p.Program, maxName)
	key := p.Key + "/" + p.ID
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	was, known := b.pages[key]
	switch {
	case p.Gone && !known:
		return
	case p.Gone:
		delete(b.pages, key)
		b.changedLocked()
		return
	}
	now := b.opts.Now()
	entry := &pageEntry{Page: p, since: now, heard: now}
	if known {
		entry.since = was.since
	} else {
		dropOldest(b.pages, func(e *pageEntry) (time.Time, bool) { return e.heard, true })
	}
	b.pages[key] = entry
	b.expireByLocked(now.Add(pageLife))
	if !known || was.Page != p {
		b.changedLocked()
	}
}

// Revoked forgets the pages of a key.
func (b *Board) Revoked(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, p := range b.pages {
		if p.Key == key {
			delete(b.pages, name)
			b.changedLocked()
		}
	}
}

// entry is p for the list.
func (p *pageEntry) entry(b *Board) Entry {
	e := Entry{Kind: KindPage, ID: p.ID, Program: p.Program, View: p.View, Away: p.Away, since: p.since, heard: p.heard}
	b.opts.Designs.place(&e, p.Connection, p.Table)
	e.Editing = p.Editing && e.Table != nil
	return e
}
