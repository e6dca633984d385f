//go:build !windows

package settings

import (
	"context"
	"os/exec"
)

// shell runs a command line as a terminal would.
func shell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}
