package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// examineHome checks that berth's directory is the user's alone: it holds the
// tokens of instances.
func (l *link) examineHome(e *examination) {
	for _, dir := range []string{l.home.Dir(), l.home.InstancesDir()} {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e.ok("%s is not there yet", dir)
		case err != nil:
			e.problem("", "%s cannot be looked at: %v", dir, err)
		case !info.IsDir():
			e.problem("move it away", "%s is not a directory", dir)
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
			e.problem("chmod 700 "+proxy.ShellWord(dir), "%s is open to other users (mode %04o)", dir, info.Mode().Perm())
		default:
			e.ok("%s", dir)
		}
	}
}

// examineMap checks that the map can be read, and locked.
func (l *link) examineMap(ctx context.Context, e *examination) {
	entries, err := l.store.Entries()
	if errors.Is(err, portmap.ErrBroken) {
		e.problem("the next berth serve sets it aside and starts a new one", "%v", err)
		return
	}
	if err != nil {
		e.problem("", "%v", err)
		return
	}
	e.ok("%s lists %d %s", l.store.Path(), len(entries), plural(len(entries), "project", "projects"))
	if _, err := os.Stat(filepath.Dir(l.store.Path())); err != nil {
		return // nothing has been written yet: locking would be the first to
	}
	// Giving back what no project has changes nothing but needs the lock.
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := l.store.Release(ctx, "", 0); err != nil {
		e.problem("end the process that holds it", "%v", err)
		return
	}
	e.ok("the port map's lock is free")
}

// examineLeftovers finds the files of instances that are not in the map. They
// harm nobody: a token of a dead instance opens nothing.
func (l *link) examineLeftovers(ctx context.Context, e *examination) {
	files, err := os.ReadDir(l.home.InstancesDir())
	if err != nil {
		return // examineHome has said why
	}
	for _, file := range files {
		port, err := strconv.Atoi(strings.TrimSuffix(file.Name(), ".json"))
		if err != nil {
			continue // a temporary file, or not ours
		}
		path := filepath.Join(l.home.InstancesDir(), file.Name())
		inst, err := wire.ReadInstance(path)
		if err != nil {
			e.problem("remove it", "%v", err)
			continue
		}
		if named, ok, err := l.store.Lookup(inst.ProjectRoot); err == nil && ok && named == port {
			continue // examineEntries looks at it
		}
		p := project{ProjectRoot: inst.ProjectRoot, Port: port}
		if l.lookAt(ctx, &p); p.State == stateLive {
			e.problem("restart it: berth stop --force "+proxy.ShellWord(inst.ProjectRoot),
				"process %d serves %s on port %d and is not in the map", inst.PID, inst.ProjectRoot, port)
			continue
		}
		e.ok("%s is left over from %s; the next instance on the port replaces it", path, inst.ProjectRoot)
	}
}

// examineState checks the state of the current project.
func (l *link) examineState(e *examination, root string) {
	dir := l.home.StateDir(root)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.ok("%s has no state yet", root)
		return
	case err != nil:
		e.problem("", "the state of %s cannot be looked at: %v", root, err)
		return
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		e.problem("chmod 700 "+proxy.ShellWord(dir), "%s is open to other users (mode %04o)", dir, info.Mode().Perm())
		return
	}
	switch pid, held, err := l.holder(root); {
	case err != nil:
		e.problem(hintOf(err), "%v", err)
	case held:
		e.ok("%s holds the state of %s, in use by process %d", dir, root, pid)
	default:
		e.ok("%s holds the state of %s", dir, root)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
