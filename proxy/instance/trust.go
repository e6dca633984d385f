package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// Trust is what the project's own files ask of the user before they may reach
// beyond the project and this machine, or raise a right. What the methods
// return is written as JSON; errors are told as those of [Designs] are.
type Trust interface {
	// Asks lists what is asked, trusted or not.
	Asks(ctx context.Context) (any, error)
	// Trust has the user trust the asks of these digests, all or none.
	Trust(ctx context.Context, digests []string) (any, error)
	// Revoke takes back all that was trusted of the project.
	Revoke(ctx context.Context) (any, error)
}

// maxTrustBytes bounds the body of an answer.
const maxTrustBytes = 64 << 10

func (s *Server) getTrust(w http.ResponseWriter, r *request) error {
	return answer(s, func(ctx context.Context, _ *request) (any, error) { return s.cfg.Trust.Asks(ctx) })(w, r)
}

// postTrust takes a person's answer.
func (s *Server) postTrust(w http.ResponseWriter, r *request) error {
	var body struct {
		Trust  []string `json:"trust"`
		Revoke bool     `json:"revoke"`
	}
	if err := readJSON(w, r.Request, maxTrustBytes, &body); err != nil {
		return err
	}
	if body.Revoke == (len(body.Trust) > 0) {
		return fail(wire.CodeInvalidRequest, `the body must be {"trust": ["<digest>", …]} or {"revoke": true}`)
	}
	s.cfg.Logger.Info("a person answered what the project asks", "trusted", len(body.Trust), "revoked", body.Revoke)
	return answer(s, func(ctx context.Context, _ *request) (any, error) {
		if body.Revoke {
			return s.cfg.Trust.Revoke(ctx)
		}
		return s.cfg.Trust.Trust(ctx, body.Trust)
	})(w, r)
}
