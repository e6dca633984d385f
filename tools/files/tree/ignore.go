package tree

import (
	"path"
	"strings"
)

// Ignore evaluates the ignore files of a tree that is not on disk. Letters
// match with their case on every system. It is for one goroutine.
type Ignore struct {
	files   map[string][]byte // .gitignore files by path
	folders map[string]*ignoreFolder
}

// ignoreFolder is a folder as [Walk] would come to it.
type ignoreFolder struct {
	path   string // "" or with a trailing slash
	rules  *rules
	hidden string // the uppermost folder, without a trailing slash, that hides this one; "": none does
	git    bool   // it is git's own, or in one that is
}

// NewIgnore returns no rules.
func NewIgnore() *Ignore {
	return &Ignore{files: map[string][]byte{}, folders: map[string]*ignoreFolder{}}
}

// Add adds an ignore file by its path, before anything in its folder is
// evaluated.
func (g *Ignore) Add(name string, content []byte) { g.files[name] = content }

// IsIgnoreFile reports whether a file is one that [Ignore.Add] takes.
func IsIgnoreFile(name string) bool { return path.Base(name) == ignoreName }

// IgnoreFiles returns the paths of the ignore files that decide about a file,
// whether or not they exist.
func IgnoreFiles(name string) []string {
	list := []string{ignoreName}
	for i := range len(name) {
		if name[i] == '/' {
			list = append(list, name[:i+1]+ignoreName)
		}
	}
	return list
}

const ignoreName = ".gitignore"

// folder returns the folder of a path "" or with a trailing slash.
func (g *Ignore) folder(name string) *ignoreFolder {
	if f := g.folders[name]; f != nil {
		return f
	}
	f := &ignoreFolder{path: name}
	if name != "" {
		above, last := path.Split(strings.TrimSuffix(name, "/"))
		in := g.folder(above)
		*f = ignoreFolder{path: name, rules: in.rules, hidden: in.hidden, git: in.git || isGit(last)}
		if f.hidden == "" && in.rules.hides(above+last, true) {
			f.hidden = above + last
		}
	}
	if content, ok := g.files[name+ignoreName]; ok && f.hidden == "" && len(content) <= maxIgnoreFile {
		if patterns := parse(content); len(patterns) > 0 {
			f.rules = &rules{above: f.rules, source: name + ignoreName, folder: name, patterns: patterns}
		}
	}
	g.folders[name] = f
	return f
}

// hides reports whether a file of the folder is hidden.
func (f *ignoreFolder) hides(name string) bool { return f.hidden != "" || f.rules.hides(name, false) }

// Hides reports whether a file is hidden, and by which folder: the uppermost
// hidden one, ".git" for all that is git's own, "" for a rule about the file
// itself.
func (g *Ignore) Hides(name string) (hidden bool, folder string) {
	above, last := path.Split(name)
	f := g.folder(above)
	if f.git || isGit(last) {
		return true, ".git"
	}
	return f.hides(name), f.hidden
}

// Check evaluates the rules for the path of a file, as [Check] does.
func (g *Ignore) Check(name string) Verdict {
	above, last := path.Split(name)
	f := g.folder(above)
	if f.git || isGit(last) {
		return Verdict{Ignored: true}
	}
	if f.hidden != "" {
		in, _ := path.Split(f.hidden)
		r, p := g.folder(in).rules.decide(f.hidden, true)
		return Verdict{Ignored: true, Source: r.source, Line: p.line, Pattern: p.raw}
	}
	if r, p := f.rules.decide(name, false); p != nil {
		return Verdict{Ignored: !p.negated, Source: r.source, Line: p.line, Pattern: p.raw}
	}
	return Verdict{}
}
