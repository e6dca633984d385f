package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/attach"
	"github.com/berth-dev/berth/cmd/berth/autostart"
)

type attachFlags struct {
	json     bool
	lifeline bool
	name     string
	idle     time.Duration
}

// attachIdle is how long an instance that was started for a window stays after
// the last one, where neither flag nor settings say.
const attachIdle = 5 * time.Minute

func newAttach(a *app) *cobra.Command {
	var flags attachFlags
	cmd := &cobra.Command{
		Use:   "attach [DIR]",
		Short: "Keep a project served while an editor has it open",
		Long: `Join the instance of the project at DIR (the working directory unless given),
or start one, and hold it until Ctrl-C: an instance that ends when it is not
used does not end while it is held. This is what an editor's extension runs,
once for each window.

An instance that is there is joined and left as it is; it also outlives this
command. One that was started here ends when no window, page or agent has used
it for the setting idleTimeout, or --idle. One that crashes is started again.
One that is stopped, as by "berth stop", stays stopped until somebody serves the
project.

With --json it prints lines of JSON: ready, then events and approvals as they
come, and takes requests as lines on stdin (docs/http.md has both). Who writes
those lines speaks for you, as the client of "berth mcp" does.`,
		Example: `  berth attach --json --stdin-lifeline   # from an editor
  berth attach ~/src/app`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := a.root(args)
			if err != nil {
				return err
			}
			return a.attach(cmd.Context(), root, flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.json, "json", false, "print lines of JSON and take requests on stdin")
	f.BoolVar(&flags.lifeline, "stdin-lifeline", false, "end when stdin does, for an editor that may crash")
	f.StringVar(&flags.name, "name", "berth attach", "what holds the instance, for berth ls and the page")
	f.DurationVar(&flags.idle, "idle", attachIdle, "how long one that was started here stays unused")
	return cmd
}

func (a *app) attach(ctx context.Context, root string, flags attachFlags) error {
	home, err := a.home()
	if err != nil {
		return err
	}
	if _, err := secureHome(home); err != nil {
		return err
	}
	set, err := a.settings(home, root)
	if err != nil {
		return err
	}
	if !set.EnableMCPServer {
		return a.notEnabled(root, set, serveFlags{json: flags.json})
	}
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	ctx, end := context.WithCancel(ctx)
	defer end()
	starter := autostart.Options{Home: home, LookupEnv: a.sys.LookupEnv, Environ: a.sys.Environ, Executable: a.sys.Executable}
	opts := attach.Options{
		Root: root, Name: flags.name, Store: l.store, Client: l.client,
		Start: func(ctx context.Context) error { return autostart.Start(ctx, starter, root, flags.idle) },
		Say:   func(line any) error { return a.sayAttached(line, flags.json) },
	}
	opts.Requests = a.attachInput(ctx, end, flags)
	return attach.Run(ctx, opts)
}

// attachInput is what stdin asks for, and its end where it is a lifeline.
func (a *app) attachInput(ctx context.Context, end context.CancelFunc, flags attachFlags) <-chan attach.Request {
	if !flags.json {
		if flags.lifeline {
			go func() {
				_, _ = io.Copy(io.Discard, a.sys.Stdin)
				end()
			}()
		}
		return nil
	}
	requests := make(chan attach.Request)
	go func() {
		for r := range attach.ReadRequests(ctx, a.sys.Stdin, func(err error) { fmt.Fprintln(a.sys.Stderr, "berth: a request is not JSON:", err) }) {
			select {
			case requests <- r:
			case <-ctx.Done():
				return
			}
		}
		if flags.lifeline {
			end()
		}
	}()
	return requests
}

// sayAttached prints a line, or what of it a person wants to know.
func (a *app) sayAttached(line any, asJSON bool) error {
	if asJSON {
		return printJSON(a.sys.Stdout, line)
	}
	text := attach.Words(line)
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintln(a.sys.Stdout, text)
	return err
}
