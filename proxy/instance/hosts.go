package instance

import (
	"slices"
	"sync"

	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/wire"
)

// maxHosts bounds the hosts that were named to a run.
const maxHosts = 32

// hosts are those that were named to this run, beside the settings'.
type hosts struct {
	mu    sync.Mutex
	named []string
}

// add names a host; of too many the oldest is forgotten.
func (h *hosts) add(host string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if slices.Contains(h.named, host) {
		return
	}
	if len(h.named) == maxHosts {
		h.named = h.named[1:]
	}
	h.named = append(slices.Clone(h.named), host)
}

func (h *hosts) list() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.named
}

// namedHosts are those under which this page may be shown, beside its own.
func (s *Server) namedHosts() []string {
	named := s.hosts.list()
	if s.cfg.PageHosts != nil {
		named = append(slices.Clip(named), s.cfg.PageHosts()...)
	}
	return named
}

// nameHost has the page be shown at a host until the instance ends, and returns
// the address at which code signs in there.
func (s *Server) nameHost(host, code string) (url string, err error) {
	if err := origin.CheckHost(host); err != nil {
		return "", fail(wire.CodeInvalidRequest, "host %v", err)
	}
	host = origin.HostOf(host, s.self.Port)
	s.hosts.add(host)
	return origin.SignInURLAt(host, code), nil
}
