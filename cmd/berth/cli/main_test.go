package cli_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	_ "modernc.org/sqlite" // the databases of the tests' projects

	"github.com/berth-dev/berth/cmd/berth/cli"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// raceOptions keep a process with the race detector from resting a second
// before it exits.
const raceOptions = "atexit_sleep_ms=0 halt_on_error=1"

// busyMachine is how long an instance may take to prove itself here.
const busyMachine = "1m"

// TestMain makes this test binary a real berth when it is called so.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"berth": berth})
}

// berth is the program's main, but for the path of its own executable, which
// here is the test's.
func berth() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	sys := cli.Process()
	sys.Executable = func() (string, error) { return exec.LookPath("berth") }
	os.Exit(cli.Run(ctx, sys, os.Args[1:]))
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			first, err := freePort()
			if err != nil {
				return err
			}
			env.Setenv("BERTH_HOME", env.WorkDir+string(os.PathSeparator)+"home")
			env.Setenv("BERTH_FIRST_PORT", strconv.Itoa(first))
			env.Setenv("GORACE", raceOptions)
			env.Setenv("BERTH_PROOF_TIMEOUT", busyMachine)
			env.Setenv("PORT", strconv.Itoa(first))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await":      await,
			"exits":      exits,
			"edits":      edits,
			"eventually": eventually,
			"sqlite": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: sqlite FILE SQL")
				}
				ts.Check(makeDatabase(ts.MkAbs(args[0]), args[1]))
			},
		},
	})
}

// edits FILE EDIT writes a call of apply_edits, at the design's version.
func edits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: edits FILE EDIT")
	}
	ts.Check(ts.Exec("berth", "call", "mssql_schema_designer", `{"operation": "get_overview"}`))
	var overview struct{ Version string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &overview))
	call := fmt.Sprintf(`{"operation": "apply_edits", "payload": {"expectedVersion": %q, "edits": [%s]}}`, overview.Version, args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(call), 0o644))
}

// makeDatabase runs SQL on a SQLite file.
func makeDatabase(file, text string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	_, err = db.Exec(text)
	return errors.Join(err, db.Close())
}

// freePort is a port that was free a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// await PATTERN… waits until berth ls --json prints every PATTERN; negated,
// until it prints none.
func await(ts *testscript.TestScript, neg bool, args []string) {
	deadline := time.Now().Add(time.Minute)
	for {
		ts.Check(ts.Exec("berth", "ls", "--json"))
		seen := 0
		for _, pattern := range args {
			if strings.Contains(ts.ReadFile("stdout"), ts.MkAbs("")+pattern) || strings.Contains(ts.ReadFile("stdout"), pattern) {
				seen++
			}
		}
		if (!neg && seen == len(args)) || (neg && seen == 0) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("after a minute: %s", ts.ReadFile("stdout"))
		}
		time.Sleep(10 * time.Millisecond) // between two looks, not for a state
	}
}

// eventually PATTERN PROGRAM ARGS… runs the program until its output contains
// PATTERN.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: eventually PATTERN PROGRAM ARGS…")
	}
	deadline := time.Now().Add(time.Minute)
	for {
		_ = ts.Exec(args[1], args[2:]...) // what it says counts
		if strings.Contains(ts.ReadFile("stdout")+ts.ReadFile("stderr"), args[0]) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("after a minute: %s%s", ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		}
		time.Sleep(20 * time.Millisecond) // between two looks, not for a state
	}
}

// exits CODE PROGRAM ARGS… checks the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstderr: %s", got, want, ts.ReadFile("stderr"))
	}
}
