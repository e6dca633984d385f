package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/proxy"
)

func newStop(a *app) *cobra.Command {
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "stop [DIR]",
		Short: "Stop serving a project",
		Long: `Ask the instance of the project at DIR (the working directory unless given) to
end: it finishes its calls, and its port is kept for it.

--force ends a process that does not answer, after making sure that it is the
one that serves the project. Nothing acknowledged is lost.`,
		Example: `  berth stop
  berth stop --force ~/src/app`,
		Args:              upTo(1),
		ValidArgsFunction: a.runningProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.link(nil)
			if err != nil {
				return err
			}
			defer l.close()
			root, err := a.servedRoot(l, args)
			if err != nil {
				return err
			}
			if err := l.stop(cmd.Context(), root, force); err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.sys.Stdout, stopReport{root, true})
			}
			_, err = fmt.Fprintf(a.sys.Stdout, "stopped %s\n", root)
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "end a process that does not answer")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// stopReport is what berth stop --json prints.
type stopReport struct {
	ProjectRoot string `json:"projectRoot"`
	Stopped     bool   `json:"stopped"`
}

// servedRoot is root, but that it also takes a directory that is gone while
// the map has it: its instance may run on and has to be ended somehow.
func (a *app) servedRoot(l *link, args []string) (string, error) {
	dir, err := a.dir(args)
	if err != nil {
		return "", err
	}
	dir = filepath.Clean(dir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if _, ok, err := l.store.Lookup(dir); err == nil && ok {
			return dir, nil
		}
	}
	return a.root(args)
}

// Waits of berth stop.
const (
	stopWait  = 8 * time.Second // for calls in flight and the rest of a clean end
	forceWait = 2 * time.Second // the same where force follows
	endWait   = 3 * time.Second // for a process that was killed, or is about to exit
	endPause  = 10 * time.Millisecond
)

func (l *link) stop(ctx context.Context, root string, force bool) error {
	wait := stopWait
	if force {
		wait = forceWait
	}
	asking, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	err := l.ask(asking, root, http.MethodPost, "/shutdown", nil)
	switch {
	case err == nil:
		l.awaitGone(ctx, root)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case force:
		return l.kill(ctx, root)
	case asking.Err() != nil:
		return &failure{code: exitBusy, text: "the instance of " + root + " does not end", hint: "end it with: berth stop --force " + proxy.ShellWord(root)}
	}
	return err
}

// awaitGone waits until the entry is given back, so that a look at the map
// right after finds none.
func (l *link) awaitGone(ctx context.Context, root string) {
	_ = awaitEnd(ctx, func() bool { // at the latest when it is no longer worth waiting
		_, ok, err := l.store.Lookup(root)
		return err != nil || !ok
	})
}

// awaitEnd waits until ended reports true, for at most endWait.
func awaitEnd(ctx context.Context, ended func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, endWait)
	defer cancel()
	again := time.NewTicker(endPause)
	defer again.Stop()
	for !ended() {
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
