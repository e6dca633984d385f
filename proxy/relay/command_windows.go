package relay

import (
	"os/exec"
	"syscall"
)

// closesFirst reports whether closing a pipe ends a read of it. Here closing
// waits for the read, so the command is killed first.
const closesFirst = false

// ownGroup gives the command a process group of its own: Ctrl-C does not reach
// it, and no window opens for it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
