package files

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/store"
	"github.com/berth-dev/berth/tools/files/tree"
)

// A file that is held back may have a second name that is not, by a hard link.
// A file that has several names, or may have, is therefore compared with every
// file of the project that is held back, also those that .gitignore hides. Names outside
// the project cannot be found: a file that is linked from there is read.

// linkTime bounds the walk for files that are held back. If it takes longer,
// files with several names are not read.
const linkTime = 2 * time.Second

// heldFiles holds the files of the project that are held back and have several
// names.
type heldFiles struct {
	files []fs.FileInfo
	cut   bool // there may be more
}

// findHeld walks the project.
func (t *Tool) findHeld(ctx context.Context) *heldFiles {
	ctx, cancel := context.WithTimeout(ctx, linkTime)
	defer cancel()
	var mu sync.Mutex
	var h heldFiles
	_, err := tree.Walk(ctx, t.project.Root(), "", tree.Options{IncludeIgnored: true}, func(_ int, e *tree.Entry) error {
		if e.Kind != tree.File || !secret(e.Path) {
			return nil
		}
		info, err := t.project.Root().Lstat(filepath.FromSlash(e.Path))
		if err != nil {
			return nil // gone
		}
		mu.Lock()
		defer mu.Unlock()
		h.files = append(h.files, info)
		return nil
	})
	h.cut = err != nil
	return &h
}

// has reports whether a file is one of them, or may be.
func (h *heldFiles) has(is func(fs.FileInfo) bool) bool {
	for _, info := range h.files {
		if is(info) {
			return true
		}
	}
	return h.cut
}

// linkedSecret refuses a file that is held back under another of its names.
func (t *Tool) linkedSecret(ctx context.Context, f *store.File) *failure {
	s, ok := f.Origin.(*disk.Snapshot)
	if !ok || s.Links() == 1 || t.settings.Load().Secrets || !t.findHeld(ctx).has(s.Is) {
		return nil
	}
	return &failure{Reason: reasonSecret, Message: clip.Text(s.Path, 300) + " has several names (hard links), one of which may be of a file that is held back, and is not read",
		Hint: heldHint}
}

// linkedSecrets returns a function that a search calls for files with several
// names.
func (t *Tool) linkedSecrets(ctx context.Context) func(path string) bool {
	if t.settings.Load().Secrets {
		return nil
	}
	find := sync.OnceValue(func() *heldFiles { return t.findHeld(ctx) })
	return func(name string) bool {
		info, err := t.project.Root().Lstat(filepath.FromSlash(name))
		return err != nil || find().has(func(held fs.FileInfo) bool { return os.SameFile(info, held) })
	}
}
