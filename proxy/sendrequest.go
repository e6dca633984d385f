package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// Send implements [Way]. What of the request names an origin is replaced by
// this instance's own: the sender has checked it, on the machine where it means
// something.
func (h here) Send(ctx context.Context, path string, r Request) (*http.Response, error) {
	root, err := h.c.keyOf(path)
	if err != nil {
		return nil, err
	}
	p, err := h.c.find(root)
	if err != nil {
		return nil, fmt.Errorf("%s %s of %s: %w", r.Method, r.Path, root, err)
	}
	var resp *http.Response
	reads := r.Method == http.MethodGet && r.Body == nil
	err = h.c.twiceIfItReads(root, p, reads, func(p *peer) (err error) {
		resp, err = h.sendTo(ctx, p, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s %s of %s: %w", r.Method, r.Path, root, err)
	}
	return resp, nil
}

// sendTo sends a request to a run of an instance, once.
func (h here) sendTo(ctx context.Context, p *peer, r Request) (*http.Response, error) {
	req, err := p.requestFor(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.As == AsPerson {
		addPersonKey(req, h.c.personKey())
	}
	resp, err := p.requests.roundTrip(req, time.Now())
	if isNotRunning(err) {
		h.c.pool.drop(p)
	}
	if err != nil {
		return nil, unanswered(causeOf(ctx, err))
	}
	return resp, nil
}

// requestFor returns r as a request to p.
func (p *peer) requestFor(ctx context.Context, r Request) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, "http://"+p.host+r.Path, r.Body)
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	if r.Header != nil {
		req.Header = r.Header.Clone()
	}
	req.Header.Del(wire.PersonHeader)
	req.Header.Del(wire.ShownPortHeader)
	if r.ShownPort > 0 {
		req.Header.Set(wire.ShownPortHeader, strconv.Itoa(r.ShownPort))
	}
	if req.Header.Get("Origin") != "" {
		req.Header.Set("Origin", "http://"+p.host)
	}
	if length, err := strconv.ParseInt(req.Header.Get("Content-Length"), 10, 64); err == nil && r.Body != nil {
		req.ContentLength = length
	}
	if r.As != AsGiven {
		req.Header.Set("Authorization", p.inst.Token.Header())
	}
	return req, nil
}

// unknownHost returns the error for a host that a command's project names.
func unknownHost(host string, err error) error {
	if errors.Is(err, ErrNoHost) {
		return fmt.Errorf("no host is named %s: %w", shownPath(host), err)
	}
	return err
}

// doFar is doAs for a project on another machine.
func (c *Client) doFar(ctx context.Context, way Way, path string, e commandRequest) error {
	ctx, cancel := context.WithTimeout(ctx, c.opts.CallTimeout)
	defer cancel()
	r := Request{Method: e.method, Path: e.path, Header: http.Header{}, As: AsCommand}
	switch {
	case e.credential != "":
		r.As = AsGiven
		r.Header.Set("Authorization", e.credential)
	case e.asPerson:
		r.As = AsPerson
	}
	if e.body != nil {
		text, err := encode(e.body)
		if err != nil {
			return err
		}
		r.Body = bytes.NewReader(text)
		r.Header.Set("Content-Type", wire.ContentTypeJSON)
		r.Header.Set("Content-Length", strconv.Itoa(len(text)))
	}
	resp, err := way.Send(ctx, path, r)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	return causeOf(ctx, ReadReply(resp, e.out))
}

// ReadReply decodes the JSON body of an answer of [Way.Send] into out; nil: it is
// discarded. The error for an answer that is no 2xx is a [*RefusedError].
func ReadReply(resp *http.Response, out any) error {
	if resp.StatusCode/100 != 2 {
		return readFailure(resp)
	}
	return readInto(resp, out)
}
