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
func (t *Flat) File(name string, st Stat) (visited bool) {
	if !strings.HasPrefix(name, t.prefix) {
		return false
	}
	above := name[:strings.LastIndexByte(name, '/')+1]
	if t.last == nil || t.last.path != above {
		t.last = t.ignore.folder(above)
		t.folders(t.last, st)
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
	t.add(name, File, hidden, st)
	return true
}

// folders visits the folders that lead to a file, from which they have their
// time.
func (t *Flat) folders(f *ignoreFolder, st Stat) {
	if f.path == "" || f.git {
		return
	}
	above := strings.LastIndexByte(strings.TrimSuffix(f.path, "/"), '/') + 1
	t.folders(t.ignore.folder(f.path[:above]), st)
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
		t.add(name, Folder, f.hidden != "", Stat{ModTime: st.ModTime})
	}
}

// add lists an entry that the caller wants.
func (t *Flat) add(name string, kind Kind, hidden bool, st Stat) {
	if e := (Entry{Path: name, Kind: kind, Ignored: hidden}); t.list.Match == nil || t.list.Match(&e) {
		t.list.addKnown(ListItem{Path: name, Kind: kind, Ignored: hidden, Stat: st})
	}
}

// List returns the listing, the number of entries without After and Most, and
// the counts.
func (t *Flat) List() (list []ListItem, total int, counts Counts) {
	return t.list.cut(), t.list.total, t.counts
}
