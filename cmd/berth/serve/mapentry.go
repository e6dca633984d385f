package serve

import (
	"context"
	"fmt"
	"os"
	"time"
)

// restoreWait bounds one try to put an entry back: a handover waits for it.
// restorePause is how long a map without the entry is given before: a program
// that does not replace the file empties it before it writes.
const (
	restoreWait  = 500 * time.Millisecond
	restorePause = 50 * time.Millisecond
)

// mapEntry keeps a running instance in the port map. Whoever deletes the map,
// breaks it or writes an old one over it would otherwise cut off every
// instance until its next start.
type mapEntry struct {
	run
	port int
	lost bool // it could not be put back, which is logged once
}

// keep puts the entry back where it is gone. An entry with another port stays
// if an instance proves itself there: it took the project although this one
// holds the state, as after somebody removed berth's directory. Then there is
// nothing left to do here, which is the error.
func (p *mapEntry) keep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, restoreWait)
	defer cancel()
	port, ok, err := p.Store.Lookup(p.Root)
	if (err != nil || !ok) && pause(ctx, restorePause) == nil {
		port, ok, err = p.Store.Lookup(p.Root)
	}
	if err == nil && ok && port == p.port {
		p.lost = false
		return nil
	}
	if err == nil && ok {
		if other := p.live(ctx); other != nil && other.PID != os.Getpid() {
			return fmt.Errorf("process %d serves %s on port %d now", other.PID, p.Root, other.Port)
		}
	}
	restored, err := p.Store.Restore(ctx, p.Root, p.port)
	switch {
	case err == nil && !restored:
		p.lost = false
	case err == nil:
		p.lost = false
		p.Logger.Warn("put back into the port map, which had lost it", "port", p.port)
	case !p.lost:
		p.lost = true
		p.Logger.Warn("not in the port map, and cannot be put back", "port", p.port, "cause", err)
	}
	return nil
}
