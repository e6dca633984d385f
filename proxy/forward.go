package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// errTooLarge is the error for a call that is larger than any instance accepts.
var errTooLarge = fmt.Errorf("the call is larger than %d bytes", wire.MaxRequestBytes)

// forward sends one call to p and reads the reply up to its last line. It
// returns early if ctx is done, after CallTimeout, and if the instance turns
// out to be dead or hung while the call waits.
func (c *Client) forward(ctx context.Context, p *peer, def catalog.Definition, args json.RawMessage, o CallOptions) (wire.Line, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.CallTimeout)
	defer cancel()
	conns, began := p.connGroup(def.Name), time.Now()
	place, err := conns.enter(ctx, def.Name)
	if err != nil {
		return wire.Line{}, causeOf(ctx, err)
	}
	defer place.Leave()
	ctx, pending := p.watch(ctx)
	defer pending.stop()
	call := wire.Call{Tool: def.Name, Request: callBody(ctx, args, o)}
	if o.Client.Elicitation || o.Client.Views {
		call.Person = c.personKey()
	}
	text, err := encode(call)
	if err != nil {
		return wire.Line{}, err
	}
	via, err := conns.take(ctx, began)
	if err != nil {
		return wire.Line{}, causeOf(ctx, err)
	}
	s := sentCall{Call: call, text: text, progress: o.Progress, heard: pending.heard}
	line, err := p.send(ctx, conns, via, s)
	if err == nil {
		err = checkSize(line, def)
	}
	return line, causeOf(ctx, err)
}

// personKey returns the person key as [wire.PersonHeader] has it. Without the
// key the instance treats the caller as an agent, so failing to read it is
// logged and otherwise ignored: then it is "".
func (c *Client) personKey() string {
	key, err := wire.ReadPersonKey(c.opts.Home.PersonKeyFile())
	if err != nil {
		c.opts.Logger.Debug("no person key", "cause", err)
		return ""
	}
	return key.Header()
}

// addPersonKey adds the person key to a request, unless it is "".
func addPersonKey(req *http.Request, key string) {
	if key != "" {
		req.Header.Set(wire.PersonHeader, key)
	}
}

// ErrUnanswered is the error for a connection that broke before the first byte
// of the answer: the call may or may not have run.
var ErrUnanswered = errors.New("the connection broke before the answer")

// unanswered wraps err with [ErrUnanswered] if the connection broke, and
// returns it as is if the instance was not reached or the call was canceled.
func unanswered(err error) error {
	for _, other := range []error{ErrNotRunning, ErrNoAnswer, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, other) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrUnanswered, err)
}

func callBody(ctx context.Context, args json.RawMessage, o CallOptions) wire.Request {
	body := wire.Request{
		Arguments:      args,
		Client:         o.Client,
		WantProgress:   o.Progress != nil,
		InputResponses: o.InputResponses,
		RequestState:   o.RequestState,
	}
	if end, ok := ctx.Deadline(); ok {
		body.DeadlineMs = max(1, time.Until(end).Milliseconds())
	}
	return body
}

// request returns an authenticated request to p. A nil body sends none.
func (p *peer) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var content io.Reader
	if body != nil {
		text, err := encode(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+p.host+path, content)
	if err != nil {
		return nil, fmt.Errorf("build request: %w", err)
	}
	req.Header.Set("Authorization", p.inst.Token.Header())
	req.Header.Set("User-Agent", wire.ServerName+"/"+p.opts.Version)
	if body != nil {
		req.Header.Set("Content-Type", wire.ContentTypeJSON)
	}
	return req, nil
}

func encode(body any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	if buf.Len() > wire.MaxRequestBytes {
		return nil, errTooLarge
	}
	return buf.Bytes(), nil
}

// causeOf returns context.Cause(ctx) if ctx is done, and err otherwise.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrNotRunning) {
		return context.Cause(ctx)
	}
	return err
}
