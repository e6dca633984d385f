package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
)

// errNotItsWork is what opening a server on work that it does not do returns.
var errNotItsWork = errors.New("not its work")

// berth opens projects of its own below dir: "berth serve" for each, and
// "berth mcp" as an agent starts it.
type berth struct {
	program
	dir string
}

// homeSettings let a reply have the 1,000 rows that are asked for, and an edit
// be made without a person's approval.
const homeSettings = "designer: {openBrowser: false}\nquery: {maxRows: 1000, maxBytes: 1048576}\nfiles: {mode: fast}\n"

// alone opens what an agent starts, with no project served.
func (b berth) alone(ctx context.Context) (*session, error) {
	env, err := b.env()
	if err != nil {
		return nil, err
	}
	return b.open(ctx, words{}, env, "mcp")
}

// onDatabase serves a project whose one connection is the database.
func (b berth) onDatabase(ctx context.Context, d *database) (*session, error) {
	if d.kind == sqlite {
		return b.serve(ctx, filepath.Dir(d.path)) // which finds it
	}
	root, err := b.project()
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf("connections:\n  app: {url: %q}\n", d.dsn(map[string]string{mariaDB: "mysql"}))
	if err := os.MkdirAll(filepath.Join(root, ".berth"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	return b.serve(ctx, root)
}

// onFolder serves the folder as a project.
func (b berth) onFolder(ctx context.Context, dir string) (*session, error) { return b.serve(ctx, dir) }

var projects atomic.Int64

// project makes the folder of a new project.
func (b berth) project() (root string, err error) {
	root = filepath.Join(b.dir, "projects", fmt.Sprint(projects.Add(1)))
	return root, os.MkdirAll(root, 0o755)
}

// env makes a home that no other session has, and returns the environment
// that names it.
func (b berth) env() ([]string, error) {
	home := filepath.Join(b.dir, "homes", fmt.Sprint(projects.Add(1)))
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(homeSettings), 0o600)
	return []string{"BERTH_HOME=" + home, "BERTH_FIRST_PORT=28500"}, err
}

func (b berth) serve(ctx context.Context, root string) (*session, error) {
	env, err := b.env()
	if err != nil {
		return nil, err
	}
	i, err := b.start(ctx, root, env)
	if err != nil {
		return nil, err
	}
	s, err := b.open(ctx, berthWords(root), env, "mcp")
	if err != nil {
		i.stop()
		return nil, err
	}
	kill := s.close
	s.instance, s.close = i.pid, func() { kill(); i.stop() }
	return s, nil
}

// instance is a running "berth serve".
type instance struct {
	root string
	pid  int
	stop func()
}

// start serves root, and returns once it is served.
func (b berth) start(ctx context.Context, root string, env []string) (instance, error) {
	cmd := exec.CommandContext(ctx, b.path, "serve", root, "--json")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env, cmd.WaitDelay = append(os.Environ(), env...), 5*time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return instance{}, err
	}
	if err := cmd.Start(); err != nil {
		return instance{}, err
	}
	i := instance{root: root, pid: cmd.Process.Pid, stop: func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}}
	if err := ready(out); err != nil {
		i.stop()
		return instance{}, err
	}
	return i, nil
}

// ready waits for the line with which an instance reports that it serves.
func ready(out io.Reader) error {
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("berth serve did not start: %w", err)
	}
	var answer struct{ URL string }
	if err := json.Unmarshal(line, &answer); err != nil || answer.URL == "" {
		return fmt.Errorf("berth serve did not start: it wrote %q", line)
	}
	return nil
}

// berthWords are berth's tools for the project at root.
func berthWords(root string) words {
	call := func(tool string, args map[string]any) driver.Call {
		args["projectRoot"] = root
		return driver.Call{Tool: tool, Args: args}
	}
	return words{
		tables: func() driver.Call { return call("get-tables", map[string]any{}) },
		describe: func(table string) driver.Call {
			return call("get-schema", map[string]any{"table": table})
		},
		query: func(sql string) driver.Call { return call("run-query", map[string]any{"query": sql}) },
		names: func(glob string) driver.Call { return call("fs_list_entries", map[string]any{"glob": glob}) },
		read:  func(path string) driver.Call { return call("fs_read_file", map[string]any{"path": path}) },
		edit: func(path, old, new string, read driver.Reply) driver.Call {
			return call("fs_edit_file", map[string]any{"path": path, "version": versionOf(read),
				"edits": []any{map[string]any{"old_text": old, "new_text": new}}})
		},
		search: func(text string) driver.Call {
			return call("fs_search_content", map[string]any{"query": text, "case_sensitive": true})
		},
	}
}

// versionOf is the file's version in the reply that read it.
func versionOf(read driver.Reply) string {
	var file struct{ Version string }
	_ = json.Unmarshal([]byte(read.Text), &file) // none: the edit is refused, and says why
	return file.Version
}
