package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// workspaceSources finds the workspace files of a project, the least specific
// first: of the nearest directory with *.code-workspace files all of them, the
// first by name winning, and the nearest .berth/workspace.yaml in a parent.
// The nearer directory wins; in the same one berth's own file does.
func workspaceSources(root string) []source {
	editors, editorDepth := nearestEditors(root)
	own, ownDepth := nearestOwn(root)
	if own.file == "" {
		return editors
	}
	if len(editors) > 0 && editorDepth < ownDepth {
		return append([]source{own}, editors...)
	}
	return append(editors, own)
}

// maxParents bounds the way up.
const maxParents = 64

// parents calls at for root, its parent and so on, until it says stop.
func parents(root string, at func(dir string, depth int) (stop bool)) {
	dir := filepath.Clean(root)
	for depth := range maxParents {
		up := filepath.Dir(dir)
		if at(dir, depth) || up == dir {
			return
		}
		dir = up
	}
}

func nearestEditors(root string) (list []source, depth int) {
	parents(root, func(dir string, d int) bool {
		for _, name := range workspaceNames(dir) {
			list = append(list, source{level: LevelWorkspace, file: filepath.Join(dir, name), above: d > 0})
		}
		depth = d
		return len(list) > 0
	})
	slices.Reverse(list) // the first by name is read last and wins
	return list, depth
}

// workspaceNames lists a directory's *.code-workspace files by name. A
// directory that cannot be listed has none: parents are often not ours.
func workspaceNames(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), workspaceSuffix) && !e.IsDir() {
			list = append(list, e.Name())
		}
	}
	return list
}

func nearestOwn(root string) (own source, depth int) {
	parents(root, func(dir string, d int) bool {
		if d == 0 {
			return false // the root's own file is .berth/config.yaml
		}
		file := filepath.Join(dir, ".berth", "workspace.yaml")
		if _, err := os.Stat(file); err != nil {
			return false
		}
		own, depth = source{level: LevelWorkspace, file: file, dir: dir, own: true, above: true}, d
		return true
	})
	return own, depth
}

// missing reports whether an error means that there is no such file; a file
// where a directory should be says the same.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
