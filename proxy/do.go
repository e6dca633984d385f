package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// Do sends one authenticated request to the running instance of root, as
// commands need it: path is a route such as /status, body is sent as JSON
// (nil: none), a reply of status 2xx is read into out (nil: dropped). It
// starts nothing. The error wraps those of [portmap.Canonical],
// [ErrNotRunning], [ErrNoAnswer] or a [*RefusedError].
func (c *Client) Do(ctx context.Context, root, method, path string, body, out any) error {
	return c.doAs(ctx, root, errand{method: method, path: path, body: body, out: out})
}

// DoAs is Do as the page whose key credential is ("<key id>.<key>"), in place
// of the instance's token.
func (c *Client) DoAs(ctx context.Context, credential, root, method, path string, body, out any) error {
	return c.doAs(ctx, root, errand{method: method, path: path, body: body, out: out, credential: "Bearer " + credential})
}

// NewCode gets a code that signs a page in, and the address that carries it.
// It is for a person: the caller answers for there being one.
func (c *Client) NewCode(ctx context.Context, root string) (code, url string, err error) {
	var reply struct {
		Code string `json:"code"`
		URL  string `json:"url"`
	}
	err = c.doAs(ctx, root, errand{method: http.MethodPost, path: wire.CodePath, out: &reply, vouched: true})
	return reply.Code, reply.URL, err
}

// NewDoorway has the instance of root write a file that opens its page in a
// browser, signed in, once; it returns the path. It is for a person: the
// caller answers for there being one.
func (c *Client) NewDoorway(ctx context.Context, root string) (path string, err error) {
	var reply struct {
		File string `json:"file"`
	}
	body := map[string]bool{"file": true}
	err = c.doAs(ctx, root, errand{method: http.MethodPost, path: wire.CodePath, body: body, out: &reply, vouched: true})
	if err == nil && reply.File == "" {
		err = fmt.Errorf("the instance of %s is of an earlier version: restart it with berth serve", root)
	}
	return reply.File, err
}

// errand is one request of a command.
type errand struct {
	method, path string
	body, out    any
	credential   string // in place of the token's; "": the token's
	vouched      bool   // the person key goes with it
}

func (c *Client) doAs(ctx context.Context, root string, e errand) error {
	canonical, err := c.keyOf(root)
	if err != nil {
		return err
	}
	p, err := c.find(canonical)
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", e.method, e.path, canonical, err)
	}
	err = c.do(ctx, p, e)
	if isNotRunning(err) {
		c.pool.drop(p)
	}
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", e.method, e.path, canonical, err)
	}
	return nil
}

// keyOf is [portmap.Canonical], but that a project whose directory is gone
// keeps its key while the map has it: a command has to reach its instance to
// end it.
func (c *Client) keyOf(root string) (string, error) {
	key, err := portmap.Canonical(root)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	gone := filepath.Clean(root)
	if _, ok, lookupErr := c.opts.Store.Lookup(gone); lookupErr != nil || !ok {
		return "", err
	}
	return gone, nil
}

func (c *Client) do(ctx context.Context, p *peer, e errand) error {
	ctx, cancel := context.WithTimeout(ctx, c.opts.CallTimeout)
	defer cancel()
	ctx, silence := p.watch(begun(ctx))
	defer silence.stop()
	req, err := p.request(ctx, e.method, e.path, e.body)
	if err != nil {
		return err
	}
	if e.credential != "" {
		req.Header.Set("Authorization", e.credential)
	}
	if e.vouched {
		c.vouch(req)
	}
	resp, err := p.others.roundTrip(req)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return readFailure(resp)
	}
	return causeOf(ctx, readInto(resp, e.out))
}

func readInto(resp *http.Response, out any) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, wire.MaxLineBytes+1))
	if err != nil {
		return fmt.Errorf("read reply: %w", err)
	}
	if out == nil {
		return nil
	}
	if err := wire.Decode(text, wire.MaxReplyDepth, wire.MaxLineBytes, out); err != nil {
		return fmt.Errorf("read reply: %w", err)
	}
	return nil
}
