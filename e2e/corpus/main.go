package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/berth-dev/berth/cmd/berth/signals"
)

func main() {
	ctx, stop := signals.Context(context.Background())
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// settings are what a run was asked for.
type settings struct {
	folder  string
	only    string // part of the names of the schemas to try; "": all
	get     bool
	mirror  string // URL of a repository, with {owner} and {name}
	berth   string // the binary; "": one is built
	edits   int
	seed    uint64
	verbose bool // print all that is wrong, not the first of each
}

func parse() settings {
	var s settings
	flag.BoolVar(&s.get, "get", false, "bring the public schemas into the folder first, and try nothing")
	flag.StringVar(&s.mirror, "git", "https://github.com/{owner}/{name}.git", "where -get finds a repository")
	flag.StringVar(&s.berth, "berth", "", "the berth to try (default: built from these sources)")
	flag.IntVar(&s.edits, "edits", 10, "random edits to publish on each schema")
	flag.Uint64Var(&s.seed, "seed", 1, "of the random edits")
	flag.BoolVar(&s.verbose, "v", false, "print everything that is wrong, not only the first of each step")
	flag.Parse()
	s.folder, s.only = flag.Arg(0), flag.Arg(1)
	if s.folder == "" {
		s.folder = os.Getenv("BERTH_TEST_SCHEMAS")
	}
	return s
}

func run(ctx context.Context) error {
	s := parse()
	if s.folder == "" {
		return fmt.Errorf("which folder of schemas? give it, or set BERTH_TEST_SCHEMAS; -get FOLDER brings public ones")
	}
	if s.get {
		return get(ctx, s)
	}
	schemas, err := find(s.folder, s.only)
	if err != nil {
		return err
	}
	if len(schemas) == 0 {
		return fmt.Errorf("no schemas in %s: it needs folders postgres, mysql or sqlite with .sql files", s.folder)
	}
	dir, err := os.MkdirTemp("", "berth-corpus-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if s.berth != "" { // it runs in another folder
		if s.berth, err = filepath.Abs(s.berth); err != nil {
			return err
		}
	} else {
		s.berth = filepath.Join(dir, "berth")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.berth, "github.com/berth-dev/berth/cmd/berth").CombinedOutput(); err != nil {
			return fmt.Errorf("build berth: %w\n%s", err, out)
		}
	}
	var results []result
	for i, one := range schemas {
		r := try(ctx, s, one, filepath.Join(dir, fmt.Sprint(i)))
		r.print(os.Stdout, s.verbose)
		results = append(results, r)
		if ctx.Err() != nil {
			break
		}
	}
	printTable(os.Stdout, results)
	return ctx.Err()
}

// find lists the schemas of a folder by dialect and name.
func find(folder, only string) ([]schema, error) {
	var all []schema
	for _, dialect := range dialects {
		entries, err := os.ReadDir(filepath.Join(folder, dialect))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			one, err := readSchema(dialect, filepath.Join(folder, dialect, e.Name()))
			if err != nil {
				return nil, err
			}
			if one.named(only) {
				all = append(all, one)
			}
		}
	}
	return all, nil
}
