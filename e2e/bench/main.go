package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/berth-dev/berth/e2e/bench/table"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "bench: interrupted:", err)
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the command's flags.
type settings struct {
	rounds int
	short  bool
	out    string // a file; empty: stdout
	peers  string // a folder that keeps the peers; empty: one that is removed
	only   string // names of parts, with commas; empty: all
	growth string // a folder: how berth's own figures grow, instead of peers
	team   string // a file: what a shared design costs, instead of peers
	former string // a berth of another commit, whose edits -team measures beside; empty: none
}

func parseFlags(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&s.rounds, "rounds", 3, "how many `rounds`; the table has their median")
	flags.BoolVar(&s.short, "short", false, "a quick try: one round unless -rounds is given, and a tenth of the calls")
	flags.StringVar(&s.out, "o", "", "write the table to this `file` instead of stdout")
	flags.StringVar(&s.peers, "peers", "", "get the peers into this `folder` and leave them there for the next run")
	flags.StringVar(&s.only, "only", "", "measure these `parts` alone, names with commas: "+partNames())
	flags.StringVar(&s.growth, "growth", "", "measure how berth's own figures grow with projects, clients and tables instead, and write growth.md and its plots into this `folder`")
	flags.StringVar(&s.team, "team", "", "measure what a shared design costs instead, and write it into this `file`")
	flags.StringVar(&s.former, "former", "", "with -team: measure the edits of this `berth`, of another commit, in turn with this one's")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	for _, name := range strings.Split(s.only, ",") {
		if name != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return s, fmt.Errorf("-only %s: no such part; there are %s", name, partNames())
		}
	}
	given := false
	flags.Visit(func(f *flag.Flag) { given = given || f.Name == "rounds" })
	if s.short && !given {
		s.rounds = 1
	}
	if s.rounds < 1 || flags.NArg() > 0 {
		return s, errors.New("usage: go run ./e2e/bench [-rounds N] [-short] [-o FILE] [-peers DIR] [-only PARTS] | -growth FOLDER | -team FILE [-former BERTH], N at least 1")
	}
	return s, nil
}

// bench is one run of the command.
type bench struct {
	settings
	dir       string // removed at the end
	programs  programs
	servers   []server   // berth first
	databases []database // those that could be made
	table     *table.Table
}

func run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	b := &bench{table: table.New(berthName)}
	if b.settings, err = parseFlags(args); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "berth-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.dir, err = filepath.EvalSymlinks(b.dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.dropDatabases()) }()
	if b.growth != "" {
		return b.grow(ctx)
	}
	if b.team != "" {
		return b.shared(ctx)
	}
	if err := b.install(ctx); err != nil {
		return err
	}
	missing, err := b.makeDatabases(ctx)
	if err != nil {
		return err
	}
	before := loadAverage()
	if err := b.measure(ctx); err != nil {
		return err
	}
	out := b.header(ctx, before, missing) + b.table.Markdown()
	if b.out != "" {
		return os.WriteFile(b.out, []byte(out), 0o644)
	}
	_, err = io.WriteString(stdout, out)
	return err
}

// part is a part of each round.
type part struct {
	name string
	run  func(*turn)
}

var parts = []part{
	{"processes", (*turn).processes},
	{"databases", (*turn).allDatabases},
	{"runaways", (*turn).runaways},
	{"writes", (*turn).writes},
	{"files", (*turn).files},
}

func partNames() string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return strings.Join(names, ",")
}

// measure runs the rounds. What fails is a row; the error is that of a run
// that was interrupted.
func (b *bench) measure(ctx context.Context) error {
	for round := range b.rounds {
		r := &turn{bench: b, ctx: ctx, n: round}
		r.say("round %d of %d", round+1, b.rounds)
		for _, p := range parts {
			if b.only == "" || slices.Contains(strings.Split(b.only, ","), p.name) {
				p.run(r)
			}
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("interrupted: %w", err)
			}
		}
	}
	return nil
}

// turn is one round of the run.
type turn struct {
	*bench
	ctx context.Context
	n   int
}

// say writes progress to stderr.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  %s\n", time.Now().Format("15:04:05"), fmt.Sprintf(format, args...))
}
