// Package disk reads and writes the files of one project, below its folder
// and never outside it. It knows bytes, not text, and asks nobody: what may
// be written is decided before it is called.
//
//	path ─ParsePath─▶ folder, walked by handles ─▶ Read ─▶ Snapshot
//	                                                         │
//	Snapshot, new content ─▶ Replace: temporary file, fsync, ◀┘
//	                         exchange, check what came out, fsync
//
// Start from [Open], [Project.Read] and [Project.Replace]. Invariants: every
// access starts at one os.Root and goes through no symbolic link; only
// regular files are opened, and opening never waits; a file that another
// program wrote meanwhile is not replaced, see [Project.Replace] for how sure
// that is on which system.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// lingerMost is how many replaced files are watched at once, see linger; beyond,
// the lease of the edit itself has to do.
const lingerMost = 256

// Project is the folder of a project. It is safe for concurrent use.
type Project struct {
	path    string
	root    *os.Root
	journal *journal

	writing sync.Mutex        // held while a file is replaced or created
	written map[string]string // the version of what was written last, by path; writing guards it
	mu      sync.Mutex
	swept   map[string]bool // folders without remains of a crash
	guards  []*guarded      // what other programs wrote and may be dropped yet

	// step is called on the way of an exchange, for tests that interfere
	// there; nil: nobody does.
	step func(name string)

	closing   chan struct{}
	lingering chan struct{} // one of each watcher
	watchers  sync.WaitGroup
}

// Open opens the folder at an absolute path. The project is to be closed.
// Journal is a file outside the project that remembers where files of ours may
// be left by a crash: what one process leaves, the next with the same journal
// removes. Only one may use it at a time. "": nothing is remembered.
func Open(path, journal string) (*Project, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the project's folder: %w", err)
	}
	p := &Project{path: path, root: root, journal: openJournal(journal), written: map[string]string{}, swept: map[string]bool{},
		closing: make(chan struct{}), lingering: make(chan struct{}, lingerMost)}
	if journal != "" {
		p.sweepJournal()
		p.watchers.Go(p.keepSwept)
	}
	return p, nil
}

// Root is the project's folder; it is the project's to close.
func (p *Project) Root() *os.Root { return p.root }

// Path is where the project's folder is.
func (p *Project) Path() string { return p.path }

// Close ends what still watches over edits and releases the folder. It is to
// be called once.
func (p *Project) Close() error {
	close(p.closing)
	p.watchers.Wait()
	return p.root.Close()
}

// Reason is why a file is not served.
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

// Error says why a file is not served, in words for the caller.
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

// failed words an error of the operating system. doing says what was being
// done: "read src/a.go".
func failed(doing string, err error) error {
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
