package files

import (
	"slices"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files/disk"
)

// maxDiff bounds the diff of a receipt, in bytes.
const maxDiff = 8 << 10

// receipt is the reply of an edit that was made or checked in a dry run.
type receipt struct {
	Success bool `json:"success"`
	DryRun  bool `json:"dry_run,omitzero"` // nothing was written
	effect
	Method  disk.Method `json:"method,omitzero"` // of writing
	Diff    string      `json:"diff"`
	DiffCut bool        `json:"diff_cut,omitzero"`
}

// effect is what an edit does or would do.
type effect struct {
	Path       string  `json:"path"`
	NewVersion string  `json:"new_version"`
	Changes    changes `json:"changes"`
	Replaced   []int   `json:"replaced,omitzero"` // number of replacements per edit, unless each has one
}

// refusalReply is the reply of an edit that was not approved.
type refusalReply struct {
	approval.Refusal
	effect
	Diff    string `json:"diff"`
	DiffCut bool   `json:"diff_cut,omitzero"`
}

// changes summarizes an edit.
type changes struct {
	Additions int   `json:"additions"` // lines
	Deletions int   `json:"deletions"`
	OldSize   int64 `json:"old_size"` // bytes
	NewSize   int64 `json:"new_size"`
}

// effect returns the summary of the change.
func (c *change) effect() effect {
	e := effect{Path: c.path, NewVersion: c.after, Changes: changes{c.diff.Additions, c.diff.Deletions, c.oldSize(), int64(len(c.content))}}
	if slices.ContainsFunc(c.replaced, func(n int) bool { return n != 1 }) {
		e.Replaced = c.replaced
	}
	return e
}

// receipt completes a receipt and encodes it within the limit of a reply.
func (c *change) receipt(r receipt) tools.Reply {
	r.effect = c.effect()
	return tools.Reply{Content: []string{c.fit(maxReply, func(diff string, cut bool) any {
		r.Diff, r.DiffCut = diff, cut
		return r
	})}}
}

// refused returns the reply of an edit that was not approved. It has the diff
// if the edit waits for a person, but not if a person rejected it.
func (c *change) refused(r *approval.Refusal) tools.Reply {
	if r.PlanID == "" {
		return r.Reply()
	}
	reply := refusalReply{Refusal: *r, effect: c.effect()}
	return tools.Reply{IsError: true, Reason: string(r.Reason), Content: []string{c.fit(catalog.MaxFailureBytes, func(diff string, cut bool) any {
		reply.Diff, reply.DiffCut = diff, cut
		return reply
	})}}
}

// fit encodes a reply of at most limit bytes with as much of the diff as that
// allows.
func (c *change) fit(limit int, with func(diff string, cut bool) any) string {
	for most := maxDiff; ; most /= 2 {
		if encoded := encode(with(c.diff.Text(c.path, c.was == nil, most))); len(encoded) <= limit || most < 100 {
			return encoded
		}
	}
}
