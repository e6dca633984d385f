package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Sources are the inputs that do not lie in the project.
type Sources struct {
	GlobalFile     string // the per-user config.yaml; empty: none
	VSCodeUserFile string // VS Code's user settings.json; empty: none
	// LookupEnv finds the variables that connections name as ${NAME}.
	// Nil: os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// Trusted reports whether the user trusts an ask, by its digest. Nil: none
	// is trusted but where the user's own file says so.
	Trusted func(digest string) bool
	// Draft is a text that stands for the project's .berth/config.yaml, to look
	// at what it would mean. Nil: the file counts.
	Draft []byte
}

// Limits on the size of a file: far above real ones, and low enough that a
// hostile one costs nothing.
const (
	maxOwnBytes    = 64 << 10
	maxEditorBytes = 1 << 20
)

// Load reads the settings of the project at root, which must be an absolute
// path. Files that do not exist are no error. Errors about a file are
// [*FileError].
func Load(root string, src Sources) (*Settings, error) {
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("load settings of %s: not an absolute path", root)
	}
	if src.LookupEnv == nil {
		src.LookupEnv = os.LookupEnv
	}
	s := defaults()
	s.root, s.trusted = root, src.Trusted
	for _, source := range sourcesOf(root, src) { // the most specific last: it overrides
		if source.level != LevelGlobal && s.users == nil {
			s.keepUsers()
		}
		if err := s.readSource(source, root, src); err != nil {
			return nil, err
		}
	}
	if s.users == nil {
		s.keepUsers()
	}
	if err := s.checkDefault(); err != nil {
		return nil, err
	}
	if err := s.checkStore(); err != nil {
		return nil, err
	}
	s.inherit()
	return s, nil
}

// keepUsers remembers what the user's own files set, which is what the
// others may do without asking.
func (s *Settings) keepUsers() {
	users := *s
	s.users, s.trustsAll = &users, trusts(s.Trust, s.root)
}

// source is one file that may exist.
type source struct {
	level Level
	file  string
	dir   string // what its relative paths are below
	own   bool   // berth's own, not an editor's
	above bool   // lies above the project, where another user may have put it
}

// sourcesOf lists the files, the least specific first.
func sourcesOf(root string, src Sources) []source {
	list := []source{
		{level: LevelGlobal, file: src.VSCodeUserFile},
		{level: LevelGlobal, file: src.GlobalFile, own: true},
	}
	list = append(list, workspaceSources(root)...)
	return append(list,
		source{level: LevelProject, file: filepath.Join(root, ".vscode", "settings.json")},
		source{level: LevelProject, file: filepath.Join(root, ".berth", "config.yaml"), dir: root, own: true},
	)
}

// Folders lists the folders of the files of berth's own that count for the
// project at root: what to watch for changes of its connections. They need
// not exist.
func Folders(root string, src Sources) []string {
	var list []string
	for _, source := range sourcesOf(root, src) {
		if source.own && source.file != "" {
			list = append(list, filepath.Dir(source.file))
		}
	}
	return list
}

func (s *Settings) readSource(src source, root string, given Sources) error {
	if src.file == "" {
		return nil
	}
	limit := int64(maxEditorBytes)
	if src.own {
		limit = maxOwnBytes
	}
	data, err := readFile(src, limit)
	if given.Draft != nil && src.own && src.level == LevelProject {
		data, err = bytes.TrimPrefix(given.Draft, byteOrderMark), nil
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errForeign):
		s.Notes = append(s.Notes, src.file+" is left out: it belongs to another user")
		return nil
	case err != nil:
		return err
	}
	if src.own {
		f := ownFile{s: s, level: src.level, file: src.file, dir: src.dir, lookup: given.LookupEnv}
		return f.read(data)
	}
	_, err = s.readEditor(data, src.level, src.file)
	return err
}

// errForeign marks a file above the project that another user owns: in a
// shared directory such as /tmp anyone could switch on writes for everyone.
var errForeign = errors.New("belongs to another user")

func readFile(src source, limit int64) ([]byte, error) {
	fail := func(problem string, err error) error {
		return &FileError{File: src.file, Problem: problem, Err: err}
	}
	info, err := os.Stat(src.file)
	switch {
	case err != nil && missing(err):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, fail(cause(err), err)
	case !info.Mode().IsRegular(): // a pipe here would block for ever
		return nil, fail("is not a regular file", nil)
	case src.above && !ownedByUs(info):
		return nil, errForeign
	}
	file, err := os.Open(src.file)
	if err != nil {
		return nil, fail(cause(err), err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fail(cause(err), err)
	}
	if int64(len(data)) > limit {
		return nil, fail(fmt.Sprintf("is larger than %d bytes", limit), nil)
	}
	return bytes.TrimPrefix(data, byteOrderMark), nil
}

// byteOrderMark is that of Windows editors.
var byteOrderMark = []byte("\xef\xbb\xbf")

// cause is an operating system's reason without the path, which the error
// names already.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// checkDefault refuses a default that names no connection.
func (s *Settings) checkDefault() error {
	if s.Default == "" {
		return nil
	}
	if _, ok := s.Connection(s.Default); ok {
		return nil
	}
	var known []string
	for _, c := range s.Connections {
		known = append(known, c.Name)
	}
	advice := "define it under connections"
	if len(known) > 0 {
		advice = didYouMean(s.Default, known)
	}
	o := s.origins[keyDefault]
	return &FileError{File: o.file, Line: o.line, Key: keyDefault,
		Problem: "no connection is called " + shown(s.Default), Advice: advice}
}

// inherit gives the connections the limits they do not set themselves.
func (s *Settings) inherit() {
	for i := range s.Connections {
		c := &s.Connections[i]
		if c.MaxRows == 0 {
			c.MaxRows = s.Query.MaxRows
		}
		if c.Timeout == time.Duration(0) {
			c.Timeout = s.Query.Timeout
		}
	}
}

// Variables lists, sorted, the environment variables that connections take:
// what a process that serves the project must be given. Those that wait for
// the user's trust are not among them.
func (s *Settings) Variables() []string {
	seen := map[string]bool{}
	for _, c := range s.Connections {
		for _, name := range c.variables {
			seen[name] = true
		}
		if c.Server.DriverDefaults && !c.Withheld {
			for _, name := range DriverVariables() {
				seen[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// DriverVariables are those that a driver reads where a connection says
// driverDefaults: libpq's.
func DriverVariables() []string {
	return []string{"PGPASSWORD", "PGPASSFILE", "PGUSER", "PGSERVICE", "PGSERVICEFILE",
		"PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGAPPNAME", "PGOPTIONS", "PGTZ"}
}
