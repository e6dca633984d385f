package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Kind is the kind of an entry itself: links are not followed.
type Kind string

// The kinds of entries.
const (
	File    Kind = "file"
	Folder  Kind = "directory"
	Symlink Kind = "symlink"
	Other   Kind = "other" // pipe, socket, device
)

// Options configures a walk. The zero value visits what git would see.
type Options struct {
	IncludeIgnored bool // also visit what .gitignore hides
	Workers        int  // goroutines; 0: one per processor
}

// Counts counts the entries of a walk under the prefix.
type Counts struct {
	Files, Folders, Symlinks, Others int // visited
	HiddenFiles                      int // not visited, because an ignore file hides them
	HiddenFolders                    int // likewise; what is in them is not counted
	Unreadable                       int // folders and ignore files that could not be read
}

// Add adds the counts of another walk.
func (c *Counts) Add(d Counts) { c.add(d) }

func (c *Counts) add(d Counts) {
	c.Files += d.Files
	c.Folders += d.Folders
	c.Symlinks += d.Symlinks
	c.Others += d.Others
	c.HiddenFiles += d.HiddenFiles
	c.HiddenFolders += d.HiddenFolders
	c.Unreadable += d.Unreadable
}

func (c *Counts) visited(k Kind) {
	switch k {
	case File:
		c.Files++
	case Folder:
		c.Folders++
	case Symlink:
		c.Symlinks++
	case Other:
		c.Others++
	}
}

// Entry is an entry of the tree. It is valid only during the call of Visit.
type Entry struct {
	Path    string // relative to the root, slashes, neither leading nor trailing
	Kind    Kind
	Ignored bool   // an ignore file hides it
	Links   uint64 // names of the file, once it was read; 0: not known

	name string
	in   folder
}

// Read returns the content of a regular file: a part of buf if it is large
// enough, else of a new buffer that the caller may hand in the next time.
// Files larger than limit bytes give ErrTooBig, anything else than a regular
// file ErrNotRegular.
func (e *Entry) Read(buf []byte, limit int64) ([]byte, error) {
	content, links, err := e.in.read(e.name, buf, limit)
	e.Links = links
	if err != nil && err != ErrTooBig && err != ErrNotRegular {
		return nil, fmt.Errorf("read %s: %w", e.Path, err)
	}
	return content, err
}

// Stat tells size and time of the entry itself.
func (e *Entry) Stat() (Stat, error) {
	st, err := e.in.stat(e.name)
	if err != nil {
		return Stat{}, fmt.Errorf("stat %s: %w", e.Path, err)
	}
	return st, nil
}

// Visit is called for every entry, by several goroutines at the same time;
// worker, from 0 to Options.Workers-1, identifies the goroutine. Returning
// fs.SkipDir for a folder skips its content; any other error ends the walk.
type Visit func(worker int, e *Entry) error

// Walk visits everything below root whose path begins with prefix (a string,
// as in SQL's LIKE 'prefix%': "src/a" is the prefix of src/app.go; "": all).
// A folder comes before what is in it; else there is no order. Memory and
// open folders are bounded by the depth of the tree, not by its size. After
// ctx is done Walk returns its error with what was counted so far.
func Walk(ctx context.Context, root *os.Root, prefix string, opts Options, visit Visit) (Counts, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	prefix, err := cleanPrefix(prefix)
	if err != nil {
		return Counts{}, err
	}
	start, counts, err := enter(root, prefix, opts)
	if err != nil || start == nil {
		return counts, err
	}
	w := &walker{ctx: ctx, prefix: prefix, opts: opts, visit: visit}
	w.wake.L = &w.mu
	w.queue = []task{{in: start}}
	var wg sync.WaitGroup
	for i := range opts.Workers {
		wg.Go(func() { w.work(i) })
	}
	wg.Wait()
	for _, t := range w.queue {
		t.in.release()
	}
	counts.add(w.counts)
	return counts, w.err
}

// cleanPrefix removes a leading slash or ./ and refuses a prefix that leads out
// of the root.
func cleanPrefix(prefix string) (string, error) {
	clean := strings.TrimPrefix(prefix, "/")
	if clean == "." {
		clean = ""
	}
	clean = strings.TrimPrefix(clean, "./")
	for part := range strings.SplitSeq(clean, "/") {
		foreign := filepath.Separator != '/' && strings.ContainsRune(part, filepath.Separator)
		if part == ".." || part == "." || foreign || strings.Contains(part, "\x00") {
			return "", fmt.Errorf("path prefix %.200q: give it relative to the project's root, with forward slashes and no . or .. in it", prefix)
		}
	}
	return clean, nil
}

// The sizes in which a folder is read and its files are handed out: small
// enough to share the work of one large folder, and to bound what is queued.
const (
	chunk = 1024
	batch = 32
)

