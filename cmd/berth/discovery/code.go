package discovery

import (
	"bytes"
	"path"
	"path/filepath"
	"sort"
)

// value is what an expression of a program's text stands for, as far as the
// text alone says it.
type value struct {
	kind     valueKind
	text     string           // of texts, numbers and flags; of a place its path below the root
	fields   map[string]value // of an object
	items    []value          // of a list
	open     bool             // an object that something computed was spread into
	line     int
	variable string // the variable of the environment that this is, or would be if a file set it
}

type valueKind int

const (
	computed valueKind = iota // only a program could tell
	unset                     // a variable that no file of the project sets, without a default
	null
	text
	number
	flag
	place // a file or folder that is named by where the program's file lies
	list
	object
)

// code is the text of a program's file, without its comments. Nothing of it
// is run: what is no literal, no variable of the environment and no name for
// one of those is computed.
type code struct {
	lang  *language
	text  string
	file  string                      // below the root, with forward slashes
	root  string                      // the project's folder
	look  func(string) (string, bool) // variables of the project's own files
	lines []int                       // where lines begin

	names map[string]value // of definitions that were looked up
	steps int              // expressions that were read
}

// Bounds of reading an expression.
const (
	maxCodeDepth = 20 // brackets within brackets, names of names
	maxCodeSteps = 20_000
	maxNames     = 100 // looked up in a file
	maxParts     = 100 // that operators join
)

// codeOf prepares a file; false: it is not text.
func (s *search) codeOf(lang *language, f file) (*code, bool) {
	if bytes.IndexByte(f.data, 0) >= 0 {
		s.note(f.name, 0, "is not text")
		return nil, false
	}
	c := &code{lang: lang, text: lang.blank(string(f.data)), file: f.name, root: filepath.ToSlash(s.root.Name()),
		look: s.variables(path.Dir(f.name)), names: map[string]value{}, lines: []int{0}}
	for i := 0; i < len(c.text); i++ {
		if c.text[i] == '\n' {
			c.lines = append(c.lines, i+1)
		}
	}
	return c, true
}

// lineAt is the line of an offset, the first being 1.
func (c *code) lineAt(offset int) int {
	return sort.Search(len(c.lines), func(i int) bool { return c.lines[i] > offset })
}

// at returns a reader that begins at an offset.
func (c *code) at(offset int) *codeReader { return &codeReader{code: c, at: offset, end: len(c.text)} }

// environment is what a variable stands for.
func (c *code) environment(name string) value {
	if v, ok := c.look(name); ok {
		return value{kind: text, text: v, variable: name}
	}
	return value{kind: unset, variable: name}
}

// here is the file itself, as a place.
func (c *code) here() value { return value{kind: place, text: c.file} }
