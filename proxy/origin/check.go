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

// Check refuses requests from web pages of another origin than that of port.
// After DNS rebinding the attacker's name is in Host; the page's own origin is
// in Origin. A request without an Origin passes, since programs send none. The
// error is an [*Error].
func Check(r *http.Request, port int) error {
	suffix := ":" + strconv.Itoa(port)
	name, ok := strings.CutSuffix(r.Host, suffix)
	if !ok || name != "127.0.0.1" && name != "localhost" && name != "[::1]" {
		return &Error{wire.CodeForbiddenHost, "Host must be 127.0.0.1" + suffix + " or localhost" + suffix}
	}
	for _, origin := range r.Header.Values("Origin") {
		if !own(origin, suffix) {
			return &Error{wire.CodeForbiddenOrigin, "only the instance's own page may call from a browser"}
		}
	}
	return nil
}

// CheckOwnPage refuses a request that no script of the port's own page sent.
// The error is an [*Error].
func CheckOwnPage(r *http.Request, port int) error {
	origin := r.Header.Values("Origin")
	site := r.Header.Values("Sec-Fetch-Site")
	ours := len(origin) == 1 && own(origin[0], ":"+strconv.Itoa(port))
	if !ours || len(site) > 1 || len(site) == 1 && site[0] != "same-origin" {
		return &Error{wire.CodeForbiddenOrigin, "only the instance's own page may ask this: programs run berth open"}
	}
	return nil
}

func own(origin, suffix string) bool {
	return origin == "http://127.0.0.1"+suffix || origin == "http://localhost"+suffix
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
