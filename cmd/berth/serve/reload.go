package serve

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/discovery"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/trust"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/files"
)

// reloader keeps the connections of a running instance, and how it treats the
// project's files, as its own files have it.
type reloader struct {
	finder    connections.Finder
	load      func() (*settings.Settings, error)
	trusted   func() func(digest string) bool // what the user trusts now
	folders   []string                        // of the settings' files
	databases *pool.Connections
	files     *files.Tool
	lint      *atomic.Pointer[settings.Lint]
	page      *atomic.Pointer[settings.Page]
	announcer *rightsAnnouncer
	log       *slog.Logger

	running sync.WaitGroup
	end     context.CancelFunc

	reading sync.Mutex         // held by reload
	good    *settings.Settings // as last read without an error
	stopped bool
}

// newReloader creates a reloader of what r serves.
func (r run) newReloader(b *base) *reloader {
	re := &reloader{
		finder: b.finder, load: r.Load, folders: r.Folders, databases: b.databases, files: b.files, lint: &b.lint, page: &b.page, log: r.Logger,
		trusted:   func() func(string) bool { return trust.Trusted(r.Home, r.Root) },
		announcer: &rightsAnnouncer{root: r.Root, terminal: r.Terminal, log: r.Logger, announce: b.notices.Announce},
		good:      r.Settings,
	}
	re.announcer.announceChanges(r.Settings, b.known)
	return re
}

// start watches folders, and those of the reloader's settings, until stop.
func (r *reloader) start(folders []string) *reloader {
	ctx, end := context.WithCancel(context.Background())
	r.end = end
	r.running.Go(func() {
		discovery.Watch(ctx, slices.Concat(r.folders, folders), func() []string { return r.reload(ctx) })
	})
	return r
}

func (r *reloader) stop() {
	r.end()
	r.running.Wait()
	r.reading.Lock()
	defer r.reading.Unlock()
	r.stopped = true
}

// reload reads everything again and returns the folders to watch. Settings
// that cannot be read do not count: the last good ones stay in force, and the
// connections' notes say so. It may be called at any time: after stop it does
// nothing.
func (r *reloader) reload(ctx context.Context) []string {
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.stopped {
		return nil
	}
	set, err := r.load()
	if err != nil {
		set = r.good.Withdrawn(r.trusted())
		r.log.Warn("settings cannot be read, keeping those read before", "cause", err)
	}
	r.good = set
	known := r.finder.Find(ctx, set)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		known.Notes = append([]string{"the settings of before are in force: " + err.Error()}, known.Notes...)
	}
	r.databases.Update(known.Configs, connections.Default(set, known), known.AllNotes())
	r.files.Update(fileSettings(set, r.databases))
	r.lint.Store(&set.Lint)
	r.page.Store(&set.Page)
	r.announcer.announceChanges(set, known)
	r.log.Info("connections read again", "known", len(known.Configs))
	return slices.Concat(r.folders, known.Folders)
}
