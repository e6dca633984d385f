package session

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Import is a definition to be imported into a design: from a script, another
// tool's format or the design's own file.
type Import struct {
	Definition designer.Definition
	// Replace replaces the whole design with Definition; otherwise the tables
	// of Definition are added, replacing those of the same name.
	Replace         bool
	ExpectedVersion string // the version the caller last saw; "": any
	Origin          string
	Client          string // as of a [Batch]
	Description     string // of the undo step
	// File is set if the definition comes from the design's own file. The edits
	// it reverts are then recorded, see [Designer.FileReverts].
	File   string
	DryRun bool
	Hint   *designer.Target
}

// Import imports a definition as one batch of one undo step, or refuses it as a
// whole; see [designer.Schema.Import].
func (d *Designer) Import(ctx context.Context, im Import) (Outcome, error) {
	return d.run(ctx, request{
		event: Committed, origin: im.Origin, client: im.Client, expected: im.ExpectedVersion, hint: im.Hint, dryRun: im.DryRun,
		play: func(s *designer.Schema, p *playResult) error {
			c, refusal := s.Import(im.Definition, im.Replace)
			if refusal != nil {
				p.refusal = refusal
				return nil
			}
			if c.Empty() {
				return nil
			}
			c.Description = im.Description
			p.changes, p.applied, p.record = []designer.Change{c}, 1, true
			if im.File == "" { // whose design is what its file says
				if err := d.checkPublishable(s, p); err != nil || p.refusal != nil {
					p.failed = -1
					return err
				}
			}
			if !im.DryRun {
				p.batch = d.m.opts.NewBatch()
			}
			if im.File == "" || im.DryRun {
				return nil
			}
			var err error
			if p.fileRevert, err = d.fileRevertBy(s, c, im.File, p.batch); p.fileRevert != nil {
				p.changes[0].Description += fmt.Sprintf(" (edits taken back: %d)", p.fileRevert.Edits)
			}
			return err
		},
	})
}
