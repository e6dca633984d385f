package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// project is a project of the trial's own, served by the berth that is tried.
type project struct {
	berth string
	root  string
	env   []string
	serve *exec.Cmd
	stdin io.Closer // closed, the instance ends
}

// newProject serves a new project in dir, whose connections are the databases.
func newProject(ctx context.Context, berth, dir string, connections map[string]database) (*project, error) {
	home := filepath.Join(dir, "home")
	p := &project{berth: berth, root: filepath.Join(dir, "project")}
	p.env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "BERTH_HOME=") || strings.HasPrefix(v, "BERTH_PORTMAP=")
	}), "BERTH_HOME="+home)
	var config strings.Builder
	config.WriteString("connections:\n")
	for name, db := range connections {
		fmt.Fprintf(&config, "  %s: %s\n", name, db.settings())
	}
	files := map[string]string{
		filepath.Join(home, "config.yaml"):             "enableMcpServer: true\ndesigner:\n  openBrowser: false\npublish:\n  unattended: true\n",
		filepath.Join(p.root, ".berth", "config.yaml"): config.String(),
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return p, p.start(ctx)
}

// timeToEnd is how long a call may go on once the run is ended. One that is
// killed, or whose instance ends before it, would leave berth's scratch
// databases behind.
const timeToEnd = time.Minute

// start serves the project until stop, also where the run is ended before.
func (p *project) start(ctx context.Context) error {
	p.serve = exec.CommandContext(context.WithoutCancel(ctx), p.berth, "serve", "--json", "--stdin-lifeline", p.root)
	p.serve.Env = p.env
	var errs bytes.Buffer
	p.serve.Stderr = &errs
	in, err := p.serve.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.serve.Start(); err != nil {
		return err
	}
	p.stdin = in
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		p.stop()
		return fmt.Errorf("berth serve: %s", errs.String())
	}
	return nil
}

func (p *project) stop() {
	_ = p.stdin.Close()
	_ = p.serve.Wait() // it was told to end
}

// reply is what of a reply of the designer the trials look at.
type reply struct {
	Success  bool
	Reason   string
	Message  string
	Version  string
	Path     string
	Notes    []string
	Plan     string
	Steps    int
	Total    int
	Changes  []json.RawMessage
	Overview struct {
		Tables     []struct{ Schema, Name string }
		Total      int
		NextOffset int
	}
	Table struct {
		Columns     []column
		Types       []ownType
		ForeignKeys []json.RawMessage
		NextOffset  int
	}
	Receipt struct{ Warnings []string }
}

// problem is what a refusal says; "" where the call succeeded.
func (r reply) problem() string {
	if r.Success {
		return ""
	}
	return r.Reason + ": " + r.Message
}

// object is the arguments of a call.
type object map[string]any

// call makes a call of the designer as an agent would. Its error is that berth
// gave no reply; a refusal is a reply.
func (p *project) call(ctx context.Context, operation, connection string, payload, options object) (reply, error) {
	arguments := object{"operation": operation}
	if connection != "" {
		arguments["connectionId"] = connection
	}
	if payload != nil {
		arguments["payload"] = payload
	}
	if options != nil {
		arguments["options"] = options
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		return reply{}, err
	}
	cmd := p.command(ctx, "call", "mssql_schema_designer", "-")
	cmd.Stdin = bytes.NewReader(text)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if len(out) == 0 { // a refusal
		out = errs.Bytes()
	}
	var r reply
	if json.NewDecoder(bytes.NewReader(out)).Decode(&r) != nil {
		return r, fmt.Errorf("berth call %s: %v: %.300s%.300s", operation, err, out, errs.String())
	}
	return r, nil
}

func (p *project) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.berth, args...)
	cmd.Dir, cmd.Env = p.root, p.env
	cmd.Cancel = func() error { return nil } // it has until WaitDelay
	cmd.WaitDelay = timeToEnd
	return cmd
}

// publish makes the design's changes in the database. refused is what berth
// says where it does not.
func (p *project) publish(ctx context.Context) (refused string, err error) {
	out, err := p.command(ctx, "publish", "main", "--yes").CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return strings.Join(lines[max(0, len(lines)-3):], " "), nil
	}
	return "", err
}
