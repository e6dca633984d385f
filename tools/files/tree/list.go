package tree

import (
	"cmp"
	"context"
	"os"
	"slices"
	"sync"
)

// Listing selects the part of a tree to list.
type Listing struct {
	Options
	After string            // only paths behind this one in byte order; "": from the first
	Most  int               // at most so many entries; 0: all
	Match func(*Entry) bool // only these, if set; called by several goroutines at once
}

// ListItem is an entry of a list.
type ListItem struct {
	Path    string
	Kind    Kind
	Ignored bool
	Stat    Stat   // zero if the entry vanished while it was listed
	File    string // in a [Flat]: the file itself, or the first one that was added of a folder
}

// List returns the entries below root whose path begins with prefix, sorted by
// path in byte order, the counts of the walk and the number of entries without
// After and Most. With Most set, memory does not grow with the tree.
func List(ctx context.Context, root *os.Root, prefix string, l Listing) (list []ListItem, total int, counts Counts, err error) {
	s := sortedList{Listing: l}
	counts, err = Walk(ctx, root, prefix, l.Options, func(_ int, e *Entry) error {
		if l.Match == nil || l.Match(e) {
			s.add(e)
		}
		return nil
	})
	if err != nil {
		return nil, 0, counts, err
	}
	return s.cut(), s.total, counts, nil
}

// sortedList collects entries, keeping the first ones if there are too many.
type sortedList struct {
	Listing

	mu    sync.Mutex
	total int
	list  []ListItem
	last  string // nothing behind this path will be listed; "": not known yet
}

func (s *sortedList) add(e *Entry) {
	s.mu.Lock()
	wanted := s.count(e.Path)
	s.mu.Unlock()
	if !wanted {
		return
	}
	st, err := e.Stat()
	if err != nil {
		st = Stat{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(ListItem{Path: e.Path, Kind: e.Kind, Ignored: e.Ignored, Stat: st})
}

// addKnown adds an entry that is complete, from one goroutine.
func (s *sortedList) addKnown(i ListItem) {
	if s.count(i.Path) {
		s.keep(i)
	}
}

// count counts an entry and reports whether it may be listed.
func (s *sortedList) count(path string) (wanted bool) {
	s.total++
	return path > s.After && (s.last == "" || path <= s.last)
}

func (s *sortedList) keep(i ListItem) {
	s.list = append(s.list, i)
	if s.Most > 0 && len(s.list) >= 4*s.Most {
		s.cut()
	}
}

// cut sorts the list and drops entries beyond the limit.
func (s *sortedList) cut() []ListItem {
	slices.SortFunc(s.list, func(a, b ListItem) int { return cmp.Compare(a.Path, b.Path) })
	if s.Most > 0 && len(s.list) > s.Most {
		clear(s.list[s.Most:])
		s.list = s.list[:s.Most]
		s.last = s.list[s.Most-1].Path
	}
	return s.list
}
