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
	// Open returns an address that signs a browser in at another project's
	// page, once.
	Open(ctx context.Context, root string) (url string, err error)
}

func (s *Server) getProjects(w http.ResponseWriter, r *request) error {
	return s.answer(func(ctx context.Context, _ *request) (any, error) {
		list, err := s.cfg.Projects.Projects(ctx)
		return map[string]any{"projects": list}, err
	})(w, r)
}

// postProjectsOpen lets the person at this page go on to another project's.
// Both are the same user's; a page key is no more than one person's browser.
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
	return s.answer(func(ctx context.Context, _ *request) (any, error) {
		url, err := s.cfg.Projects.Open(ctx, body.ProjectRoot)
		return map[string]any{"url": url}, err
	})(w, r)
}
