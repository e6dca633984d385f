package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/projectroot"
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
	again         bool          // not the first time in this process
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
not start, and says which process is in the way. One that could not serve here
asks for nothing, and if this one ends before it serves the other serves again.

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
				printJSON(a.sys.Stdout, failedLine{oneLine(err.Error()), hintOf(err)})
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

// readyLine is what --json prints once the instance answers, and failedLine
// what --json-errors prints when it never will.
type readyLine struct {
	ProjectRoot string `json:"projectRoot"`
	Port        int    `json:"port"`
	URL         string `json:"url"`
	PID         int    `json:"pid"`
}

type failedLine struct {
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}

// serveFolders serves a project, and what is at its path after the folder there
// was replaced: everything is opened again, as a new start would.
func (a *app) serveFolders(ctx context.Context, args []string, flags serveFlags) error {
	root, err := a.root(args)
	if err != nil {
		return err
	}
	for {
		err := a.serveCommand(ctx, []string{root}, flags)
		if !errors.Is(err, projectroot.ErrReplaced) || ctx.Err() != nil {
			return err
		}
		flags.again = true
	}
}

// serveCommand decides whether to serve, and does.
func (a *app) serveCommand(ctx context.Context, args []string, flags serveFlags) error {
	root, err := a.root(args)
	if err != nil {
		return err
	}
	if flags.again && root != args[0] {
		return &failure{code: exitUsage, text: "the folder of " + args[0] + " was replaced by a link to " + root, hint: "serve that: berth serve " + proxy.ShellWord(root)}
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
		return a.notEnabled(root, set, flags)
	}
	if !flags.idleSet {
		flags.idle = set.IdleTimeout
	}
	if flags.lifeline {
		ctx = untilEOF(ctx, a.sys.Stdin)
	}
	file := &logFile{path: home.LogFile()}
	defer file.Close()
	calls := newLogger(a.sys.Stderr, file, flags.verbose)
	log := calls.With("projectRoot", root, "pid", os.Getpid())
	for _, note := range slices.Concat(notes, set.Notes) {
		log.Warn(note)
	}
	l, err := a.link(linkOptions{logger: log})
	if err != nil {
		return err
	}
	patience, err := a.approvalLife()
	if err != nil {
		return err
	}
	defer l.close()
	err = a.serve(ctx, instanceOf{
		link: l, root: root, folder: folder, settings: set, desktop: hasDesktop(a.sys.getenv), doorways: doorwayDir(home, a.sys.getenv), patience: patience, log: log, calls: calls, terminal: a.sys.Stderr,
		load:    func() (*settings.Settings, error) { return a.settings(home, root) },
		folders: append(settings.Folders(root, a.sources(home, root)), home.TrustDir()),
	}, flags)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // it was stopped before it served, which is as clean an end as any
	}
	return err
}

// envApprovalLife shortens how long a plan waits for a person, and a yes for
// its call. It is for tests that wait for the end of one; it cannot lengthen.
const envApprovalLife = "BERTH_APPROVAL_LIFE"

func (a *app) approvalLife() (time.Duration, error) {
	text := a.sys.getenv(envApprovalLife)
	if text == "" {
		return 0, nil
	}
	life, err := time.ParseDuration(text)
	if err != nil || life <= 0 || life > approval.Life {
		return 0, &failure{code: exitUsage, text: fmt.Sprintf("%s must be a duration up to %v, not %s", envApprovalLife, approval.Life, quote(text))}
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
