package instance

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// access says which credential a route asks for.
type access int

const (
	open      access = iota // none
	tokenOnly               // the instance token: what ends the instance, lets others in, or acts as an agent
	anyKey                  // the token or a page key
	pageOnly                // a page key: what a person does at the page
)

// caller is who sent a request, as its credential proves.
type caller struct {
	origin tools.Origin
	key    string // id of the page key; empty with the token
}

// authenticate checks the credential of r against what a route asks for. It
// reads nothing but the header.
func (s *Server) authenticate(r *http.Request, need access) (caller, *failure) {
	if need == open {
		return caller{}, nil
	}
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return caller{}, unauthorized()
	}
	if s.self.Token.CheckHeader(headers[0]) {
		if need == pageOnly {
			return caller{}, fail(wire.CodeForbidden, "this is for a person at the page: it takes a page key, which berth open gives a browser")
		}
		return caller{origin: tools.OriginAgent}, nil
	}
	id, ok := s.pageKeyOf(r, headers[0])
	if !ok {
		return caller{}, unauthorized()
	}
	if need == tokenOnly {
		return caller{}, fail(wire.CodeForbidden, "a page key does not open this route; it takes the instance token")
	}
	return caller{origin: tools.OriginPage, key: id}, nil
}

func unauthorized() *failure {
	return fail(wire.CodeUnauthorized,
		"this needs the instance's token: berth mcp and berth call read it from instances/<port>.json in the user's berth directory, where each start writes a new one; a page signs in through berth open")
}

// pageKeyOf returns the id of the page key that header carries.
func (s *Server) pageKeyOf(r *http.Request, header string) (id string, ok bool) {
	credential, ok := strings.CutPrefix(header, "Bearer ")
	if !ok || s.cfg.Keys == nil {
		return "", false
	}
	id, key, ok := strings.Cut(credential, ".")
	if !ok || !validKeyID(id) {
		return "", false
	}
	secret, ok := keySecret(key)
	if !ok {
		return "", false
	}
	stored, ok, err := s.cfg.Keys.PageKey(r.Context(), id)
	if err != nil {
		s.cfg.Logger.Error("page key not read", "cause", err)
		return "", false
	}
	return id, ok && subtle.ConstantTimeCompare(stored, secret) == 1
}
