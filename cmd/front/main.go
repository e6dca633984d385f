//go:build unix

// Command front is the small berth. Installed as berth, with the whole program
// as berth-full beside it, it is the front-end that an agent starts and hands
// every other command to berth-full:
//
//	berth mcp       runs here: a quarter of the program, so less memory and a
//	                sooner start for each agent's session
//	berth serve …   becomes berth-full serve …, in the same process
//
// The whole program alone does both; see docs/decisions/0065. Windows has no
// way to become another program, so there the whole one is all there is.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/berth-dev/berth/cmd/berth/frontend"
	"github.com/berth-dev/berth/cmd/berth/self"
	"github.com/berth-dev/berth/cmd/berth/signals"
	"github.com/berth-dev/berth/tools/visible"
)

func main() {
	autostart, verbose, ok := mcpFlags(os.Args[1:])
	if !ok {
		fail(handOver())
	}
	ctx, _ := signals.Context(context.Background())
	err := frontend.Run(ctx, frontend.Options{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		LookupEnv: os.LookupEnv, Environ: os.Environ, Executable: self.Path,
		Autostart: autostart, Verbose: verbose,
	})
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		os.Exit(130) // a signal ended it, as shells count
	}
	if err != nil {
		fail(err)
	}
}

// full is the name of the whole program beside this one.
const full = "berth-full"

// handOver becomes the whole program, with the same arguments. It returns
// only if that fails.
func handOver() error {
	own, err := self.Path()
	if err != nil {
		return fmt.Errorf("find %s: %w", full, err)
	}
	// A package manager may have linked this program from where both lie.
	if real, err := filepath.EvalSymlinks(own); err == nil {
		own = real
	}
	program := filepath.Join(filepath.Dir(own), full)
	err = syscall.Exec(program, os.Args, os.Environ())
	return fmt.Errorf("start %s, which must lie beside %s; install berth again: %w", program, own, err)
}

// mcpFlags reads the arguments of a plain berth mcp. ok is false for all that
// it does not know: help, mistakes and other commands are the whole program's.
func mcpFlags(args []string) (autostart, verbose, ok bool) {
	if len(args) == 0 || args[0] != "mcp" {
		return false, false, false
	}
	for _, arg := range args[1:] {
		switch arg {
		case "--autostart":
			autostart = true
		case "--verbose", "-v":
			verbose = true
		default:
			return false, false, false
		}
	}
	return autostart, verbose, true
}

// fail ends the program as the whole one does.
func fail(err error) {
	fmt.Fprintf(os.Stderr, "berth: %s\n", visible.SingleLine(err.Error()))
	os.Exit(1)
}
