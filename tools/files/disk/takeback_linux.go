package disk

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// takeBack undoes an exchange: it exchanges the files again, and what comes out
// then must be what was placed there last, unchanged. Otherwise it is newer and
// belongs there itself, so the two are exchanged again, until no program
// interferes.
//
// A program that read the edit while it was in place may write the file based
// on it, now or later, and so lose what the exchange had displaced. So
// everything that others wrote and that was moved meanwhile is compared with
// the final file, see [folder.guard].
//
// old, the file that came out if another program only opened it, is released as
// soon as it is back: until then its lease blocks that program.
func (x *exchange) takeBack(old *leasedFile, placed fileState) error {
	defer func() { old.release() }()
	x.exposed = true
	edit := placed.inode
	for range tries {
		file, _ := x.open(x.ours) // read once the old file is back: until then the edit is in place
		if err := x.swap(); err != nil {
			file.release()
			return errors.Join(err, x.settle())
		}
		old.release()
		old = nil
		returned := x.remember(file)
		out, file, err := x.stateAndFile(x.ours)
		if err == nil && out.same(placed) {
			if out.inode == edit { // the unchanged edit: not needed
				x.foreign = false
				x.drop(file, "")
				return x.settle()
			}
			file.release()
			return x.settle()
		}
		file.release()
		placed = returned
	}
	return x.settle()
}

// remember records what another program wrote, releases the file and returns
// its state. file is nil for something that cannot be opened, such as a link.
func (x *exchange) remember(file *leasedFile) fileState {
	if file == nil {
		l, _ := x.state(x.base)
		return l
	}
	defer file.release()
	l := fileState{inode: inodeOf(&file.stat)}
	if file.stat.Mode&unix.S_IFMT != unix.S_IFREG || file.stat.Size > MaxFile {
		return l
	}
	content, err := file.read()
	if err != nil || len(content) > MaxFile {
		return l
	}
	x.displaced = append(x.displaced, content)
	l.version = version.Of(content)
	return l
}

// settle makes sure that nothing other programs wrote is lost: it keeps the
// file that is still under our name, and what was displaced and is not in the
// file.
func (x *exchange) settle() error {
	if x.foreign {
		now, err := x.folder.read(x.base, x.name)
		last, file, lastErr := x.stateAndFile(x.ours)
		if errors.Is(lastErr, unix.ENOENT) {
			x.foreign = false
		} else if err == nil && now.Whole && file != nil && !last.busy && containsLines(file.content, now.Content) {
			x.foreign = false
			x.drop(file, "")
		} else {
			x.keep(file)
		}
	}
	kept, err := x.folder.guard(x.base, x.name, x.displaced)
	x.kept = append(x.kept, kept...)
	return errors.Join(err, x.folder.sync())
}

// keep renames the file under our name to a visible name.
func (x *exchange) keep(file *leasedFile) {
	x.kept = append(x.kept, x.folder.keep(x.ours))
	if file == nil {
		return
	}
	x.displaced = slices.DeleteFunc(x.displaced, func(c []byte) bool { return containsLines(c, file.content) })
	file.release()
}
