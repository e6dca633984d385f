package tree

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
)

// openDir is an open folder of a walk with the rules that apply in it. It is
// closed when the last task that needs it is done.
type openDir struct {
	folder folder
	path   string // "" or with a trailing slash
	rules  *rules
	hidden bool // an ignore file hides the folder, and all in it
	fold   bool // of its rules
	held   atomic.Int32
}

func (o *openDir) hold() *openDir {
	o.held.Add(1)
	return o
}

func (o *openDir) release() {
	if o.held.Add(-1) == 0 {
		_ = o.folder.close() // only read from: nothing can be lost
	}
}

// openRoot opens the root with its ignore files.
func openRoot(root *os.Root, fold bool, counts *Counts) (*openDir, error) {
	f, err := openFolder(root)
	if err != nil {
		return nil, err
	}
	o := &openDir{folder: f, fold: fold}
	if git, err := f.open(".git"); err == nil {
		defer git.close()
		if info, err := git.open("info"); err == nil {
			defer info.close()
			o.ignoreFile(info, "exclude", ".git/info/exclude", counts)
		}
	}
	o.ignoreFile(f, ".gitignore", ".gitignore", counts)
	return o.hold(), nil
}

// sub opens a folder in o.
func (o *openDir) sub(name string, hidden bool, counts *Counts) (*openDir, error) {
	f, err := o.folder.open(name)
	if err != nil {
		return nil, err
	}
	s := &openDir{folder: f, path: o.path + name + "/", rules: o.rules, hidden: hidden, fold: o.fold}
	if !hidden { // otherwise nothing in it can change that
		s.ignoreFile(f, ".gitignore", s.path+".gitignore", counts)
	}
	return s.hold(), nil
}

// ignoreFile adds the patterns of an ignore file if there is one.
func (o *openDir) ignoreFile(in folder, name, source string, counts *Counts) {
	content, _, err := in.read(name, nil, maxIgnoreFile)
	switch {
	case err == nil:
		if patterns := parse(content); len(patterns) > 0 {
			o.rules = &rules{above: o.rules, fold: o.fold, source: source, folder: o.path, patterns: patterns}
		}
	case !errors.Is(err, fs.ErrNotExist):
		counts.Unreadable++
	}
}

// enter opens the folder named by a prefix, without listing its parents. It
// returns nil if there is nothing to walk.
func enter(root *os.Root, prefix string, opts Options) (*openDir, Counts, error) {
	var counts Counts
	at, err := openRoot(root, foldNames, &counts)
	if err != nil {
		return nil, counts, err
	}
	for {
		name, _, below := strings.Cut(prefix[len(at.path):], "/")
		if !below {
			return at, counts, nil
		}
		hidden := at.hidden || at.rules.hides(at.path+name, true)
		if hidden && !opts.IncludeIgnored {
			counts.HiddenFolders++
		}
		if name == "" || isGit(name) || hidden && !opts.IncludeIgnored {
			at.release()
			return nil, counts, nil
		}
		sub, err := at.sub(name, hidden, &counts)
		at.release()
		if err != nil {
			return nil, counts, nil // no such folder: nothing has the prefix
		}
		at = sub
	}
}

// Verdict is the result of evaluating the ignore files for a path.
type Verdict struct {
	Ignored bool   // hidden
	Source  string // the ignore file that decides, relative to the root; "": none does
	Line    int    // in it, from 1
	Pattern string // there
}

// Check evaluates the ignore files for one path, which need not exist, like
// `git check-ignore --no-index -v`. dir means that it is a folder. Everything
// in a folder called .git is hidden.
func Check(root *os.Root, path string, dir bool) (Verdict, error) {
	return check(root, path, dir, foldNames)
}

func check(root *os.Root, path string, dir, fold bool) (Verdict, error) {
	path, err := cleanPrefix(path)
	if err != nil {
		return Verdict{}, err
	}
	var counts Counts
	at, err := openRoot(root, fold, &counts)
	if err != nil {
		return Verdict{}, err
	}
	defer func() { at.release() }()
	there := true // at is the folder that is looked at, not the last one that exists
	for done := 0; done < len(path); {
		name, _, below := strings.Cut(path[done:], "/")
		part := path[:done+len(name)]
		if isGit(name) {
			return Verdict{Ignored: true}, nil
		}
		if r, p := at.rules.decide(part, below || dir); p != nil && (!p.negated || !below) {
			return Verdict{Ignored: !p.negated, Source: r.source, Line: p.line, Pattern: p.raw}, nil
		}
		done += len(name) + 1
		if !there || !below {
			continue
		}
		sub, err := at.sub(name, false, &counts)
		if there = err == nil; there {
			at.release()
			at = sub
		}
	}
	return Verdict{}, nil
}
