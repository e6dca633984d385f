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
func (p *Project) SwapName(before, after string) string { return p.swapName(before, after) }

// DraftName is that of one before it.
func (p *Project) DraftName() string { return p.draftName() }

// SweepJournal does what is done at start and every hour.
func (p *Project) SweepJournal() { p.sweepJournal() }

// OnStep has a function called on the way of an exchange: "compared" before it,
// "exchanged" after it.
func (p *Project) OnStep(f func(step string)) { p.step = f }
