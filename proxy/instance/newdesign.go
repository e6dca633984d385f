package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/pageapi"
)

// NewDesigns begins designs without a database, and makes files that they are
// published to. Errors are told as those of [Designs] are.
type NewDesigns interface {
	Begin(ctx context.Context, n pageapi.NewDesign) (pageapi.NewDesignReply, error)
	NewFile(ctx context.Context, connection string, n pageapi.NewFile) (pageapi.NewFileReply, error)
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

// postNewFile makes a file that a design is published to.
func (s *Server) postNewFile(w http.ResponseWriter, r *request) error {
	return submit(s, wire.MaxRequestBytes, func(ctx context.Context, connection string, n pageapi.NewFile) (pageapi.NewFileReply, error) {
		s.cfg.Logger.Info("a person makes a database file for a design")
		return s.cfg.NewDesigns.NewFile(ctx, connection, n)
	})(w, r)
}
