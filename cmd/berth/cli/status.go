package cli

import "github.com/berth-dev/berth/designer/session"

// statusPath is the route that says how an instance is.
const statusPath = "/status"

// status is the body of GET /status: what berth ls tells beyond the map.
type status struct {
	ActiveDesigner string `json:"activeDesigner,omitempty"` // the connection's name; empty: none was shown
	SyncState      string `json:"syncState,omitempty"`      // synced, proposed or drifted
}

func statusOf(m *session.Manager) status {
	active, ok := m.Active()
	if !ok {
		return status{}
	}
	info := active.Info()
	return status{ActiveDesigner: info.Name, SyncState: string(info.Sync)}
}
