package cli

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/tree"
)

// Bounds of looking for what edits left in a project.
const (
	remainsTime  = 3 * time.Second
	remainsShown = 5
)

// examineRemains names the files that interrupted edits left in the project,
// and those that edits kept beside others for a person to look at.
func examineRemains(ctx context.Context, e *examination, path string) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return // examineProject says why
	}
	defer root.Close()
	ctx, cancel := context.WithTimeout(ctx, remainsTime)
	defer cancel()
	var mu sync.Mutex
	var left, kept []string
	_, err = tree.Walk(ctx, root, "", tree.Options{IncludeIgnored: true}, func(_ int, entry *tree.Entry) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case entry.Kind != tree.File:
		case disk.IsTemp(entry.Path):
			left = append(left, entry.Path)
		case disk.IsKept(entry.Path):
			kept = append(kept, entry.Path)
		}
		return nil
	})
	if len(left) > 0 {
		e.note("%d %s of interrupted edits: %s; the next start of the instance that made them removes them, and if there is none any more, you may",
			len(left), plural(len(left), "file", "files"), someOf(left))
	}
	if len(kept) > 0 {
		e.note("%d %s that another program wrote in the moment of an edit: %s; take over what is missing, and remove them",
			len(kept), plural(len(kept), "file", "files"), someOf(kept))
	}
	if err != nil {
		e.note("the project is large: not all of it was looked through for what edits left")
	}
}

// someOf lists the first of many.
func someOf(names []string) string {
	slices.Sort(names)
	if len(names) > remainsShown {
		return strings.Join(names[:remainsShown], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
