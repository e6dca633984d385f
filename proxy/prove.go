package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// Errors of a failed dial; both wrap [ErrNotRunning].
var (
	errRefused  = fmt.Errorf("%w: nothing listens on its port", ErrNotRunning)
	errSquatted = fmt.Errorf("%w: its port is held by something else", ErrNotRunning)
)

// maxProofBytes bounds the answer to a challenge, headers and body.
const maxProofBytes = wire.MaxHealthBytes + 4<<10

// dialProven opens a connection to the port of inst and returns it only after
// the process behind it has proven to be inst. The error wraps
// [ErrNotRunning], [ErrNoAnswer] or ctx's.
func dialProven(ctx context.Context, inst wire.Instance, connect, proof time.Duration) (net.Conn, wire.Health, error) {
	conn, err := dial(ctx, inst.Port, connect)
	if err != nil {
		return nil, wire.Health{}, err
	}
	var health wire.Health
	err = greet(ctx, conn, inst.Port, proof, func() (err error) {
		health, err = challenge(conn, inst)
		return err
	})
	if err != nil {
		conn.Close()
		return nil, wire.Health{}, err
	}
	return conn, health, nil
}

func dial(ctx context.Context, port int, timeout time.Duration) (net.Conn, error) {
	d := net.Dialer{Timeout: timeout}
	conn, err := d.DialContext(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	var timedOut net.Error
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &timedOut) && timedOut.Timeout() && runtime.GOOS != "windows":
		// The listener's backlog is full: it exists and hangs. On Windows,
		// connecting retries for seconds where nothing listens.
		return nil, fmt.Errorf("%w: connect to port %d: %w", ErrNoAnswer, port, err)
	default:
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
}

// greet runs a step of opening conn, which writes and reads, within timeout.
func greet(ctx context.Context, conn net.Conn, port int, timeout time.Duration, step func() error) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	deadline := time.Now().Add(timeout)
	err := conn.SetDeadline(deadline)
	if err == nil {
		err = step()
	}
	if !stop() {
		return ctx.Err()
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	var refused *RefusedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return err
	case !time.Now().Before(deadline): // http.ReadResponse hides time-outs
		return fmt.Errorf("%w: port %d accepted a connection and did not prove itself in %v", ErrNoAnswer, port, timeout)
	default:
		return fmt.Errorf("%w: port %d: %w", errSquatted, port, err)
	}
}

// challenge sends a challenge on conn and checks the answer. It writes HTTP by
// hand because the answer must come on this very connection, which is then used
// for calls. A process that cannot prove its identity sees only a nonce.
func challenge(conn net.Conn, inst wire.Instance) (wire.Health, error) {
	nonce := wire.NewNonce()
	_, err := fmt.Fprintf(conn, "GET %s?%s=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
		wire.HealthPath, wire.NonceParam, wire.EncodeNonce(nonce), inst.Port)
	if err != nil {
		return wire.Health{}, err
	}
	health, err := readHealth(bufio.NewReader(io.LimitReader(conn, maxProofBytes)))
	if err != nil {
		return wire.Health{}, err
	}
	if !health.Proves(inst, nonce) {
		return wire.Health{}, errors.New("wrong proof")
	}
	return health, nil
}

// readHealth reads exactly one response. Bytes after it would be lost to the
// next reader of the connection, and no instance sends any.
func readHealth(r *bufio.Reader) (wire.Health, error) {
	resp, err := http.ReadResponse(r, nil) // nil: the request was a GET
	if err != nil {
		return wire.Health{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Close {
		return wire.Health{}, fmt.Errorf("status %d, close %t", resp.StatusCode, resp.Close)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return wire.Health{}, err
	}
	if r.Buffered() > 0 {
		return wire.Health{}, errors.New("bytes after the answer")
	}
	var health wire.Health
	if err := wire.Decode(body, wire.MaxDepth, wire.MaxHealthBytes, &health); err != nil {
		return wire.Health{}, err
	}
	return health, nil
}
