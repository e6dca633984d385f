package team

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"os/user"
	"sync"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/presence"
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
	Changed  func()     // see [stream.Options]
	// Board lists who is at this instance, and Designs has the names of its
	// tables. nil: others are not told, and nobody is listed.
	Board   *presence.Board
	Designs presence.Designs
	Logger  *slog.Logger
}

// Keeper is an instance's part in its user's team. It is safe for concurrent
// use.
type Keeper struct {
	opts     Options
	machine  string
	person   string
	instance string // this run, random

	ctx    context.Context
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	mu       sync.Mutex
	team     *stream.Team    // nil: not connected yet
	watching map[string]bool // designs that are about to be connected

	crowdsMu sync.Mutex
	crowds   map[string]*crowd // by design: who is at its other instances
}

// Keep follows the designs that are shared. Close the keeper before the
// manager.
func Keep(opts Options) *Keeper {
	if opts.Pages == nil {
		opts.Pages = func() int { return 0 }
	}
	k := &Keeper{opts: opts, watching: map[string]bool{}, crowds: map[string]*crowd{}, instance: rand.Text()}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.machine, _ = os.Hostname()
	k.person = PersonOf(opts.Settings, k.machine)
	for _, d := range opts.Manager.Shared() {
		k.watch(d)
	}
	return k
}

// PersonOf is whom this instance's edits are from.
func PersonOf(t *settings.Team, machine string) string {
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
	k.silenceAll()
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
	if k.crowd(d) != nil || d.Shared() == nil {
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
	t, err := Dial(ctx, k.opts.Settings, k.person, k.opts.Changed, k.opts.Logger)
	if err != nil {
		return nil, &dialError{err}
	}
	k.team = t
	return t, nil
}
