package portmap

import (
	"context"
	"net"
	"strconv"
)

// listen binds a port of 127.0.0.1: no other address and no IPv6, so that only
// users of this machine can reach it.
func listen(ctx context.Context, port int) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}
