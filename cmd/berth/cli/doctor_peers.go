package cli

import (
	"cmp"
	"errors"

	"github.com/berth-dev/berth/proxy/peer"
)

// examinePeers reports whether this system says whose a loopback connection
// is. Where it does not, as in some containers, instances answer everybody
// who shows a credential.
func examinePeers(e *examination) {
	switch err := peer.Probe(); {
	case err == nil:
		e.ok("connections of this machine's other users are refused")
	case errors.Is(err, peer.ErrUnreported):
		e.note("connections of this machine's other users are not told apart from yours, and only credentials keep them out: %v", err)
	default:
		e.problem(cmp.Or(hintOf(err), "run doctor outside of a sandbox; until then only credentials keep other users out"), "whether connections of this machine's other users can be refused is not known: %v", err)
	}
}
