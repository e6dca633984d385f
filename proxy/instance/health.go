package instance

import (
	"encoding/base64"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// getHealth says who listens here, and proves it where the query carries a
// nonce: under the token, or with key=<id> under that page key's secret. A
// key this project does not know gets no proof: the page is talking to
// another project, or its key was revoked.
func (s *Server) getHealth(w http.ResponseWriter, r *request) error {
	query := r.URL.Query()
	if !query.Has("nonce") {
		writeJSON(w, http.StatusOK, wire.Answer(s.self, nil))
		return nil
	}
	nonce, err := wire.DecodeNonce(query.Get("nonce"))
	if err != nil {
		return fail(wire.CodeInvalidRequest, "%v", err)
	}
	if !query.Has("key") {
		writeJSON(w, http.StatusOK, wire.Answer(s.self, nonce))
		return nil
	}
	answer := wire.Answer(s.self, nil)
	answer.Proof, err = s.keyProof(r, query.Get("key"), nonce)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

func (s *Server) keyProof(r *request, id string, nonce []byte) (string, error) {
	if s.cfg.Keys == nil || !validKeyID(id) {
		return "", nil
	}
	secret, ok, err := s.cfg.Keys.PageKey(r.Context(), id)
	if err != nil || !ok || len(secret) == 0 {
		return "", err
	}
	proof := wire.Proof(secret, nonce, s.self.ProjectRoot, s.self.Port)
	return base64.RawURLEncoding.EncodeToString(proof), nil
}
