package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
)

// member is one person: a home, a project, its instance and an agent.
type member struct {
	*session
	program string
	root    string
	env     []string
	start   time.Duration // of the instance, until it served
	version string        // of the design, as last seen
	tries   int           // of edits, with those that were refused as stale
	edits   int           // that were acknowledged
}

// member starts a person's instance on a copy of the database. url is the
// team's broker; "": none.
func (b berth) member(ctx context.Context, url, name string, file []byte) (*member, error) {
	env, err := b.env()
	if err != nil {
		return nil, err
	}
	if url != "" {
		home := strings.TrimPrefix(env[0], "BERTH_HOME=")
		text := fmt.Sprintf("%steam: {url: %q, name: %s}\n", homeSettings, url, name)
		if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	i, err := b.startOn(ctx, file, env)
	if err != nil {
		return nil, err
	}
	start := time.Since(began)
	s, err := b.open(ctx, berthWords(i.root), env, "mcp")
	if err != nil {
		i.stop()
		return nil, err
	}
	kill := s.close
	s.instance, s.close = i.pid, func() { kill(); i.stop() }
	m := &member{session: s, program: b.path, root: i.root, env: env, start: start}
	if err := m.show(); err != nil {
		s.close()
		return nil, err
	}
	return m, nil
}

// agent opens another agent at the person's instance.
func (m *member) agent(ctx context.Context, b berth) (*member, error) {
	s, err := b.open(ctx, berthWords(m.root), m.env, "mcp")
	if err != nil {
		return nil, err
	}
	other := &member{session: s, program: m.program, root: m.root, env: m.env}
	if err := other.show(); err != nil {
		s.close()
		return nil, err
	}
	return other, nil
}

// show opens the design.
func (m *member) show() error {
	r, err := m.design(map[string]any{"operation": "show"})
	m.version = r.Version
	return err
}

// team runs berth team and returns how long it took.
func (m *member) team(ctx context.Context, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, m.program, append([]string{"team"}, args...)...)
	cmd.Dir, cmd.Env = m.root, append(os.Environ(), m.env...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("berth team %s: %s", strings.Join(args, " "), shorten(string(out)))
	}
	return time.Since(began), nil
}

// answer is what counts of the designer's replies.
type answer struct {
	Success                         bool
	Version, CurrentVersion, Reason string
}

func (m *member) design(args map[string]any) (a answer, err error) {
	args["projectRoot"] = m.root
	reply, err := m.Tool(driver.Call{Tool: "mssql_schema_designer", Args: args})
	var refused *driver.RefusedError
	text := reply.Text
	if errors.As(err, &refused) {
		text, err = refused.Text, nil
	}
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal([]byte(text), &a)
}

// edit adds a column to a table, or drops it again at the next call, and tries
// again as long as others were first.
func (m *member) edit(table string) error {
	edit := map[string]any{"op": "add_column", "table": map[string]any{"name": table},
		"column": map[string]any{"name": "extra", "dataType": "int", "isNullable": true}}
	if m.edits%2 == 1 {
		edit = map[string]any{"op": "drop_column", "table": map[string]any{"name": table}, "column": map[string]any{"name": "extra"}}
	}
	for {
		m.tries++
		a, err := m.design(map[string]any{"operation": "apply_edits",
			"payload": map[string]any{"expectedVersion": m.version, "edits": []any{edit}}})
		switch {
		case err != nil:
			return err
		case a.Success:
			m.version, m.edits = a.Version, m.edits+1
			return nil
		case a.Reason != "stale_state" || a.CurrentVersion == "":
			return fmt.Errorf("an edit was refused: %s", a.Reason)
		}
		m.version = a.CurrentVersion
	}
}

// hear listens to the events of the instance as a page does.
func (m *member) hear(ctx context.Context) (*proxy.Lease, error) {
	home, err := portmap.FindHome(func(name string) string {
		for _, line := range m.env {
			if value, ok := strings.CutPrefix(line, name+"="); ok {
				return value
			}
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	return proxy.NewClient(proxy.Options{Home: home}).Hold(ctx, m.root, "bench")
}

// heardOf returns when a page hears of an edit of that author.
func heardOf(page *proxy.Lease, author string) (time.Time, error) {
	for {
		raw, err := page.Next()
		if err != nil {
			return time.Time{}, err
		}
		at := time.Now()
		var e struct{ Type, Author string }
		if json.Unmarshal(raw, &e) == nil && e.Type == "committed" && e.Author == author {
			return at, nil
		}
	}
}
