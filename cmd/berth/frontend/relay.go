package frontend

import (
	"context"
	"errors"
	"io"

	"github.com/berth-dev/berth/cmd/berth/autostart"
	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/cmd/berth/logfile"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/relay"
)

// errTerminal is the error for a relay that a person started.
var errTerminal = errors.New("a relay talks to another berth on stdin and stdout, and one of them is a terminal: leave out -t and -tt of ssh, docker and kubectl; berth hosts add writes the command for a host")

// Relay serves the berth of another machine on Stdin and Stdout until Stdin
// ends. What calls may start is for that berth to say, and for the rules of
// --autostart here. terminal says that one of the two streams is a terminal,
// which would change what is sent.
func Relay(ctx context.Context, opts Options, terminal bool) error {
	if terminal {
		return errTerminal
	}
	home, err := portmap.FindHome(opts.getenv)
	if err != nil {
		return err
	}
	file := logfile.New(home.LogFile())
	defer func() { _ = file.Close() }()
	log := logfile.NewLogger(io.Discard, file, opts.Verbose)
	_, client, err := NewClient(ClientOptions{Home: home, Getenv: opts.getenv, Logger: log, Autostart: autostart.New(autostart.Options{
		Home: home, LookupEnv: opts.LookupEnv, Environ: opts.Environ, Executable: opts.Executable,
	})})
	if err != nil {
		return err
	}
	defer client.Close()
	return relay.Serve(ctx, opts.Stdin, opts.Stdout, relay.ServeOptions{Way: client.Here(), Version: build.Read().Version, Logger: log})
}
