package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/wire"
)

// kill ends the process that holds the project's state, which is what serves
// it, and clears away what it leaves.
func (l *link) kill(ctx context.Context, root string) error {
	holder, held, _ := l.holder(root) // a damaged state is held by nobody
	switch {
	case !held:
		return notRunning(root)
	case holder == 0:
		return &failure{code: exitRefused, text: "another process holds the state of " + root + " and does not say which it is",
			hint: "find it by its lock: " + l.home.StateDir(root)}
	}
	port, _, err := l.store.Lookup(root)
	if err != nil {
		return err
	}
	inst, readErr := wire.ReadInstance(l.home.InstanceFile(port))
	if readErr == nil && inst.ProjectRoot == root {
		if err := sameProcess(inst, holder); err != nil {
			return &failure{code: exitRefused, text: fmt.Sprintf("process %d is not ended", holder), cause: err,
				hint: "look at it, and end it by hand if it is berth"}
		}
	}
	if err := killProcess(holder); err != nil {
		return fmt.Errorf("end process %d: %w", holder, err)
	}
	if err := l.awaitFree(ctx, root); err != nil {
		return fmt.Errorf("process %d was told to end and has not: %w", holder, err)
	}
	if readErr == nil && inst.ProjectRoot == root {
		if _, err := wire.RemoveInstance(l.home.InstanceFile(port), inst); err != nil {
			return err
		}
	}
	_, err = l.store.Release(ctx, root, port)
	return err
}

// sameProcess reports why a process cannot be the one that wrote the instance
// file, as far as the system tells: its number may belong to another by now.
func sameProcess(inst wire.Instance, holder int) error {
	if inst.PID != holder {
		return fmt.Errorf("the instance file names process %d", inst.PID)
	}
	started, ok := processStart(holder)
	if ok && started.After(inst.StartedAt.Add(startSlack)) {
		return errors.New("it started after the instance did")
	}
	return nil
}

// startSlack is how far the system's clock of process starts may be off.
const startSlack = 3 * time.Second

func killProcess(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// holder is the process that holds a project's state, 0 if it does not say.
// Only the lock counts: a file that names a process may be older than it. The
// error is why a state that nobody holds cannot be opened.
func (l *link) holder(root string) (pid int, held bool, err error) {
	dir := l.home.StateDir(root)
	if _, err := os.Stat(dir); err != nil {
		return 0, false, nil
	}
	state, err := session.OpenStore(dir)
	if err == nil {
		return 0, false, state.Close()
	}
	var locked *session.LockedError
	if errors.As(err, &locked) {
		return locked.PID, true, nil
	}
	return 0, false, err
}

// awaitFree waits until no process holds the project's state.
func (l *link) awaitFree(ctx context.Context, root string) error {
	return awaitEnd(ctx, func() bool { _, held, _ := l.holder(root); return !held })
}

// stillThere reports whether the process that wrote the instance file is
// there, as far as the system tells: its number may belong to another by now.
func stillThere(inst wire.Instance) bool {
	started, ok := processStart(inst.PID)
	return ok && !started.After(inst.StartedAt.Add(startSlack))
}
