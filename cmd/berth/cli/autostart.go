package cli

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

	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// autostartIdle is how long an instance that nobody asked for by name stays,
// where the settings do not say.
const autostartIdle = "30m"

// maxReadyBytes bounds the line an instance announces itself with.
const maxReadyBytes = 64 << 10

// starter returns what starts a project's instance: detached, so that it
// outlives the agent, and with few variables of its environment, because an
// agent's environment holds its API keys. It returns when the instance is
// ready, or with the instance's own words for why it is not.
func (a *app) starter(home portmap.Home) func(ctx context.Context, root string) error {
	store := portmap.NewStore(home.MapFile(), nil)
	return func(ctx context.Context, root string) error {
		if err := mayAutostart(store, root, userHome(a.sys.getenv)); err != nil {
			return err
		}
		set, err := a.settings(home, root)
		if err != nil {
			return err
		}
		program, err := a.sys.Executable()
		if err != nil {
			return fmt.Errorf("find berth: %w", err)
		}
		args := []string{"serve", "--json", "--json-errors", "--unless-running"}
		if !set.Sets("idleTimeout") {
			args = append(args, "--idle", autostartIdle)
		}
		cmd := exec.Command(program, append(args, root)...)
		cmd.Dir = root
		cmd.Env = allowedEnv(a.sys.Environ(), set.Variables())
		detach(cmd)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return fmt.Errorf("start %s: %w", program, err)
		}
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("start %s: %w", program, err)
		}
		return awaitReady(ctx, cmd, out)
	}
}

// userHome is the user's home folder; "": it is not known.
func userHome(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		return getenv("USERPROFILE")
	}
	return getenv("HOME")
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

// readReady reads the line that berth serve --json --json-errors prints.
func readReady(line []byte, err error) error {
	if err != nil {
		return errors.New("berth serve ended without a word; see the log file")
	}
	var said struct {
		serve.Ready
		failedLine
	}
	if err := wire.Decode(line, wire.MaxDepth, maxReadyBytes, &said); err != nil {
		return fmt.Errorf("read what berth serve says: %w", err)
	}
	if said.Error != "" {
		return &failure{text: said.Error, hint: said.Hint}
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
