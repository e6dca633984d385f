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

// sweepPause is how often what crashes left is looked for.
const sweepPause = time.Hour

// maxJournal bounds the folders that a journal names; beyond, what is left in
// further ones is found by the next edit there.
const maxJournal = 4096

// journal says in which folders files of ours were made, so that whoever has
// the same state after a crash finds what is left without looking through the
// whole project. It is a file outside the project: the name that is in all our
// files' names, and then one folder a line. It is safe for concurrent use.
type journal struct {
	path string // "": nothing is remembered
	id   string // in the names of our files

	mu      sync.Mutex
	folders map[string]bool
}

// openJournal reads a journal, or begins one. Without a path, or one that can
// be used, the id is good for this process alone.
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

// enter notes a folder before a file of ours is made there.
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

// rewrite writes the journal as it is now.
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

// forget drops folders in which nothing is left.
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

// keepSwept clears the folders of the journal now and then.
func (p *Project) keepSwept() {
	for !p.wait(sweepPause) {
		p.sweepJournal()
	}
}

// sweepJournal removes our own files that a crash left: while nothing is
// written none is in use, whatever its age. Another instance's have another
// name and stay.
func (p *Project) sweepJournal() {
	p.writing.Lock() // also until the journal is rewritten: nothing is made meanwhile
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

// sweepOwn clears one folder, and reports whether nothing of ours is left.
func (p *Project) sweepOwn(name string) (clean bool) {
	f, _, err := p.openFolder(path.Join(name, "any"), false)
	if err != nil {
		known := (*Error)(nil)
		return errors.As(err, &known) && known.Reason == NotFound // the folder went, with what was in it
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
