package instance

import (
	"context"
	"io"
	"net"
	"net/http"

	"github.com/berth-dev/berth/proxy/wire"
)

// command is a request to end the instance. Serve answers on done: nil once the
// port is free, or the reason why it continues.
type command struct {
	outcome Outcome
	done    chan error // buffered: Serve does not wait for the caller
}

// getStatus answers with the result of Config.Status, who holds the instance and
// how it ends. It does not count as use.
func (s *Server) getStatus(w http.ResponseWriter, r *request) error {
	var body wire.Status
	if s.cfg.Status != nil {
		body = s.cfg.Status(r.Context())
	}
	body.Leases, body.Pages = s.streams.holders()
	if s.cfg.Idle > 0 {
		body.IdleEnd = s.cfg.Idle.String()
	}
	writeJSON(w, http.StatusOK, body)
	return nil
}

// postHandover makes room for a successor on the same project. Once it is
// answered, the calls have ended, the state is flushed and released and the
// port is free: the successor may claim both. A request that asks for
// [wire.HandoverProtocol] keeps the connection, see [Server.Successor].
func (s *Server) postHandover(w http.ResponseWriter, r *request) error {
	if r.Header.Get("Upgrade") != wire.HandoverProtocol {
		return s.end(w, r, HandedOver)
	}
	if err := s.command(r.Context(), HandedOver); err != nil {
		return err
	}
	// From here on no error reaches the caller: the instance has ended, and
	// resumes serving if it does not hear from the successor.
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		s.cfg.Logger.Error("cannot hear the successor", "cause", err)
		return nil
	}
	_, err = io.WriteString(conn, switchingTo(wire.HandoverProtocol))
	if err != nil {
		s.cfg.Logger.Debug("the successor went away", "cause", err)
	}
	s.successor.Store(&conn)
	return nil
}

// switchingTo is the answer to a request whose connection is kept for protocol.
func switchingTo(protocol string) string {
	return "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + protocol + "\r\n\r\n"
}

// Successor returns the connection on which the process that was handed the
// project to says [wire.HandoverDone] once it serves; the caller closes it. It
// is nil if that process says nothing, as older versions of berth do, and
// before Serve has returned [HandedOver].
func (s *Server) Successor() net.Conn {
	if conn := s.successor.Load(); conn != nil {
		return *conn
	}
	return nil
}

// postShutdown ends the instance; it is answered when the port is free.
func (s *Server) postShutdown(w http.ResponseWriter, r *request) error {
	return s.end(w, r, Shutdown)
}

func (s *Server) end(w http.ResponseWriter, r *request, outcome Outcome) error {
	if err := s.command(r.Context(), outcome); err != nil {
		return err
	}
	w.Header().Set("Connection", "close")
	writeJSON(w, http.StatusOK, struct {
		Outcome string `json:"outcome"`
	}{outcome.String()})
	return nil
}

// command tells Serve to end the instance and returns when the port is free.
func (s *Server) command(ctx context.Context, outcome Outcome) error {
	cmd := command{outcome: outcome, done: make(chan error, 1)}
	if err := s.send(ctx, cmd); err != nil {
		return err
	}
	// Serve answers every command that it took, in bounded time.
	if err := <-cmd.done; err != nil {
		return fail(wire.CodeOverloaded, "not %s: %v", outcome, err)
	}
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
