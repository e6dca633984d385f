// Package demo plays berth's main job on sample data, for a person to read:
// two projects with SQLite databases, an instance for each, one front-end,
// an agent on its stdio and a person at the page. Every part is the real one,
// started as a process of its own from the same binary; the demo itself only
// tells the story and counts the bytes that each reply cost the agent.
//
// Start with [Run]. It keeps nothing: BERTH_HOME and the projects live in a
// temporary folder that goes when it ends, unless [Options.Keep] is set.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// Options say where the demo runs and speaks.
type Options struct {
	Exe  string    // the berth binary to start; required
	Out  io.Writer // where the story goes; required
	Env  []string  // environment of the processes; nil: this process's own
	Keep bool      // leave instances and folders, and print where they are
	// SignInURL gets an address that signs a page of a project in, as berth
	// open opens it, for the person of the story; required.
	SignInURL func(ctx context.Context, env []string, root string) (string, error)
}

// Run plays the story. An error means that a part did not do what the story
// says of it: every step checks the reply it got.
func Run(ctx context.Context, opts Options) (err error) {
	dir, err := os.MkdirTemp("", "berth-demo-")
	if err != nil {
		return fmt.Errorf("make demo folder: %w", err)
	}
	s := &stage{opts: opts, dir: dir, tell: &narrator{out: opts.Out}}
	if s.opts.Env == nil {
		s.opts.Env = os.Environ()
	}
	if err := s.settle(); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	defer func() {
		keep := opts.Keep && err == nil
		err = errors.Join(err, s.close(keep))
	}()
	if err := s.build(ctx); err != nil {
		return err
	}
	return s.play(ctx)
}

// settle gives the demo a berth home of its own, whatever the user's settings
// are, in which no browser opens by itself.
func (s *stage) settle() error {
	home := filepath.Join(s.dir, "home")
	env := slices.DeleteFunc(slices.Clone(s.opts.Env), func(v string) bool {
		return strings.HasPrefix(v, "BERTH_HOME=") || strings.HasPrefix(v, "BERTH_PORTMAP=")
	})
	s.opts.Env = append(env, "BERTH_HOME="+home)
	if err := os.Mkdir(home, 0o700); err != nil {
		return fmt.Errorf("make berth home: %w", err)
	}
	// Nobody is there to type a word: the story's own user lets scripts publish.
	config := "enableMcpServer: true\ndesigner:\n  openBrowser: false\npublish:\n  unattended: true\n"
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(config), 0o600); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// stage holds the running parts.
type stage struct {
	opts      Options
	dir       string
	tell      *narrator
	harbour   project
	chandlery project
	instances []*instance
	agent     *agent
}

// build makes the projects and starts the processes.
func (s *stage) build(ctx context.Context) (err error) {
	projects := filepath.Join(s.dir, "projects")
	if s.harbour, err = makeProject(ctx, projects, "harbour"); err != nil {
		return err
	}
	if s.chandlery, err = makeProject(ctx, projects, "chandlery"); err != nil {
		return err
	}
	s.tell.title("Two projects, each with its own database, each in its own berth")
	for _, p := range []project{s.harbour, s.chandlery} {
		in, err := startInstance(ctx, s.opts.Exe, s.opts.Env, p.root)
		if err != nil {
			return err
		}
		s.instances = append(s.instances, in)
		s.tell.line("berth serve %-10s → %s (process %d)", p.name, in.ready.URL, in.ready.PID)
	}
	s.agent, err = startAgent(ctx, s.opts.Exe, s.opts.Env)
	if err != nil {
		return err
	}
	s.tell.line("berth mcp              → one front-end on stdio for the agent; it reaches both")
	return nil
}

// close ends the processes and removes the folder, or leaves both and says
// where they are.
func (s *stage) close(keep bool) error {
	if s.agent != nil {
		s.agent.close()
	}
	if keep {
		s.tell.title("Left running")
		for _, in := range s.instances {
			s.tell.line("%s  %s", in.ready.URL, in.ready.ProjectRoot)
		}
		home := filepath.Join(s.dir, "home")
		s.tell.line("open a page:  BERTH_HOME=%s berth open %s", home, s.harbour.root)
		s.tell.line("stop one:     BERTH_HOME=%s berth stop %s", home, s.harbour.root)
		return nil
	}
	for _, in := range s.instances {
		in.stop()
	}
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("clean up demo folder: %w", err)
	}
	return nil
}

// narrator writes the story.
type narrator struct{ out io.Writer }

func (t *narrator) title(format string, a ...any) {
	fmt.Fprintf(t.out, "\n━━ "+format+"\n", a...)
}

func (t *narrator) line(format string, a ...any) {
	fmt.Fprintf(t.out, "   "+format+"\n", a...)
}

// cost says what the agent asked, what came back and what it cost beside a
// reply that carries the whole schema (0: no such comparison).
func (t *narrator) cost(asked string, r reply, whole int) {
	fmt.Fprintf(t.out, "   agent ▸ %s\n", asked)
	fmt.Fprintf(t.out, "         ◂ %s\n", clip.Text(strings.Join(strings.Fields(r.text), " "), 150))
	if whole > 0 {
		fmt.Fprintf(t.out, "           %d bytes; with the whole schema in the reply: %d\n", r.bytes, whole)
		return
	}
	fmt.Fprintf(t.out, "           %d bytes\n", r.bytes)
}
