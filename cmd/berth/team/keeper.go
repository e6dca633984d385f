package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"sync"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/designer/session"
)

// Pauses between tries to connect a shared design.
const (
	firstPause  = time.Second
	longestWait = 30 * time.Second
)

// Options are what a Keeper works with. All are required but where a comment
// says what the zero value means.
type Options struct {
	Settings *settings.Team // nil: the user has no team
	Manager  *session.Manager
	Project  string     // the folder's name
	Pages    func() int // designer pages that are open; nil: not known
	Logger   *slog.Logger
}

// Keeper is an instance's part in its user's team. It is safe for concurrent
// use.
type Keeper struct {
	opts    Options
	machine string
	person  string

	ctx    context.Context
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	mu       sync.Mutex
	team     *stream.Team // nil: not connected yet
	answers  map[string]func()
	watching map[string]bool // designs that are about to be connected
}

// Keep follows the designs that are shared. Close the keeper before the
// manager.
func Keep(opts Options) *Keeper {
	if opts.Pages == nil {
		opts.Pages = func() int { return 0 }
	}
	k := &Keeper{opts: opts, answers: map[string]func(){}, watching: map[string]bool{}}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.machine, _ = os.Hostname()
	k.person = personOf(opts.Settings, k.machine)
	for _, d := range opts.Manager.Shared() {
		k.watch(d)
	}
	return k
}

// personOf is whom this instance's edits are from.
func personOf(t *settings.Team, machine string) string {
	if t != nil && t.Name != "" {
		return t.Name
	}
	login := "somebody"
	if u, err := user.Current(); err == nil {
		login = u.Username
	}
	return login + "@" + machine
}

// Close ends every connection. The designs stay readable.
func (k *Keeper) Close() {
	k.cancel()
	k.jobs.Wait()
	for _, d := range k.opts.Manager.Shared() {
		d.Disconnect()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.team != nil {
		k.team.Close()
	}
}

// ErrNoTeam means that the user's settings name no broker.
var ErrNoTeam = errors.New("your config.yaml names no team: add the lines  team:  and  url: nats://HOST:4222  below it, and restart the instance (docs/teams.md)")

// errDial is in the chain of every error of connecting to the broker.
var errDial = errors.New("the team's broker is not reached")

type dialError struct{ cause error }

func (e *dialError) Error() string   { return e.cause.Error() }
func (e *dialError) Unwrap() []error { return []error{errDial, e.cause} }

// watch connects a shared design as soon as that is possible.
func (k *Keeper) watch(d *session.Designer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.watching[d.ID()] || k.ctx.Err() != nil {
		return
	}
	k.watching[d.ID()] = true
	k.jobs.Go(func() {
		defer func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			delete(k.watching, d.ID())
		}()
		for pause := firstPause; ; pause = min(2*pause, longestWait) {
			err := k.connect(k.ctx, d)
			if err == nil || k.ctx.Err() != nil || errors.Is(err, ErrNoTeam) || errors.Is(err, session.ErrNotShared) {
				return
			}
			k.opts.Logger.Warn("a shared design cannot be followed yet", "connection", d.ID(), "cause", err)
			select {
			case <-time.After(pause):
			case <-k.ctx.Done():
				return
			}
		}
	})
}

// hurry connects a shared design that waits for its next try.
func (k *Keeper) hurry(ctx context.Context, d *session.Designer) error {
	k.mu.Lock()
	never := k.answers[d.ID()] == nil
	k.mu.Unlock()
	if !never || d.Shared() == nil {
		return nil
	}
	return k.connect(ctx, d)
}

// connect follows the journal of a shared design.
func (k *Keeper) connect(ctx context.Context, d *session.Designer) error {
	shared := d.Shared()
	if shared == nil {
		return session.ErrNotShared
	}
	j, err := k.open(ctx, shared.Name)
	if err != nil {
		d.Unreachable(err.Error())
		return err
	}
	if err := d.Connect(j); err != nil {
		return err
	}
	return k.answer(d, shared.Name)
}

// open opens a team's design.
func (k *Keeper) open(ctx context.Context, name string) (*stream.Journal, error) {
	t, err := k.dial(ctx)
	if err != nil {
		return nil, err
	}
	return t.Open(ctx, name)
}

// dial connects to the broker, once for all designs.
func (k *Keeper) dial(ctx context.Context) (*stream.Team, error) {
	if k.opts.Settings == nil {
		return nil, ErrNoTeam
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() != nil {
		return nil, session.ErrClosed
	}
	if k.team != nil {
		return k.team, nil
	}
	t, err := stream.Dial(ctx, stream.Options{URL: k.opts.Settings.URL, Credentials: k.opts.Settings.Credentials,
		User: k.person, Logger: k.opts.Logger})
	if err != nil {
		return nil, &dialError{err}
	}
	k.team = t
	return t, nil
}

// answer says to others that this instance is there.
func (k *Keeper) answer(d *session.Designer, name string) error {
	since := time.Now().UTC()
	who := func() stream.Present {
		p := stream.Present{Person: k.person, Machine: k.machine, Project: k.opts.Project, Pages: k.opts.Pages(), Since: since}
		if shared := d.Shared(); shared != nil {
			p.Person, p.Seq = shared.Author, shared.Seq
		}
		return p
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.team == nil {
		return session.ErrClosed
	}
	stop, err := k.team.Answer(name, who)
	if err != nil {
		return fmt.Errorf("say who is there: %w", err)
	}
	k.silenceLocked(d)
	k.answers[d.ID()] = stop
	return nil
}

func (k *Keeper) silenceLocked(d *session.Designer) {
	if stop := k.answers[d.ID()]; stop != nil {
		stop()
		delete(k.answers, d.ID())
	}
}
