package disk

import (
	"errors"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// exchange is one replacement of a file. The new content is written under a
// name of our own and exchanged with the file. The file that came out shows
// what was replaced; it is exchanged back if it is not what was read.
//
//	ours: new     base: old  ──▶  ours: old     base: new
//	                              old is what was read, and nobody writes
//	                              to it: remove it. Else change back, and
//	                              look again at what comes out then.
//
// A lease on a file (see fcntl(2)) is granted only while no program has it open
// for writing, and is broken when one tries. A file that is removed in the end
// is watched under its lease for a while, see [Project.watchReplaced].
// takeback_linux.go undoes an exchange without losing anything.
type exchange struct {
	folder *folder
	dir    int    // descriptor of the folder
	base   string // of the file
	ours   string // of the other
	name   string // of the file, for messages
	leased bool   // this file system grants leases

	exposed   bool     // the edit stood in the file and was taken back
	foreign   bool     // the file under ours may be another program's
	displaced [][]byte // what other programs wrote and an exchange moved
	kept      []string // visible names of other programs' work
}

// replace implements [Project.Replace].
func (f *folder) replace(base string, was *Snapshot, content []byte) (Method, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Close() }() // only a handle
	x := &exchange{folder: f, dir: int(dir.Fd()), base: base, name: was.Path, leased: true}
	for deadline := time.Now().Add(patience); ; time.Sleep(pause) {
		err := x.run(was, content)
		switch {
		case err == nil && x.leased:
			return Exchange, nil
		case err == nil:
			return ExchangeNoLease, nil
		case errors.Is(err, errNoExchange):
			return f.replaceByRename(base, was, content)
		case x.kept != nil || !errors.Is(err, errBusy) || !time.Now().Before(deadline):
			return "", x.worded(err)
		}
	}
}

// errNoExchange is the error of a file system that cannot exchange names.
var errNoExchange = errors.New("the file system does not exchange files")

// patience is how long to wait for a program that has the file open for
// writing.
const (
	patience = 200 * time.Millisecond
	pause    = time.Millisecond
)

// run writes the new content beside the file and exchanges the two.
func (x *exchange) run(was *Snapshot, content []byte) error {
	before, after := version.Of(was.Content), version.Of(content)
	attributes, err := attributesOf(x.dir, x.base)
	if err != nil {
		return err
	}
	if x.ours, err = x.folder.draft(content, was.info, attributes.set); err != nil {
		return err
	}
	defer func() {
		if !x.foreign {
			_ = unix.Unlinkat(x.dir, x.ours, 0) // gone or no longer needed
		}
	}()
	if err := x.rename(x.folder.project.swapName(before, after)); err != nil {
		return err
	}
	return x.attempt(was)
}

func (x *exchange) rename(to string) error {
	if err := unix.Renameat(x.dir, x.ours, x.dir, to); err != nil {
		return &os.LinkError{Op: "rename", Old: x.ours, New: to, Err: err}
	}
	x.ours = to
	return nil
}

func (x *exchange) worded(err error) error {
	said := ""
	if len(x.kept) > 0 {
		said += "; what it had written before is kept beside it in " + strings.Join(x.kept, " and ")
	}
	if x.exposed {
		said += "; the edit was in the file for a moment before it was undone, and may be in the file again if a program read it then: read the file before you repeat the edit"
	}
	switch {
	case x.kept == nil && errors.Is(err, errBusy):
		return refuse(InUse, "another program has %s open for writing, and the edit was not made%s", x.name, said)
	case said != "":
		return refuse(Stale, "another program wrote %s in the moment of the edit, and the edit was not made%s", x.name, said)
	case errors.Is(err, errStale):
		return staleError(x.name)
	}
	return err
}

// The outcomes of an attempt that wrote nothing.
var (
	errBusy  = errors.New("another program has the file open for writing")
	errStale = errors.New("the file was changed by another program")
)

// attempt exchanges once, and back if necessary. It does nothing slow between
// opening the file and the exchange, because a write of another program in
// between means that the exchange must be undone.
func (x *exchange) attempt(was *Snapshot) error {
	mine, err := x.state(x.ours)
	if err != nil {
		return err
	}
	if mine.busy { // a process that is being started inherits our open files
		return errBusy
	}
	old, err := x.openLeased(x.base)
	if err == nil && !(old.is(was) && old.stands(x.dir, x.base)) {
		err = errStale
	}
	if err == nil {
		x.step("compared")
		err = x.swap()
	}
	if err != nil {
		old.release()
		return err
	}
	x.foreign = true
	x.step("exchanged")
	err = x.untouched(old)
	if err == nil {
		err = x.folder.sync()
	}
	if err == nil {
		err = x.untouched(old) // check again
	}
	if err != nil {
		return errors.Join(x.takeBack(old, mine), err)
	}
	x.foreign = false
	x.drop(old, mine.version)
	return nil
}

func (x *exchange) step(name string) {
	if step := x.folder.project.step; step != nil {
		step(name)
	}
}

// drop removes the file that came out and keeps watching it. current is the
// version of what is in its place.
func (x *exchange) drop(out *leasedFile, current string) {
	_ = unix.Unlinkat(x.dir, x.ours, 0) // on an error the next sweep does
	if !x.leased {
		out.release()
		return
	}
	x.folder.project.watchReplaced(x.name, out, current)
}

func (x *exchange) swap() error {
	err := unix.Renameat2(x.dir, x.ours, x.dir, x.base, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return errNoExchange
	case errors.Is(err, unix.ENOENT):
		return errStale // the file is gone
	}
	return &os.LinkError{Op: "exchange", Old: x.ours, New: x.base, Err: err}
}

// untouched returns an error if the file that came out of the exchange is not
// the one that was read or has changed.
func (x *exchange) untouched(old *leasedFile) error {
	switch {
	case !old.stands(x.dir, x.ours):
		return errStale
	case x.leased && !old.unbroken():
		return errBusy
	case !x.leased && old.rewritten():
		return errStale
	}
	return nil
}

// claim gives a file the name base if that is unused.
func (f *folder) claim(name, base string) error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // only a handle
	err = unix.Renameat2(int(dir.Fd()), name, int(dir.Fd()), base, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return f.claimByLink(name, base)
	}
	return err
}
