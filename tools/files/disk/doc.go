// Package disk reads and writes the files of one project, below its folder and
// never outside it. It handles bytes, not text, and asks nobody for approval:
// its callers decide what may be written.
//
//	path ─ParsePath─▶ folder, walked by handles ─▶ Read ─▶ Snapshot
//	                                                         │
//	Snapshot, new content ─▶ Replace: temporary file, fsync, ◀┘
//	                         exchange, check what came out, fsync
//
// Start with [Open], [Project.Read] and [Project.Replace]. Invariants: every
// access starts at one os.Root and follows no symbolic link; only regular files
// are opened, and opening never blocks; a file that another program wrote
// meanwhile is not replaced. See [Method] for how reliable that is on each
// system.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// maxReplacedWatched is how many replaced files are watched at the same time,
// see watchReplaced. Beyond that, only the lease during the edit protects them.
const maxReplacedWatched = 256

// Project is the folder of a project. It is safe for concurrent use.
type Project struct {
	path    string
	root    *os.Root
	journal *journal

	writing sync.Mutex        // held while a file is replaced or created
	written map[string]string // the version written last, by path; guarded by writing
	mu      sync.Mutex
	swept   map[string]bool // folders without leftovers of a crash
	guards  []*guardedFile  // what other programs wrote and might still be lost

	// step is called during an exchange, for tests that interfere there; may be
	// nil.
	step func(name string)

	closing          chan struct{}
	replacedWatchers chan struct{} // one value for each watcher
	watchers         sync.WaitGroup
}

// Open opens the folder at an absolute path. The caller must close the project.
// The journal is a file outside the project that records where a crash may
// leave temporary files: the next process with the same journal removes them.
// Only one process may use it at a time. "": no journal.
func Open(path, journal string) (*Project, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the project's folder: %w", err)
	}
	p := &Project{path: path, root: root, journal: openJournal(journal), written: map[string]string{}, swept: map[string]bool{},
		closing: make(chan struct{}), replacedWatchers: make(chan struct{}, maxReplacedWatched)}
	if journal != "" {
		p.sweepJournal()
		p.watchers.Go(p.keepSwept)
	}
	return p, nil
}

// Root returns the project's folder. The project closes it.
func (p *Project) Root() *os.Root { return p.root }

// Path returns the path of the project's folder.
func (p *Project) Path() string { return p.path }

// Close stops watching replaced files and closes the folder. It must be called
// only once.
func (p *Project) Close() error {
	close(p.closing)
	p.watchers.Wait()
	return p.root.Close()
}

// Reason is the kind of an [Error].
type Reason string

// The reasons of an [Error].
const (
	BadPath     Reason = "invalid_path"
	NotFound    Reason = "not_found"
	NotFile     Reason = "not_a_file" // a folder, link, pipe, device …
	TooLarge    Reason = "too_large"
	ReadOnly    Reason = "read_only"
	HardLinked  Reason = "hard_linked"
	Exists      Reason = "exists"
	Stale       Reason = "stale_version" // another program wrote it
	InUse       Reason = "in_use"        // another program has it open for writing
	Forbidden   Reason = "permission_denied"
	DiskFull    Reason = "disk_full"
	Unavailable Reason = "io_error"
)

// Error reports why a file is not read or written, with a message for the
// caller.
type Error struct {
	Reason  Reason
	Message string
	Err     error // the cause; nil: none but the message
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

func refuse(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// systemError converts an error of the operating system. doing is what was
// being done: "read src/a.go".
func systemError(doing string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	reason := Unavailable
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = NotFound
	case errors.Is(err, fs.ErrExist):
		reason = Exists
	case errors.Is(err, fs.ErrPermission):
		reason = Forbidden
	case isDiskFull(err):
		reason = DiskFull
	}
	cause := err
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		cause = at.Err
	case errors.As(err, &link):
		cause = link.Err
	}
	return &Error{Reason: reason, Message: fmt.Sprintf("cannot %s: %v", doing, cause), Err: err}
}
