package relay

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/berth-dev/berth/proxy"
)

// offered reports whether a relay passes a request on to an instance. The list
// is what the commands need and what the page needs. What ends an instance,
// hands it over, opens a browser there or takes the token alone is not in it.
func offered(method, path string, as proxy.Identity) bool {
	switch as {
	case proxy.AsPerson:
		return method == http.MethodPost && path == "/signin/code"
	case proxy.AsCommand:
		return method == http.MethodGet && (path == "/status" || path == "/approvals" || below(path, "/approvals"))
	}
	p, ok := pageRoutes[method]
	return ok && (slices.Contains(p.exact, path) || slices.ContainsFunc(p.folders, func(folder string) bool { return below(path, folder) }))
}

// pageRoutes are the routes of the page, and of a command that decides as a page
// does. Each takes a page key, or none.
var pageRoutes = map[string]struct{ exact, folders []string }{
	http.MethodGet: {
		exact: []string{"/", "/icon.svg", "/third-party-notices.txt", "/health", "/events",
			"/approvals", "/designs", "/keys", "/presence", "/projects", "/status", "/trust"},
		folders: []string{"/approvals", "/assets", "/designs"},
	},
	http.MethodPost:   {exact: []string{"/presence", "/signin", "/signin/resume", "/trust"}, folders: []string{"/approvals", "/designs", "/tools"}},
	http.MethodPut:    {folders: []string{"/designs"}},
	http.MethodDelete: {folders: []string{"/keys"}},
}

// below reports whether path lies below a folder of the API. A path with empty
// segments or ones that lead up is none that berth sends.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder+"/")
	return ok && !slices.ContainsFunc(strings.Split(rest, "/"), leadsAstray)
}

// leadsAstray reports whether a segment is empty, or would lead up if it was
// read as a path. The name of a connection may hold an escaped slash.
func leadsAstray(segment string) bool {
	text, err := url.PathUnescape(segment)
	return err != nil || text == "" || text == "." || slices.Contains(strings.Split(text, "/"), "..")
}
