package files

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/text"
	"github.com/berth-dev/berth/tools/files/version"
)

// maxRanges is how many ranges of changed lines are listed.
const maxRanges = 30

// stale returns the failure that says how a file differs from the version that
// an edit was made for.
func (t *Tool) stale(s *store.File, named string) *failure {
	u := text.Normalize(s.Content)
	f := &failure{Reason: string(disk.Stale), CurrentVersion: version.Of(s.Content),
		Message: "Version conflict - file was modified. Please read it again."}
	old, ok := t.held.get(named)
	t.recordRead(s, f.CurrentVersion, u.Text)
	switch {
	case !ok:
		f.Hint = "the version given is not known here any more, so what changed cannot be shown"
		return f
	case old.whole:
		diff := text.Compare(old.text, u.Text, nil)
		if diff.Empty() {
			f.Hint = "only line endings or a byte order mark changed; the same edits apply to the current version"
			return f
		}
		f.Diff, f.DiffCut = diff.Text(s.Path, false, maxFailure/2)
		if !f.DiffCut {
			f.Hint = "the diff is from the version given to the current one: having read it, edit with current_version"
			return f
		}
	}
	f.ChangedLines = ranges(t.held.changed(old, u.Text))
	return f
}

// ranges formats ranges of lines of the current file.
func ranges(list []text.Range) string {
	var words []string
	for _, r := range list[:min(len(list), maxRanges)] {
		switch {
		case r.To < r.From:
			words = append(words, fmt.Sprintf("removed before %d", r.From))
		case r.To == r.From:
			words = append(words, fmt.Sprint(r.From))
		default:
			words = append(words, fmt.Sprintf("%d-%d", r.From, r.To))
		}
	}
	if len(list) > maxRanges {
		words = append(words, fmt.Sprintf("and %d more", len(list)-maxRanges))
	}
	return strings.Join(words, ", ")
}
