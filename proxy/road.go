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

// road is one of a peer's two sets of connections, with the lane of the calls
// that use them: queries, which may take as long as the database does, never
// keep a connection from a call that reads a file or the design.
type road struct {
	lane      *lane.Lane
	transport *http.Transport
}

// Bounds of waiting for a connection.
const (
	maxWaiting  = 8192
	longestWait = 5 // times Options.Patience, in a lane that moves
)

func (p *peer) newRoad() *road {
	return &road{
		lane: lane.New(lane.Options{Places: p.opts.MaxConns, Waiting: maxWaiting,
			Patience: p.opts.Patience, Longest: longestWait * p.opts.Patience}),
		transport: &http.Transport{ // no Proxy: loopback is never proxied
			DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return p.dial(ctx) },
			MaxConnsPerHost:     p.opts.MaxConns,
			MaxIdleConnsPerHost: p.opts.MaxConns, // the default of 2 dials for almost every parallel call
			IdleConnTimeout:     idleTimeout,
			DisableCompression:  true,
		},
	}
}

// road returns the one for a tool's calls.
func (p *peer) road(tool string) *road {
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

// begun marks ctx as that of a request that begins now: its wait for a place
// is part of it.
func begun(ctx context.Context) context.Context {
	return context.WithValue(ctx, startKey{}, time.Now())
}

// enter waits for a place among the road's calls. The error is an
// [*overloadedError], or the cause of ctx's end.
func (r *road) enter(ctx context.Context, tool string) (*lane.Place, error) {
	place, err := r.lane.Enter(ctx, tool)
	var full *lane.FullError
	if errors.As(err, &full) {
		return nil, &overloadedError{full}
	}
	return place, err
}

// roundTrip sends one request on a proven connection. It follows no redirect.
func (r *road) roundTrip(req *http.Request) (*http.Response, error) {
	return r.transport.RoundTrip(req)
}

// overloadedError reports a call that was not sent, because too many others
// of this process are in progress.
type overloadedError struct{ full *lane.FullError }

func (e *overloadedError) Error() string {
	return fmt.Sprintf("%s: too many calls to the project's instance are in progress, %v. Nothing was done: repeat the call a little later",
		wire.CodeOverloaded, e.full)
}
