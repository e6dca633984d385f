package proxy

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
)

// What stands between a call and its instance. [Client.Do] returns errors
// that wrap these; [Client.Call] words them for the agent.
var (
	// ErrNotRunning: no process has proven to be the project's instance.
	ErrNotRunning = errors.New("no instance is running for the project")
	// ErrNoAnswer: something accepts connections there and stays silent.
	ErrNoAnswer = errors.New("the instance does not answer")
)

func isNotRunning(err error) bool { return errors.Is(err, ErrNotRunning) }

// find returns the way to the instance that map and instance file name for a
// canonical root. Both are read anew for each call, which costs some ten
// microseconds: an instance that restarted has another token, and so another
// peer. The error wraps [ErrNotRunning].
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

// instance reads the file of the instance on port and checks that it is the
// one of root: the port of a dead instance may have been given to another
// project.
func (c *Client) instance(root string, port int) (wire.Instance, error) {
	inst, err := wire.ReadInstance(c.opts.Home.InstanceFile(port))
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

// foldsCase: the port map ignores the case of paths on the same systems.
const foldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

func sameRoot(a, b string) bool {
	return a == b || foldsCase && strings.EqualFold(a, b)
}
