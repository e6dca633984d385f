//go:build !linux

package disk

func (f *folder) replace(base string, was *Snapshot, content []byte) (Method, error) {
	return f.replaceByRename(base, was, content)
}

// claim gives a file the name base if that is unused.
func (f *folder) claim(name, base string) error { return f.claimByLink(name, base) }
