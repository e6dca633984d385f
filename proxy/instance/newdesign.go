package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/pageapi"
)

// NewDesigns begins designs without a database. Errors are told as those of
// [Designs] are.
type NewDesigns interface {
	Begin(ctx context.Context, n pageapi.NewDesign) (pageapi.NewDesignReply, error)
}

// postDesigns begins a design for a person.
func (s *Server) postDesigns(w http.ResponseWriter, r *request) error {
	return submit(s, wire.MaxRequestBytes, func(ctx context.Context, _ string, n pageapi.NewDesign) (pageapi.NewDesignReply, error) {
		if !n.DryRun {
			s.cfg.Logger.Info("a person begins a design without a database")
		}
		return s.cfg.NewDesigns.Begin(ctx, n)
	})(w, r)
}
