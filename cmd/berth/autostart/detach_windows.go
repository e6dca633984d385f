package autostart

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives the process no console and a group of its own: no Ctrl-C and
// no closing window reaches it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
	}
}
