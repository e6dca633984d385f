package cli

import (
	"context"
	"net/http"
	"time"

	"github.com/berth-dev/berth/designer/designs"
	"github.com/berth-dev/berth/proxy/wire"
)

// statusTimeout is how long an instance may take to say how it is.
const statusTimeout = time.Second

// examineDesigns checks the files of the current project's designs: what they
// say by themselves, and where an instance serves the project, which of them
// it could not take over or write.
func (l *link) examineDesigns(ctx context.Context, e *examination, root string) {
	problems, read, err := designs.Check(root)
	if err != nil {
		e.problem("check whether .berth/designs can be read", "%v", err)
		return
	}
	told := map[string]bool{}
	for _, p := range problems {
		told[p.File] = true
		e.problem("mend it, or remove it: it is written again with the design's next change", "%s cannot be read: %s", p.File, p.Reason)
	}
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	var s wire.Status
	// Where nothing serves the project there is nothing to add.
	_ = l.client.Do(ctx, root, http.MethodGet, wire.StatusPath, nil, &s)
	for _, f := range s.DesignFiles {
		if !told[f.File] {
			told[f.File] = true
			e.problem("mend the file, or change the design: the file's text is then kept beside it", "%s and its design differ: %s", f.File, f.Reason)
		}
	}
	if read > 0 && len(told) == 0 {
		e.ok("%d %s in .berth/designs can be read", read, plural(read, "design", "designs"))
	}
}
