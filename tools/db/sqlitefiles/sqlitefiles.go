// Package sqlitefiles finds the SQLite files of a project. It opens no database
// and knows no connection: it reads the first bytes of files.
//
// Copies, and folders of results and of caches, do not count: a connection
// that names a file there opens it all the same.
//
// Start with [New]. Invariants: nothing outside of the root is read; a file
// that was found to be a database is not opened again, since closing it would
// drop the locks that this process holds on it; a search is bounded, and one
// that was cut says so.
package sqlitefiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/tools/topdown"
)

// Bounds of the search for SQLite files.
const (
	maxDepth    = 8               // folders below the root
	maxEntries  = 50_000          // files and folders looked at
	maxFiles    = 50              // databases listed
	searchTime  = 2 * time.Second // one search
	searchAgain = 5 * time.Second // a result is good for

	recent     = time.Minute            // how old a result of Recent may be
	recentWait = 300 * time.Millisecond // how long Recent searches
)

// magic begins every SQLite file.
const magic = "SQLite format 3\x00"

// Finder looks for SQLite files below a root. A file is known by its first
// bytes, not by its name; only files of a size that a SQLite file can have
// are opened, and those again only after they changed. It is safe for
// concurrent use.
type Finder struct {
	// Entries is how many files and folders a search looks at; set it before
	// the first.
	Entries int

	root string
	now  func() time.Time

	mu       sync.Mutex
	searched time.Time // when found was; zero: never
	found    []string
	cut      string // why found may lack files, in words; "": it does not
	sniffs   map[string]sniff
}

type sniff struct {
	size    int64
	changed time.Time
	sqlite  bool
}

// New returns a finder below root.
func New(root string) *Finder {
	return &Finder{root: root, now: time.Now, Entries: maxEntries, sniffs: map[string]sniff{}}
}

// Find returns paths relative to the root with forward slashes, nearest to
// the root first. It never fails: what cannot be read is not listed.
func (f *Finder) Find(ctx context.Context) []string {
	return f.find(ctx, searchAgain)
}

// Recent is Find for an overview: a result of the last minute will do, and a
// search that takes longer than a moment is given up for what was found before.
func (f *Finder) Recent(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, recentWait)
	defer cancel()
	return f.find(ctx, recent)
}

// find returns the last result if it is not older than age, and searches
// otherwise.
func (f *Finder) find(ctx context.Context, age time.Duration) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.searched.IsZero() && f.now().Before(f.searched.Add(age)) {
		return f.found
	}
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }() // only read from
	search, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	w := &walk{finder: f, ctx: search, root: root, seen: map[string]sniff{}}
	_ = topdown.Walk(root.FS(), w.visit) // an error ends the search; what was found stands
	slices.SortFunc(w.found, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	if ctx.Err() != nil {
		// The caller gave up, so files may be missing: to the next call a
		// project of several databases would look like one of a single one.
		if age > searchAgain && !f.searched.IsZero() {
			return f.found
		}
		return w.found
	}
	f.found, f.cut, f.sniffs, f.searched = w.found, w.cut, w.seen, f.now()
	return f.found
}

// Note says that the last search did not look at everything, and what to do
// about it; "": it did, or there was none.
func (f *Finder) Note() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cut == "" {
		return ""
	}
	return "The search for SQLite files stopped after " + f.cut + ", so there may be more: name a database that is missing here in .berth/config.yaml"
}

// walk is one search.
type walk struct {
	finder  *Finder
	ctx     context.Context // of the search
	root    *os.Root
	entries int
	found   []string
	cut     string // which bound ended it; "": none
	seen    map[string]sniff
}

var errEnough = errors.New("the search's bounds are reached")

func (w *walk) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case w.ctx.Err() != nil:
		w.cut = searchTime.String()
	case w.entries >= w.finder.Entries:
		w.cut = fmt.Sprintf("%d files and folders", w.entries)
	case len(w.found) >= maxFiles:
		w.cut = fmt.Sprintf("%d databases", maxFiles)
	}
	if w.cut != "" {
		return errEnough
	}
	w.entries++
	switch {
	case err != nil:
		return nil // unreadable: look at the next
	case entry.IsDir():
		if name != "." && (skipped(entry.Name()) || strings.Count(name, "/") >= maxDepth) {
			return fs.SkipDir
		}
	case entry.Type().IsRegular():
		w.file(name, entry)
	}
	return nil
}

// skipped reports whether a folder holds other people's files, berth's, what
// editors and tools keep for themselves, or results.
func skipped(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".berth", "node_modules", "vendor", ".venv", "venv", "__pycache__", ".cache", "site-packages",
		".vs", ".vscode", ".idea", ".fleet", ".next", ".nuxt", ".output", ".svelte-kit", ".angular", ".turbo", ".parcel-cache",
		".gradle", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", "dist", "build", "_build", "target", "bin", "obj", "coverage":
		return true
	}
	return false
}

// copied matches the names of copies that people and editors keep.
var copied = lazyregexp.New(`(?i)(\.(bak|backup|old|orig|save|tmp|temp)[-_.]?\d*|~)$`)

func (w *walk) file(name string, entry fs.DirEntry) {
	info, err := entry.Info()
	if err != nil || copied().MatchString(name) || info.Size() < 512 || info.Size()%512 != 0 {
		return // a SQLite file is a number of pages of at least 512 bytes
	}
	s, known := w.finder.sniffs[name]
	if !known || s.size != info.Size() || !s.changed.Equal(info.ModTime()) {
		// One that was a database is not opened again: closing it would drop
		// the locks that this process holds on it.
		s = sniff{info.Size(), info.ModTime(), known && s.sqlite || w.isSQLite(name)}
	}
	w.seen[name] = s
	if s.sqlite {
		w.found = append(w.found, path.Clean(name))
	}
}

func (w *walk) isSQLite(name string) bool {
	f, err := w.root.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read from
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}
