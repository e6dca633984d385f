package instance

import (
	"context"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// command is a request to end the instance. Serve answers on done once the
// port is free, or with why it goes on.
type command struct {
	outcome Outcome
	done    chan error // buffered: Serve does not wait for the caller
}

// getStatus answers with what Config.Status says.
func (s *Server) getStatus(w http.ResponseWriter, _ *request) error {
	var body any = struct{}{}
	if s.cfg.Status != nil {
		body = s.cfg.Status()
	}
	writeJSON(w, http.StatusOK, body)
	return nil
}

// postHandover makes room for a successor on the same project. When it is
// answered the calls have ended, the state is flushed and released and the
// port is free: the successor may claim both.
func (s *Server) postHandover(w http.ResponseWriter, r *request) error {
	return s.end(w, r, HandedOver)
}

// postShutdown ends the instance; it is answered when the port is free.
func (s *Server) postShutdown(w http.ResponseWriter, r *request) error {
	return s.end(w, r, Shutdown)
}

func (s *Server) end(w http.ResponseWriter, r *request, outcome Outcome) error {
	cmd := command{outcome: outcome, done: make(chan error, 1)}
	if err := s.send(r.Context(), cmd); err != nil {
		return err
	}
	// Bounded by Serve: a command that was taken is answered.
	if err := <-cmd.done; err != nil {
		return fail(wire.CodeOverloaded, "not %s: %v", outcome, err)
	}
	w.Header().Set("Connection", "close")
	writeJSON(w, http.StatusOK, struct {
		Outcome string `json:"outcome"`
	}{outcome.String()})
	return nil
}

func (s *Server) send(ctx context.Context, cmd command) error {
	select {
	case s.control <- cmd:
		return nil
	case <-s.stopped:
		return errShuttingDown
	case <-ctx.Done():
		return ctx.Err()
	}
}
