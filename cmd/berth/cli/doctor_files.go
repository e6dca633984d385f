package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/portmap/homefile"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// examineHome checks that berth's directory is the user's alone: it holds the
// tokens of instances.
func (l *link) examineHome(e *examination) {
	if err := writable(l.home.Dir()); err != nil {
		e.problem(cmp.Or(hintOf(err), homeHint), "berth's folder %s cannot be written: %v", l.home.Dir(), err)
		return
	}
	for _, dir := range []string{l.home.Dir(), l.home.InstancesDir()} {
		info, err := os.Stat(dir)
		cause := homefile.CheckDir(dir)
		switch {
		case cause != nil:
			e.problem(cmp.Or(hintOf(cause), homeHint), "%v", cause)
		case errors.Is(err, fs.ErrNotExist):
			e.ok("%s is not there yet", dir)
		case err != nil:
			e.problem(cmp.Or(hintOf(err), homeHint), "%s cannot be looked at: %v", dir, err)
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
			e.problem("chmod 700 "+proxy.ShellWord(dir), "%s is open to other users (mode %04o)", dir, info.Mode().Perm())
		default:
			e.ok("%s", dir)
		}
	}
	if _, err := wire.ReadPersonKey(l.home.PersonKeyFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.problem("remove it: the next berth serve makes another", "%v", err)
	}
}

// homeHint is what to do about a folder of berth's that cannot be used.
const homeHint = "let BERTH_HOME name a folder of yours, on a local disk, that can be written"

// writable tries whether a folder that need not exist yet can be made, or
// written in: only trying says so. What it makes it removes.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		parent := filepath.Dir(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is not a folder", dir)
		case err == nil:
			probe, err := os.MkdirTemp(dir, ".berth-probe-")
			if err != nil {
				return err
			}
			return os.Remove(probe)
		case parent == dir:
			return err
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return err
		}
		dir = parent
	}
}

// examineMap checks that the map can be read, and locked.
func (l *link) examineMap(ctx context.Context, e *examination) {
	entries, err := l.store.Entries()
	if errors.Is(err, portmap.ErrBroken) {
		e.problem("the next berth serve sets it aside and continues with the entries that can be read", "%v", err)
		return
	}
	if err != nil {
		e.problem(cmp.Or(hintOf(err), "move it away: berth serve makes another, and keeps the ports that are reserved"), "%v", err)
		return
	}
	e.ok("%s lists %d %s", l.store.Path(), len(entries), plural(len(entries), "project", "projects"))
	if odd, err := l.store.OtherMembers(); err == nil && len(odd) > 0 {
		e.note("%s also has what is no entry of a project, and is left there: %s", l.store.Path(), quotedList(odd))
	}
	if _, err := os.Stat(filepath.Dir(l.store.Path())); err != nil {
		return // nothing has been written yet: locking would be the first to
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := l.store.Claimable(ctx); err != nil {
		e.problem(cmp.Or(hintOf(err), "end the process that holds it"), "%v", err)
		return
	}
	e.ok("the port map's lock is free")
}

// maxOddNames bounds how many names a line shows.
const maxOddNames = 5

func quotedList(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), maxOddNames)] {
		quoted = append(quoted, quote(name))
	}
	if len(names) > maxOddNames {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
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
		if p := l.lookAt(ctx, inst.ProjectRoot, port); p.State == stateLive {
			e.problem("restart it: berth stop --force "+proxy.ShellWord(inst.ProjectRoot),
				"process %d serves %s on port %d and is not in the map", inst.PID, inst.ProjectRoot, port)
			continue
		}
		e.ok("%s is left over from %s; the next instance on the port replaces it", path, inst.ProjectRoot)
	}
}

// examineState checks the state of the current project. With fix one that is
// damaged is moved aside; nothing of it is deleted.
func (l *link) examineState(e *examination, root string, fix bool) {
	dir := l.home.StateDir(root)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.ok("%s has no state yet", root)
		return
	case err != nil:
		e.problem(cmp.Or(hintOf(err), homeHint), "the state of %s cannot be looked at: %v", root, err)
		return
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		e.problem("chmod 700 "+proxy.ShellWord(dir), "%s is open to other users (mode %04o)", dir, info.Mode().Perm())
		return
	}
	switch pid, held, err := l.holder(root); {
	case fix && errors.Is(err, session.ErrDamaged):
		setStateAside(e, dir, err)
	case err != nil:
		e.problem(cmp.Or(hintOf(err), stateHint), "%v", err)
	case held:
		e.ok("%s holds the state of %s, in use by process %d", dir, root, pid)
	default:
		e.ok("%s holds the state of %s", dir, root)
	}
}

// stateHint is what to do about a state that cannot be opened.
const stateHint = "berth doctor --fix moves a damaged state aside and keeps it"

// setStateAside renames a state, so that a new one can be created.
func setStateAside(e *examination, dir string, damage error) {
	kept, err := session.SetAside(dir)
	if err != nil {
		e.problem(cmp.Or(hintOf(err), homeHint), "%v; and it cannot be moved aside: %v", damage, err)
		return
	}
	e.fixed("moved a damaged state aside: it is kept as %s, and the next berth serve begins with .berth/designs and the databases", kept)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
