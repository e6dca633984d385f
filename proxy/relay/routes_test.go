package relay

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy"
)

func TestARelayOffersWhatItsCommandsNeedAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		method, path string
		as           proxy.Identity
		want         bool
	}{
		{"GET", "/status", proxy.AsCommand, true},
		{"GET", "/approvals", proxy.AsCommand, true},
		{"GET", "/approvals/p1", proxy.AsCommand, true},
		{"POST", "/signin/code", proxy.AsPerson, true},
		{"POST", "/signin", proxy.AsGiven, true},
		{"POST", "/approvals/p1/approve", proxy.AsGiven, true},
		{"DELETE", "/keys/k1", proxy.AsGiven, true},

		{"POST", "/stop", proxy.AsCommand, false},
		{"POST", "/handover", proxy.AsCommand, false},
		{"GET", "/calls", proxy.AsCommand, false},
		{"POST", "/approvals/p1/approve", proxy.AsCommand, false},
		{"POST", "/signin/code", proxy.AsCommand, false},
		{"GET", "/status", proxy.AsPerson, false},
		{"GET", "/", proxy.AsGiven, false},
		{"GET", "/designs", proxy.AsGiven, false},
		{"POST", "/tools/run-query", proxy.AsGiven, false},
		{"POST", "/approvals/../stop", proxy.AsGiven, false},
		{"POST", "/approvals//stop", proxy.AsGiven, false},
		{"POST", "/approvals/..%2Fstop", proxy.AsGiven, false},
		{"DELETE", "/keys/", proxy.AsGiven, false},
	} {
		assert.Equal(t, c.want, offered(c.method, c.path, c.as), "%s %s as %d", c.method, c.path, c.as)
	}
}
