// Command berth gives every project a port of its own and lets one agent
// reach them all. Everything it does lies in package cli.
package main

import (
	"context"
	"os"

	"github.com/berth-dev/berth/cmd/berth/cli"
	"github.com/berth-dev/berth/cmd/berth/signals"
)

func main() {
	ctx, _ := signals.Context(context.Background())
	os.Exit(cli.Run(ctx, cli.Process(), os.Args[1:]))
}
