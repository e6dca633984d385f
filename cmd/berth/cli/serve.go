package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/logfile"
	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/cmd/berth/turns"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/approval"
)

type serveFlags struct {
	verbose       bool
	json          bool
	jsonErrors    bool
	ifEnabled     bool
	lifeline      bool
	unlessRunning bool
	idle          time.Duration // 0: never
	idleSet       bool          // on the command line; else the settings say
	announced     bool          // it was said where the project is served
}

func newServe(a *app) *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:   "serve [DIR]",
		Short: "Serve a project to agents until stopped",
		Long: `Serve the project at DIR (the working directory unless given) on a port of its
own: 50001 or the next free one, and the same one again next time. Only this
machine can reach it.

A project has one instance. If it is served already, the instance there is
asked to hand over: it finishes its calls, and this one continues with the same
port and the same state. If it does not answer within 3 seconds this one does
not start, and says which process is in the way. An instance that cannot serve
here does not ask. If this one ends before it serves, the old one resumes.

The project's settings may say that it is not to be served (enableMcpServer);
see berth config. That is refused, or with --if-enabled said and done.

Ctrl-C or SIGTERM ends it cleanly; nothing acknowledged is lost either way.`,
		Example: `  berth serve
  berth serve --json ~/src/app               # one line once it is ready
  berth serve --if-enabled --stdin-lifeline  # from an editor`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.idleSet = cmd.Flag("idle").Changed
			err := a.serveFolders(cmd.Context(), args, flags)
			if err != nil && flags.jsonErrors {
				printJSON(a.sys.Stdout, wire.NotServed{Error: oneLine(err.Error()), Hint: hintOf(err)})
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.json, "json", false, "print one line of JSON once ready")
	f.BoolVar(&flags.jsonErrors, "json-errors", false, "print a line of JSON with error and hint if it does not start")
	f.BoolVar(&flags.ifEnabled, "if-enabled", false, "exit 0 where the settings say not to serve the project")
	f.BoolVar(&flags.lifeline, "stdin-lifeline", false, "end when stdin does, for an editor that may crash")
	f.DurationVar(&flags.idle, "idle", 0, "end after so long without a request, 0 for never (the setting idleTimeout)")
	f.BoolVar(&flags.unlessRunning, "unless-running", false, "leave an instance that serves the project alone and say where it is")
	verboseFlag(cmd, &flags.verbose)
	return cmd
}

// serveFolders serves a project, and what is at its path after the folder there
// was replaced: everything is opened again, as a new start would.
func (a *app) serveFolders(ctx context.Context, args []string, flags serveFlags) error {
	root, err := a.root(args)
	if err != nil {
		return err
	}
	for again := false; ; again = true {
		err := a.serveFolder(ctx, root, again, &flags)
		if !errors.Is(err, projectroot.ErrReplaced) || ctx.Err() != nil {
			return err
		}
	}
}

// serveFolder decides whether to serve the folder that is at a path now, and
// does; again: the folder there was replaced.
func (a *app) serveFolder(ctx context.Context, path string, again bool, flags *serveFlags) error {
	root, err := a.root([]string{path})
	if err != nil {
		return err
	}
	if again && root != path {
		return &failure{code: exitUsage, text: "the folder of " + path + " was replaced by a link to " + root, hint: "serve that: berth serve " + proxy.ShellWord(root)}
	}
	folder, err := projectroot.Open(root)
	if err != nil {
		return err
	}
	defer folder.Close()
	home, err := a.home()
	if err != nil {
		return err
	}
	notes, err := secureHome(home)
	if err != nil {
		return err
	}
	set, err := a.settings(home, root)
	if err != nil {
		return err
	}
	if !set.EnableMCPServer {
		return a.notEnabled(root, set, *flags)
	}
	if flags.lifeline {
		ctx = untilEOF(ctx, a.sys.Stdin)
	}
	file := logfile.New(home.LogFile())
	defer file.Close()
	calls := logfile.NewLogger(a.sys.Stderr, file, flags.verbose)
	log := calls.With("projectRoot", root, "pid", os.Getpid())
	for _, note := range slices.Concat(notes, set.Notes) {
		log.Warn(note)
	}
	l, err := a.link(log)
	if err != nil {
		return err
	}
	defer l.close()
	opts, err := a.serveOptions(l, root, set, flags)
	if err != nil {
		return err
	}
	opts.Root, opts.Folder, opts.Logger, opts.Calls = root, folder, log, calls
	var look sync.WaitGroup // beside the serving, which does not wait for a large project
	defer look.Wait()
	looking, end := context.WithCancel(ctx)
	defer end()
	ready, once := opts.Ready, sync.Once{}
	opts.Ready = func(r wire.Served) error {
		err := ready(r) // first: the note is read below the line that says where the project is served
		once.Do(func() { look.Go(func() { a.sayIfNothingFound(looking, root, set) }) })
		return err
	}
	return a.serveProject(ctx, opts, flags)
}

