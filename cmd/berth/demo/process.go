package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// readyLine is what `berth serve --json` prints once it serves.
type readyLine struct {
	ProjectRoot string `json:"projectRoot"`
	Port        int    `json:"port"`
	URL         string `json:"url"`
	PID         int    `json:"pid"`
}

// instance is one running `berth serve`.
type instance struct {
	ready readyLine
	cmd   *exec.Cmd
	gone  chan error // receives cmd.Wait's answer, once
}

// startTimeout bounds the wait for an instance to say that it serves. It is
// generous: a busy laptop's first start reads a cold disk.
const startTimeout = 20 * time.Second

// startInstance runs `berth serve root --json` as a process of its own and
// returns when it is ready to serve.
func startInstance(ctx context.Context, exe string, env []string, root string) (*instance, error) {
	cmd := exec.Command(exe, "serve", root, "--json")
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start instance of %s: %w", root, err)
	}
	var complaint tail
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start instance of %s: %w", root, err)
	}
	in := &instance{cmd: cmd, gone: make(chan error, 1)}
	first := make(chan []byte, 1)
	go func() {
		r := bufio.NewReader(out)
		line, _ := r.ReadBytes('\n')
		first <- line
		_, _ = io.Copy(io.Discard, r)
		in.gone <- cmd.Wait()
	}()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	select {
	case line := <-first:
		if err := json.Unmarshal(line, &in.ready); err != nil {
			in.stop()
			return nil, fmt.Errorf("instance of %s did not start: %s", root, complaint.String())
		}
		return in, nil
	case <-ctx.Done():
		in.stop()
		return nil, fmt.Errorf("instance of %s not ready: %w", root, ctx.Err())
	}
}

// stop ends the instance the way Ctrl-C does and waits for it; one that will
// not go within five seconds is killed.
func (in *instance) stop() {
	if err := in.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		_ = in.cmd.Process.Kill() // Windows has no SIGTERM
	}
	select {
	case <-in.gone:
	case <-time.After(5 * time.Second):
		_ = in.cmd.Process.Kill()
		<-in.gone
	}
}

// tail keeps the last kilobyte written to it, for an error message.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - 1024; over > 0 {
		t.b = t.b[over:]
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.b) }
