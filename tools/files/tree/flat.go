package tree

import "strings"

// Flat lists a tree that is not on disk, given as the paths of its files. What
// it visits and counts is what [Walk] would, had the files been written to a
// folder. It is for one goroutine.
type Flat struct {
	prefix string
	ignore *Ignore
	list   sortedList
	counts Counts
	seen   map[string]bool // folders that were visited or counted as hidden
	last   *ignoreFolder   // of the file before
}

// NewFlat returns an empty listing of what begins with prefix.
func NewFlat(prefix string, ignore *Ignore, l Listing) *Flat {
	return &Flat{prefix: prefix, ignore: ignore, list: sortedList{Listing: l}, seen: map[string]bool{}}
}

// File adds a file, once. Files of one folder that come one after the other are
// cheap. visited reports whether a walk would have visited it.
func (t *Flat) File(name string) (visited bool) {
	if !strings.HasPrefix(name, t.prefix) {
		return false
	}
	above := name[:strings.LastIndexByte(name, '/')+1]
	if t.last == nil || t.last.path != above {
		t.last = t.ignore.folder(above)
		t.folders(t.last, name)
	}
	f := t.last
	if f.git || isGit(name[len(above):]) {
		return false
	}
	hidden := f.hides(name)
	switch {
	case !hidden || t.list.IncludeIgnored:
	case f.hidden == "":
		t.counts.HiddenFiles++
		return false
	default: // its folder is counted
		return false
	}
	t.counts.Files++
	t.add(ListItem{Path: name, Kind: File, Ignored: hidden, File: name})
	return true
}

// folders visits the folders that lead to a file.
func (t *Flat) folders(f *ignoreFolder, file string) {
	if f.path == "" || f.git {
		return
	}
	above := strings.LastIndexByte(strings.TrimSuffix(f.path, "/"), '/') + 1
	t.folders(t.ignore.folder(f.path[:above]), file)
	name := strings.TrimSuffix(f.path, "/")
	if t.seen[name] {
		return
	}
	t.seen[name] = true
	if f.hidden != "" && !t.list.IncludeIgnored {
		if f.hidden == name {
			t.counts.HiddenFolders++
		}
		return
	}
	if strings.HasPrefix(name, t.prefix) {
		t.counts.Folders++
		t.add(ListItem{Path: name, Kind: Folder, Ignored: f.hidden != "", File: file})
	}
}

// add lists an entry that the caller wants.
func (t *Flat) add(i ListItem) {
	if e := (Entry{Path: i.Path, Kind: i.Kind, Ignored: i.Ignored}); t.list.Match == nil || t.list.Match(&e) {
		t.list.addKnown(i)
	}
}

// List returns the listing, whose items have no Stat, the number of entries
// without After and Most, and the counts.
func (t *Flat) List() (list []ListItem, total int, counts Counts) {
	return t.list.cut(), t.list.total, t.counts
}
