package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/cmd/berth/self"
)

// Bounds of a password command.
const (
	passwordWait  = 30 * time.Second // a person may have to unlock a store
	passwordBytes = 4 << 10
)

// runPasswordCommand runs a command in the system's shell and returns what it
// prints, without the end of its last line. What it says besides is dropped:
// it may repeat the secret.
func runPasswordCommand(ctx context.Context, command, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, passwordWait)
	defer cancel()
	out := &limitedBuffer{}
	cmd := shell(ctx, command)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = dir, out, io.Discard, withOwnFolder(os.Environ())
	cmd.WaitDelay = time.Second // what it started may hold its pipes open
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("passwordCommand did not end in time: %w", ctx.Err())
	case out.over:
		return "", fmt.Errorf("passwordCommand printed more than %d bytes", passwordBytes)
	case errors.As(err, &exit):
		return "", fmt.Errorf("passwordCommand ended with exit code %d; run it in a terminal to see why", exit.ExitCode())
	case err != nil:
		return "", errors.New("passwordCommand could not be run")
	}
	password := strings.TrimSuffix(strings.TrimSuffix(out.text.String(), "\n"), "\r")
	if password == "" {
		return "", errors.New("passwordCommand printed nothing")
	}
	return password, nil
}

// withOwnFolder is env with this program's folder last on the path, so that
// "berth password" is found also where that is not on it.
func withOwnFolder(env []string) []string {
	program, err := self.Path()
	if err != nil {
		return env
	}
	return append(env, "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(program)) // the last of a name counts
}

// limitedBuffer keeps at most passwordBytes, and refuses more, which ends who
// writes them.
type limitedBuffer struct {
	text bytes.Buffer
	over bool
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if l.text.Len()+len(p) > passwordBytes {
		l.over = true
		return 0, errors.New("too long")
	}
	return l.text.Write(p)
}
