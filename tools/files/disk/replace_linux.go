package disk

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// exchange is one replacement of a file. The new content stands under a name
// of our own and changes places with the file; what came out is then the
// proof of what was replaced, and goes back if it is not what was read.
//
//	ours: new     base: old  ──▶  ours: old     base: new
//	                              old is what was read, and nobody writes
//	                              to it: remove it. Else change back, and
//	                              look again at what comes out then.
//
// A lease on a file (see fcntl(2)) is had only while nobody has it open for
// writing, and tells whether somebody tried since. Whatever is removed in the
// end is watched under its lease for a while, see [Project.linger].
type exchange struct {
	folder *folder
	dir    int    // descriptor of the folder
	base   string // of the file
	ours   string // of the other
	name   string // of the file, for messages
	kept   string // visible name of another program's work; "": none
	leased bool   // this file system grants leases
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
		case x.kept != "" || !errors.Is(err, errBusy) || !time.Now().Before(deadline):
			return "", x.worded(err)
		}
	}
}

// errNoExchange: this file system exchanges no names.
var errNoExchange = errors.New("the file system does not exchange files")

// patience is how long a program that has the file open for writing is waited
// for.
const (
	patience = 200 * time.Millisecond
	pause    = time.Millisecond
)

// run writes the new content beside the file and has them change places.
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
		if x.kept == "" {
			_ = unix.Unlinkat(x.dir, x.ours, 0) // a name that is gone, or worth nothing
		}
	}()
	if err := x.rename(swapName(before, after)); err != nil {
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
	switch {
	case x.kept != "":
		return refuse(Stale, "another program wrote %s twice in the moment of the edit; it has what was written last, and what was written before is kept in %s beside it", x.name, x.kept)
	case errors.Is(err, errBusy):
		return refuse(InUse, "another program has %s open for writing; nothing was written", x.name)
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

// attempt exchanges once, and back if it has to.
func (x *exchange) attempt(was *Snapshot) error {
	old, err := x.grasp(x.base)
	if err != nil {
		old.release()
		return err
	}
	if !old.is(was) {
		old.release()
		return errStale
	}
	mine, err := x.look(x.ours)
	if err == nil && mine.busy { // a process being started holds what we had open
		err = errBusy
	}
	if err == nil {
		err = x.swap()
	}
	if err != nil {
		old.release()
		return err
	}
	err = x.untouched(old)
	if err == nil {
		err = x.folder.sync()
	}
	if err == nil {
		err = x.untouched(old) // again, after that time
	}
	if err != nil {
		old.release() // whoever waits to write may write
		return errors.Join(x.back(mine), err)
	}
	x.drop(old, mine.version)
	return nil
}

// drop removes what came out, which is open, and watches over it. current is
// the version of what is in its place.
func (x *exchange) drop(out *grasped, current string) {
	_ = unix.Unlinkat(x.dir, x.ours, 0) // else the next sweep does
	if !x.leased {
		out.release()
		return
	}
	x.folder.project.linger(x.name, out, current)
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

// untouched tells whether what came out of the exchange is the file that was
// read, as it was read.
func (x *exchange) untouched(old *grasped) error {
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

// back puts what came out back in its place. What comes out then has to be
// what was placed there last, untouched. Else it is newer and belongs there
// itself, so the two change places once more, until nobody interferes. What
// another program replaced on the way may go; but where it wrote into what was
// placed, both files are its work, and the one that does not stay is kept.
func (x *exchange) back(placed looked) error {
	both := false // what was placed last is to be kept
	for range tries {
		returned, err := x.look(x.ours)
		if err != nil {
			return err
		}
		if err := x.swap(); err != nil {
			return err
		}
		out, file, err := x.observe(x.ours)
		if err != nil {
			return err
		}
		if out == placed && !both {
			x.drop(file, returned.version)
			return x.folder.sync()
		}
		file.release()
		if out == placed {
			return x.keep()
		}
		both = out.inode == placed.inode
		placed = returned
	}
	return x.keep()
}

// keep gives what came out a name that people see, and makes that durable.
func (x *exchange) keep() error {
	x.ours = x.folder.keep(x.ours)
	x.kept = x.ours
	return x.folder.sync()
}

// claim gives a file the name base if that is free.
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
