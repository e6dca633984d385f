package serve

// StatusPath is the route that says how an instance is.
const StatusPath = "/status"

// Status is the body of GET /status: what berth ls shows beyond the map.
type Status struct {
	ActiveDesigner string `json:"activeDesigner,omitempty"` // the connection's name; empty: none was shown
	SyncState      string `json:"syncState,omitempty"`      // synced, proposed or drifted

	Approvals int `json:"approvals,omitempty"` // plans that wait for a person

	DesignFiles []DesignFile `json:"designFiles,omitempty"` // those that differ from their designs
}

// DesignFile is a design's file that could not be read into the design or
// written.
type DesignFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// status is how the designs are, and how many plans wait for a person.
func (d designState) status(approvals int) Status {
	s := Status{Approvals: approvals}
	if active, ok := d.manager.Active(); ok {
		info := active.Info()
		s.ActiveDesigner, s.SyncState = info.Name, string(info.Sync)
	}
	if d.files != nil {
		for _, p := range d.files.Problems() {
			s.DesignFiles = append(s.DesignFiles, DesignFile{File: p.File, Reason: p.Reason})
		}
	}
	return s
}
