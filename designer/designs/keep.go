package designs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer/session"
)

// Options configures a [Keeper]. Root and Manager are required.
type Options struct {
	Root    string // of the project, an absolute path
	Manager *session.Manager
	Logger  *slog.Logger // nil: nothing is logged

	// Debounce is how long to wait after a change of a design or a file before
	// it is handled. 0: 300 ms.
	Debounce time.Duration
	// Look is how often the files are polled, in case the system did not report
	// a change. 0: 30 s, or after 2 s and then less and less often if the system
	// reports no changes.
	Look time.Duration
}

// The defaults of [Options].
const (
	debounce  = 300 * time.Millisecond
	lookAlone = 2 * time.Second // the shortest [dirwatch.Pace]
)

// Keeper keeps the files of a project's designs in sync with the designs.
// [Keep] creates it.
type Keeper struct {
	opts   Options
	disk   disk
	record *record
	stop   context.CancelFunc
	done   chan struct{}

	// of the one goroutine
	files map[string]*file // by connection id

	mu       sync.Mutex
	problems map[string]Problem // by connection id
}

// Problem reports why a file and its design differ.
type Problem struct {
	Connection string // its name
	File       string // below the project's root, with slashes
	Reason     string // what is wrong, and where
}

// Keep starts a Keeper: it first resolves differences between files and designs
// and then follows changes of both. Close the keeper before the manager. When
// ctx is done, files are no longer written.
func Keep(ctx context.Context, opts Options) (*Keeper, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.Debounce == 0 {
		opts.Debounce = debounce
	}
	root, err := os.OpenRoot(opts.Root)
	if err != nil {
		return nil, fmt.Errorf("keep designs of %s: %w", opts.Root, err)
	}
	ctx, stop := context.WithCancel(ctx)
	k := &Keeper{
		opts: opts, disk: disk{root: root}, stop: stop, done: make(chan struct{}),
		record: loadRecord(filepath.Dir(opts.Manager.Store().Path())),
		files:  map[string]*file{}, problems: map[string]Problem{},
	}
	// The number of a future event: begin reads everything that was missed.
	events, cancel := opts.Manager.Subscribe(0)
	go func() {
		defer close(k.done)
		defer root.Close()
		defer cancel()
		k.run(ctx, events)
	}()
	return k, nil
}

// Close writes what is still to be written and ends the keeper. Closing again
// does nothing.
func (k *Keeper) Close() error {
	k.stop()
	<-k.done
	return nil
}

// Problems lists the files that could not be taken over or written, by
// connection.
func (k *Keeper) Problems() []Problem {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := make([]Problem, 0, len(k.problems))
	for _, p := range k.problems {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
	return list
}

// run follows designs and files until ctx is done, and then writes what is due.
func (k *Keeper) run(ctx context.Context, events <-chan session.Event) {
	w := newWatch(k.opts.Root)
	defer w.close()
	k.disk.tidy()
	k.begin(ctx)
	interval := func(changed bool) time.Duration { return cmp.Or(k.opts.Look, w.pace.Next(w.events != nil, changed)) }
	next := time.NewTimer(interval(true))
	defer next.Stop()
	var due <-chan time.Time // nil: nothing has changed
	for {
		select {
		case <-ctx.Done():
			k.finish(context.WithoutCancel(ctx), events) // ctx has ended
			return
		case e, ok := <-events:
			if !ok {
				return // the manager was closed under us
			}
			k.heard(ctx, e)
			if due == nil {
				due = time.After(k.opts.Debounce)
			}
		case event, ok := <-w.reports():
			if !ok || !w.matters(event) {
				continue
			}
			k.changed(filepath.Base(event.Name))
			if due == nil {
				due = time.After(k.opts.Debounce)
			}
		case <-w.failures():
			due = time.After(k.opts.Debounce)
		case <-next.C:
			w.follow()
			k.lookAll(ctx)
			next.Reset(interval(false))
		case <-due:
			due = nil
			w.follow()
			k.lookAll(ctx)
			k.saveAll(ctx)
			next.Reset(interval(true))
		}
	}
}

// finish writes what is due, including changes of events not received yet.
func (k *Keeper) finish(ctx context.Context, events <-chan session.Event) {
	for {
		select {
		case e, ok := <-events:
			if ok {
				k.heard(ctx, e)
				continue
			}
		default:
		}
		k.saveAll(ctx)
		return
	}
}

// heard records the changes of an event.
func (k *Keeper) heard(ctx context.Context, e session.Event) {
	if e.Type == session.Reset {
		for _, f := range k.known() {
			f.dirty = true
		}
		return
	}
	f := k.fileOf(e.ConnectionID)
	if f == nil {
		return
	}
	switch e.Type {
	case session.Shown:
		if k.owns(f) {
			k.look(ctx, f) // at once: a design that was shown for the first time imports its file
		}
	case session.Committed, session.Undone, session.Redone:
		f.wanted = f.wanted || e.Origin != origin
	}
	f.dirty = true
}

// changed has a file read again, even where its time and size are the same.
func (k *Keeper) changed(name string) {
	for _, f := range k.files {
		if f.name() == name {
			f.stamp = unreadStamp
		}
	}
}

// known lists the files of all designs.
func (k *Keeper) known() []*file {
	var list []*file
	for _, info := range k.opts.Manager.List() {
		if f := k.fileOf(info.ID); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// fileOf returns the file of a connection's design, nil if there is no such
// design.
func (k *Keeper) fileOf(connectionID string) *file {
	d, ok := k.opts.Manager.ByID(connectionID)
	if !ok {
		return nil
	}
	f := k.files[connectionID]
	if f == nil || f.connection != d.Name() {
		f = &file{design: d, connection: d.Name(), stem: stem(d.Name())}
		k.files[connectionID] = f
	}
	return f
}

// owns reports whether the file belongs to this design: a name may have
// belonged to several connections, and the active or the newest one has it.
func (k *Keeper) owns(f *file) bool {
	d, ok := k.opts.Manager.ByName(f.connection)
	return ok && d == f.design
}

func (k *Keeper) begin(ctx context.Context) {
	for _, f := range k.known() {
		if k.owns(f) {
			k.beginWith(ctx, f)
		}
	}
	k.saveAll(ctx)
}

func (k *Keeper) lookAll(ctx context.Context) {
	for _, f := range k.known() {
		if k.owns(f) {
			k.look(ctx, f)
		}
	}
}

func (k *Keeper) saveAll(ctx context.Context) {
	for _, f := range k.known() {
		if f.dirty && k.owns(f) {
			k.save(ctx, f)
		}
	}
}

// trouble records why a file and its design differ, and logs it once.
func (k *Keeper) trouble(f *file, reason error) {
	p := Problem{Connection: f.connection, File: f.path(), Reason: reason.Error()}
	k.mu.Lock()
	was := k.problems[f.design.ID()]
	k.problems[f.design.ID()] = p
	k.mu.Unlock()
	if was != p && !errors.Is(reason, session.ErrClosed) {
		k.opts.Logger.Warn("a design and its file differ", "file", p.File, "cause", p.Reason)
	}
}

// fine removes a file's problem.
func (k *Keeper) fine(f *file) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.problems, f.design.ID())
}
