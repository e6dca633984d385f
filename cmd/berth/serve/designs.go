package serve

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/cmd/berth/team"
	"github.com/berth-dev/berth/designer/designs"
	"github.com/berth-dev/berth/designer/session"
)

// designState is a project's designs: the state that this process holds, and
// the files in the project that follow it.
type designState struct {
	manager *session.Manager
	files   *designs.Keeper // nil: the project's folder cannot be opened
	team    *team.Keeper    // nil: it is not kept yet
}

// keepDesigns keeps the designs' files in the project. Without them the
// designs are served all the same.
func (r run) keepDesigns(m *session.Manager) *designs.Keeper {
	keeper, err := designs.Keep(context.Background(), designs.Options{Root: r.Root, Manager: m, Logger: r.Logger})
	if err != nil {
		r.Logger.Warn("designs are not kept as files", "cause", err)
		return nil
	}
	return keeper
}

// closeFiles writes the designs' files that are due.
func (d designState) closeFiles() error {
	if d.files == nil {
		return nil
	}
	return d.files.Close()
}

// close writes the files that are due and gives the state up. Closing again
// does nothing.
func (d designState) close() error {
	if d.team != nil {
		d.team.Close()
	}
	return errors.Join(d.closeFiles(), d.manager.Close())
}
