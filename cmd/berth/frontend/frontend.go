// Package frontend is the process that an agent starts: it speaks MCP on stdin
// and stdout and passes each call on to the instance of its project. It links
// no database driver and no designer, so that a program of its own can be
// small: cmd/front.
//
// Start with [Run].
package frontend

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"github.com/berth-dev/berth/cmd/berth/autostart"
	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/hosts"
	"github.com/berth-dev/berth/cmd/berth/logfile"
	"github.com/berth-dev/berth/cmd/berth/turns"
	"github.com/berth-dev/berth/designer/page/card"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// envFirstPort moves the first port an instance claims. It is for tests that
// run side by side on one machine and is not for users: a front-end finds an
// instance by the map, so nothing else depends on it.
const envFirstPort = "BERTH_FIRST_PORT"

// envProofTimeout is how long an instance may take to accept a connection and
// prove itself, as in 1m. It is for tests on a busy machine and is not for users.
const envProofTimeout = "BERTH_PROOF_TIMEOUT"

// Options are what a front-end uses of its process. The streams and functions
// are required.
type Options struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	LookupEnv  func(name string) (string, bool)
	Environ    func() []string        // NAME=value
	Executable func() (string, error) // the program that Autostart starts

	Autostart bool // start berth serve for a project that is not served
	Verbose   bool // write the log to Stderr, details included
}

// Run serves until stdin ends or ctx is canceled. It reads nothing from disk
// before the first call, since agents give a server little time to start.
func Run(ctx context.Context, opts Options) error {
	turns.AskForShort()
	home, err := portmap.FindHome(opts.getenv)
	if err != nil {
		return err
	}
	file := logfile.New(home.LogFile())
	defer file.Close()
	log := logfile.NewLogger(opts.Stderr, file, opts.Verbose)
	others := hosts.New(home, opts.Autostart)
	defer others.Close()
	client := ClientOptions{Home: home, Getenv: opts.getenv, Logger: log, Hosts: others}
	if opts.Autostart {
		client.Autostart = autostart.New(autostart.Options{
			Home: home, LookupEnv: opts.LookupEnv, Environ: opts.Environ, Executable: opts.Executable,
		})
	}
	_, c, err := NewClient(client)
	if err != nil {
		return err
	}
	defer c.Close()
	server := proxy.NewServer(c, proxy.ServerOptions{Version: build.Read().Version, Logger: log, Card: card.HTML})
	stdin, restore := opts.alone()
	defer restore()
	return server.Run(ctx, stdin, opts.Stdout)
}

// getenv is LookupEnv for those who take unset for empty.
func (o Options) getenv(name string) string {
	v, _ := o.LookupEnv(name)
	return v
}

// ClientOptions are the parts of a client that differ between commands.
type ClientOptions struct {
	Home      portmap.Home
	Getenv    func(name string) string
	Logger    *slog.Logger                                 // nil: nothing is logged
	Autostart func(ctx context.Context, root string) error // nil: off
	Hosts     proxy.Hosts                                  // nil: no other machines
}

// lookupEnv is Getenv for those who tell unset from empty.
func (o ClientOptions) lookupEnv(name string) (string, bool) {
	v := o.Getenv(name)
	return v, v != ""
}

// NewClient returns the port map and a client that proves whom it talks to. It
// reads nothing from disk.
func NewClient(opts ClientOptions) (*portmap.Store, *proxy.Client, error) {
	first, err := firstPort(opts.Getenv)
	if err != nil {
		return nil, nil, err
	}
	proof, err := proofTimeout(opts.Getenv)
	if err != nil {
		return nil, nil, err
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	store := portmap.NewStore(opts.Home.MapFile(), &portmap.Options{FirstPort: first, Logger: opts.Logger})
	isProject := func(root string) bool { return autostart.IsProject(store, root, opts.lookupEnv) }
	return store, proxy.NewClient(proxy.Options{
		Home: opts.Home, Store: store, Version: build.Read().Version,
		Logger: opts.Logger, Autostart: opts.Autostart, Hosts: opts.Hosts,
		ConnectTimeout: proof, ProofTimeout: proof,
		IsProject: isProject,
		Place:     func() (project, machine string) { return place(isProject) },
	}), nil
}

// proofTimeout is what envProofTimeout says; 0: the usual times.
func proofTimeout(getenv func(string) string) (time.Duration, error) {
	text := getenv(envProofTimeout)
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s must be a time as 1m, not %q", envProofTimeout, text)
	}
	return d, nil
}

// firstPort is the port from which instances claim theirs; 0: the usual one.
func firstPort(getenv func(string) string) (int, error) {
	text := getenv(envFirstPort)
	if text == "" {
		return 0, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return 0, fmt.Errorf("%s must be a port from 1 to 65535, not %q", envFirstPort, text)
	}
	return port, nil
}
