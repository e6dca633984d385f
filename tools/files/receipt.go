package files

import (
	"slices"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/files/disk"
)

// maxDiff bounds the diff of a receipt, in bytes.
const maxDiff = 8 << 10

// receipt is the reply of an edit, made or not.
type receipt struct {
	Success    bool        `json:"success"`
	Reason     string      `json:"reason,omitzero"`  // of one that waits for approval
	Message    string      `json:"message,omitzero"` // likewise
	PlanID     string      `json:"plan_id,omitzero"`
	URL        string      `json:"url,omitzero"`     // where a person decides
	DryRun     bool        `json:"dry_run,omitzero"` // nothing was written
	Path       string      `json:"path"`
	NewVersion string      `json:"new_version"` // of a dry run: what it would be
	Changes    changes     `json:"changes"`
	Replaced   []int       `json:"replaced,omitzero"` // places, per edit, where not each has one
	Method     disk.Method `json:"method,omitzero"`   // of writing
	Diff       string      `json:"diff"`
	DiffCut    bool        `json:"diff_cut,omitzero"`
}

// changes sums an edit up.
type changes struct {
	Additions int   `json:"additions"` // lines
	Deletions int   `json:"deletions"`
	OldSize   int64 `json:"old_size"` // bytes
	NewSize   int64 `json:"new_size"`
}

// receipt completes a receipt and encodes it within the limit of a reply.
func (c *change) receipt(r receipt) tools.Reply {
	r.Path, r.NewVersion = c.path, c.after
	r.Changes = changes{c.diff.Additions, c.diff.Deletions, c.oldSize(), int64(len(c.content))}
	if slices.ContainsFunc(c.replaced, func(n int) bool { return n != 1 }) {
		r.Replaced = c.replaced
	}
	for most := maxDiff; ; most /= 2 {
		r.Diff, r.DiffCut = c.diff.Text(c.path, c.was == nil, most)
		if encoded := encode(r); len(encoded) <= maxReply || most < 100 {
			return tools.Reply{Content: []string{encoded}}
		}
	}
}
