package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A yard is a place of its own for real berth processes: a project and a
// berth home.
type yard struct {
	t    *testing.T
	root string
	env  []string
}

func newYard(t *testing.T, config string) *yard {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	y := &yard{t: t, root: filepath.Join(dir, "project")}
	require.NoError(t, os.MkdirAll(filepath.Join(y.root, ".berth"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(y.root, ".berth", "config.yaml"), []byte(config), 0o644))
	require.NoError(t, makeDatabase(filepath.Join(y.root, "app.db"), "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)"))
	first, err := freePort()
	require.NoError(t, err)
	y.env = append(os.Environ(), "BERTH_HOME="+filepath.Join(dir, "home"),
		"BERTH_FIRST_PORT="+strconv.Itoa(first), "SOME_API_KEY=secret", "DB_FILE=app.db", "GORACE="+raceOptions, "BERTH_PROOF_TIMEOUT="+busyMachine)
	t.Cleanup(func() { y.run("stop", "--force", y.root) })
	return y
}

// own writes the user's own settings.
func (y *yard) own(text string) {
	y.t.Helper()
	home := filepath.Join(filepath.Dir(y.root), "home")
	require.NoError(y.t, os.MkdirAll(home, 0o700))
	require.NoError(y.t, os.WriteFile(filepath.Join(home, "config.yaml"), []byte(text), 0o600))
}

func (y *yard) command(args ...string) *exec.Cmd {
	cmd := exec.Command("berth", args...)
	cmd.Dir, cmd.Env = y.root, y.env
	return cmd
}

// run runs one command to its end.
func (y *yard) run(args ...string) (out string, err error) {
	text, err := y.command(args...).CombinedOutput()
	return string(text), err
}

// serve starts an instance and returns what it announces.
func (y *yard) serve(args ...string) (*exec.Cmd, announcement) {
	y.t.Helper()
	cmd := y.command(append([]string{"serve", "--json"}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(y.t, err)
	require.NoError(y.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(y.t, err)
	var a announcement
	require.NoError(y.t, json.Unmarshal(line, &a), string(line))
	return cmd, a
}

type announcement struct {
	ProjectRoot string
	Port, PID   int
	Error       string
}

func (y *yard) list() []announcement {
	y.t.Helper()
	out, err := y.run("ls", "--json")
	require.NoError(y.t, err, out)
	var list []struct {
		announcement
		State string
	}
	require.NoError(y.t, json.Unmarshal([]byte(out), &list), out)
	var live []announcement
	for _, e := range list {
		if e.State == "live" {
			live = append(live, e.announcement)
		}
	}
	return live
}

func TestOfManyInstancesThatStartAtOnceOneServes(t *testing.T) {
	const many = 4
	y := newYard(t, "")
	ended := make(chan error, many)
	for range many {
		cmd := y.command("serve", "--json")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		require.NoError(t, cmd.Start())
		go func() {
			err := cmd.Wait()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, &said)
			}
			ended <- err
		}()
	}
	for range many - 1 {
		select {
		case err := <-ended:
			assert.NoError(t, err, "it handed over")
		case <-time.After(2 * time.Minute):
			t.Fatal("not all but one ended")
		}
	}
	var live []announcement
	require.Eventually(t, func() bool { live = y.list(); return len(live) == 1 }, time.Minute, 5*time.Millisecond)
	assert.Contains(t, y.env, "BERTH_FIRST_PORT="+strconv.Itoa(live[0].Port), "the port stayed the same")
	out, err := y.run("stop")
	require.NoError(t, err, out)
	require.NoError(t, <-ended)
}

func TestOfManyThatAreToLeaveAnInstanceAloneOneServes(t *testing.T) {
	const many = 4
	y := newYard(t, "")
	said := make(chan announcement, many)
	for range many {
		go func() {
			_, a := y.serve("--unless-running")
			said <- a
		}()
	}
	first := <-said
	require.NotZero(t, first.PID)
	for range many - 1 {
		assert.Equal(t, first, <-said)
	}
	assert.Len(t, y.list(), 1)
}

func TestAnIdleInstanceEndsByItself(t *testing.T) {
	y := newYard(t, "")
	cmd, _ := y.serve("--idle", "700ms")
	require.NoError(t, cmd.Wait())
	out, err := y.run("ls", "--json")
	require.NoError(t, err)
	assert.Equal(t, "[]", strings.TrimSpace(out))
}

func TestWatchingFollowsInstances(t *testing.T) {
	t.Parallel()
	y := newYard(t, "")
	watch := y.command("ls", "--json", "--watch")
	out, err := watch.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, watch.Start())
	defer func() {
		require.NoError(t, watch.Process.Kill())
		require.Error(t, watch.Wait())
	}()
	lines := bufio.NewScanner(out)
	until := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the list ended before %s", part)
	}
	until("[]")
	cmd, _ := y.serve()
	until(`"state":"live"`)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	until(`"state":"stale"`)
	text, err := y.run("doctor", "--fix")
	require.NoError(t, err, text)
	until("[]")
}

func TestAnInstanceEndsWithItsLifeline(t *testing.T) {
	y := newYard(t, "")
	cmd := y.command("serve", "--stdin-lifeline")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	assert.Contains(t, lines.Text(), "serving "+y.root)
	require.NoError(t, in.Close())
	require.True(t, lines.Scan())
	assert.Equal(t, "stopped serving "+y.root+": interrupted", lines.Text())
	require.NoError(t, cmd.Wait())
}
