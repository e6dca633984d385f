package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/berth-dev/berth/cmd/berth/self"
)

// System is what a command touches of the process it runs in. Every field is
// required.
type System struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	LookupEnv  func(name string) (string, bool)
	Environ    func() []string // NAME=value
	Getwd      func() (string, error)
	Executable func() (string, error) // the program to start instances with
}

// Process is the System of the running process.
func Process() System {
	return System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		LookupEnv: os.LookupEnv, Environ: os.Environ, Getwd: os.Getwd, Executable: self.Path,
	}
}

// getenv is LookupEnv for those who take unset for empty.
func (s System) getenv(name string) string {
	v, _ := s.LookupEnv(name)
	return v
}

// isTerminal reports whether a person may be at the other end.
func isTerminal(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = raw(w)
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	is := false
	err = conn.Control(func(fd uintptr) { is = isatty.IsTerminal(fd) })
	return err == nil && is
}
