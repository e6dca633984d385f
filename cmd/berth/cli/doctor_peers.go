package cli

import "github.com/berth-dev/berth/proxy/peer"

// examinePeers reports whether this system says whose a loopback connection
// is. Where it does not, as in some containers, instances answer everybody
// who shows a credential.
func examinePeers(e *examination) {
	if err := peer.Probe(); err != nil {
		e.note("connections of this machine's other users are not told apart from yours, and only credentials keep them out: %v", err)
		return
	}
	e.ok("connections of this machine's other users are refused")
}
