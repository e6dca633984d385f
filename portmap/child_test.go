package portmap

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests that are about processes start this test binary again, as a child
// that does one thing to a port map. A child says "ready", waits for a line on
// its input, does it, says how it went, and stays until its input ends.

const (
	envDuty  = "PORTMAP_TEST_DUTY"
	envMap   = "PORTMAP_TEST_MAP"
	envRoot  = "PORTMAP_TEST_ROOT"
	envFirst = "PORTMAP_TEST_FIRST"
	envLast  = "PORTMAP_TEST_LAST"
)

// childWait bounds every wait for a child, on a machine that does much else.
const childWait = 90 * time.Second

func TestMain(m *testing.M) {
	duty, ok := duties[os.Getenv(envDuty)]
	if !ok {
		os.Exit(m.Run())
	}
	fmt.Println("ready")
	input := bufio.NewReader(os.Stdin)
	if _, err := input.ReadString('\n'); err != nil {
		os.Exit(3) // the parent is gone
	}
	duty(childStore(), os.Getenv(envRoot), func() { _, _ = io.Copy(io.Discard, input) })
}

var duties = map[string]func(s *Store, root string, untilInputEnds func()){
	"claim":       dutyClaim,
	"churn":       dutyChurn,
	"hold lock":   dutyHoldLock,
	"die halfway": dutyDieHalfway,
}

func childStore() *Store {
	first, _ := strconv.Atoi(os.Getenv(envFirst))
	last, _ := strconv.Atoi(os.Getenv(envLast))
	return NewStore(os.Getenv(envMap), &Options{FirstPort: first, LastPort: last})
}

// outcome is what a child says about its claim.
type outcome struct {
	Port  int
	Error string
}

func say(o outcome) {
	text, _ := json.Marshal(o)
	fmt.Println(string(text))
}

// dutyClaim claims a port and keeps it until its input ends; then it ends
// without a release, as a crash does.
func dutyClaim(s *Store, root string, untilInputEnds func()) {
	claim, err := s.Claim(context.Background(), root)
	if err != nil {
		say(outcome{Error: err.Error()})
		return
	}
	say(outcome{Port: claim.Port})
	untilInputEnds()
	_ = claim.Listener.Close()
}

// dutyChurn claims and releases until it is killed.
func dutyChurn(s *Store, root string, untilInputEnds func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { untilInputEnds(); cancel() }()
	for ctx.Err() == nil {
		claim, err := s.Claim(ctx, root)
		if err != nil {
			continue
		}
		_, _ = s.Release(ctx, root, claim.Port)
		_ = claim.Listener.Close()
	}
}

// dutyHoldLock takes the lock and keeps it until its input ends.
func dutyHoldLock(s *Store, _ string, untilInputEnds func()) {
	if _, err := s.lock(context.Background()); err != nil {
		say(outcome{Error: err.Error()})
		return
	}
	say(outcome{})
	untilInputEnds()
}

// dutyDieHalfway dies with the lock held, the new map written to its temporary
// file and not yet renamed.
func dutyDieHalfway(s *Store, root string, _ func()) {
	if _, err := s.lock(context.Background()); err != nil {
		say(outcome{Error: err.Error()})
		return
	}
	if _, err := writeTemp(s.path, []byte(`{"`+root+`": 1`)); err != nil {
		say(outcome{Error: err.Error()})
		return
	}
	self, _ := os.FindProcess(os.Getpid())
	_ = self.Kill()
	select {}
}

// child is a running child process.
type child struct {
	t      *testing.T
	cmd    *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
}

// start starts a child and waits until it is ready. The child does not
// outlive the test.
func start(t *testing.T, duty string, s *Store, root string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(),
		envDuty+"="+duty, envMap+"="+s.path, envRoot+"="+root,
		envFirst+"="+strconv.Itoa(s.opts.FirstPort), envLast+"="+strconv.Itoa(s.opts.LastPort))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	c := &child{t: t, cmd: cmd, input: input, output: bufio.NewReader(output)}
	overdue := time.AfterFunc(childWait, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		c.kill()
		overdue.Stop()
	})
	require.Equal(t, "ready", c.line(), "the child did not start")
	return c
}

// line is the next line the child says; "" once it is gone.
func (c *child) line() string {
	text, _ := c.output.ReadString('\n')
	return strings.TrimSpace(text)
}

// begin lets a child that is ready do its duty.
func (c *child) begin() {
	_, _ = io.WriteString(c.input, "\n") // a child that was killed reads no more
}

// outcome waits for what the child says about its duty; ok is false if it died
// before it said anything.
func (c *child) outcome() (o outcome, ok bool) {
	text := c.line()
	return o, json.Unmarshal([]byte(text), &o) == nil
}

// kill kills the child and waits until it is gone; again is harmless.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.input.Close()
	_ = c.cmd.Wait()
}