// walker is a walk in progress.
type walker struct {
	ctx    context.Context
	prefix string
	opts   Options
	visit  Visit

	mu     sync.Mutex
	wake   sync.Cond
	queue  []task // the last one is next: depth first, which keeps it short
	busy   int    // workers with a task
	err    error
	counts Counts
}

// task is a part of the work: files of a folder, a folder in it to be entered,
// or else the folder's next entries.
type task struct {
	in    *openDir
	files []item
	enter *item
}

// item is an entry that will be visited.
type item struct {
	name    string
	kind    Kind
	ignored bool
}

func (w *walker) work(worker int) {
	var counts Counts
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.counts.add(counts)
	}()
	for {
		t, ok := w.take()
		if !ok {
			return
		}
		next, err := w.do(worker, t, &counts)
		t.in.release()
		w.finish(next, err)
	}
}

// take waits for a task. ok is false if there are no more.
func (w *walker) take() (task, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.err == nil && len(w.queue) == 0 && w.busy > 0 {
		w.wake.Wait()
	}
	if w.err != nil || len(w.queue) == 0 {
		return task{}, false
	}
	t := w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	w.busy++
	return t, true
}

// finish queues the tasks that resulted from a task; the last one is done
// first.
func (w *walker) finish(next []task, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	w.queue = append(w.queue, next...)
	w.err = cmp.Or(w.err, err)
	if w.err != nil || len(w.queue) > 1 || w.busy == 0 {
		w.wake.Broadcast()
	}
}

func (w *walker) do(worker int, t task, counts *Counts) ([]task, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case t.files != nil:
		return nil, w.files(worker, t, counts)
	case t.enter != nil:
		return w.enter(worker, t, counts)
	}
	return w.scan(t.in, counts)
}

func (w *walker) files(worker int, t task, counts *Counts) error {
	for _, f := range t.files {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		counts.visited(f.kind)
		e := Entry{Path: t.in.path + f.name, Kind: f.kind, Ignored: f.ignored, name: f.name, in: t.in.folder}
		if err := w.visit(worker, &e); err != nil {
			return err
		}
	}
	return nil
}

// enter visits a folder, and opens it unless the visit says not to.
func (w *walker) enter(worker int, t task, counts *Counts) ([]task, error) {
	path := t.in.path + t.enter.name
	if strings.HasPrefix(path, w.prefix) {
		counts.visited(Folder)
		e := Entry{Path: path, Kind: Folder, Ignored: t.enter.ignored, name: t.enter.name, in: t.in.folder}
		if err := w.visit(worker, &e); errors.Is(err, fs.SkipDir) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	sub, err := t.in.sub(t.enter.name, t.enter.ignored, counts)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // otherwise it was removed meanwhile
			counts.Unreadable++
		}
		return nil, nil
	}
	defer sub.release()
	return w.scan(sub, counts)
}

// scan reads a chunk of a folder and makes tasks of it.
func (w *walker) scan(in *openDir, counts *Counts) ([]task, error) {
	entries, err := in.folder.next(chunk)
	if err != nil && !errors.Is(err, io.EOF) {
		counts.Unreadable++
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	var files, folders []item
	for _, e := range entries {
		i, ok := w.item(in, e, counts)
		switch {
		case !ok:
		case i.kind == Folder:
			folders = append(folders, i)
		default:
			files = append(files, i)
		}
	}
	var next []task
	if len(entries) == chunk {
		next = append(next, task{in: in.hold()})
	}
	for i := range slices.Backward(folders) {
		next = append(next, task{in: in.hold(), enter: &folders[i]})
	}
	at := len(next)
	for part := range slices.Chunk(files, batch) {
		next = append(next, task{in: in.hold(), files: part})
	}
	slices.Reverse(next[at:])
	return next, nil
}

// item decides whether an entry is to be visited.
func (w *walker) item(in *openDir, e fs.DirEntry, counts *Counts) (item, bool) {
	i := item{name: e.Name(), kind: kindOf(e.Type())}
	path := in.path + i.name
	if isGit(i.name) || !strings.HasPrefix(path, w.prefix) {
		return item{}, false
	}
	i.ignored = in.hidden || in.rules.hides(path, i.kind == Folder)
	switch {
	case !i.ignored || w.opts.IncludeIgnored:
		return i, true
	case i.kind == Folder:
		counts.HiddenFolders++
	default:
		counts.HiddenFiles++
	}
	return item{}, false
}

func kindOf(m fs.FileMode) Kind {
	switch {
	case m.IsRegular():
		return File
	case m.IsDir():
		return Folder
	case m&fs.ModeSymlink != 0:
		return Symlink
	}
	return Other
}
