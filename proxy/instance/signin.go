package instance

import (
	"encoding/base64"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

const maxSignInBytes = 4 << 10

// postSignInCode returns a sign-in code, or the path of a file that carries
// one, to a caller with the token and the person key.
func (s *Server) postSignInCode(w http.ResponseWriter, r *request) error {
	var body struct {
		File bool   `json:"file"`
		Host string `json:"host"` // where the page is to be shown; "": here
	}
	if r.ContentLength != 0 {
		if err := readJSON(w, r.Request, maxSignInBytes, &body); err != nil {
			return err
		}
	}
	var reply struct {
		Code string `json:"code,omitempty"`
		URL  string `json:"url,omitempty"`
		File string `json:"file,omitempty"`
		// ShownPort is the port of another machine for which the code is. A berth
		// that knows no such pages does not answer with it.
		ShownPort int `json:"shownPort,omitempty"`
		// Host is where the page is to be shown, if the caller named a host.
		Host string `json:"host,omitempty"`
	}
	if port := s.shownPort(r.Request); port != s.self.Port {
		reply.ShownPort = port
	}
	switch {
	case body.Host != "":
		var err error
		reply.Code, reply.Host = s.NewCode(), body.Host
		if reply.URL, err = s.nameHost(body.Host, reply.Code); err != nil {
			return err
		}
	case body.File:
		var err error
		if reply.File, err = s.NewSignInFile(); err != nil {
			return fail(wire.CodeInvalidRequest, "%v", err) // a path, and what is wrong with it
		}
	default:
		reply.Code = s.NewCode()
		reply.URL = s.SignInURL(reply.Code)
	}
	writeJSON(w, http.StatusOK, reply)
	return nil
}

// postSignIn exchanges a code for a page key. Only wrong codes are rate
// limited: guessing must not lock the person out, and no number of guesses
// finds 130 bits.
func (s *Server) postSignIn(w http.ResponseWriter, r *request) error {
	var body struct {
		Code string `json:"code"`
	}
	if err := readJSON(w, r.Request, maxSignInBytes, &body); err != nil {
		return err
	}
	if !s.codes.redeem(body.Code) {
		if ok, _ := s.signins.Allow(); !ok {
			return fail(wire.CodeOverloaded, "too many failed sign-ins; try again in a few seconds")
		}
		return fail(wire.CodeUnauthorized, "this code is used up, too old or none; run berth open for a new one")
	}
	in := newSignIn()
	if err := s.cfg.Keys.AddPageKey(r.Context(), in.id, in.stored()); err != nil {
		return err
	}
	port := s.shownPort(r.Request)
	writeJSON(w, http.StatusOK, struct {
		KeyID           string `json:"keyId"`
		Key             string `json:"key"`
		Resume          string `json:"resume"`
		ProjectRoot     string `json:"projectRoot"`
		ProjectRootHash string `json:"projectRootHash"`
		// TabOnly has the page store nothing: its port is one that any program may
		// have next.
		TabOnly bool `json:"tabOnly,omitempty"`
	}{in.id, base64.RawURLEncoding.EncodeToString(s.pageKey(in.resume, port)), in.text(), s.self.ProjectRoot, s.rootHash, port != s.self.Port})
	return nil
}

// postResume returns to a page that has this run's key the secret with which it
// can continue after a restart.
func (s *Server) postResume(w http.ResponseWriter, r *request) error {
	resume, ok, err := s.resumeSecret(r.Context(), r.key)
	if err != nil {
		return err
	}
	if !ok {
		return unauthorized()
	}
	writeJSON(w, http.StatusOK, struct {
		Resume string `json:"resume"`
	}{signIn{resume: resume}.text()})
	return nil
}
