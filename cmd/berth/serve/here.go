package serve

import (
	"context"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/berth-dev/berth/cmd/berth/team"
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/presence"
)

// noticePresence: somebody came or went, or looks at something else.
const noticePresence = "presence"

// here is who is at the instance, and in a team at the others: what
// instance.Presence asks for.
type here struct {
	*presence.Board
	manager *session.Manager
	notices *notices
	main    func() string               // name of the default connection, "" if there is none
	team    atomic.Pointer[team.Keeper] // nil: it is not kept yet
}

// newHere returns the list of who is at the instance, still without the team.
func (r run) newHere(b *base) *here {
	h := &here{manager: b.manager, notices: b.notices, main: b.defaultConnection}
	h.Board = presence.New(presence.Options{Self: r.self(), Designs: h.table, Changed: h.changed})
	return h
}

// defaultConnection is the name of the connection that a query means which names
// none.
func (b *base) defaultConnection() string {
	for _, c := range b.databases.Outline(context.Background()) {
		if c.Default {
			return c.Name
		}
	}
	return ""
}

// self is whose instance it is. The name of a person is what their team knows
// them by, else their login.
func (r run) self() presence.Self {
	s := presence.Self{Project: filepath.Base(r.Root), Person: "somebody"}
	s.Machine, _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		s.Person = u.Username[strings.LastIndexByte(u.Username, '\\')+1:] // Windows puts the domain before it
	}
	if r.Settings.Team != nil {
		s.Person = team.PersonOf(r.Settings.Team, s.Machine)
	}
	return s
}

// changed says to pages and to the team that the list is another one.
func (h *here) changed() {
	h.notices.Announce(notice{noticePresence})
	if t := h.team.Load(); t != nil {
		t.HereChanged()
	}
}

// Began implements instance.Presence.
func (h *here) Began(call tools.Call) (done func()) {
	c := call.Client
	ended := h.Board.Began(presence.Agent{ID: c.ID, Name: c.Name, Version: c.Version, Project: c.Project, Machine: c.Machine,
		Brief: c.Name == wire.CommandLine}, operationOf(call))
	return func() { ended(h.subject(call)) }
}

// List implements instance.Presence.
func (h *here) List(ctx context.Context, ask bool) presence.List {
	list := presence.List{Self: h.Self(), Here: h.Board.List()}
	if t := h.team.Load(); t != nil {
		list.Here = append(list.Here, t.Others(ctx, ask)...)
	}
	return list
}

// table is [presence.Designs] of the project.
func (h *here) table(connection, id string) (name string, known bool) {
	d, ok := h.manager.ByID(connection)
	if !ok {
		return "", false
	}
	_ = d.View(func(all *designer.Schema) {
		if t := all.ByID(designer.ID(id)); t != nil {
			name = t.Schema + "." + t.Name
		}
	})
	return name, true
}
