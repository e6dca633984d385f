//go:build unix

package autostart

import (
	"os/exec"
	"syscall"
)

// detach gives the process a session of its own: no terminal's Ctrl-C and no
// closing window reaches it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
