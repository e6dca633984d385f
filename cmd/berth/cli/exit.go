package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/tools/visible"
)

// The exit codes. 1 to 4 agree with those of package wire.
const (
	exitDone        = 0
	exitFailed      = 1   // it did not work
	exitUsage       = 2   // it was asked wrongly and will fail again
	exitRefused     = 3   // settings or a person said no
	exitBusy        = 4   // another process is in the way; it may work later
	exitNotRunning  = 5   // nothing serves the project
	exitInterrupted = 130 // a signal ended it, as shells count
)

// A failure is an error with what a person can do about it.
type failure struct {
	code  int    // 0: see the cause
	text  string // what is wrong; empty: the cause's words
	hint  string // the next command; may be empty
	cause error
	// excerpt is the line of a text that is wrong, with a caret below it; may
	// be empty.
	excerpt string
}

func (f *failure) Error() string {
	switch {
	case f.cause == nil:
		return f.text
	case f.text == "":
		return f.cause.Error()
	default:
		return f.text + ": " + f.cause.Error()
	}
}

func (f *failure) Unwrap() error { return f.cause }

func (f *failure) Hint() string { return f.hint }

// errSilent ends a command that said everything itself, with exitFailed.
var errSilent = errors.New("said already")

// errDeclined ends a command whose person said no to what it asked.
var errDeclined = &failure{code: exitRefused, text: "you did not approve it: nothing was changed"}

// usage marks an error as wrong usage; nil stays nil.
func usage(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &failure{code: exitUsage, cause: err, hint: "see " + cmd.CommandPath() + " --help"}
}

// report writes an error and its hint, each on a line of its own.
func report(w io.Writer, err error) {
	if err == nil || errors.Is(err, errSilent) {
		return
	}
	fmt.Fprintf(w, "berth: %s\n", oneLine(err.Error()))
	var f *failure
	if errors.As(err, &f) && f.excerpt != "" {
		fmt.Fprintln(w, visible.Text(f.excerpt))
	}
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", oneLine(hint))
	}
}

// hinter is an error that says what to do about it.
type hinter interface {
	error
	Hint() string
}

// hintOf is the advice that the outermost error with one gives, or else that
// for what the system lacks.
func hintOf(err error) string {
	var h hinter
	for rest := err; errors.As(rest, &h); rest = errors.Unwrap(h) {
		if h.Hint() != "" {
			return h.Hint()
		}
	}
	for _, s := range systemHints {
		for _, errno := range s.errnos {
			if errors.Is(err, errno) {
				return s.hint
			}
		}
	}
	return ""
}

// systemHints are what to do where the system refuses something for want of a
// resource, or cannot do it at all.
var systemHints = []struct {
	errnos []error
	hint   string
}{
	{[]error{syscall.EROFS}, "that file system is read-only; if it is berth's own folder, let BERTH_HOME name one that can be written"},
	{[]error{syscall.ENOLCK, syscall.ENOSYS},
		"that file system has no file locks, without which two instances could write one state; let BERTH_HOME name a folder on a local disk"},
	{[]error{syscall.ENOSPC, syscall.EDQUOT}, "make room on that disk; if it is that of berth's own folder, BERTH_HOME may also name one elsewhere"},
	{[]error{syscall.EMFILE}, "raise the limit of open files, as in: ulimit -n 1024"},
	{[]error{syscall.ENFILE}, "the whole machine has too many files open; end what holds them"},
}

// exitCode maps every error to a code: the only place that does.
func exitCode(err error) int {
	var coded *failure
	var inTheWay *serve.NotHandedOverError
	var refused *proxy.RefusedError // what an instance answered
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &coded) && coded.code != 0:
		return coded.code
	case errors.As(err, &inTheWay):
		return exitBusy
	case errors.As(err, &refused):
		return refused.Code.ExitCode()
	case errors.Is(err, proxy.ErrNotRunning):
		return exitNotRunning
	case errors.Is(err, proxy.ErrNoAnswer), errors.Is(err, portmap.ErrLocked), errors.Is(err, session.ErrStateLocked):
		return exitBusy
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFailed
	}
}

// quote is a word of the person's own as messages show it: bounded.
func quote(s string) string { return strconv.Quote(clip.Text(s, 60)) }
