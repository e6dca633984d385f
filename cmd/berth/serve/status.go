package serve

import (
	"context"

	"github.com/berth-dev/berth/proxy/wire"
)

// status is how the designs are, how many plans wait for a person, and which
// databases there are.
func (b *base) status(ctx context.Context, kept designState) wire.Status {
	s := kept.status(b.ledger.Pending())
	known := b.databases.Outline(ctx)
	s.Databases = make([]wire.Database, 0, min(len(known), wire.MaxDatabases))
	for _, info := range known[:min(len(known), wire.MaxDatabases)] {
		s.Databases = append(s.Databases, wire.Database{Name: info.Name, Dialect: info.Dialect, Database: info.Database, Default: info.Default})
	}
	s.MoreDatabases = len(known) - len(s.Databases)
	return s
}

// status is how the designs are, and how many plans wait for a person.
func (d designState) status(approvals int) wire.Status {
	s := wire.Status{Approvals: approvals}
	if active, ok := d.manager.Active(); ok {
		info := active.Info()
		s.ActiveDesigner, s.SyncState = info.Name, string(info.Sync)
	}
	if d.files != nil {
		for _, p := range d.files.Problems() {
			s.DesignFiles = append(s.DesignFiles, wire.DesignFile{File: p.File, Reason: p.Reason})
		}
	}
	return s
}
