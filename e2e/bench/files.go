package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/e2e/bench/table"
)

// The tree of files: folders of as many files, of some 5 kB each.
const (
	treeFolders = 40
	treeFiles   = 50
	needle      = "needle_in_the_tree"
	needles     = 12 // in as many files; berth's answer has room for 20
)

// makeTree writes the tree below dir.
func makeTree(dir string) error {
	for folder := range treeFolders {
		sub := filepath.Join(dir, fmt.Sprintf("pkg%02d", folder))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		for file := range treeFiles {
			n := folder*treeFiles + file
			var b strings.Builder
			for line := range 100 {
				fmt.Fprintf(&b, "func work%d_%d(ctx context.Context) error {\n", n, line)
			}
			if n%(treeFolders*treeFiles/needles) == 0 && n/(treeFolders*treeFiles/needles) < needles {
				b.WriteString("// " + needle + "\n")
			}
			b.WriteString("// the end\n")
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("file%02d.go", file)), []byte(b.String()), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func fileMeasure(name, unit string) table.Measure {
	return table.Measure{Section: fmt.Sprintf("Files, %s of them", thousands(treeFolders*treeFiles)), Name: name, Unit: unit}
}

// files measures reading, editing and searching, each server in a tree of its
// own.
func (r *turn) files() {
	r.say("files")
	for _, s := range r.present() {
		if s.folder == nil || r.ctx.Err() != nil {
			continue
		}
		if err := r.inTree(s); err != nil {
			r.fail(fileMeasure("opened", ""), s.name, err)
		}
	}
}

func (r *turn) inTree(s server) error {
	dir := filepath.Join(r.dir, "trees", fmt.Sprintf("%s-%d", s.name, r.n))
	if err := makeTree(dir); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	one, err := s.folder(r.ctx, dir)
	if err != nil {
		return err
	}
	defer one.close()
	o := &opened{name: s.name, session: one}
	const file = "pkg07/file07.go"
	r.onFiles(o, "read a file of 5 kB", 200, func(int) (driver.Reply, error) { return o.Tool(o.read(file)) })
	r.onFiles(o, "read it and edit a line", 50, func(i int) (driver.Reply, error) { return o.change(file, i) })
	r.onFiles(o, "find a file by its name", 50, func(int) (driver.Reply, error) { return o.Tool(o.names("**/file33.go")) })
	if o.search != nil {
		r.onFiles(o, "search for a word", 50, func(int) (driver.Reply, error) { return o.found() })
		return r.besideRipgrep(dir)
	}
	return nil
}

// change reads a file and edits its last line, as an agent does: it cannot
// edit what it has not read.
func (o *opened) change(file string, i int) (driver.Reply, error) {
	read, err := o.Tool(o.read(file))
	if err != nil {
		return read, err
	}
	old, new := "// the end", "// the very end"
	if i%2 == 1 {
		old, new = new, old
	}
	edited, err := o.Tool(o.edit(file, old, new, read))
	edited.Took += read.Took
	return edited, err
}

// found searches, and checks that all was found.
func (o *opened) found() (driver.Reply, error) {
	reply, err := o.Tool(o.search(needle))
	if n := strings.Count(reply.Text, "// "+needle); err == nil && n != needles {
		return reply, fmt.Errorf("found %d times, and it is there %d times", n, needles)
	}
	return reply, err
}

func (r *turn) onFiles(o *opened, name string, calls int, do func(i int) (driver.Reply, error)) {
	m := fileMeasure(name+", p50", "ms")
	if o.broken {
		return
	}
	var took []time.Duration
	var last driver.Reply
	for i := range r.calls(calls) + warm {
		reply, err := do(i)
		if err != nil {
			r.failed(o, m, err)
			return
		}
		if last = reply; i >= warm {
			took = append(took, reply.Took)
		}
	}
	r.table.Add(m, o.name, r.n, millis(table.Quantile(took, .5)))
	r.table.Add(fileMeasure(name+", answer", "bytes"), o.name, r.n, float64(last.Bytes))
}

// besideRipgrep makes the same search by ripgrep: its time has the start of
// its process in it, as for anyone who calls it.
func (r *turn) besideRipgrep(dir string) error {
	m := fileMeasure("search for a word, p50", "ms")
	rg := r.programs.ripgrep
	if rg.missing != "" {
		r.table.Say(m, ripgrepName, "missing: "+rg.missing)
		return nil
	}
	var took []time.Duration
	for i := range r.calls(50) + warm {
		began := time.Now()
		out, err := exec.CommandContext(r.ctx, rg.path, "--line-number", "--fixed-strings", needle, dir).Output()
		if err != nil {
			return fmt.Errorf("%s: %w", rg.path, err)
		}
		if i >= warm {
			took = append(took, time.Since(began))
		}
		if n := strings.Count(string(out), needle); n != needles {
			return errors.New("ripgrep did not find all")
		}
	}
	r.table.Add(m, ripgrepName, r.n, millis(table.Quantile(took, .5)))
	return nil
}
