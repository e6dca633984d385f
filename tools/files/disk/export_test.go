package disk

import "time"

// ReplaceByRename is what systems without exchange do.
func (p *Project) ReplaceByRename(was *Snapshot, content []byte) (Method, error) {
	dir, base, err := p.openFolder(was.Path, false)
	if err != nil {
		return "", err
	}
	defer dir.close()
	return dir.replaceByRename(base, was, content)
}

// SweepAt clears the project's folder as an edit at a later time would.
func (p *Project) SweepAt(now time.Time) { p.sweep(&folder{project: p, root: p.root}, now) }

// SwapName is the name of a file during an exchange.
func SwapName(before, after string) string { return swapName(before, after) }

// DraftName is that of one before it.
func DraftName() string { return draftName() }
