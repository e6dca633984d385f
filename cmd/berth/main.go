// Command berth gives every project a port of its own and lets one agent
// reach them all. Everything it does lies in package cli.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/berth-dev/berth/cmd/berth/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	// After the first signal the next one kills: a person who presses Ctrl-C
	// twice means it.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, cli.Process(), os.Args[1:]))
}
