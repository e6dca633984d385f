package wire

import "encoding/base64"

// ServerName is the name an instance gives itself in [Health].
const ServerName = "berth"

// HealthPath is the one route that needs no token; a challenge goes in its
// query as nonce=….
const HealthPath = "/health"

// MaxHealthBytes bounds the body of /health: a squatter may send anything.
const MaxHealthBytes = 4 << 10

// Health is the body of GET /health. It contains nothing that a caller without
// the token must not know.
type Health struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	ProjectRootHash string `json:"projectRootHash"` // [RootHash] under a salt of the user's own
	// Proof is the base64url text of [Proof] under the instance's token;
	// empty when the request carried no nonce.
	Proof string `json:"proof,omitempty"`
	// Calls reports that the instance serves [CallsPath].
	Calls bool `json:"calls,omitempty"`
	// Run and Resumed are for pages: the run of the instance and
	// [ResumeProof], both base64url.
	Run     string `json:"run,omitempty"`
	Resumed string `json:"resumed,omitempty"`
}

// Answer returns the health body of the instance i, without the fields for
// pages. With a nil nonce it has no proof.
func Answer(i Instance, nonce []byte) Health {
	h := Health{Name: ServerName, Version: i.Version}
	if nonce != nil {
		h.Proof = base64.RawURLEncoding.EncodeToString(Proof(i.Token[:], nonce, i.ProjectRoot, i.Port))
	}
	return h
}

// Proves reports whether h answers nonce as only the instance i can. When in
// doubt, it returns false.
func (h Health) Proves(i Instance, nonce []byte) bool {
	proof, err := base64.RawURLEncoding.DecodeString(h.Proof)
	return err == nil && !i.Token.IsZero() && h.Name == ServerName &&
		VerifyProof(i.Token[:], nonce, i.ProjectRoot, i.Port, proof)
}
