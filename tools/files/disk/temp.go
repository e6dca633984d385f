package disk

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
	"time"

	"github.com/berth-dev/berth/tools/files/version"
)

// Names of temporary files. A draft has no value of its own. A swap holds,
// after the exchange, the old content of the file. Its name contains the
// versions of the old and the new content, so that after a crash its content
// can be checked. Both begin with the id of the journal of the instance that
// created them: no other instance touches them.
const (
	tempPrefix  = ".berth-tmp-"
	draftPrefix = "draft-"
	swapPrefix  = "swap-"
	keptPrefix  = "berth-kept-" // visible: a person must look at it
	idLength    = 8
)

// versionLength is the length of a version in bytes.
const versionLength = 22

// IsTemp reports whether a path is that of a temporary file, which is neither
// listed nor searched.
func IsTemp(name string) bool { return strings.HasPrefix(path.Base(name), tempPrefix) }

// IsKept reports whether a path is that of a copy that an edit kept beside a
// file because another program wrote it at the same time.
func IsKept(name string) bool { return strings.HasPrefix(path.Base(name), keptPrefix) }

func (p *Project) draftName() string {
	return tempPrefix + p.journal.id + "-" + draftPrefix + rand.Text()
}

func (p *Project) swapName(before, after string) string {
	return tempPrefix + p.journal.id + "-" + swapPrefix + before + "-" + after + "-" + rand.Text()[:8]
}

// splitTemp splits the name of a temporary file into the id and the rest. Older
// versions used names without an id.
func splitTemp(name string) (id, rest string) {
	rest = strings.TrimPrefix(name, tempPrefix)
	if strings.HasPrefix(rest, draftPrefix) || strings.HasPrefix(rest, swapPrefix) {
		return "", rest
	}
	id, rest, _ = strings.Cut(rest, "-")
	return id, rest
}

func idOf(name string) string {
	id, _ := splitTemp(name)
	return id
}

func parseSwap(name string) (before, after string, ok bool) {
	_, rest := splitTemp(name)
	rest, ok = strings.CutPrefix(rest, swapPrefix)
	if !ok || len(rest) < 2*versionLength+2 {
		return "", "", false
	}
	return rest[:versionLength], rest[versionLength+1 : 2*versionLength+1], true
}

// remainsAge is the age from which a temporary file is a leftover of a crash:
// no edit takes nearly as long.
const remainsAge = time.Minute

// sweep removes leftovers of crashes from a folder, once per process unless
// some were too young.
func (p *Project) sweep(f *folder, now time.Time) {
	p.mu.Lock()
	done := p.swept[f.path]
	p.mu.Unlock()
	if done {
		return
	}
	done = true
	for _, entry := range f.temps() {
		if id := idOf(entry); id != "" && id != p.journal.id {
			continue // another instance's
		}
		info, err := f.root.Lstat(entry)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil || now.Sub(touched(info)) < remainsAge:
			done = false
		case info.Mode().IsRegular():
			f.clear(entry)
		}
	}
	if done {
		p.mu.Lock()
		p.swept[f.path] = true
		p.mu.Unlock()
	}
}

// temps lists the temporary files in a folder.
func (f *folder) temps() []string {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }() // only read
	var list []string
	for {
		names, err := dir.Readdirnames(1000)
		for _, name := range names {
			if IsTemp(name) {
				list = append(list, name)
			}
		}
		if err != nil {
			return list
		}
	}
}

// clear removes the leftover of one edit. A swap that has neither the old nor
// the new content of its name has a write of another program that had not been
// put back: clear puts it back or keeps it under a visible name.
func (f *folder) clear(name string) {
	before, after, isSwap := parseSwap(name)
	if isSwap {
		s, err := f.read(name, name)
		if err != nil || !s.Whole {
			return
		}
		if v := version.Of(s.Content); v != before && v != after {
			f.restore(name, after)
			return
		}
	}
	_ = f.root.Remove(name) // retried at the next edit
}

// restore puts a displaced write back in place of the edit.
func (f *folder) restore(name, after string) {
	names, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return
	}
	for _, entry := range names {
		if !entry.Type().IsRegular() || IsTemp(entry.Name()) {
			continue
		}
		if s, err := f.read(entry.Name(), entry.Name()); err == nil && s.Whole && version.Of(s.Content) == after {
			err = f.root.Rename(name, entry.Name())
			slog.Warn("a crash had come between an edit and another program's write; the write is back in place",
				"file", path.Join(f.path, entry.Name()), "error", err)
			return
		}
	}
	kept := f.keep(name)
	slog.Warn("a crash had come between an edit and another program's write; the write is kept", "file", path.Join(f.path, kept))
}

// keep renames a temporary file to a visible name.
func (f *folder) keep(name string) string {
	kept := keptPrefix + rand.Text()[:8]
	if f.root.Rename(name, kept) != nil {
		return name
	}
	return kept
}

// draft writes and syncs a new file beside the one to be replaced, with the
// mode, owner and attributes of like; nil: those of any new file.
func (f *folder) draft(content []byte, like fs.FileInfo, attributes func(*os.File) error) (name string, err error) {
	if like == nil {
		return f.draftAs(0o666, content, nil, attributes)
	}
	return f.draftAs(0o600, content, like, attributes)
}

// draftAs is draft with the mode that the file is created with.
func (f *folder) draftAs(perm fs.FileMode, content []byte, like fs.FileInfo, attributes func(*os.File) error) (name string, err error) {
	f.project.journal.enter(f.path)
	name = f.project.draftName()
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	err = fill(file, content, like)
	if err == nil && attributes != nil {
		err = attributes(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = f.root.Remove(name) // on an error the next sweep does
		return "", err
	}
	return name, nil
}

// fill writes a new file and sets mode and owner as those of like.
func fill(file *os.File, content []byte, like fs.FileInfo) error {
	if _, err := file.Write(content); err != nil || like == nil {
		return err
	}
	if err := keepOwner(file, like); err != nil {
		return refuse(Forbidden, "the file's owner could not be kept: %v; edit it with a program that runs as its owner", err)
	}
	return file.Chmod(like.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}
