package demo

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// publish has the agent ask for what only a person may allow, and then the
// person allow it.
func (d *design) publish(ctx context.Context) error {
	d.tell.title("The design becomes the database: the agent asks, a person approves")
	r, a, err := d.ask(ctx, map[string]any{"operation": "get_changes", "options": map[string]any{"limit": 3}})
	if err != nil {
		return err
	}
	if !a.Success {
		return fmt.Errorf("get_changes was refused: %s", a.Message)
	}
	d.tell.cost("get_changes (the first three)", r, 0)
	if r, a, err = d.ask(ctx, map[string]any{"operation": "verify"}); err != nil {
		return err
	}
	if !a.Success {
		return fmt.Errorf("verify was refused: %s", a.Message)
	}
	d.tell.cost("verify", r, 0)
	if r, a, err = d.ask(ctx, map[string]any{"operation": "publish"}); err != nil {
		return err
	}
	if a.Reason != "approval_required" {
		return fmt.Errorf("publish without a person answered %q, want approval_required", a.Reason)
	}
	d.tell.cost("publish", r, 0)
	return d.approve(ctx)
}

// approve publishes from the command line. The demo has nobody to type the
// word, so that its user's own config allows what scripts do.
func (d *design) approve(ctx context.Context) error {
	said, err := d.command(ctx, "publish", "--yes")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	d.tell.line("person ▸ berth publish (%d changes) … %s", len(lines)-2, lines[len(lines)-1])
	if said, err = d.command(ctx, "diff"); err != nil {
		return err
	}
	if said != "no changes\n" {
		return fmt.Errorf("after publishing, berth diff says %.200s", said)
	}
	d.tell.line("person ▸ berth diff … no changes")
	r, err := d.agent.call(ctx, "run-query", d.root, map[string]any{
		"query": "SELECT count(*) AS tables, (SELECT count(*) FROM port_call) AS port_calls_kept FROM sqlite_schema WHERE type = 'table'"})
	if err != nil {
		return err
	}
	if r.isError {
		return fmt.Errorf("run-query answered %.200s", r.text)
	}
	d.tell.cost("run-query on the published database", r, 0)
	return nil
}

// command runs one of berth's commands in the project.
func (d *design) command(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, d.opts.Exe, args...)
	cmd.Env, cmd.Dir = d.opts.Env, d.root
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("berth %s: %w: %.400s", strings.Join(args, " "), err, errs.String())
	}
	return string(out), nil
}
