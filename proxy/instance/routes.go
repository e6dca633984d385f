package instance

import (
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// route is one route of the API. A segment {…} of the path matches any one
// segment, decoded into request.param; a path has at most one.
type route struct {
	method    string
	path      string
	auth      access
	unlimited bool // not counted in Config.MaxRequests: streams, and routes that end a busy instance
	handle    handler
}

// handler answers a request or returns an error.
type handler func(w http.ResponseWriter, r *request) error

func (rt route) String() string { return rt.method + " " + rt.path }

// request is an authenticated request.
type request struct {
	*http.Request
	caller
	param string // the path's {…}
}

// routeTable is the whole API: the routes below /designs, and all others sorted
// by path. Any other GET is the page's.
func (s *Server) routeTable() []route {
	all := []struct {
		route
		has bool // the part of Config that answers is set
	}{
		{route{"GET", "/approvals", anyKey, false, s.getApprovals}, s.cfg.Approvals != nil},
		{route{"GET", "/approvals/{id}", anyKey, false, s.getApproval}, s.cfg.Approvals != nil},
		{route{"POST", "/approvals/{id}", pageOnly, false, s.postApproval}, s.cfg.Approvals != nil},
		{route{"POST", wire.CallsPath, tokenOnly, false, s.postCalls}, true},
		{route{"GET", "/database-type", anyKey, false, s.getDatabaseType}, s.cfg.Rest != nil},
		{route{"POST", "/designs", pageOnly, false, s.postDesigns}, s.cfg.NewDesigns != nil},
		{route{"POST", "/designs/{connection}/file", pageOnly, false, s.postNewFile}, s.cfg.NewDesigns != nil},
		{route{"GET", "/edits/{id}", anyKey, false, s.getEdit()}, s.cfg.Edits != nil},
		{route{"POST", "/edits/{id}/undo", pageOnly, false, s.postUndo()}, s.cfg.Edits != nil},
		{route{"GET", wire.EventsPath, anyKey, true, s.getEvents}, s.cfg.Events != nil},
		{route{"POST", wire.HandoverPath, tokenOnly, true, s.postHandover}, true},
		{route{"GET", "/health", open, false, s.getHealth}, true},
		{route{"GET", "/keys", anyKey, false, s.getKeys}, s.cfg.Keys != nil},
		{route{"DELETE", "/keys/{id}", pageOnly, false, s.deleteKey}, s.cfg.Keys != nil},
		{route{"DELETE", "/mcp", tokenOnly, false, s.mcp.serve}, true},
		{route{"GET", "/mcp", tokenOnly, true, s.mcp.stand}, true},
		{route{"POST", "/mcp", tokenOnly, false, s.mcp.post}, true},
		{route{"GET", "/presence", anyKey, false, s.getPresence}, s.cfg.Presence != nil},
		{route{"POST", "/presence", pageOnly, false, s.postPresence}, s.cfg.Presence != nil},
		{route{"GET", "/projects", anyKey, false, s.getProjects}, s.cfg.Projects != nil},
		{route{"POST", "/projects/open", pageOnly, false, s.postProjectsOpen}, s.cfg.Projects != nil},
		{route{"POST", "/query", anyKey, false, s.postQuery}, s.cfg.Rest != nil},
		{route{"POST", "/shutdown", tokenOnly, true, s.postShutdown}, true},
		{route{"POST", "/signin", open, false, s.postSignIn}, s.cfg.Keys != nil},
		{route{"POST", "/signin/code", personOnly, false, s.postSignInCode}, s.cfg.Keys != nil},
		{route{"POST", "/signin/open", open, false, s.postSignInOpen}, s.cfg.Keys != nil},
		{route{"POST", "/signin/resume", pageOnly, false, s.postResume}, s.cfg.Keys != nil},
		{route{"GET", "/status", anyKey, false, s.getStatus}, true},
		{route{"GET", "/tables", anyKey, false, s.getTables}, s.cfg.Rest != nil},
		{route{"GET", "/tables/{table}/schema", anyKey, false, s.getTableSchema}, s.cfg.Rest != nil},
		{route{"POST", "/tools/{name}", anyKey, false, s.postTool}, true},
		{route{"GET", "/trust", anyKey, false, s.getTrust}, s.cfg.Trust != nil},
		{route{"POST", "/trust", pageOnly, false, s.postTrust}, s.cfg.Trust != nil},
	}
	routes := append(s.designRoutes(), s.rowRoutes()...)
	for _, rt := range all {
		if rt.has {
			routes = append(routes, rt.route)
		}
	}
	return routes
}
