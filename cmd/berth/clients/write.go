package clients

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// A ChangedError is returned for a file that another program wrote between
// planning and writing.
type ChangedError struct{ File string }

func (e *ChangedError) Error() string { return e.File + " changed meanwhile: nothing was written" }

// staged is a change whose new text lies beside the file.
type staged struct {
	*Change
	place
	temporary string   // empty: the file is to be removed
	made      []string // folders
	emptied   []string // folders that were made for a file that goes
	done      bool
}

// Write makes all changes or none, and notes in the record how to take them
// back. All new texts are written beside the files before the first file is
// replaced, so that a folder that cannot be written is found in time.
func Write(changes []*Change, r *Record) (err error) {
	var all []*staged
	defer func() {
		for _, s := range all {
			s.cleanUp(err != nil)
		}
		removeFolders(all, err != nil)
	}()
	for _, c := range changes {
		s := &staged{Change: c, place: c.place}
		if s.root, err = os.OpenRoot(s.dir); err != nil {
			return c.plain(err)
		}
		all = append(all, s)
		if err = s.prepare(); err != nil {
			return err
		}
	}
	for _, s := range all {
		r.note(s)
	}
	if err = r.save(); err != nil {
		return err
	}
	for _, s := range all {
		if err = s.put(); err != nil {
			return s.plain(err)
		}
	}
	return nil
}

// prepare checks that the file is as it was and stages the new text.
func (s *staged) prepare() (err error) {
	now, mode, err := s.read()
	if err != nil {
		return s.plain(err)
	}
	if !bytes.Equal(now, s.Before) || (now == nil) != (s.Before == nil) {
		return &ChangedError{s.Shown}
	}
	if mode&0o200 == 0 {
		return &FileError{File: s.Shown, Cause: errors.New("is read-only"), Advice: "make it writable, or leave " + s.Client.Name + " out with --client"}
	}
	if s.made, err = s.makeFolders(); err != nil {
		return s.plain(err)
	}
	if now == nil && s.Scope == User {
		mode = 0o600 // such files come to hold keys
	}
	s.temporary, err = s.stage(s.After, mode)
	if err != nil {
		return s.plain(err)
	}
	return nil
}

// put replaces or removes the file.
func (s *staged) put() error {
	if s.After == nil {
		if err := s.root.Remove(s.name); err != nil {
			return err
		}
	} else {
		if err := s.root.Rename(s.temporary, s.name); err != nil {
			return err
		}
		s.temporary = ""
	}
	s.done = true
	return nil
}

// cleanUp removes what was staged, and after a failure puts back what was done.
func (s *staged) cleanUp(failed bool) {
	if s.temporary != "" {
		_ = s.root.Remove(s.temporary) // what remains is named after the file and harmless
	}
	if failed && s.done {
		s.putBack()
	}
}

// putBack restores the file. What fails here has failed before: the first error
// is the one that is returned.
func (s *staged) putBack() {
	if s.Before == nil {
		_ = s.root.Remove(s.name)
		return
	}
	if name, err := s.stage(s.Before, s.mode); err == nil {
		_ = s.root.Rename(name, s.name)
	}
}

// removeFolders removes the folders that were made in vain or for a file that is
// gone, once no change has a file in them, and closes the places.
func removeFolders(all []*staged, failed bool) {
	type folder struct {
		*staged
		name string
	}
	var folders []folder
	for _, s := range all {
		names := s.emptied
		if failed {
			names = s.made
		}
		for _, name := range names {
			folders = append(folders, folder{s, name})
		}
	}
	slices.SortFunc(folders, func(a, b folder) int { return len(b.name) - len(a.name) }) // the innermost first
	for _, s := range all {
		if s.Target.root == "" {
			s.close() // it may be one of the folders, and Windows keeps the name of one that is open
		}
	}
	for _, f := range folders { // one with something in it stays
		if f.Target.root == "" {
			_ = os.Remove(f.name)
		} else if rest, err := filepath.Rel(f.dir, f.name); err == nil && filepath.IsLocal(rest) {
			_ = f.place.root.Remove(rest)
		}
	}
	for _, s := range all {
		s.close() // of no effect on one that is closed
	}
}
