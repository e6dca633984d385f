package cli

import (
	"github.com/berth-dev/berth/designer/designs"
	"github.com/berth-dev/berth/designer/session"
)

// statusPath is the route that says how an instance is.
const statusPath = "/status"

// status is the body of GET /status: what berth ls tells beyond the map.
type status struct {
	ActiveDesigner string `json:"activeDesigner,omitempty"` // the connection's name; empty: none was shown
	SyncState      string `json:"syncState,omitempty"`      // synced, proposed or drifted

	Approvals int `json:"approvals,omitempty"` // plans that wait for a person

	DesignFiles []designFile `json:"designFiles,omitempty"` // those that differ from their designs
}

// designFile is a design's file that could not be taken over or written.
type designFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

func statusOf(m *session.Manager, k *designs.Keeper) status {
	var s status
	if active, ok := m.Active(); ok {
		info := active.Info()
		s.ActiveDesigner, s.SyncState = info.Name, string(info.Sync)
	}
	if k != nil {
		for _, p := range k.Problems() {
			s.DesignFiles = append(s.DesignFiles, designFile{File: p.File, Reason: p.Reason})
		}
	}
	return s
}
