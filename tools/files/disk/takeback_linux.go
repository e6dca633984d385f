package disk

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/berth-dev/berth/tools/files/version"
)

// takeBack undoes an exchange: what came out goes back in its place, and what
// comes out then has to be what was placed there last, untouched. Else it is
// newer and belongs there itself, so the two change places once more, until
// nobody interferes.
//
// A program that read the edit while it stood there may write the file from
// what it read, now or later, and with that drops what the exchange had
// displaced. So everything that others wrote and that was moved on the way is
// looked for in what stands in the end, see [folder.guard].
//
// old, which is what came out if another program only opened it, is released
// as soon as it is back: until then its lease holds that program up.
func (x *exchange) takeBack(old *grasped, placed looked) error {
	defer func() { old.release() }()
	x.exposed = true
	edit := placed.inode
	for range tries {
		file, _ := x.open(x.ours) // read when it is back: the edit stands there meanwhile
		if err := x.swap(); err != nil {
			file.release()
			return errors.Join(err, x.settle())
		}
		old.release()
		old = nil
		returned := x.remember(file)
		out, file, err := x.observe(x.ours)
		if err == nil && out.same(placed) {
			if out.inode == edit { // as it was written: nobody needs it
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

// remember notes what another program wrote, releases the file and returns
// what it is. nil is something that cannot be opened, such as a link.
func (x *exchange) remember(file *grasped) looked {
	if file == nil {
		l, _ := x.look(x.base)
		return l
	}
	defer file.release()
	l := looked{inode: inodeOf(&file.stat)}
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

// settle sees to it that nothing other programs wrote is lost: what is still
// under our name is kept, and so is whatever was displaced and is not found in
// the file.
func (x *exchange) settle() error {
	if x.foreign {
		now, err := x.folder.read(x.base, x.name)
		last, file, lastErr := x.observe(x.ours)
		if errors.Is(lastErr, unix.ENOENT) {
			x.foreign = false
		} else if err == nil && now.Whole && file != nil && !last.busy && standsIn(file.content, now.Content) {
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

// keep gives what is under our name one that people see.
func (x *exchange) keep(file *grasped) {
	x.kept = append(x.kept, x.folder.keep(x.ours))
	if file == nil {
		return
	}
	x.displaced = slices.DeleteFunc(x.displaced, func(c []byte) bool { return standsIn(c, file.content) })
	file.release()
}
