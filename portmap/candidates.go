package portmap

import "iter"

// candidates yields the ports to try for a project, best first, none twice.
//
// A port that the map assigns to another project is not among them, whether
// that project's instance runs or has crashed: its next start expects the port.
func (s *Store) candidates(l *ledger, root string) iter.Seq[int] {
	others := portsOfOthers(l.entries, root, func(port int) int { return port })
	reserved := portsOfOthers(l.reserved, root, func(r reservation) int { return r.Port })
	return func(yield func(int) bool) {
		own, hasEntry := lookup(l.entries, root)
		if hasEntry && !yield(own) {
			return
		}
		kept, _ := lookup(l.reserved, root)
		if kept.Port != 0 && kept.Port != own && !others[kept.Port] && !yield(kept.Port) {
			return
		}
		for _, spare := range [...]bool{false, true} { // free ports first, then reserved ones
			for port := s.opts.FirstPort; port <= s.opts.LastPort; port++ {
				tried := port == own || port == kept.Port
				if tried || others[port] || reserved[port] != spare {
					continue
				}
				if !yield(port) {
					return
				}
			}
		}
	}
}

// portsOfOthers returns the set of ports of all projects except root.
func portsOfOthers[V any](byRoot map[string]V, root string, portOf func(V) int) map[int]bool {
	own := foldRoot(root)
	ports := make(map[int]bool, len(byRoot))
	for other, value := range byRoot {
		if foldRoot(other) != own {
			ports[portOf(value)] = true
		}
	}
	return ports
}
