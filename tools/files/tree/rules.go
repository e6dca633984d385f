package tree

import (
	"runtime"
	"strings"
)

// maxIgnoreFile bounds an ignore file, in bytes. A larger one is not read, and
// counts as unreadable.
const maxIgnoreFile = 1 << 20

// foldNames: git init sets core.ignoreCase where file systems do not tell
// upper from lower case.
const foldNames = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// rules are the ignore patterns in force in a folder: its own and, behind
// them, those of the folders above. nil: none.
type rules struct {
	above    *rules
	fold     bool   // ASCII letters match without case
	source   string // the file, relative to the root
	folder   string // that it speaks of: "" or with a trailing slash
	patterns []pattern
}

// decide finds the pattern that decides over path, which lies in a folder
// that is itself not hidden: the last one in the deepest file.
func (r *rules) decide(path string, dir bool) (*rules, *pattern) {
	for ; r != nil; r = r.above {
		rest := path[len(r.folder):]
		for i := len(r.patterns) - 1; i >= 0; i-- {
			if p := &r.patterns[i]; p.match(rest, dir, r.fold) {
				return r, p
			}
		}
	}
	return nil, nil
}

// hides reports whether path is ignored.
func (r *rules) hides(path string, dir bool) bool {
	_, p := r.decide(path, dir)
	return p != nil && !p.negated
}

// isGit reports whether a folder or file of this name is git's own, however it
// is written: some file systems take .GIT for it.
func isGit(name string) bool { return strings.EqualFold(name, ".git") }
