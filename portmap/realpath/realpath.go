// Package realpath resolves the symbolic links of absolute paths, as each call
// does that names a project or reaches a file of one. Nothing is remembered: a
// path that was without links a moment ago may lead elsewhere now.
//
// Start with [Resolve].
package realpath

import "path/filepath"

// Resolve is [filepath.EvalSymlinks] for an absolute path. That asks the system
// for each name in the path; a path that is cleaned and has no link is its own
// result, which some systems say in one look.
func Resolve(path string) (string, error) {
	if filepath.IsAbs(path) && filepath.Clean(path) == path && withoutLinks(path) {
		return path, nil
	}
	return filepath.EvalSymlinks(path)
}
