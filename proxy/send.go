package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/berth-dev/berth/proxy/wire"
)

// sentCall is a call as it is sent, on either kind of connection.
type sentCall struct {
	wire.Call
	text     []byte              // of the Call, with a newline
	progress func(wire.Progress) // nil: none
	heard    func()              // called for each line that is not the last
}

// send sends a call on c, which was taken from conns, and reads the reply up to
// its last line. It returns c to conns or closes it. An error that wraps
// [ErrUnanswered] leaves open whether the call ran.
func (p *peer) send(ctx context.Context, conns *connGroup, c *conn, s sentCall) (wire.Line, error) {
	if c.calls {
		return conns.call(ctx, c, s)
	}
	return p.post(ctx, conns, c, s)
}

// call sends a call without HTTP: a line, and its reply is lines. Closing the
// connection cancels the call.
func (r *connGroup) call(ctx context.Context, c *conn, s sentCall) (wire.Line, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	line, err := c.call(s)
	// An instance that is shutting down closes the connection after a refusal.
	if stop() && err == nil && c.in.Buffered() == 0 {
		r.put(c)
	} else {
		_ = c.Close()
	}
	return line, err
}

func (c *conn) call(s sentCall) (wire.Line, error) {
	_, err := c.Write(s.text)
	if err == nil {
		_, err = c.in.Peek(1)
	}
	if err != nil {
		return wire.Line{}, fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return s.read(wire.NewLineReader(c.in))
}

// post sends a call as an HTTP request, to an instance that knows nothing else.
func (p *peer) post(ctx context.Context, conns *connGroup, c *conn, s sentCall) (wire.Line, error) {
	req, err := p.request(ctx, http.MethodPost, wire.ToolsPath+url.PathEscape(s.Tool), s.Request)
	if err != nil {
		conns.put(c)
		return wire.Line{}, err
	}
	req.Header.Set("Accept", wire.ContentTypeRows)
	addPersonKey(req, s.Person)
	resp, err := conns.exchange(c, req)
	if err != nil {
		return wire.Line{}, unanswered(causeOf(ctx, err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return wire.Line{}, readFailure(resp)
	}
	line, err := s.read(wire.NewLineReader(resp.Body))
	if err == nil {
		// Read to the end of the body, so that the connection can be reused.
		_, _ = io.CopyN(io.Discard, resp.Body, 1)
	}
	return line, err
}

// read reads the lines of a reply and returns the last one.
func (s sentCall) read(lines *wire.LineReader) (wire.Line, error) {
	for {
		line, err := lines.Next()
		switch {
		case err != nil:
			return wire.Line{}, err
		case line.Failure != nil:
			return wire.Line{}, refusedBy(line.Failure)
		case line.End():
			return line, nil
		}
		s.heard()
		if s.progress != nil {
			line.Progress.Message = truncate(line.Progress.Message, maxMessageBytes)
			s.progress(*line.Progress)
		}
	}
}

// leaveHTTP has a proven instance take calls on c without HTTP from here on. It
// may take longer than the proof: a squatter would not have come this far.
func (p *peer) leaveHTTP(ctx context.Context, c *conn) error {
	return greet(ctx, c, p.inst.Port, patience*p.opts.ProofTimeout, func() error {
		req, err := p.request(ctx, http.MethodPost, wire.CallsPath, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", wire.CallsProtocol)
		resp, err := c.exchange(req)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusSwitchingProtocols {
			defer resp.Body.Close()
			return readFailure(resp)
		}
		return nil
	})
}
