//go:build unix

package relay

import (
	"os/exec"
	"syscall"
)

// closesFirst reports whether closing a pipe ends a read of it.
const closesFirst = true

// ownGroup gives the command a process group of its own: what a terminal sends
// to an agent (Ctrl-C) does not reach it, and it ends with all that it started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
