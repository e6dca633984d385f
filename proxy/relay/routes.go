package relay

import (
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy"
)

// offered reports whether a relay passes a request on to an instance. The list
// is what berth approvals and berth hosts need. What ends an instance, hands it
// over, makes a connection one of calls or serves its page is not in it.
func offered(method, path string, as proxy.Identity) bool {
	switch as {
	case proxy.AsPerson:
		return method == http.MethodPost && path == "/signin/code"
	case proxy.AsCommand:
		return method == http.MethodGet && (path == "/status" || path == "/approvals" || below(path, "/approvals"))
	}
	// A command that decides as a page does.
	return method == http.MethodPost && (path == "/signin" || below(path, "/approvals")) ||
		method == http.MethodDelete && below(path, "/keys")
}

// below reports whether path lies below a folder of the API. A path with dots
// or an escaped slash is none that berth sends.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder+"/")
	return ok && rest != "" && !strings.Contains(path, "/.") && !strings.Contains(path, "//")
}
