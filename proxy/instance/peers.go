package instance

import (
	"errors"
	"net/http"

	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/peer"
)

// newGuard returns the guard that runs before everything else. It refuses
// connections of other users of this machine whatever they carry, so that a
// code, key or token that such a user obtained is useless.
func (s *Server) newGuard() (*peer.Guard, error) {
	return peer.NewGuard(peer.Options{Trusted: s.cfg.TrustedPeers, Refused: s.refusedPeer,
		Answer: func(owner peer.User, r *http.Request) (http.Header, []byte) {
			return origin.RefuseUser(r, origin.Stranger{Who: owner.String(), Trust: string(owner)})
		}})
}

// refusedPeer logs a connection that was refused, up to a bounded number. It
// does not log a connection that was closed at once, as a check whether the
// port is in use does.
func (s *Server) refusedPeer(owner peer.User, err error) {
	if errors.Is(err, peer.ErrGone) {
		return
	}
	ok, dropped := s.refusals.Allow()
	switch {
	case !ok:
	case err != nil:
		s.cfg.Logger.Warn("connection refused: its user is not known", "cause", err, "notLogged", dropped)
	default:
		s.cfg.Logger.Warn("connection of another user refused", "user", string(owner), "notLogged", dropped)
	}
}

// warnOpenToAll logs a warning if the system does not report who owns a
// connection.
func (s *Server) warnOpenToAll() {
	if err := s.guard.Err(); err != nil {
		s.cfg.Logger.Warn("connections of other users are not told apart", "cause", err)
	}
}
