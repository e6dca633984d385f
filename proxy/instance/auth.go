package instance

import (
	"net/http"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// access is the credential that a route requires.
type access int

const (
	open       access = iota // none
	tokenOnly                // the instance token: for ending the instance and acting as an agent
	personOnly               // the instance token with the person key: for letting others in
	pageOnly                 // a page key: for a person's decisions
	anyKey                   // the token or a page key
)

// caller is the sender of a request, as its credential proves.
type caller struct {
	origin tools.Origin
	key    string // id of the page key; empty with the token
	person bool   // it can ask a person, and its answers count as theirs
}

// authenticate checks the credential of r against what a route requires. It
// reads only the header.
func (s *Server) authenticate(r *http.Request, need access) (caller, *failure) {
	if need == open {
		return caller{}, nil
	}
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return caller{}, unauthorized()
	}
	if s.self.Token.CheckHeader(headers[0]) {
		who := caller{origin: tools.OriginAgent, person: s.speaksForPerson(r.Header)}
		return who, who.lacks(need)
	}
	id, ok, err := s.pageKeyOf(r, headers[0])
	if err != nil {
		return caller{}, s.unreadable(err)
	}
	if !ok {
		return caller{}, unauthorized()
	}
	who := caller{origin: tools.OriginPage, key: id, person: true}
	return who, who.lacks(need)
}

// lacks returns the failure for a caller whose credential is valid but not for
// this route.
func (c caller) lacks(need access) *failure {
	page := c.origin == tools.OriginPage
	switch {
	case page && (need == tokenOnly || need == personOnly):
		return fail(wire.CodeForbidden, "a page key does not open this route; it takes the instance token")
	case !page && need == pageOnly:
		return fail(wire.CodeForbidden, "a person decides this, and the instance token is not one: "+
			"have them decide on the page (berth open), or with berth approvals at a terminal in the project")
	case need == personOnly && !c.person:
		return fail(wire.CodeForbidden, "a code lets a person in, and the instance token alone is not one: "+
			"have them run berth open, or berth open --print at a terminal")
	}
	return nil
}

// speaksForPerson reports whether the holder of the token showed the person key
// too.
func (s *Server) speaksForPerson(h http.Header) bool {
	shown := h.Values(wire.PersonHeader)
	return len(shown) == 1 && s.isPersonKey(shown[0])
}

// isPersonKey reports whether shown is the person key. It reads the file each
// time, since few calls carry the key.
func (s *Server) isPersonKey(shown string) bool {
	if s.cfg.PersonKeyFile == "" {
		return false
	}
	key, err := wire.ReadPersonKey(s.cfg.PersonKeyFile)
	if err != nil {
		s.cfg.Logger.Error("person key not read", "cause", err)
		return false
	}
	return key.CheckHeader(shown)
}

func unauthorized() *failure {
	return fail(wire.CodeUnauthorized,
		"this needs the instance's token: berth mcp and berth call read it from instances/<port>.json in the user's berth directory, where each start writes a new one; a page signs in through berth open")
}

// unreadable returns the failure for a page key that could not be looked up. It
// must not be reported as unknown, which would sign the page out: during a
// handover the store closes while requests still arrive.
func (s *Server) unreadable(err error) *failure {
	if s.gate.refuses() {
		return failureOf(errShuttingDown)
	}
	s.cfg.Logger.Error("page key not read", "cause", err)
	return failureOf(err)
}

// pageKeyOf returns the id of the sign-in whose page key header carries.
func (s *Server) pageKeyOf(r *http.Request, header string) (id string, ok bool, err error) {
	credential, ok := wire.Bearer(header)
	if !ok {
		return "", false, nil
	}
	id, key, ok := strings.Cut(credential, ".")
	if !ok {
		return "", false, nil
	}
	resume, ok, err := s.resumeSecret(r.Context(), id)
	if err != nil || !ok {
		return "", false, err
	}
	return id, s.opens(resume, s.shownPort(r), key), nil
}
