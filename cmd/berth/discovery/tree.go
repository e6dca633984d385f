package discovery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/tools/topdown"
)

// Bounds of the walk.
const (
	walkDepth   = 5 // folders below the root: src/main/resources of a module
	walkEntries = 20_000
	walkTime    = 2 * time.Second
	maxFolders  = 300 // that a file counts in
)

// match is a file with the reader that knows it.
type match struct {
	name   string
	reader reader
	rank   int // of the reader
}

// walk lists the files that readers know, in the order of their say. What
// cannot be listed is skipped.
func (s *search) walk(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, walkTime)
	defer cancel()
	known := readers()
	entries, cut := 0, ""
	s.folders = []string{"."}
	visit := func(name string, entry fs.DirEntry, err error) error {
		if cut = s.bound(ctx, entries); cut != "" {
			return fs.SkipAll
		}
		entries++
		switch {
		case err != nil:
			return nil
		case entry.IsDir():
			if name != "." && (skipped(entry.Name()) || strings.Count(name, "/") >= walkDepth) {
				return fs.SkipDir
			}
			if slices.Contains(usualFolders(), entry.Name()) && len(s.folders) < maxFolders {
				s.folders = append(s.folders, name) // where a file may come to lie
			}
		default:
			for rank, r := range known {
				if r.matches(name) {
					s.files = append(s.files, match{name, r, rank})
					s.folders = append(s.folders, path.Dir(name))
				}
			}
		}
		return nil
	}
	_ = topdown.Walk(s.root.FS(), visit) // visit returns no error
	if cut != "" {
		s.notes = append(s.notes, "The search for files that name databases stopped after "+cut+
			", so there may be more: name a database that is missing in .berth/config.yaml")
	}
	slices.SortStableFunc(s.files, func(a, b match) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		if d := strings.Count(a.name, "/") - strings.Count(b.name, "/"); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	slices.Sort(s.folders)
	s.folders = slices.Compact(s.folders)
}

// usualFolders are those in which a file that counts may come to lie.
func usualFolders() []string {
	return []string{"config", "configs", "prisma", "resources", "settings", "supabase", "conf", "packages", "db", "database"}
}

// bound says in words which bound of the walk is reached; "": none.
func (s *search) bound(ctx context.Context, entries int) string {
	switch {
	case ctx.Err() != nil:
		return walkTime.String()
	case entries >= s.entries:
		return fmt.Sprintf("%d files and folders", entries)
	case len(s.files) == maxFiles:
		return fmt.Sprintf("%d such files", maxFiles)
	}
	return ""
}

// skipped reports whether a folder holds other people's files, copies or results.
func skipped(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".berth", "node_modules", "vendor", ".venv", "venv", "__pycache__", ".cache", "site-packages",
		".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".vs", ".idea", ".gradle", ".tox",
		"target", "build", "_build", "deps", "dist", "bin", "obj", "tmp", "test", "tests", "testdata", "fixtures", "examples":
		return true
	}
	return false
}

// data reads a file below the root. Of what is not there it says nothing.
func (s *search) data(name string) ([]byte, bool) {
	info, err := s.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false
	case err != nil:
		s.note(name, 0, "cannot be read")
		return nil, false
	case !info.Mode().IsRegular(): // a pipe here would block for ever
		return nil, false
	case info.Size() > maxBytes:
		s.note(name, 0, "is larger than %d bytes and not read", maxBytes)
		return nil, false
	}
	f, err := s.root.Open(name)
	if err != nil {
		s.note(name, 0, "cannot be read")
		return nil, false
	}
	defer func() { _ = f.Close() }() // only read from
	data, err := io.ReadAll(io.LimitReader(f, maxBytes))
	if err != nil {
		s.note(name, 0, "cannot be read")
		return nil, false
	}
	return []byte(strings.TrimPrefix(string(data), "\ufeff")), true
}

// findFile resolves a SQLite file against the folder of the file that names
// it, then against those above it, up to the root. It has to be there: berth
// makes none.
func (s *search) findFile(c *candidate) bool {
	given := c.address.Path
	if given == "" || strings.Contains(given, ":memory:") {
		return false // no file is meant
	}
	relative := strings.TrimPrefix(path.Clean(strings.ReplaceAll(given, `\`, "/")), "./")
	if rest, ok := strings.CutPrefix(relative, strings.TrimSuffix(filepath.ToSlash(s.root.Name()), "/")+"/"); ok {
		if relative = rest; s.isFile(relative) {
			c.address.Path = relative
			return true
		}
	} else if drive := len(relative) > 1 && relative[1] == ':'; c.rooted && !drive {
		relative = strings.TrimLeft(relative, "/")
	} else if strings.HasPrefix(relative, "/") || drive {
		s.note(c.file, c.line, "names a SQLite file outside of the project; name it in .berth/config.yaml of the user to have it")
		return false
	}
	for _, dir := range s.foldersOf(c) {
		if name := path.Join(dir, relative); s.isFile(name) {
			c.address.Path = name
			return true
		}
	}
	s.note(c.file, c.line, "names a SQLite file that is not there, or not in the project")
	return false
}

// isFile reports whether a file is below the root.
func (s *search) isFile(name string) bool {
	info, err := s.root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// foldersOf are those that a candidate's file may be relative to, the likely
// one first.
func (s *search) foldersOf(c *candidate) []string {
	dir := c.dir
	if dir == "" {
		dir = path.Dir(c.file)
	}
	var list []string
	for at := path.Clean(dir); ; at = path.Dir(at) {
		if c.rooted {
			list = append(list, s.flaskFolders(at)...)
		} else {
			list = append(list, at)
		}
		if at == "." || at == "/" || strings.HasPrefix(at, "..") {
			return append(list, ".")
		}
	}
}
