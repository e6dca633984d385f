package origin

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// An Error refuses a request. Its text is for the caller.
type Error struct {
	Code    wire.Code
	Message string
}

func (e *Error) Error() string { return e.Message }

// Refusal returns what is sent to the caller.
func (e *Error) Refusal() (code, message string) { return string(e.Code), e.Message }

// Check refuses requests from web pages of another origin than those of port:
// its loopback addresses, and the hosts that the user has named (see [CheckHost]).
// After DNS rebinding the attacker's name is in Host; the page's own origin is
// in Origin. A request without an Origin passes, since programs send none. The
// error is an [*Error].
func Check(r *http.Request, port int, named []string) error {
	if !AtLoopback(r.Host, port) && !isNamed(r.Host, port, named) {
		suffix := ":" + strconv.Itoa(port)
		return &Error{wire.CodeForbiddenHost, "Host must be 127.0.0.1" + suffix + " or localhost" + suffix}
	}
	for _, origin := range r.Header.Values("Origin") {
		if !own(origin, r.Host, port) {
			return &Error{wire.CodeForbiddenOrigin, "only the instance's own page may call from a browser"}
		}
	}
	return nil
}

// CheckOwnPage refuses a request that no script of the port's own page sent.
// The request has passed [Check]. The error is an [*Error].
func CheckOwnPage(r *http.Request, port int) error {
	origin := r.Header.Values("Origin")
	site := r.Header.Values("Sec-Fetch-Site")
	ours := len(origin) == 1 && own(origin[0], r.Host, port)
	if !ours || len(site) > 1 || len(site) == 1 && site[0] != "same-origin" {
		return &Error{wire.CodeForbiddenOrigin, "only the instance's own page may ask this: programs run berth open"}
	}
	return nil
}

// AtLoopback reports whether a Host is one of a port's loopback addresses.
func AtLoopback(host string, port int) bool {
	name, ok := strings.CutSuffix(host, ":"+strconv.Itoa(port))
	return ok && (name == "127.0.0.1" || name == "localhost" || name == "[::1]")
}

// own reports whether an origin is that of a page at host, which is allowed.
// At a named one it comes by HTTPS, or from this machine.
func own(origin, host string, port int) bool {
	if AtLoopback(host, port) {
		suffix := ":" + strconv.Itoa(port)
		return origin == "http://127.0.0.1"+suffix || origin == "http://localhost"+suffix
	}
	return strings.EqualFold(origin, PageURL(host))
}

// securityHeaders are set on every answer. A handler of the page may replace
// the two that depend on its content. CORS headers are never set.
var securityHeaders = [...][2]string{
	{"Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'"},
	{"Cache-Control", "no-store"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
}

// SetSecurityHeaders sets what every answer has, before its handler runs.
func SetSecurityHeaders(h http.Header) {
	for _, header := range securityHeaders {
		h.Set(header[0], header[1])
	}
}
