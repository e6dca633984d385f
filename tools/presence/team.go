package presence

import (
	"encoding/json"
	"errors"
	"time"
)

// Limits on what one instance of a team says.
const (
	maxShared      = 64
	maxSharedBytes = 64 << 10
)

// Shared returns who is at a design, for the others of its team: pages and agents
// alone, without what is this instance's own. watched reports whether somebody
// sees a page of the design.
func (b *Board) Shared(connection string) (list []Entry, watched bool) {
	for _, e := range b.entries() {
		if e.Kind == KindProgram || e.Connection != connection || connection == "" {
			continue
		}
		watched = watched || e.Kind == KindPage && !e.Away
		e.Connection = ""
		if e.Table != nil {
			e.Table = &Table{ID: e.Table.ID} // its name is in the design of whoever hears of it
		}
		if len(list) < maxShared {
			list = append(list, e)
		}
	}
	return list, watched
}

// Encode returns a list of [Board.Shared] as it is sent.
func Encode(list []Entry) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	raw, err := json.Marshal(list)
	if err != nil || len(raw) > maxSharedBytes {
		return nil // our own types always encode, and are bounded
	}
	return raw
}

// Decode reads what another instance of a team has sent. What is not of the form
// is refused; every text is bounded.
func Decode(raw json.RawMessage) ([]Entry, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if len(raw) > maxSharedBytes {
		return nil, errors.New("too long")
	}
	var list []Entry
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	list = list[:min(len(list), maxShared)]
	for i, e := range list {
		if e.Kind != KindPage && e.Kind != KindAgent {
			return nil, errors.New("unknown kind")
		}
		clean := Entry{Kind: e.Kind, ID: Clean(e.ID, maxID), Machine: Clean(e.Machine, maxName), Program: Clean(e.Program, maxName),
			Version: Clean(e.Version, maxVersion), From: Clean(e.From, maxName), Editing: e.Editing, View: Clean(e.View, 32), Away: e.Away,
			Tool: Clean(e.Tool, maxName), Running: e.Running, SinceMs: max(0, e.SinceMs), HeardMs: max(0, e.HeardMs)}
		if e.Table != nil && len(e.Table.ID) <= maxConnection {
			clean.Table = &Table{ID: e.Table.ID}
		}
		list[i] = clean
	}
	return list, nil
}

// Place returns an entry that another instance has sent as it is listed here: it
// is at a design of this project that the team knows by a name, and was sent some
// time ago.
func (e Entry) Place(d Designs, of Self, team, connection string, ago time.Duration) Entry {
	e.SinceMs += ago.Milliseconds()
	e.HeardMs += ago.Milliseconds()
	of = of.cleaned()
	e.Person, e.Project, e.Team = of.Person, of.Project, team
	if e.Machine == "" {
		e.Machine = of.Machine
	}
	table := e.Table
	e.Table = nil
	if table != nil {
		d.place(&e, connection, table.ID)
	}
	e.Connection = connection
	e.Editing = e.Editing && e.Table != nil
	return e
}
