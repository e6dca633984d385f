package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// leaseSilence is how long an instance may send nothing on a lease before it
// counts as hung: three of its heartbeats.
const leaseSilence = 45 * time.Second

// A Lease keeps a running instance from ending by itself, and hears its events.
// It ends with the instance, or when it is closed.
type Lease struct {
	// Instance is the run that is held.
	Instance wire.Instance

	body  io.ReadCloser
	lines *bufio.Reader
	quiet *time.Timer // closes the connection of an instance that hangs
	stop  func() bool
}

// Hold takes a lease named name on the running instance of root, which proves
// itself first. It returns once the lease holds. Errors are those of
// [Client.Do]. The lease is closed with ctx.
func (c *Client) Hold(ctx context.Context, root, name string) (*Lease, error) {
	canonical, err := c.keyOf(root)
	if err != nil {
		return nil, err
	}
	var designs struct {
		Seq uint64 `json:"seq"` // of the last event
	}
	if err := c.Do(ctx, canonical, http.MethodGet, "/designs", nil, &designs); err != nil {
		return nil, err
	}
	p, err := c.find(canonical)
	if err != nil {
		return nil, fmt.Errorf("hold %s: %w", canonical, err)
	}
	l, err := p.hold(ctx, name, designs.Seq)
	if isNotRunning(err) {
		c.pool.drop(p)
	}
	if err != nil {
		return nil, fmt.Errorf("hold %s: %w", canonical, err)
	}
	return l, nil
}

// hold opens a connection of its own: one of the pool's would be missing there.
func (p *peer) hold(ctx context.Context, name string, after uint64) (*Lease, error) {
	opened, _, err := dialProven(ctx, p.inst, p.opts.ConnectTimeout, p.opts.ProofTimeout)
	if err != nil {
		return nil, err
	}
	query := url.Values{wire.LeaseParam: {name}, "after": {strconv.FormatUint(after, 10)}}
	req, err := p.request(ctx, http.MethodGet, wire.EventsPath+"?"+query.Encode(), nil)
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	l := &Lease{Instance: p.inst}
	l.stop = context.AfterFunc(ctx, func() { _ = opened.Close() })
	l.quiet = time.AfterFunc(leaseSilence, func() { _ = opened.Close() })
	resp, err := newConn(opened).exchange(req)
	switch {
	case err != nil:
		err = unanswered(causeOf(ctx, err))
	case resp.StatusCode != http.StatusOK:
		err = causeOf(ctx, readFailure(resp))
	}
	if err != nil {
		l.end()
		return nil, errors.Join(err, opened.Close())
	}
	l.body, l.lines = opened, bufio.NewReader(resp.Body)
	if _, err := l.line(); err != nil { // ": connected": it holds from here on
		return nil, errors.Join(unanswered(causeOf(ctx, err)), l.Close())
	}
	return l, nil
}

// Next returns the next event or notice, an object as docs/http.md has it. The
// error is io.EOF when the instance has closed the stream, and another one when
// the connection broke: then it crashed or hangs.
func (l *Lease) Next() (json.RawMessage, error) {
	for {
		line, err := l.line()
		if err != nil {
			return nil, err
		}
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			return json.RawMessage(bytes.TrimSpace(data)), nil
		}
	}
}

func (l *Lease) line() ([]byte, error) {
	line, err := l.lines.ReadBytes('\n')
	l.quiet.Reset(leaseSilence)
	return line, err
}

// Close gives the lease up.
func (l *Lease) Close() error {
	l.end()
	return l.body.Close()
}

func (l *Lease) end() {
	l.stop()
	l.quiet.Stop()
}
