package instance

import (
	"encoding/base64"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// getHealth identifies the instance and, if the query has a nonce, proves its
// identity: with the token, or with key=<id> for the pages of that sign-in. An
// unknown id gets no proof: the page is talking to another project, or its
// sign-in was revoked.
func (s *Server) getHealth(w http.ResponseWriter, r *request) error {
	query := r.URL.Query()
	if !query.Has("nonce") {
		writeJSON(w, http.StatusOK, s.health(nil))
		return nil
	}
	nonce, err := wire.DecodeNonce(query.Get("nonce"))
	if err != nil {
		return fail(wire.CodeInvalidRequest, "%v", err)
	}
	if !query.Has("key") {
		writeJSON(w, http.StatusOK, s.health(nonce))
		return nil
	}
	answer := s.health(nil)
	proof, resumed, err := s.keyProofs(r.Request, query.Get("key"), nonce)
	if err != nil {
		return err
	}
	if proof != nil {
		text := base64.RawURLEncoding.EncodeToString
		answer.Proof, answer.Run, answer.Resumed = text(proof), text(s.runID), text(resumed)
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

func (s *Server) health(nonce []byte) wire.Health {
	h := wire.Answer(s.self, nonce)
	h.ProjectRootHash, h.Calls = s.rootHash, true
	return h
}
