package proxy

import (
	"context"
	"errors"
	"net"

	"github.com/berth-dev/berth/proxy/wire"
)

// State describes what listens on the port of a port map entry.
type State string

// The states.
const (
	Live     State = "live"     // the project's instance; it has proven so
	Stale    State = "stale"    // nothing listens: a crash left the entry
	Squatted State = "squatted" // something else listens: another program or another project
	Hung     State = "hung"     // something accepts connections but does not answer
)

// Probe checks what listens on the port that the map assigns to a canonical
// root. The instance returned is the content of the instance file, nil if there
// is none for that root; it is known to be running only if the state is [Live].
// Probe sends a challenge and nothing else. It returns within the connect and
// proof limits, or with [Hung] when ctx is done.
func (c *Client) Probe(ctx context.Context, root string, port int) (State, *wire.Instance) {
	state, inst, opened := c.probe(ctx, root, port)
	if opened != nil {
		opened.Close()
	}
	return state, inst
}

// probe is Probe that keeps the proven connection of a live instance; the caller
// closes it.
func (c *Client) probe(ctx context.Context, root string, port int) (State, *wire.Instance, net.Conn) {
	inst, err := c.instance(root, port)
	if err != nil {
		return c.probeUnknown(ctx, port), nil, nil
	}
	opened, _, err := dialProven(ctx, inst, c.opts.ConnectTimeout, c.opts.ProofTimeout)
	switch {
	case err == nil:
		return Live, &inst, opened
	case errors.Is(err, errRefused):
		return Stale, &inst, nil
	case errors.Is(err, errSquatted):
		return Squatted, &inst, nil
	default:
		return Hung, &inst, nil
	}
}

// probeUnknown checks whether anything listens on a port without a known token.
// Whatever listens there cannot prove to be the project's instance.
func (c *Client) probeUnknown(ctx context.Context, port int) State {
	conn, err := dial(ctx, port, c.opts.ConnectTimeout)
	switch {
	case err == nil:
		conn.Close()
		return Squatted
	case errors.Is(err, errRefused):
		return Stale
	default:
		return Hung
	}
}
