package disk

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// sweepPause is how often leftovers of crashes are removed.
const sweepPause = time.Hour

// maxJournal bounds the folders in a journal. Leftovers in further folders are
// found by the next edit there.
const maxJournal = 4096

// journal records the folders in which temporary files were created, so that
// after a crash the next process with the same state finds leftovers without
// searching the whole project. It is a file outside the project: the id that is
// part of the names of all temporary files, then one folder per line. It is
// safe for concurrent use.
type journal struct {
	path string // "": no journal
	id   string // in the names of our files

	mu      sync.Mutex
	folders map[string]bool
}

// openJournal reads or creates a journal. Without a usable path, the id is
// valid only for this process.
func openJournal(file string) *journal {
	j := &journal{path: file, id: rand.Text()[:idLength], folders: map[string]bool{}}
	if file == "" {
		return j
	}
	content, err := os.ReadFile(file)
	if err == nil && j.parse(content) {
		return j
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = j.rewrite()
	}
	if err != nil {
		slog.Warn("files of interrupted edits will not be found after a crash", "cause", err)
		j.path = ""
	}
	return j
}

func (j *journal) parse(content []byte) bool {
	lines := bufio.NewScanner(bytes.NewReader(content))
	if !lines.Scan() || len(lines.Text()) != idLength {
		return false
	}
	j.id = lines.Text()
	for lines.Scan() {
		if name := lines.Text(); fs.ValidPath(name) {
			j.folders[name] = true
		}
	}
	return true
}

// enter records a folder before a temporary file is created there.
func (j *journal) enter(folder string) {
	folder = path.Clean(folder) // "" is "."
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.path == "" || j.folders[folder] || len(j.folders) >= maxJournal || strings.ContainsAny(folder, "\r\n") {
		return
	}
	j.folders[folder] = true
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = file.WriteString(folder + "\n")
		err = errors.Join(err, file.Sync(), file.Close())
	}
	if err != nil {
		slog.Warn("the folder of an edit is not noted", "folder", folder, "cause", err)
	}
}

func (j *journal) list() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var names []string
	for name := range j.folders {
		names = append(names, name)
	}
	return names
}

// rewrite writes the current journal.
func (j *journal) rewrite() error {
	var b strings.Builder
	b.WriteString(j.id + "\n")
	for name := range j.folders {
		b.WriteString(name + "\n")
	}
	draft := j.path + ".new"
	if err := os.WriteFile(draft, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(draft, j.path)
}

// forget removes folders without leftovers.
func (j *journal) forget(clean []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.path == "" || len(clean) == 0 {
		return nil
	}
	for _, name := range clean {
		delete(j.folders, name)
	}
	return j.rewrite()
}

// keepSwept sweeps the folders of the journal periodically.
func (p *Project) keepSwept() {
	for !p.wait(sweepPause) {
		p.sweepJournal()
	}
}

// sweepJournal removes our temporary files that a crash left, whatever their
// age: none is in use while the writing lock is held. Those of other instances
// have other names and stay.
func (p *Project) sweepJournal() {
	p.writing.Lock() // held until the journal is rewritten, so that no file is created meanwhile
	defer p.writing.Unlock()
	var clean []string
	for _, name := range p.journal.list() {
		if p.sweepOwn(name) {
			clean = append(clean, name)
		}
	}
	if err := p.journal.forget(clean); err != nil {
		slog.Warn("the journal of edits is not rewritten", "cause", err)
	}
}

// sweepOwn sweeps one folder and reports whether no file of ours is left.
func (p *Project) sweepOwn(name string) (clean bool) {
	f, _, err := p.openFolder(path.Join(name, "any"), false)
	if err != nil {
		known := (*Error)(nil)
		return errors.As(err, &known) && known.Reason == NotFound // the folder is gone with its content
	}
	defer f.close()
	for _, entry := range f.temps() {
		if idOf(entry) == p.journal.id {
			f.clear(entry)
		}
	}
	for _, entry := range f.temps() {
		if idOf(entry) == p.journal.id {
			return false
		}
	}
	return true
}
