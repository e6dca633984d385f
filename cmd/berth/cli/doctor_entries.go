package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

// examineEntries looks at every entry of the map, and with fix removes those
// of instances that are gone.
func (l *link) examineEntries(ctx context.Context, e *examination, fix bool) {
	list, err := l.projects(ctx)
	if err != nil {
		return // examineMap has said why
	}
	for _, p := range list {
		switch p.State {
		case stateLive:
			examineLive(e, p)
		case stateStale:
			l.examineStale(ctx, e, p, fix)
		case stateNotAnswering:
			e.problem("if it stays so, end it with: berth stop --force "+proxy.ShellWord(p.ProjectRoot),
				"what listens on port %d of %s accepts connections and does not answer (process %s)", p.Port, p.ProjectRoot, cell(p.PID, strconv.Itoa))
		default:
			e.problem("see what listens there; the next berth serve takes another port",
				"port %d of %s is held by a process that is not its instance", p.Port, p.ProjectRoot)
		}
	}
}

// examineLive reports an instance, and one that outlived its directory.
func examineLive(e *examination, p project) {
	if _, err := os.Stat(p.ProjectRoot); errors.Is(err, fs.ErrNotExist) {
		e.problem("bring it back, or wait a minute: the instance ends by itself; or: berth stop "+proxy.ShellWord(p.ProjectRoot),
			"process %d serves %s on port %d, and that directory is gone", *p.PID, p.ProjectRoot, p.Port)
		return
	}
	e.ok("%s is served on port %d by process %d", p.ProjectRoot, p.Port, *p.PID)
}

func (l *link) examineStale(ctx context.Context, e *examination, p project, fix bool) {
	if !fix {
		e.problem("remove the entry with berth doctor --fix, or serve the project again",
			"%s is in the map with port %d, and nothing listens there", p.ProjectRoot, p.Port)
		return
	}
	if err := l.removeStale(ctx, p); err != nil {
		e.problem(cmp.Or(hintOf(err), "try again, or serve the project, which takes the entry over"), "the entry of %s stays: %v", p.ProjectRoot, err)
		return
	}
	e.fixed("removed the entry of %s, port %d", p.ProjectRoot, p.Port)
}

// removeStale removes an entry while it holds the project's state, which an
// instance takes before it claims a port: so none can be starting meanwhile.
func (l *link) removeStale(ctx context.Context, p project) error {
	dir := l.home.StateDir(p.ProjectRoot)
	if _, err := os.Stat(dir); err == nil {
		state, err := session.OpenStore(dir)
		if err != nil {
			return err
		}
		defer state.Close()
	}
	if p = l.lookAt(ctx, p.ProjectRoot, p.Port); p.State != stateStale {
		return fmt.Errorf("it is %s now", p.State)
	}
	if _, err := l.store.Release(ctx, p.ProjectRoot, p.Port); err != nil {
		return err
	}
	path := l.home.InstanceFile(p.Port)
	inst, err := wire.ReadInstance(path)
	if err != nil || inst.ProjectRoot != p.ProjectRoot {
		return nil // none, or another project's
	}
	_, err = wire.RemoveInstance(path, inst)
	return err
}