// serveOptions are the inputs of a run that do not depend on its folder.
func (a *app) serveOptions(l *link, root string, set *settings.Settings, flags *serveFlags) (serve.Options, error) {
	lifetime, err := a.approvalLifetime()
	if err != nil {
		return serve.Options{}, err
	}
	opts := serve.Options{
		Home: l.home, Store: l.store, Client: l.client, Version: build.Read().Version,
		Settings: set,
		Load:     func() (*settings.Settings, error) { return a.settings(l.home, root) },
		Draft: func(draft []byte) (*settings.Settings, error) {
			src := trust.Sources(l.home, root, a.sys.LookupEnv)
			src.Draft = draft
			return settings.Load(root, src)
		},
		Folders: append(settings.Folders(root, trust.Sources(l.home, root, a.sys.LookupEnv)), l.home.TrustDir()),

		Projects:  projects{l, root, hasDesktop(a.sys.getenv)},
		SignInDir: signInDir(l.home, a.sys.getenv), ApprovalLifetime: lifetime, Idle: flags.idle,
		UnlessRunning: flags.unlessRunning, Terminal: a.sys.Stderr,
		Ready: func(r wire.Served) error { return a.announce(r, flags) },
	}
	if !flags.idleSet {
		opts.Idle = set.IdleTimeout
	}
	if hasDesktop(a.sys.getenv) {
		opts.OpenBrowser = openBrowser
	}
	if !flags.json {
		opts.TakingOver = func(pid int) { fmt.Fprintf(a.sys.Stdout, "taking over from process %d\n", pid) }
	}
	return opts, nil
}

// serveProject serves a project and says what became of it.
func (a *app) serveProject(ctx context.Context, opts serve.Options, flags *serveFlags) error {
	turns.AskForShort()
	outcome, err := serve.Run(ctx, opts)
	var served serve.AlreadyServedError
	switch {
	case errors.As(err, &served):
		return a.announce(wire.Served{ProjectRoot: opts.Root, Port: served.Port, URL: wire.URL(served.Port), PID: served.PID}, flags)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return nil // it was stopped before it served, which is as clean an end as any
	case err != nil || flags.json:
		return err
	}
	_, err = fmt.Fprintf(a.sys.Stdout, "stopped serving %s: %s\n", opts.Root, outcome)
	return err
}

// announce says where the project is served. A reader of JSON gets one line,
// also where the project is served again.
func (a *app) announce(r wire.Served, flags *serveFlags) error {
	if flags.json && flags.announced {
		return nil
	}
	flags.announced = true
	if flags.json {
		return printJSON(a.sys.Stdout, r)
	}
	_, err := fmt.Fprintf(a.sys.Stdout, "serving %s at %s\n", r.ProjectRoot, r.URL)
	return err
}

// envApprovalLifetime shortens how long a plan waits for a person, and a yes for
// its call. It is for tests that wait for the end of one; it cannot lengthen.
const envApprovalLifetime = "BERTH_APPROVAL_LIFE"

func (a *app) approvalLifetime() (time.Duration, error) {
	text := a.sys.getenv(envApprovalLifetime)
	if text == "" {
		return 0, nil
	}
	life, err := time.ParseDuration(text)
	if err != nil || life <= 0 || life > approval.MaxLifetime {
		return 0, &failure{code: exitUsage, text: fmt.Sprintf("%s must be a duration up to %v, not %s", envApprovalLifetime, approval.MaxLifetime, quote(text))}
	}
	return life, nil
}

// notEnabled says that the settings keep the project to itself, and where.
func (a *app) notEnabled(root string, set *settings.Settings, flags serveFlags) error {
	place := set.Values()[0].Place() // enableMcpServer comes first
	hint := "set it to true in .berth/config.yaml of the project, or use --if-enabled"
	if ask, waits := set.Waits("enableMcpServer"); waits {
		hint = ask.Place() + " says otherwise and waits for your trust: " + settings.TrustCommand(root)
	}
	if !flags.ifEnabled {
		return &failure{code: exitRefused, text: "enableMcpServer is false for " + root + " (" + place + ")",
			hint: hint}
	}
	out := a.sys.Stdout
	if flags.json {
		out = a.sys.Stderr // stdout carries the one line of an instance, or none
	}
	_, err := fmt.Fprintf(out, "not serving %s: enableMcpServer is false (%s)\n", root, place)
	return err
}

// errLifeline is why a context ended whose stdin did.
var errLifeline = errors.New("stdin ended")

// untilEOF is a context that ends when in does. The reader is left behind at
// the end of the process: a read of stdin cannot be interrupted.
func untilEOF(ctx context.Context, in io.Reader) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		end(errLifeline)
	}()
	return ctx
}
