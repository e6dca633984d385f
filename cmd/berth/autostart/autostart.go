// Package autostart starts the instance of a project because an agent named
// it. It decides which folders may be started so: docs/autostart.md says it to
// users.
//
// Start with [New].
package autostart

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// idle is how long an instance that nobody asked for by name stays,
// where the settings do not say.
const idle = "30m"

// maxReadyBytes bounds the line an instance announces itself with.
const maxReadyBytes = 64 << 10

// Options are what starting an instance takes of the process that asks for it.
// Every field is required.
type Options struct {
	Home       portmap.Home
	LookupEnv  func(name string) (string, bool)
	Environ    func() []string        // NAME=value
	Executable func() (string, error) // the berth that is started
}

// New returns what starts a project's instance: detached, so that it outlives
// the agent, and with few variables of its environment, because an agent's
// environment holds its API keys. The function returns when the instance is
// ready, or with the instance's own words for why it is not.
func New(opts Options) func(ctx context.Context, root string) error {
	store := portmap.NewStore(opts.Home.MapFile(), nil)
	return func(ctx context.Context, root string) error {
		if err := mayAutostart(store, root, userHome(opts.LookupEnv)); err != nil {
			return err
		}
		return opts.start(ctx, root, idle)
	}
}

// Start starts the instance of a project that a person chose, whatever folder it
// is, as the function of [New] does. Where the settings do not say, the instance
// ends after it was not used or held for so long.
func Start(ctx context.Context, opts Options, root string, idle time.Duration) error {
	return opts.start(ctx, root, idle.String())
}

func (o Options) start(ctx context.Context, root, idle string) error {
	cmd, err := o.command(root, idle)
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return awaitReady(ctx, cmd, out)
}

// command is the berth serve of a project.
func (o Options) command(root, idle string) (*exec.Cmd, error) {
	set, err := settings.Load(root, trust.Sources(o.Home, root, o.LookupEnv))
	if err != nil {
		return nil, err
	}
	program, err := o.Executable()
	if err != nil {
		return nil, fmt.Errorf("find berth: %w", err)
	}
	args := []string{"serve", "--json", "--json-errors", "--unless-running"}
	if !set.Sets("idleTimeout") {
		args = append(args, "--idle", idle)
	}
	cmd := exec.Command(program, append(args, root)...)
	cmd.Dir = root
	cmd.Env = allowedEnv(o.Environ(), set.Variables())
	detach(cmd)
	return cmd, nil
}

// userHome is the user's home folder; "": it is not known.
func userHome(lookupEnv func(string) (string, bool)) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	home, _ := lookupEnv(name)
	return home
}

// awaitReady waits for the first line of an instance. The goroutine then
// waits for the process, which would otherwise stay as a zombie; it ends with
// the instance or with this process.
func awaitReady(ctx context.Context, cmd *exec.Cmd, out io.Reader) error {
	first := make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(io.LimitReader(out, maxReadyBytes)).ReadBytes('\n')
		first <- readReady(line, err)
		_ = cmd.Wait() // how it ends later is nobody's business here
	}()
	select {
	case err := <-first:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notStarted is the instance's own words for why it does not start.
type notStarted struct{ said wire.NotServed }

func (e *notStarted) Error() string { return e.said.Error }

// Hint is what a person can do about it.
func (e *notStarted) Hint() string { return e.said.Hint }

// readReady reads the line that berth serve --json --json-errors prints.
func readReady(line []byte, err error) error {
	if err != nil {
		return errors.New("berth serve ended without a word; see the log file")
	}
	var said struct {
		wire.Served
		wire.NotServed
	}
	if err := wire.Decode(line, wire.MaxDepth, maxReadyBytes, &said); err != nil {
		return fmt.Errorf("read what berth serve says: %w", err)
	}
	if said.Error != "" {
		return &notStarted{said.NotServed}
	}
	return nil
}

// allowedEnv picks the variables that an instance needs out of environ.
func allowedEnv(environ, named []string) []string {
	var list []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if isAllowed(name) || slices.Contains(named, name) {
			list = append(list, entry)
		}
	}
	return list
}

// isAllowed reports whether every instance gets a variable. Names are
// compared without case: Windows writes Path and SystemRoot.
func isAllowed(name string) bool {
	name = strings.ToUpper(name)
	switch name {
	case "PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LANG",
		"XDG_CONFIG_HOME", "APPDATA": // where berth's own directory is
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "BERTH_")
}
