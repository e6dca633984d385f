package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openPTY makes a terminal: what is written to keyboard is typed there.
func openPTY(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = keyboard.Close() })
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0))
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = screen.Close() })
	return keyboard, screen
}

// terminalInput is what a person types at a command's prompt. hangUp closes the
// terminal instead of typing.
type terminalInput struct {
	prompt, text string
	hangUp       bool
	then         *terminalInput // once more
}

// atTTY runs berth at a pseudo-terminal and returns its output.
func (w *world) atTTY(dir string, person terminalInput, args ...string) commandResult {
	w.t.Helper()
	return w.programAtTTY(dir, person, binary, args...)
}

// programAtTTY is atTTY for another program.
func (w *world) programAtTTY(dir string, person terminalInput, program string, args ...string) commandResult {
	w.t.Helper()
	keyboard, screen := openPTY(w.t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = append(w.env, "TERM=xterm"), dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(w.t, cmd.Start())
	_ = screen.Close()
	var seen bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() {
		buf, next := make([]byte, 4096), &person
		for {
			n, err := keyboard.Read(buf)
			seen.Write(buf[:n])
			if next != nil && next.prompt != "" && strings.Contains(seen.String(), next.prompt) {
				if next.hangUp {
					_ = keyboard.Close()
				} else {
					_, _ = io.WriteString(keyboard, next.text+"\n")
				}
				next = next.then
			}
			if err != nil {
				return // the terminal is gone with its last process
			}
		}
	})
	_ = cmd.Wait() // its exit code counts
	reading.Wait()
	require.NoError(w.t, ctx.Err(), "%s %s did not end: %s", filepath.Base(program), strings.Join(args, " "), seen.String())
	return commandResult{stdout: seen.String(), code: cmd.ProcessState.ExitCode()}
}

// atTerminal is an agent that runs berth without a terminal and a person who
// decides at one.
var atTerminal = func(s *scene) {
	decide := func(id, flag, answer string) commandResult {
		return s.atTTY(s.guardedAction.root, terminalInput{prompt: "? [y/N] ", text: answer}, "approvals", flag, id)
	}
	s.play(planFlow{
		call: func(args map[string]any) string {
			text, err := json.Marshal(args)
			require.NoError(s.t, err)
			got := s.berthIn(s.guardedAction.root, "call", s.guardedAction.tool, string(text))
			return got.stdout + got.stderr
		},
		decide: func(id, decision string) bool {
			got := decide(id, "--"+decision, "y")
			if got.code == 0 {
				assert.Contains(s.t, got.stdout, "\x1b[", "what is decided stands out")
			}
			return got.code == 0
		},
		dismiss: func(id string) {
			got := decide(id, "--approve", "approve")
			assert.Equal(s.t, 3, got.code, "only a yes: %s", got.stdout)
		},
		garble: func(id string) {
			got := s.atTTY(s.guardedAction.root, terminalInput{prompt: "Approve? ", hangUp: true}, "approvals", "--approve", id)
			assert.NotZero(s.t, got.code, got.stdout)
		},
	})
}

func TestAtATerminalBerthCallAsksThePersonItself(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{"y": 1, "n": 0, "": 0, "yes please": 0} {
		w := newWorld(t)
		d := statement(t, w, "sqlite")
		w.serve(d.root)
		got := w.atTTY(d.root, terminalInput{prompt: "Approve? [y/N] ", text: answer}, "call", d.tool, `{"statement":"`+d.args["statement"].(string)+`"}`)
		assert.Contains(t, got.stdout, d.args["statement"], "it is shown before it is asked about")
		assert.Equal(t, want, d.done(), "after %q: %s", answer, got.stdout)
	}
}

func TestACodeIsPrintedAtATerminalAndNowhereElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.serve(root)
	got := w.atTTY(root, terminalInput{}, "open", "--print")
	assert.Zero(t, got.code, got.stdout)
	assert.Contains(t, got.stdout, "#code=")
	piped := w.berthIn(root, "open", "--print")
	assert.Equal(t, 3, piped.code)
	assert.NotContains(t, piped.stdout+piped.stderr, "#code=")
}

func TestADecisionAtATerminalLeavesNoKeyBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := statement(t, w, "sqlite")
	in := w.serve(d.root)
	s := &scene{world: w, t: t, guardedAction: d, in: in}
	id := planID.FindStringSubmatch(s.post(d.tool, d.args))[1]
	got := w.atTTY(d.root, terminalInput{prompt: "Reject? ", text: "y"}, "approvals", "--reject", id)
	require.Zero(t, got.code, got.stdout)
	_, keys := request(t, in, "GET", "/keys", "", map[string]string{"Authorization": "Bearer " + w.token(in)})
	assert.JSONEq(t, `{"keys":[]}`, keys)
}
