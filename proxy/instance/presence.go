package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/presence"
)

// Presence knows who is here.
type Presence interface {
	// Saw records what a page says of itself, and Revoked that its key ends.
	Saw(p presence.Page)
	Revoked(key string)
	// Began records that an agent's call runs, until done is called.
	Began(call tools.Call) (done func())
	// Connected records that the front-end of that id has opened a connection for
	// calls, until closed is called.
	Connected(client string) (closed func())
	// Holds records that a program holds the instance, until released is called.
	Holds(name string) (released func())
	// List returns who is here. With ask the others of a team are asked now, which
	// takes up to a second.
	List(ctx context.Context, ask bool) presence.List
}

// maxPresenceBytes bounds what a page says of itself.
const maxPresenceBytes = 8 << 10

// getPresence lists who is here.
func (s *Server) getPresence(w http.ResponseWriter, r *request) error {
	ask := false
	switch text := r.URL.Query().Get("ask"); text {
	case "", "false":
	case "true":
		ask = true
	default:
		return fail(wire.CodeInvalidRequest, "ask takes true or false")
	}
	writeJSON(w, http.StatusOK, s.cfg.Presence.List(r.Context(), ask))
	return nil
}

// postPresence takes what a page says of itself and answers with the list.
func (s *Server) postPresence(w http.ResponseWriter, r *request) error {
	var page presence.Page
	if err := readJSON(w, r.Request, maxPresenceBytes, &page); err != nil {
		return err
	}
	if err := page.Check(); err != nil {
		return fail(wire.CodeInvalidRequest, "%v", err)
	}
	page.Key = r.key
	s.cfg.Presence.Saw(page)
	writeJSON(w, http.StatusOK, s.cfg.Presence.List(r.Context(), false))
	return nil
}

// began records that an agent's call runs. Pages say themselves what they do.
func (s *Server) began(call tools.Call) (done func()) {
	if s.cfg.Presence == nil || call.Origin != tools.OriginAgent {
		return func() {}
	}
	return s.cfg.Presence.Began(call)
}

// heldBy records the lease of a stream.
func (s *Server) heldBy(lease wire.Lease) (released func()) {
	if s.cfg.Presence == nil || lease.Name == "" {
		return func() {}
	}
	return s.cfg.Presence.Holds(lease.Name)
}

// users are the front-ends whose calls came on one connection.
type users struct {
	presence Presence // nil: nobody keeps a list
	closed   map[string]func()
}

// maxUsers bounds them: a relay's connections carry the calls of many.
const maxUsers = 64

// add records a front-end.
func (u *users) add(client string) {
	if u.presence == nil || client == "" || len(u.closed) >= maxUsers {
		return
	}
	if _, known := u.closed[client]; known {
		return
	}
	if u.closed == nil {
		u.closed = map[string]func(){}
	}
	u.closed[client] = u.presence.Connected(client)
}

// end records that the connection has ended.
func (u *users) end() {
	for _, closed := range u.closed {
		closed()
	}
}
