// Package topdown walks a tree of files from the top: every folder's entries
// come before those of any folder below. A walk that ends early has then seen
// what is nearest to the root, where the files that matter to a project are.
package topdown

import (
	"errors"
	"io/fs"
	"path"
)

// Walk calls visit for the root "." of fsys, and for every file and folder
// below it. It handles [fs.SkipDir] of a folder and [fs.SkipAll] as
// [fs.WalkDir] does, and returns any other error. A folder that cannot be
// listed is visited once more with the error.
func Walk(fsys fs.FS, visit fs.WalkDirFunc) error {
	info, err := fs.Stat(fsys, ".")
	if err != nil {
		return err
	}
	top := folder{".", fs.FileInfoToDirEntry(info)}
	if err := visit(top.name, top.entry, nil); err != nil {
		return ended(err)
	}
	for queue := []folder{top}; len(queue) > 0; queue = queue[1:] {
		below, err := queue[0].list(fsys, visit)
		if err != nil {
			return ended(err)
		}
		queue = append(queue, below...)
	}
	return nil
}

func ended(err error) error {
	if errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

type folder struct {
	name  string
	entry fs.DirEntry
}

// list visits a folder's entries and returns the folders to go into.
func (f folder) list(fsys fs.FS, visit fs.WalkDirFunc) (below []folder, err error) {
	entries, failed := fs.ReadDir(fsys, f.name)
	if failed != nil {
		if err := visit(f.name, f.entry, failed); err != nil && !errors.Is(err, fs.SkipDir) {
			return nil, err
		}
	}
	for _, entry := range entries {
		sub := folder{path.Join(f.name, entry.Name()), entry}
		err := visit(sub.name, entry, nil)
		switch {
		case errors.Is(err, fs.SkipDir) && entry.IsDir():
		case errors.Is(err, fs.SkipDir):
			return below, nil // of a file: the rest of its folder
		case err != nil:
			return nil, err
		case entry.IsDir():
			below = append(below, sub)
		}
	}
	return below, nil
}
