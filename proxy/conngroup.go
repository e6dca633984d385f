package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/lane"
)

// connGroup is one of a peer's two sets of connections, with the lane of the
// calls that use them. Queries, which may take as long as the database does, use
// a set of their own and so never block a call that reads a file or the design.
type connGroup struct {
	lane      *lane.Lane
	transport *http.Transport
}

// Limits on waiting for a connection.
const (
	maxWaiting  = 8192
	longestWait = 5 // times Options.Patience, in a lane that moves
)

func (p *peer) newConnGroup() *connGroup {
	return &connGroup{
		lane: lane.New(lane.Options{Places: p.opts.MaxConns, Waiting: maxWaiting,
			Patience: p.opts.Patience, Longest: longestWait * p.opts.Patience}),
		transport: &http.Transport{ // no Proxy: loopback is never proxied
			DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return p.dial(ctx) },
			MaxConnsPerHost:     p.opts.MaxConns,
			MaxIdleConnsPerHost: p.opts.MaxConns, // with the default of 2, almost every parallel call would dial
			IdleConnTimeout:     idleTimeout,
			DisableCompression:  true,
		},
	}
}

// connGroup returns the set of connections for a tool's calls.
func (p *peer) connGroup(tool string) *connGroup {
	switch tool {
	case catalog.RunQuery, catalog.MSSQLQuery, catalog.ExplainQuery, catalog.SampleTable, catalog.ExecuteSQL:
		return p.queries
	}
	return p.others
}

// closeIdle closes the connections that no call uses.
func (p *peer) closeIdle() {
	p.queries.transport.CloseIdleConnections()
	p.others.transport.CloseIdleConnections()
}

// withStartTime returns a context for a request that begins now. The time it
// waits for a connection counts as part of the request.
func withStartTime(ctx context.Context) context.Context {
	return context.WithValue(ctx, startKey{}, time.Now())
}

// enter waits for a place among the group's calls. The error is an
// [*overloadedError] or the cause of ctx.
func (r *connGroup) enter(ctx context.Context, tool string) (*lane.Place, error) {
	place, err := r.lane.Enter(ctx, tool)
	var full *lane.FullError
	if errors.As(err, &full) {
		return nil, &overloadedError{full}
	}
	return place, err
}

// roundTrip sends one request on a proven connection. It does not follow
// redirects.
func (r *connGroup) roundTrip(req *http.Request) (*http.Response, error) {
	return r.transport.RoundTrip(req)
}

// overloadedError reports a call that was not sent, because too many others
// of this process are in progress.
type overloadedError struct{ full *lane.FullError }

func (e *overloadedError) Error() string {
	return fmt.Sprintf("%s: too many calls to the project's instance are in progress, %v. Nothing was done: repeat the call a little later",
		wire.CodeOverloaded, e.full)
}
