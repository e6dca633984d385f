package proxy

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// Errors for an instance that cannot be reached. Errors of [Client.Do] wrap
// them; [Client.Call] reports them as results.
var (
	// ErrNotRunning means that no process proved to be the project's instance.
	ErrNotRunning = errors.New("no instance is running for the project")
	// ErrNoAnswer means that something accepts connections on the instance's
	// port but does not answer.
	ErrNoAnswer = errors.New("the instance does not answer")
)

func isNotRunning(err error) bool { return errors.Is(err, ErrNotRunning) }

// find returns the peer for the instance that the port map and the instance
// file name for a canonical root. It looks at both files for each call and reads
// those that have changed: a restarted instance has another token and therefore
// another peer. The error wraps [ErrNotRunning].
func (c *Client) find(root string) (*peer, error) {
	port, ok, err := c.opts.Store.Lookup(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRunning, err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: not in the port map", ErrNotRunning)
	}
	inst, err := c.instance(root, port)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRunning, err)
	}
	return c.pool.peer(root, inst), nil
}

// instance reads the instance file for port and checks that it belongs to root:
// the port of a dead instance may have been given to another project.
func (c *Client) instance(root string, port int) (wire.Instance, error) {
	inst, err := c.instances.Read(c.opts.Home.InstanceFile(port))
	if err != nil {
		return wire.Instance{}, err
	}
	if inst.Port != port {
		return wire.Instance{}, fmt.Errorf("instance file of port %d names port %d", port, inst.Port)
	}
	if !sameRoot(inst.ProjectRoot, root) {
		return wire.Instance{}, fmt.Errorf("port %d belongs to another project now", port)
	}
	return inst, nil
}

// ignoresCase reports whether paths are compared without case. The port map
// does so on the same systems.
const ignoresCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

func sameRoot(a, b string) bool {
	return a == b || ignoresCase && strings.EqualFold(a, b)
}
