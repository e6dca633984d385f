package frontend

import (
	"io"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// alone sets the process up for one agent whose calls come one by one: stdin is
// read without a thread that waits in the kernel, and all goroutines share one
// processor, so that a call wakes one thread and not three. It returns the
// stdin to read and what puts everything back.
//
// It does nothing unless stdin is a pipe or a socket that stdout and stderr do
// not share, since those stay blocking, nor where GOMAXPROCS is set in the
// environment. See docs/decisions/0142.
func (o Options) alone() (stdin io.Reader, restore func()) {
	in, ok := o.Stdin.(*os.File)
	if _, set := o.LookupEnv("GOMAXPROCS"); !ok || set || sharedWith(in, o.Stdout, o.Stderr) {
		return o.Stdin, func() {}
	}
	polled, putBack, err := unblocked(in)
	if err != nil {
		return o.Stdin, func() {}
	}
	processors := runtime.GOMAXPROCS(1)
	return polled, func() {
		runtime.GOMAXPROCS(processors)
		putBack()
	}
}

// unblocked returns in as a file that the runtime's poller waits for. Its
// descriptor is another one, but both are blocking or neither, and so are those
// of other processes for the same end of the pipe: a shell may have handed ours
// to programs that read after us.
func unblocked(in *os.File) (polled *os.File, restore func(), err error) {
	conn, err := in.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	failed := conn.Control(func(fd uintptr) {
		var was, own int
		if was, err = unix.FcntlInt(fd, unix.F_GETFL, 0); err != nil {
			return
		}
		if own, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0); err != nil {
			return
		}
		if err = unix.SetNonblock(own, true); err != nil {
			_ = unix.Close(own)
			return
		}
		polled = os.NewFile(uintptr(own), in.Name())
		restore = func() {
			_, _ = unix.FcntlInt(uintptr(own), unix.F_SETFL, was)
			_ = polled.Close()
		}
	})
	if failed != nil {
		return nil, nil, failed
	}
	return polled, restore, err
}

// sharedWith reports whether in is neither a pipe nor a socket, or one of out is the same.
func sharedWith(in *os.File, out ...io.Writer) bool {
	is, err := in.Stat()
	if err != nil || is.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return true
	}
	for _, w := range out {
		f, ok := w.(*os.File)
		if !ok {
			continue
		}
		if other, err := f.Stat(); err != nil || os.SameFile(is, other) {
			return true
		}
	}
	return false
}
