package relay

import (
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy"
)

// offered reports whether a relay passes a request on to an instance. The list
// is what a page, berth approvals and berth hosts need. What ends an instance,
// hands it over, makes a connection one of calls or names other projects is not
// in it.
func offered(method, path string, as proxy.Identity, page bool) bool {
	switch {
	case as == proxy.AsPerson:
		return !page && method == http.MethodPost && path == "/signin/code"
	case as == proxy.AsCommand:
		return !page && method == http.MethodGet && (path == "/status" || path == "/approvals" || below(path, "/approvals"))
	case !page: // a command that decides as a page does
		return method == http.MethodPost && (path == "/signin" || below(path, "/approvals")) ||
			method == http.MethodDelete && below(path, "/keys")
	}
	return offeredToPage(method, path)
}

// offeredToPage is offered for what a page sends.
func offeredToPage(method, path string) bool {
	switch method {
	case http.MethodGet, http.MethodHead:
		return path != "/mcp" && path != "/calls" && path != "/projects"
	case http.MethodPost:
		return path == "/signin" || path == "/signin/resume" || path == "/query" || path == "/trust" ||
			below(path, "/tools") || below(path, "/approvals") || below(path, "/designs")
	case http.MethodPut:
		return below(path, "/designs")
	case http.MethodDelete:
		return below(path, "/designs") || below(path, "/keys")
	}
	return false
}

// below reports whether path lies below a folder of the API. A path with dots
// or an escaped slash is none that any page sends.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder+"/")
	return ok && rest != "" && !strings.Contains(path, "/.") && !strings.Contains(path, "//")
}
