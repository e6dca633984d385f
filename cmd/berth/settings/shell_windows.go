package settings

import (
	"context"
	"os/exec"
	"syscall"
)

// shell runs a command line as a terminal would. cmd.exe has quoting rules of
// its own, so it gets the line as it stands.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /S /C "` + command + `"`, HideWindow: true}
	return cmd
}
