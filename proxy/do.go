package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy/wire"
)

// Do sends one authenticated request to the running instance of root. The path
// is a route such as /status, body is sent as JSON (nil: no body), and the body
// of a 2xx reply is decoded into out (nil: discarded). Do never starts an
// instance. A GET whose connection broke is sent once more, as by [Way]. The
// error wraps an error of [portmap.Canonical], [ErrNotRunning], [ErrNoAnswer],
// [ErrUnanswered] or a [*RefusedError].
func (c *Client) Do(ctx context.Context, root, method, path string, body, out any) error {
	return c.doAs(ctx, root, commandRequest{method: method, path: path, body: body, out: out})
}

// DoAs is like [Client.Do] but authenticates as a page, with credential in the
// form "<key id>.<key>", instead of with the instance's token.
func (c *Client) DoAs(ctx context.Context, credential, root, method, path string, body, out any) error {
	return c.doAs(ctx, root, commandRequest{method: method, path: path, body: body, out: out, credential: "Bearer " + credential})
}

// DoAsPerson is like [Client.Do] but shows the person key too, for what a person
// decides. The caller must make sure that a person asked for it.
func (c *Client) DoAsPerson(ctx context.Context, root, method, path string, body, out any) error {
	return c.doAs(ctx, root, commandRequest{method: method, path: path, body: body, out: out, asPerson: true})
}

// NewCode returns a code that signs a page in, and the URL that carries it. The
// caller must make sure that a person asked for it.
func (c *Client) NewCode(ctx context.Context, root string) (code, url string, err error) {
	var reply struct {
		Code string `json:"code"`
		URL  string `json:"url"`
	}
	err = c.doAs(ctx, root, commandRequest{method: http.MethodPost, path: wire.CodePath, out: &reply, asPerson: true})
	return reply.Code, reply.URL, err
}

// NewCodeAt is [Client.NewCode] for the page at a host of the user's, as a
// forwarded port has it, at which the instance shows it until it ends. An
// instance of an earlier version knows no hosts, which is an error.
func (c *Client) NewCodeAt(ctx context.Context, root, host string) (url string, err error) {
	var reply struct {
		URL  string `json:"url"`
		Host string `json:"host"`
	}
	body := map[string]string{"host": host}
	err = c.doAs(ctx, root, commandRequest{method: http.MethodPost, path: wire.CodePath, body: body, out: &reply, asPerson: true})
	if err == nil && reply.Host == "" {
		err = fmt.Errorf("the instance of %s is of an earlier version: restart it with berth serve", root)
	}
	return reply.URL, err
}

// NewSignInFile asks the instance of root to write a file that, opened in a
// browser, signs the page in once. It returns the file's path. The caller must
// make sure that a person asked for it.
func (c *Client) NewSignInFile(ctx context.Context, root string) (path string, err error) {
	var reply struct {
		File string `json:"file"`
	}
	body := map[string]bool{"file": true}
	err = c.doAs(ctx, root, commandRequest{method: http.MethodPost, path: wire.CodePath, body: body, out: &reply, asPerson: true})
	if err == nil && reply.File == "" {
		err = fmt.Errorf("the instance of %s is of an earlier version: restart it with berth serve", root)
	}
	return reply.File, err
}

// commandRequest is one HTTP request that a command sends to an instance.
type commandRequest struct {
	method, path string
	body, out    any
	credential   string // Authorization header; "": the instance token's
	asPerson     bool   // send the person key too
}

func (c *Client) doAs(ctx context.Context, root string, e commandRequest) error {
	way, host, path, err := c.wayTo(root)
	switch {
	case err != nil:
		return unknownHost(host, err)
	case host != "":
		return c.doFar(ctx, way, path, e)
	}
	canonical, err := c.keyOf(root)
	if err != nil {
		return err
	}
	p, err := c.find(canonical)
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", e.method, e.path, canonical, err)
	}
	reads := e.method == http.MethodGet && e.body == nil
	err = c.twiceIfItReads(canonical, p, reads, func(p *peer) error { return c.do(ctx, p, e) })
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", e.method, e.path, canonical, err)
	}
	return nil
}

// twiceIfItReads sends a request to a run of an instance. One that only reads is
// sent once more, to the run that is there then, if its connection broke: an
// instance that ended has closed the idle connections, one after the other.
func (c *Client) twiceIfItReads(root string, p *peer, reads bool, send func(*peer) error) error {
	err := send(p)
	if !reads || !errors.Is(err, ErrUnanswered) {
		return err
	}
	p.closeIdle()
	if p, err = c.find(root); err != nil {
		return err
	}
	return send(p)
}

// keyOf returns the canonical form of root. Unlike [portmap.Canonical] it also
// accepts a project whose directory is gone while the port map has an entry for
// it: a command must be able to reach that instance to stop it.
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

func (c *Client) do(ctx context.Context, p *peer, e commandRequest) (err error) {
	defer func() {
		if isNotRunning(err) {
			c.pool.drop(p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, c.opts.CallTimeout)
	defer cancel()
	ctx, pending := p.watch(ctx)
	defer pending.stop()
	req, err := p.request(ctx, e.method, e.path, e.body)
	if err != nil {
		return err
	}
	if e.credential != "" {
		req.Header.Set("Authorization", e.credential)
	}
	if e.asPerson {
		addPersonKey(req, c.personKey())
	}
	resp, err := p.requests.roundTrip(req, time.Now())
	if err != nil {
		return unanswered(causeOf(ctx, err))
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
