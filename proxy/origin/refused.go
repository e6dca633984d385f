package origin

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// maxShownHost bounds a refused host that is shown again.
const maxShownHost = 255

// WantsRefusedHost reports whether a request that [Check] refused with err is a
// person's: a browser that opens an address which the user has not named.
func WantsRefusedHost(r *http.Request, err error) bool {
	refused, ok := err.(*Error)
	return ok && refused.Code == wire.CodeForbiddenHost && opensPage(r) && len(r.Host) <= maxShownHost && CheckHost(r.Host) == nil
}

// opensPage reports whether a request is a person's, whose browser goes to a
// page.
func opensPage(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// WriteRefusedHost answers such a request with a page that says what to add. It
// names nothing but the host that was asked for.
func WriteRefusedHost(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	return refusedHost.Execute(w, r.Host)
}

var refusedHost = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>berth</title>
<h1>berth does not know this address</h1>
<p>A berth instance answers here, at its own address of 127.0.0.1 only: a page of somebody else could lead your browser here under any name.</p>
<p>If <b>{{.}}</b> is an address of yours that leads here, as a forwarded port does, name it in your own <code>config.yaml</code> on the machine where berth runs
(<code>berth config</code> says where that file is):</p>
<pre>page: {hosts: ["{{.}}"]}</pre>
<p>Or run there, at a terminal, <code>berth open --host {{.}}</code>, which prints an address that signs you in and holds until the instance ends.</p>
<p>Do not name an address at which other programs are too, as one with <code>/proxy/</code> and a port behind it: all of them could read what this page holds.
In an editor in the browser use berth’s extension.</p>
</html>
`))
