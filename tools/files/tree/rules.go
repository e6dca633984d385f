package tree

import (
	"runtime"
	"strings"
)

// maxIgnoreFile bounds an ignore file, in bytes. A larger one is not read, and
// counts as unreadable.
const maxIgnoreFile = 1 << 20

// foldNames reports whether names are compared without case. On these systems
// git init sets core.ignoreCase.
const foldNames = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// rules are the ignore patterns that apply in a folder: its own, followed by
// those of its parents. nil: none.
type rules struct {
	above    *rules
	fold     bool   // ASCII letters match without case
	source   string // the file, relative to the root
	folder   string // that it applies to: "" or with a trailing slash
	patterns []pattern
}

// decide returns the pattern that decides about path, which is in a folder that
// is not hidden: the last matching one in the deepest file.
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

// isGit reports whether a folder or file of this name is git's own, in any
// case: some file systems treat .GIT as .git.
func isGit(name string) bool { return strings.EqualFold(name, ".git") }
