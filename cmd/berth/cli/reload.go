package cli

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/berth-dev/berth/cmd/berth/discovery"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/files"
)

// reloader keeps the connections of a running instance, and how it treats the
// project's files, as its own files have it.
type reloader struct {
	knower
	load      func() (*settings.Settings, error)
	trusted   func() func(digest string) bool // what the user trusts now
	folders   []string                        // of the settings' files
	databases *db.Connections
	files     *files.Tool
	teller    *rightsTeller
	log       *slog.Logger

	good    *settings.Settings // as last read without an error
	running sync.WaitGroup
	end     context.CancelFunc
}

// start watches until stop.
func (r *reloader) start(known knownConnections) {
	ctx, end := context.WithCancel(context.Background())
	r.end = end
	r.teller.tell(r.good, known)
	r.running.Go(func() {
		discovery.Watch(ctx, slices.Concat(r.folders, known.folders), func() []string { return r.reload(ctx) })
	})
}

func (r *reloader) stop() {
	if r.end != nil {
		r.end()
	}
	r.running.Wait()
}

// reload reads everything anew and returns the folders to watch. Settings
// that cannot be read are not obeyed: the last good ones stand, and the
// connections' notes say so.
func (r *reloader) reload(ctx context.Context) []string {
	set, err := r.load()
	if err != nil {
		set = r.good.Withdrawn(r.trusted())
		r.log.Warn("settings cannot be read, keeping those read before", "cause", err)
	}
	r.good = set
	known := r.know(ctx, set)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		known.notes = append([]string{"the settings of before are in force: " + err.Error()}, known.notes...)
	}
	r.files.Update(fileSettings(set))
	r.databases.Update(known.configs, set.Default, known.allNotes())
	r.teller.tell(set, known)
	r.log.Info("connections read again", "known", len(known.configs))
	return slices.Concat(r.folders, known.folders)
}
