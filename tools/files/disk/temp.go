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

// Names of the files that exist only while one is written. A draft is not
// yet, or no longer, worth anything. A swap holds, from the exchange on, what
// the file was, and is named after the versions of what it was and of what
// replaced it: so that after a crash it is known whether all is in order.
// Both begin with the id of the state whose instance made them: no other
// instance touches them.
const (
	tempPrefix  = ".berth-tmp-"
	draftPrefix = "draft-"
	swapPrefix  = "swap-"
	keptPrefix  = "berth-kept-" // visible: what a person has to look at
	idLength    = 8
)

// versionLength is that of a version's text.
const versionLength = 22

// IsTemp reports whether a path's last part is a file of ours that is being
// written, or the remains of a crash: nothing to list or search.
func IsTemp(name string) bool { return strings.HasPrefix(path.Base(name), tempPrefix) }

// IsKept reports whether a path's last part is a file that an edit kept beside
// another, because a program wrote it in the moment of the edit.
func IsKept(name string) bool { return strings.HasPrefix(path.Base(name), keptPrefix) }

func (p *Project) draftName() string {
	return tempPrefix + p.journal.id + "-" + draftPrefix + rand.Text()
}

func (p *Project) swapName(before, after string) string {
	return tempPrefix + p.journal.id + "-" + swapPrefix + before + "-" + after + "-" + rand.Text()[:8]
}

// splitTemp parts a name of ours into the id and what follows. Names of old
// versions have no id.
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

// remainsAge is from when on a file is the remains of a crash: no edit takes
// nearly as long, of this process or another.
const remainsAge = time.Minute

// sweep clears a folder of the remains of crashes, once in the process's life
// unless some were too young.
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

// temps lists the files of ours in a folder.
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

// clear removes the remains of one edit. A swap that holds neither what the
// file was nor what it became holds another program's write, that came
// between and was not put back yet: it is put back, or kept where nobody
// overlooks it.
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
	_ = f.root.Remove(name) // tried again at the next edit
}

// restore puts a displaced write back in the place of the edit that took it.
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

// keep gives a temporary file a name that people see.
func (f *folder) keep(name string) string {
	kept := keptPrefix + rand.Text()[:8]
	if f.root.Rename(name, kept) != nil {
		return name
	}
	return kept
}

// draft writes a new file beside the one that it is to replace, durable and
// with the mode, the owner and the attributes of like; nil: those of any new
// file.
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
		_ = f.root.Remove(name) // else the next sweep does
		return "", err
	}
	return name, nil
}

// fill writes a new file and makes it like another.
func fill(file *os.File, content []byte, like fs.FileInfo) error {
	if _, err := file.Write(content); err != nil || like == nil {
		return err
	}
	if err := keepOwner(file, like); err != nil {
		return refuse(Forbidden, "the file's owner could not be kept: %v; edit it with a program that runs as its owner", err)
	}
	return file.Chmod(like.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}
