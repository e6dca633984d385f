package enginetest

import (
	"bufio"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// childVariable is the environment variable that makes a test binary a child.
// Its value is the path of the job.
const childVariable = "BERTH_TEST_PUBLISH"

// stepPrefix begins a line of the child that reports a step; the child then
// waits for a line before it continues.
const stepPrefix = "berth-step "

// event is a moment of a publish: a step is about to run, or has run.
type event struct {
	step int
	done bool
}

func (e event) String() string {
	if e.done {
		return fmt.Sprintf("after step %d", e.step+1)
	}
	return fmt.Sprintf("before step %d", e.step+1)
}

// job is what a child publishes.
type job struct {
	DSN  string
	Plan designer.Plan
}

// runChild publishes, in the child, and waits for leave at each event.
func runChild(t *testing.T, target Target, path string) {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var j job
	require.NoError(t, gob.NewDecoder(f).Decode(&j))
	db, err := target.Server.Open(j.DSN)
	require.NoError(t, err)
	defer db.Close()
	leave := bufio.NewReader(os.Stdin)
	ctx := engine.WithGuard(context.Background(), designer.Guard{Holder: "ann"})
	err = target.Engine.Publish(ctx, db, j.Plan, 0, func(step int, done bool) error {
		fmt.Printf("%s%d %t\n", stepPrefix, step, done)
		_, err := leave.ReadString('\n')
		return err
	})
	require.NoError(t, err)
}

// child is a process that publishes.
type child struct {
	t     testing.TB
	cmd   *exec.Cmd
	leave io.Writer
	lines *bufio.Scanner
	said  []string
}

// startChild starts another process that publishes the plan to the bench's
// database.
func startChild(t *testing.T, b *bench, plan designer.Plan) *child {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, gob.NewEncoder(f).Encode(job{DSN: b.dsn, Plan: plan}))
	require.NoError(t, f.Close())
	ctx, cancel := patiently()
	t.Cleanup(cancel)
	test, _, _ := strings.Cut(t.Name(), "/")
	c := &child{t: t, cmd: exec.CommandContext(ctx, os.Args[0], "-test.run=^"+test+"$", "-test.count=1")}
	c.cmd.Env = append(os.Environ(), childVariable+"="+path)
	c.cmd.WaitDelay = time.Second
	in, err := c.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	c.cmd.Stderr = c.cmd.Stdout
	require.NoError(t, c.cmd.Start())
	c.leave, c.lines = in, bufio.NewScanner(out)
	return c
}

// next waits for the child's next event; ok is false where it has ended.
func (c *child) next() (e event, ok bool) {
	for c.lines.Scan() {
		line := c.lines.Text()
		c.said = append(c.said, line)
		if _, err := fmt.Sscanf(line, stepPrefix+"%d %t", &e.step, &e.done); err == nil {
			return e, true
		}
	}
	return event{}, false
}

// goOn lets the child run to its next event.
func (c *child) goOn() {
	c.t.Helper()
	_, err := io.WriteString(c.leave, "\n")
	require.NoError(c.t, err)
}

// killAt lets the child run up to an event and kills it there.
func (c *child) killAt(at event) {
	c.t.Helper()
	for {
		e, ok := c.next()
		if !ok {
			_ = c.cmd.Wait()
			require.FailNow(c.t, "the child ended before "+at.String(), "%s", strings.Join(c.said, "\n"))
		}
		if e == at {
			c.kill()
			return
		}
		c.goOn()
	}
}

func (c *child) kill() {
	c.t.Helper()
	require.NoError(c.t, c.cmd.Process.Kill())
	_ = c.cmd.Wait() // it was killed, which is no success
}
