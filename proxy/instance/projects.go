package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// Projects knows the instances of the user's other projects. Errors are told
// as those of [Designs] are.
type Projects interface {
	// Projects lists all, this one too, with how each is.
	Projects(ctx context.Context) (any, error)
	// Open opens another project's page in the person's browser, signed in.
	Open(ctx context.Context, root string) error
}

func (s *Server) getProjects(w http.ResponseWriter, r *request) error {
	return answer(s, func(ctx context.Context, _ *request) (any, error) {
		list, err := s.cfg.Projects.Projects(ctx)
		return map[string]any{"projects": list}, err
	})(w, r)
}

// postProjectsOpen opens another project's page for the person at this one.
// It answers with nothing that opens it: whoever has this page's key may be
// somebody else.
func (s *Server) postProjectsOpen(w http.ResponseWriter, r *request) error {
	var body struct {
		ProjectRoot string `json:"projectRoot"`
	}
	if err := readJSON(w, r.Request, maxSignInBytes, &body); err != nil {
		return err
	}
	if body.ProjectRoot == "" {
		return fail(wire.CodeInvalidRequest, `the body must be {"projectRoot": "…"}`)
	}
	return answer(s, func(ctx context.Context, _ *request) (any, error) {
		err := s.cfg.Projects.Open(ctx, body.ProjectRoot)
		return map[string]any{"opened": err == nil}, err
	})(w, r)
}
