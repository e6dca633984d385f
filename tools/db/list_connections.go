package db

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Bounds of list-connections' notes.
const (
	maxNotes     = 20
	maxNoteBytes = 300
)

// listedConnection is a connection as list-connections shows it: nothing of it is
// secret.
type listedConnection struct {
	Name       string `json:"name"`
	Dialect    string `json:"dialect"`
	Server     string `json:"server"`
	Database   string `json:"database"`
	Origin     string `json:"origin"`
	Default    bool   `json:"default,omitempty"`
	Reachable  bool   `json:"reachable"`
	Version    string `json:"version,omitempty"`
	CanWrite   *bool  `json:"canWrite,omitempty"`   // the login; not there where it could not be asked
	Privileges string `json:"privileges,omitempty"` // by what it can
	// AllowWrites: execute-sql runs without a person's approval.
	AllowWrites bool   `json:"allowWrites,omitempty"`
	Problem     string `json:"problem,omitempty"`
}

// listConnections handles list-connections.
func (t *Tools) listConnections(ctx context.Context, call tools.Call) tools.Reply {
	if err := decode(call.Arguments); err != nil {
		return fail(err)
	}
	list := []listedConnection{}
	for _, info := range t.conns.List(ctx) {
		list = append(list, listedOf(info))
	}
	var notes []string
	for _, note := range t.conns.Notes() {
		if len(notes) == maxNotes {
			notes = append(notes, "… and more; berth doctor has them all")
			break
		}
		note, _ = replytext.Clean(replytext.Cut(note, maxNoteBytes))
		notes = append(notes, note)
	}
	if len(notes) > 0 {
		notes = append([]string{"Left out, or to be known:"}, notes...)
	}
	return reply(encodeJSON(list), strings.Join(notes, "\n"))
}

func listedOf(i pool.Info) listedConnection {
	l := listedConnection{Name: replytext.Shown(i.Name), Dialect: i.Dialect, Server: replytext.Shown(i.Server), Database: replytext.Shown(i.Database), Origin: replytext.Shown(i.Origin),
		Default: i.Default, Reachable: i.Err == nil, Version: replytext.Shown(i.Version), AllowWrites: i.AllowWrites}
	if i.Err != nil {
		l.Problem, _ = replytext.Clean(replytext.Cut(pool.Message(i.Err), maxNoteBytes))
		return l
	}
	l.CanWrite = &i.Privileges.Write
	l.Privileges = replytext.Shown(strings.Join(i.Privileges.Why, ", "))
	return l
}
