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
		{"GET", "/presence", proxy.AsGiven, true},
		{"POST", "/presence", proxy.AsGiven, true},

		{"POST", "/stop", proxy.AsCommand, false},
		{"POST", "/handover", proxy.AsCommand, false},
		{"GET", "/calls", proxy.AsCommand, false},
		{"POST", "/approvals/p1/approve", proxy.AsCommand, false},
		{"POST", "/signin/code", proxy.AsCommand, false},
		{"GET", "/status", proxy.AsPerson, false},
		{"GET", "/", proxy.AsGiven, true},
		{"GET", "/assets/index-1a2b.js", proxy.AsGiven, true},
		{"GET", "/designs", proxy.AsGiven, true},
		{"GET", "/designs/.%2Fapp.db/changes", proxy.AsGiven, true},
		{"PUT", "/designs/main/layout", proxy.AsGiven, true},
		{"POST", "/tools/run-query", proxy.AsGiven, true},
		{"GET", "/", proxy.AsCommand, false},
		{"GET", "/mcp", proxy.AsGiven, false},
		{"POST", "/mcp", proxy.AsGiven, false},
		{"POST", "/calls", proxy.AsGiven, false},
		{"POST", "/signin/open", proxy.AsGiven, false},
		{"POST", "/signin/code", proxy.AsGiven, false},
		{"POST", "/projects/open", proxy.AsGiven, false},
		{"POST", "/shutdown", proxy.AsGiven, false},
		{"POST", "/handover", proxy.AsGiven, false},
		{"POST", "/query", proxy.AsGiven, false},
		{"PUT", "/designs/../mcp", proxy.AsGiven, false},
		{"PUT", "/designs/x%2F..%2F..%2Fmcp", proxy.AsGiven, false},
		{"CONNECT", "/", proxy.AsGiven, false},
		{"POST", "/approvals/../stop", proxy.AsGiven, false},
		{"POST", "/approvals//stop", proxy.AsGiven, false},
		{"POST", "/approvals/..%2Fstop", proxy.AsGiven, false},
		{"DELETE", "/keys/", proxy.AsGiven, false},
	} {
		assert.Equal(t, c.want, offered(c.method, c.path, c.as), "%s %s as %d", c.method, c.path, c.as)
	}
}
